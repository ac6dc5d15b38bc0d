// The sizes by name: what each may be, how it is read and written, and what follows when one is changed.
#include "budget/internal.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace budget {
namespace {

constexpr std::array<std::string_view, 14> kFields = {"d_model", "h",      "h_kv",   "d_k",          "d_v",
                                                      "keep",    "biases", "layers", "cross_layers", "d_ff",
                                                      "gated",   "n",      "batch",  "bytes"};

struct FieldLimits {
  std::string_view field;
  Limits limits;
};
/// A matrix is below 2^43 numbers, a gated feed-forward layer below 2^38, and at most 3072 attentions stand in a stack
/// of layers: their sum is below 2^57.
constexpr FieldLimits kLimits[] = {{"d_model", {1, 65536}},
                                   {"h", {1, 1024}},
                                   {"h_kv", {1, 1024}},
                                   {"d_k", {1, 65536}},
                                   {"d_v", {1, 65536}},
                                   {"layers", {1, 1024}},
                                   {"cross_layers", {0, 1024}},
                                   {"d_ff", {1, Whole{1} << 20}},
                                   {"n", {1, Whole{1} << 20}},
                                   {"batch", {1, 65536}},
                                   {"bytes", {1, 4}}};

constexpr std::string_view kSeparators[] = {",", " ", "_", "\u2009", "\u00a0", "\u202f"};  // between groups of three
constexpr std::size_t kMostDigits = 15;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The separator that `text` begins with; "" for none.
std::string_view separator_at(std::string_view text) {
  for (const std::string_view separator : kSeparators)
    if (text.starts_with(separator)) return separator;
  return "";
}

std::size_t digits_at(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

using Problem = attention::Problem;

std::string list_of_fields() {
  std::string list;
  for (const std::string_view field : kFields)
    list += (list.empty() ? "" : field == kFields.back() ? " or " : ", ") + std::string(field);
  return list;
}

std::string range_text(std::string_view field) {
  if (field == "bytes") return "1, 2 or 4";
  const Limits limits = limits_of(field);
  return "a whole number from " + std::to_string(limits.least) + " to " + std::to_string(limits.most);
}

bool is_allowed(std::string_view field, Whole value) {
  const Limits limits = limits_of(field);
  return value >= limits.least && value <= limits.most && (field != "bytes" || value != 3);
}

Problem not_divided(const Sizes& sizes) {
  return {"h_kv", std::to_string(sizes.h_kv) + " with h = " + std::to_string(sizes.h),
          "a number of key/value heads that divides h"};
}

/// What `keep` asks for; nothing when the split is even.
std::optional<Problem> uneven(const Sizes& sizes) {
  auto problems = attention::validate_split(static_cast<int>(sizes.d_model), static_cast<int>(sizes.h));
  if (problems.empty()) return std::nullopt;
  return std::move(problems.front());
}

}  // namespace

// ------------------------------------------------------------------ access

Whole& number_of(Sizes& sizes, std::string_view field) {
  if (field == "d_model") return sizes.d_model;
  if (field == "h") return sizes.h;
  if (field == "h_kv") return sizes.h_kv;
  if (field == "d_k") return sizes.d_k;
  if (field == "d_v") return sizes.d_v;
  if (field == "layers") return sizes.layers;
  if (field == "cross_layers") return sizes.cross_layers;
  if (field == "d_ff") return sizes.d_ff;
  if (field == "n") return sizes.n;
  if (field == "batch") return sizes.batch;
  assert(field == "bytes");
  return sizes.bytes;
}
Whole number_of(const Sizes& sizes, std::string_view field) {
  Sizes copy = sizes;
  return number_of(copy, field);
}

bool& switch_of(Sizes& sizes, std::string_view field) {
  assert(is_switch(field));
  return field == "keep" ? sizes.keep : field == "biases" ? sizes.biases : sizes.gated;
}

std::span<const std::string_view> fields() { return kFields; }

Limits limits_of(std::string_view field) {
  for (const FieldLimits& it : kLimits)
    if (it.field == field) return it.limits;
  assert(false);
  return {};
}

bool is_switch(std::string_view field) { return field == "keep" || field == "biases" || field == "gated"; }

std::optional<Whole> read_whole(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  std::string digits(text.substr(0, digits_at(text)));
  text.remove_prefix(digits.size());
  const std::string_view separator = separator_at(text);
  if (digits.empty() || (!text.empty() && (separator.empty() || digits.size() > 3))) return std::nullopt;
  while (!text.empty()) {
    if (!text.starts_with(separator)) return std::nullopt;
    text.remove_prefix(separator.size());
    if (digits_at(text) != 3) return std::nullopt;
    digits += text.substr(0, 3);
    text.remove_prefix(3);
  }
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  if (digits.size() - first > kMostDigits) return std::nullopt;
  Whole value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return value;
}

std::string text_of(const Sizes& sizes, std::string_view field) {
  if (!is_switch(field)) return std::to_string(number_of(sizes, field));
  Sizes copy = sizes;
  return switch_of(copy, field) ? "on" : "off";
}

// ------------------------------------------------------------------ change

Whole largest_divisor(Whole number, Whole most) {
  for (Whole divisor = std::min(number, most); divisor > 1; --divisor)
    if (number % divisor == 0) return divisor;
  return 1;
}

std::optional<Problem> set_leading(Sizes& sizes, bool keep, Whole d_model, Whole h) {
  Sizes changed = sizes;
  changed.keep = keep, changed.d_model = d_model, changed.h = h;
  for (const std::string_view field : {"d_model", "h"})
    if (!is_allowed(field, number_of(changed, field)))
      return Problem{std::string(field), text_of(changed, field), range_text(field)};
  if (keep)
    if (auto problem = uneven(changed)) return problem;
  if (sizes.h_kv == sizes.h)
    changed.h_kv = h;
  else if (h % sizes.h_kv != 0)
    changed.h_kv = largest_divisor(h, sizes.h_kv);
  if (sizes.d_ff == 4 * sizes.d_model) changed.d_ff = 4 * d_model;
  if (keep) changed.d_k = changed.d_v = d_model / h;
  sizes = changed;
  return std::nullopt;
}

std::variant<Sizes, Problem> with_field(const Sizes& sizes, std::string_view field, std::string_view value) {
  if (std::find(kFields.begin(), kFields.end(), field) == kFields.end())
    return Problem{"size", "\"" + std::string(field) + "\"", list_of_fields()};
  const std::string found = value.empty() ? "nothing" : "\"" + std::string(value) + "\"";
  Sizes changed = sizes;
  if (is_switch(field)) {
    if (value != "on" && value != "off") return Problem{std::string(field), found, "on or off"};
    switch_of(changed, field) = value == "on";
    if (auto problem = set_leading(changed, changed.keep, changed.d_model, changed.h)) return *std::move(problem);
    return changed;
  }
  const auto number = read_whole(value);
  if (!number || !is_allowed(field, *number)) return Problem{std::string(field), found, range_text(field)};
  if (field == "d_model" || field == "h") {
    const bool width = field == "d_model";
    if (auto problem = set_leading(changed, sizes.keep, width ? *number : sizes.d_model, width ? sizes.h : *number))
      return *std::move(problem);
    return changed;
  }
  number_of(changed, field) = *number;
  if ((field == "d_k" || field == "d_v") && sizes.keep && changed != sizes)
    return Problem{std::string(field), std::to_string(*number),
                   std::to_string(number_of(sizes, field)) + " = d_model / h, as long as keep is on"};
  if (field == "h_kv" && changed.h % changed.h_kv != 0) return not_divided(changed);
  return changed;
}

std::vector<Problem> validate(const Sizes& sizes) {
  std::vector<Problem> problems;
  for (const std::string_view field : kFields)
    if (!is_switch(field) && !is_allowed(field, number_of(sizes, field)))
      problems.push_back({std::string(field), text_of(sizes, field), range_text(field)});
  if (!problems.empty()) return problems;
  if (sizes.h % sizes.h_kv != 0) problems.push_back(not_divided(sizes));
  if (!sizes.keep) return problems;
  if (auto problem = uneven(sizes)) {
    problems.push_back(*std::move(problem));
    return problems;
  }
  for (const std::string_view field : {"d_k", "d_v"})
    if (number_of(sizes, field) != sizes.d_model / sizes.h)
      problems.push_back({std::string(field), text_of(sizes, field),
                          std::to_string(sizes.d_model / sizes.h) + " = d_model / h, as long as keep is on"});
  return problems;
}

}  // namespace budget
