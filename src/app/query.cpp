// The whole view in a link: written in a fixed order, read with patience and a notice for each doubt.
#include "app/budget_internal.hpp"
#include "app/gallery_internal.hpp"
#include "app/practice_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

// ------------------------------------------------------------------ writing

constexpr Tensor kGiven[] = {Tensor::X,   Tensor::X_kv, Tensor::additive_mask, Tensor::W_Q, Tensor::b_Q, Tensor::W_K,
                             Tensor::b_K, Tensor::W_V,  Tensor::b_V,           Tensor::W_O, Tensor::b_O};

std::string list_edits(const State& state) {
  std::string list;
  for (const Tensor tensor : kGiven) {
    const bool heads = attention::is_per_head(tensor);
    const attention::Shape shape = attention::shape_of(state.document.config, tensor);
    for (int head = heads ? 0 : -1; head < (heads ? state.document.config.h : 0); ++head) {
      const auto* matrix = matrix_of(state.document, nullptr, tensor, head);
      for (int row = 0; matrix && row < shape.rows; ++row)
        for (int col = 0; col < shape.cols; ++col) {
          const Cell cell{tensor, head, row, col};
          if (!is_edited(state, cell)) continue;
          list += (list.empty() ? "" : ",") + to_text(cell) + ":" + to_text((*matrix)(row, col));
        }
    }
  }
  return list;
}

std::string list_mask(const State& state) {
  if (is_causal(state)) return "causal";
  std::string list;
  for (int query = 0; query < state.document.config.n_q; ++query)
    for (int key = 0; key < state.document.config.n_k; ++key)
      if (!may_attend(state.document, query, key))
        list += (list.empty() ? "" : ",") + std::to_string(query + 1) + "." + std::to_string(key + 1);
  return list;
}

// ------------------------------------------------------------------ reading

/// What has to be said about a link, no more of it than one can read.
class Notices {
 public:
  void say(std::string_view key, std::string_view value, std::string_view rest) {
    if (++count_ > kMost) return;
    text_ += (text_.empty() ? "" : " ") + std::string(key) + "=" + quote(value) + ": " + std::string(rest);
  }
  void say(std::string_view sentence) { text_ += (text_.empty() ? "" : " ") + std::string(sentence); }
  std::string text() const {
    if (count_ <= kMost) return text_;
    return text_ + " And " + std::to_string(count_ - kMost) + " more.";
  }

 private:
  static constexpr int kMost = 4;
  std::string text_;
  int count_ = 0;
};

int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// "%2C" and "+" as URLs mean them; a "%" that starts nothing stays.
std::string decode(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() ? hex(text[i + 1]) : -1, low = i + 2 < text.size() ? hex(text[i + 2]) : -1;
    if (text[i] == '%' && high >= 0 && low >= 0)
      plain += static_cast<char>(high * 16 + low), i += 2;
    else
      plain += text[i] == '+' ? ' ' : text[i];
  }
  return plain;
}

bool is_whole_number(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// A query without its "?" as keys and values.
Pairs pairs_of(std::string_view query) {
  Pairs pairs;
  for (const std::string_view pair : split(query, '&')) {
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos)
      pairs.emplace_back(decode(pair.substr(0, equals)), decode(pair.substr(equals + 1)));
  }
  return pairs;
}

constexpr std::string_view kOfOtherPages[] = {
    "budget",   "view",    "target",        "map",           "at",    "role",  "panel",     "source",
    "sentence", "example", "asking",        "contributions", "task",  "seed",  "plan_seed", "layers",
    "heads",    "d_model", "learning_rate", "practice",      "count", "hints", "question",  "progress"};

