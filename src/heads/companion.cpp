// Reads the companion and lays its words over the tokens.
#include "heads/companion.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace heads {
namespace {

constexpr std::size_t kMostText = 256;  // bytes of a token, a word or a relation's name
constexpr std::string_view kUnknown = "[UNK]";

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// What a token spells, without the marks of its vocabulary.
std::string piece_of(std::string_view token, bool goes_on) {
  if (goes_on && token.starts_with("##")) token.remove_prefix(2);
  for (const std::string_view space : {"\u0120", "\u2581"})
    if (!goes_on && token.starts_with(space)) token.remove_prefix(space.size());
  return in_small_letters(token);
}

template <std::size_t n>
bool holds(const std::array<std::string_view, n>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Words are counted, not looked at: the list of them may come later.
Dependency read_dependency(StrictJson& json, const std::string& field) {
  Dependency out;
  json.object(field, {{"child", [&](auto& at) { out.child = json.small(at, 0, kMostTokens - 1); }},
                      {"parent",
                       [&](auto& at) {
                         if (!json.take_null()) out.parent = json.small(at, 0, kMostTokens - 1);
                       }},
                      {"relation", [&](auto& at) {
                         out.relation = json.text(at, kMostText);
                         if (out.relation.empty()) json.refuse(at, "nothing", "a name");
                       }}});
  return out;
}

void check_dependencies(const Companion& found, StrictJson& json) {
  if (!found.words) {
    if (!found.dependencies.empty()) json.refuse("words", "nothing", "the words that the dependencies count");
    return;
  }
  const int words = static_cast<int>(found.words->size());
  std::vector<bool> seen(found.words->size());
  for (std::size_t i = 0; i < found.dependencies.size(); ++i) {
    const Dependency& it = found.dependencies[i];
    const std::string field = "dependencies list[" + std::to_string(i + 1) + "] ";
    const std::string wanted = "one of the " + std::to_string(words) + " words, counted from 0";
    const bool child_is_word = it.child < words;
    if (!child_is_word) json.refuse(field + "child", std::to_string(it.child), wanted);
    if (it.parent && *it.parent >= words) json.refuse(field + "parent", std::to_string(*it.parent), wanted);
    if (it.parent == it.child) json.refuse(field + "parent", "the word itself", "another word, or null for the root");
    if (!child_is_word) continue;
    if (seen[static_cast<std::size_t>(it.child)]) {
      json.refuse(field + "child", "word " + std::to_string(it.child) + " a second time", "one parent for each word");
    }
    seen[static_cast<std::size_t>(it.child)] = true;
  }
}

}  // namespace

std::vector<std::string> read_texts(StrictJson& json, const std::string& field) {
  std::vector<std::string> out;
  json.list(field, static_cast<std::size_t>(kMostTokens),
            [&](const std::string& at) { out.push_back(json.text(at, kMostText)); });
  return out;
}

Companion read_companion(std::string_view text, Refusals& refusals) {
  StrictJson json("companion", text, refusals);
  Companion out;
  std::optional<std::vector<std::string>> inner_words;
  const auto dependencies = [&](const std::string& field) {
    const auto one = [&](const std::string& at) { out.dependencies.push_back(read_dependency(json, at)); };
    json.object(field,
                {{"list", [&](auto& at) { json.list(at, static_cast<std::size_t>(kMostTokens), one); }},
                 {"words", [&](auto& at) { inner_words = read_texts(json, at); }, false}},
                StrictJson::Others::passed_over);
  };
  json.object("",
              {{"tokens", [&](auto& at) { out.tokens = read_texts(json, at); }, false},
               {"words", [&](auto& at) { out.words = read_texts(json, at); }, false},
               {"dependencies", dependencies, false}},
              StrictJson::Others::passed_over);
  if (!json.end()) return out;
  if (out.words && inner_words && out.words != inner_words) {
    json.refuse("dependencies words", "other words than \"words\"", "the same");
    return out;
  }
  if (!out.words) out.words = std::move(inner_words);
  check_dependencies(out, json);
  return out;
}

bool is_separator(std::string_view token) { return holds(std::array<std::string_view, 2>{"[SEP]", "</s>"}, token); }
bool is_opening(std::string_view token) { return holds(std::array<std::string_view, 2>{"[CLS]", "<s>"}, token); }
bool is_special(std::string_view token) {
  constexpr std::array<std::string_view, 3> kOthers = {"[PAD]", "<pad>", "<|endoftext|>"};
  return is_separator(token) || is_opening(token) || holds(kOthers, token);
}

std::vector<int> words_of(const std::vector<std::string>& tokens, const std::vector<std::string>& words,
                          Refusals& refusals) {
  std::vector<int> out(tokens.size(), -1);
  std::size_t word = 0, spelled = 0;  // bytes of this word that are
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_special(tokens[i]) && spelled == 0) continue;
    const std::string token = "tokens[" + std::to_string(i + 1) + "]";
    if (word == words.size()) {
      refusals.add("companion words", std::to_string(words.size()), "one more: " + token + " is " + shown(tokens[i]));
      return {};
    }
    const std::string letters = in_small_letters(words[word]);
    const std::string piece = tokens[i] == kUnknown && spelled == 0 ? letters : piece_of(tokens[i], spelled > 0);
    if (piece.empty() || !std::string_view(letters).substr(spelled).starts_with(piece)) {
      refusals.add("companion words[" + std::to_string(word + 1) + "]", shown(words[word]),
                   "what the tokens spell: " + token + " is " + shown(tokens[i]));
      return {};
    }
    out[i] = static_cast<int>(word);
    spelled += piece.size();
    if (spelled == letters.size()) ++word, spelled = 0;
  }
  if (word == words.size()) return out;
  refusals.add("companion words", std::to_string(words.size()), std::to_string(word) + ", as the tokens spell");
  return {};
}

}  // namespace heads
