// Objects with known keys, numbers in range: the grammar's problems and the values' under one name.
#include "heads/strict_json.hpp"

#include "io/json.hpp"
#include "io/safetensors.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace heads {
namespace {

using Kind = io::JsonReader::Kind;

/// The end of a character at or before `most` bytes.
std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0u) == 0x80u) --most;
  return std::string(text.substr(0, most)) + "\u2026";
}

constexpr std::size_t kShown = 60;

std::string_view kind_text(Kind kind) {
  switch (kind) {
    case Kind::object: return "an object";
    case Kind::list: return "a list";
    case Kind::string: return "a string";
    case Kind::number: return "a number";
    case Kind::word: return "true, false or null";
    case Kind::none: return "nothing";
  }
  return "";
}

/// Digits alone, after a minus sign where it may be negative: 2.0, 2e3 and -0 are refused.
std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least, std::int64_t most) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 18 || (negative && text == "0")) return std::nullopt;
  std::int64_t out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    out = 10 * out + (c - '0');
  }
  if (negative) out = -out;
  if (out < least || out > most) return std::nullopt;
  return out;
}

}  // namespace

std::string shown(std::string_view text) { return io::quoted_text(cut(text, kShown)); }

void Refusals::add(std::string field, std::string found, std::string wanted) {
  if (!is_full()) named_.push_back({std::move(field), std::move(found), std::move(wanted)});
}

void Refusals::add(const std::vector<attention::Problem>& problems) {
  for (const attention::Problem& it : problems) add(it.field, it.found, it.wanted);
}

bool Refusals::is_full() const { return named_.size() >= io::kNamedProblems; }

std::vector<attention::Problem> Refusals::take() {
  if (is_full()) named_.push_back({"file", "these problems and maybe more", "none"});
  return std::move(named_);
}

void StrictJson::refuse(const std::string& field, std::string found, std::string wanted) {
  refused_ = true;
  refusals_.add(field.empty() ? name_ : name_ + " " + field, std::move(found), std::move(wanted));
}

bool StrictJson::expect(Kind kind, const std::string& field, std::string wanted) {
  const Kind found = json_.kind();
  if (found == kind) return true;
  if (found != Kind::none) refuse(field, std::string(kind_text(found)), std::move(wanted));
  json_.skip();
  return false;
}

void StrictJson::object(const std::string& field, std::initializer_list<Member> members, Others others) {
  std::string names;
  for (const Member& member : members) names += (names.empty() ? "" : ", ") + std::string(member.key);
  if (!expect(Kind::object, field, "an object of " + names)) return;
  std::vector<bool> seen(members.size());
  json_.begin();
  for (std::string key; json_.next_key(key);) {
    const std::string part = field.empty() ? key : field + " " + key;
    const Member* member =
        std::find_if(members.begin(), members.end(), [&](const Member& it) { return it.key == key; });
    if (member == members.end()) {
      if (others == Others::refused) {
        refuse((field.empty() ? "" : field + " ") + shown(key), "a key of that name", names + " alone");
      }
      json_.skip();
      continue;
    }
    const auto which = static_cast<std::size_t>(member - members.begin());
    if (seen[which]) {
      refuse(part, "it twice", "it once");
      json_.skip();
      continue;
    }
    seen[which] = true;
    member->read(part);
  }
  if (json_.failed()) return;
  std::size_t which = 0;
  for (const Member& member : members) {
    const std::string part = (field.empty() ? "" : field + " ") + std::string(member.key);
    if (!seen[which++] && member.needed) refuse(part, "nothing", "it once");
  }
}

void StrictJson::list(const std::string& field, std::size_t most, const Read& read) {
  if (!expect(Kind::list, field, "a list")) return;
  std::size_t count = 0;
  json_.begin();
  while (json_.next_item()) {
    if (++count > most || refusals_.is_full()) {
      json_.skip();
    } else {
      read(field + "[" + std::to_string(count) + "]");
    }
  }
  if (count > most && !json_.failed()) {
    refuse(field, "a list of " + std::to_string(count), "at most " + std::to_string(most));
  }
}

std::int64_t StrictJson::whole(const std::string& field, std::int64_t least, std::int64_t most) {
  const std::string wanted = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (!expect(Kind::number, field, wanted)) return least;
  const std::string_view digits = json_.number();
  const std::optional<std::int64_t> number = whole_number(digits, least, most);
  if (!number && !json_.failed()) refuse(field, cut(digits, kShown), wanted);
  return number.value_or(least);
}

int StrictJson::small(const std::string& field, int least, int most) {
  return static_cast<int>(whole(field, least, most));
}

std::uint64_t StrictJson::large(const std::string& field) {
  const std::string wanted = "a whole number from 0 to 18446744073709551615";
  if (!expect(Kind::number, field, wanted)) return 0;
  const std::string_view digits = json_.number();
  std::uint64_t out = 0;
  bool right = !digits.empty();
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    right = right && c >= '0' && c <= '9' && out <= (UINT64_MAX - digit) / 10;
    out = right ? 10 * out + digit : 0;
  }
  if (!right && !json_.failed()) refuse(field, cut(digits, kShown), wanted);
  return out;
}

double StrictJson::number(const std::string& field, double least, double most) {
  const std::string wanted = "a number from " + io::number_text(least) + " to " + io::number_text(most);
  if (!expect(Kind::number, field, wanted)) return least;
  const std::string digits(json_.number());
  const double out = std::strtod(digits.c_str(), nullptr);  // libc++'s <charconv> reads no double
  if (json_.failed()) return least;
  if (out >= least && out <= most) return out;
  refuse(field, cut(digits, kShown), wanted);
  return least;
}

std::string StrictJson::text(const std::string& field, std::size_t most_bytes) {
  if (!expect(Kind::string, field, "a string")) return "";
  std::string out = json_.string();
  if (out.size() <= most_bytes) return out;
  refuse(field, std::to_string(out.size()) + " bytes", "at most " + std::to_string(most_bytes));
  return "";
}

std::size_t StrictJson::choice(const std::string& field, std::span<const std::string_view> names) {
  std::string wanted = "one of ";
  for (const std::string_view name : names) wanted += (name == names.front() ? "" : ", ") + std::string(name);
  if (!expect(Kind::string, field, wanted)) return 0;
  const std::string found = json_.string();
  const auto at = std::find(names.begin(), names.end(), found);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  if (!json_.failed()) refuse(field, shown(found), wanted);
  return 0;
}

/// "true", "false", "null", or "" where another value is; nothing is taken then.
std::string_view StrictJson::word() {
  if (json_.kind() != Kind::word) return "";
  const std::size_t begin = json_.at();
  json_.skip();
  return json_.failed() ? std::string_view() : text_.substr(begin, json_.at() - begin);
}

bool StrictJson::truth(const std::string& field) {
  if (!expect(Kind::word, field, "true or false")) return false;
  const std::string_view found = word();
  if (found == "null") refuse(field, "null", "true or false");
  return found == "true";
}

bool StrictJson::take_null() {
  // A word that isn't null stays: its first letter says so.
  if (json_.kind() != Kind::word || !text_.substr(json_.at()).starts_with('n')) return false;
  return word() == "null";
}

std::string_view StrictJson::raw() {
  json_.kind();  // takes the white space before it
  const std::size_t begin = json_.at();
  json_.skip();
  return json_.failed() ? std::string_view() : text_.substr(begin, json_.at() - begin);
}

bool StrictJson::end() {
  json_.end();
  if (const auto& problem = json_.problem()) refuse(problem->field, problem->found, problem->wanted);
  return !refused_;
}

}  // namespace heads