class Reader {
 public:
  State read(std::string_view query) {
    if (query.starts_with('?')) query.remove_prefix(1);
    if (query.size() > kLongestQuery) {
      const std::size_t last = query.substr(0, kLongestQuery).find_last_of("&,");
      notices_.say("The link is too long: only its first " + std::to_string(kLongestQuery) + " characters are read.");
      query = query.substr(0, last == std::string_view::npos ? 0 : last);
    }
    const Pairs pairs = pairs_of(query);
    practises_ = std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.first == "practice"; });
    for (const auto& [key, value] : pairs) take(key, value);
    gallery_.end(state_.gallery);
    practice_.end(state_);
    state_.notice = notices_.text();
    return std::move(state_);
  }

 private:
  void take(std::string_view key, std::string_view value) {
    if (key == "page")
      read_page(value);
    else if (key == "step")
      read_step(value);
    else if (key == "head")
      read_head(value);
    else if (key == "cell")
      read_pin(value);
    else if (key == "theme")
      read_theme(value);
    else if (key == "motion")
      read_motion(value);
    else if (key == "mask")
      read_mask(value);
    else if (key == "set")
      read_edits(value);
    else if (practises_ && practice_.take(state_.practice, key, value))
      return;
    else if (!budget_.take(state_.budget, key, value))
      gallery_.take(state_.gallery, key == "plan_seed" ? "seed" : key, value);
  }

  void read_page(std::string_view value) {
    if (const auto page = find_page(value))
      state_.page = *page;
    else
      notices_.say("page", value, "not a page here, so this opens the walkthrough; wanted " + page_list() + ".");
  }

  void read_step(std::string_view value) {
    if (const auto step = find_step(value))
      state_.step = *step;
    else if (is_whole_number(value)) {
      const int wanted = value[0] == '-' ? 0 : read_count(value).value_or(kStepCount + 1);
      const int number = std::clamp(wanted, 1, kStepCount);
      state_.step = static_cast<Step>(number - 1);
      if (number == wanted) return;
      const std::string name(name_of(state_.step));
      if (wanted < 1)
        notices_.say("step", value, "steps count from 1, so this opens the first one, " + name + ".");
      else
        notices_.say("step", value,
                     "there are " + std::to_string(kStepCount) + " steps, so this opens the last one, " + name + ".");
    } else {
      notices_.say("step", value, "not a step; wanted " + step_list() + ".");
    }
  }

  void read_head(std::string_view value) {
    const int heads = state_.document.config.h;
    if (!is_whole_number(value)) {
      notices_.say("head", value, "not a head; wanted 1 to " + std::to_string(heads) + ".");
      return;
    }
    const int wanted = value[0] == '-' ? 0 : read_count(value).value_or(heads + 1);
    const int number = std::clamp(wanted, 1, heads);
    state_.head = number - 1;
    if (wanted > heads)
      notices_.say("head", value,
                   "there are " + std::to_string(heads) + " heads, so this opens head " + std::to_string(number) + ".");
    else if (wanted < 1)
      notices_.say("head", value, "heads count from 1, so this opens head 1.");
  }

  void read_pin(std::string_view value) {
    const auto cell = read_cell(value);
    if (cell && has_cell(state_.document, *cell))
      state_.pinned = cell;
    else if (cell)
      notices_.say("cell", value, "there is no such number here, so none is pinned.");
    else
      notices_.say("cell", value, "not a number's place; wanted one such as X.1.3 or pattern.1.2.1.");
  }

  void read_theme(std::string_view value) {
    if (const auto theme = find_theme(value))
      state_.theme = *theme;
    else
      notices_.say("theme", value, "not a theme; wanted automatic, light or dark.");
  }

  void read_motion(std::string_view value) {
    if (const auto motion = find_motion(value))
      state_.motion = *motion;
    else
      notices_.say("motion", value, "not a kind of motion; wanted automatic, full or reduced.");
  }

  void read_mask(std::string_view value) {
    if (value == "causal") return set_causal(state_.document, true);
    set_causal(state_.document, false);
    for (const std::string_view entry : split(value, ',')) {
      if (entry.empty() || entry == "none") continue;
      const auto parts = split(entry, '.');
      const auto query = read_count(parts[0]), key = parts.size() == 2 ? read_count(parts[1]) : std::nullopt;
      const attention::Config& config = state_.document.config;
      if (!query || !key)
        notices_.say("mask", entry, "not a pair; wanted causal, or masked pairs query.key such as 1.2.");
      else if (*query < 1 || *query > config.n_q || *key < 1 || *key > config.n_k)
        notices_.say("mask", entry, "there is no such pair; it is left out.");
      else
        set_may_attend(state_.document, *query - 1, *key - 1, false);
    }
  }

  void read_edits(std::string_view value) {
    std::vector<std::string> entries;
    for (const std::string_view entry : split(value, ',')) {
      // "X.1.3:0,9": a decimal comma, which the list's comma has cut in two
      if (!entries.empty() && !entry.empty() && entry[0] != '-' && is_whole_number(entry))
        entries.back() += "," + std::string(entry);
      else if (!entry.empty())
        entries.emplace_back(entry);
    }
    for (const std::string& entry : entries) read_edit(entry);
  }

  void read_edit(std::string_view entry) {
    const std::size_t colon = entry.find_first_of(":=");
    const auto cell = read_cell(entry.substr(0, colon));
    if (!cell || colon == std::string_view::npos)
      return notices_.say("set", entry, "not a place and a number; wanted one such as X.1.3:0.5. It is left out.");
    if (!has_cell(state_.document, *cell))
      return notices_.say("set", entry, "there is no such number; it is left out.");
    auto* matrix = given_matrix(state_.document, cell->tensor, cell->head);
    if (!matrix) return notices_.say("set", entry, "this number is computed, so it can't be set; it is left out.");
    auto read = read_unlimited(entry.substr(colon + 1));
    if (const auto* bad = std::get_if<attention::Problem>(&read))
      return notices_.say("set", entry, "found " + bad->found + ", wanted " + bad->wanted + ". It is left out.");
    const double value = *std::get_if<double>(&read), kept = std::clamp(value, -kLargestNumber, kLargestNumber);
    (*matrix)(cell->row, cell->col) = kept;
    if (value != kept) notices_.say("set", entry, "too large, so " + format_short(kept) + " takes its place.");
  }

  static void say(void* to, std::string_view key, std::string_view value, std::string_view rest) {
    static_cast<Reader*>(to)->notices_.say(key, value, rest);
  }

  State state_;
  Notices notices_;
  GalleryReader gallery_{&Reader::say, this};
  BudgetReader budget_{&Reader::say, this};
  PracticeReader practice_{&Reader::say, this};
  bool practises_ = false;  // the link names a set of questions: `seed` is that one's
};

}  // namespace

std::string to_query(const State& state) {
  const State start;
  std::string query;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) query += (query.empty() ? "?" : "&") + std::string(key) + "=" + std::string(value);
  };
  if (state.page != start.page) add("page", name_of(state.page));
  if (state.step != start.step) add("step", slug_of(state.step));
  if (state.head != start.head) add("head", std::to_string(state.head + 1));
  if (state.pinned) add("cell", to_text(*state.pinned));
  if (state.theme != start.theme) add("theme", name_of(state.theme));
  if (state.motion != start.motion) add("motion", name_of(state.motion));
  const auto practice = query_of(state.practice);
  for (const auto& [key, value] : query_of(state.gallery))
    add(key == "seed" && !practice.empty() ? "plan_seed" : key, encode(value));
  for (const auto& [key, value] : query_of(state.budget)) add(key, encode(value));
  for (const auto& [key, value] : practice) add(key, encode(value));
  add("mask", list_mask(state));
  add("set", list_edits(state));
  return query;
}

bool needs_other_pages(std::string_view query) {
  if (query.starts_with('?')) query.remove_prefix(1);
  const Pairs pairs = pairs_of(query.substr(0, kLongestQuery));
  return std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) {
    const auto& [key, value] = pair;
    if (key == "page") return value != name_of(Page::walkthrough);
    return std::find(std::begin(kOfOtherPages), std::end(kOfOtherPages), key) != std::end(kOfOtherPages);
  });
}

State read_query(std::string_view query) { return Reader().read(query); }

}  // namespace app
