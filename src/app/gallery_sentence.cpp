// What a specimen is asked about: an example that it hasn't seen, a learner's own sentence, or the one in its file.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

constexpr std::uint64_t kExampleSeed = 515;  // of "a dog beside the busy bees barks ."; the next one has the next seed

/// In the enum's order: columns of the table are called after them.
constexpr std::array<std::string_view, train::kRelations> kRelationIds = {
    "determiner_noun", "adjective_noun", "verb_subject",  "object_verb", "pronoun_antecedent", "verb_pronoun",
    "a_next",          "next_word",      "previous_word", "repeated",    "matching_bracket",   "sorted_digit"};

bool occurs_in(train::Task task, train::Relation relation) {
  using train::Relation;
  using train::Task;
  switch (relation) {
    case Relation::previous_word: return task == Task::language || task == Task::copy_previous;
    case Relation::matching_bracket: return task == Task::match_brackets;
    case Relation::sorted_digit: return task == Task::sort_digits;
    default: return task == Task::language;
  }
}

std::string_view text_of(train::Task task, int id) {
  const auto words = train::vocabulary(task);
  return id >= 0 && static_cast<std::size_t>(id) < words.size() ? words[static_cast<std::size_t>(id)].text : "?";
}

constexpr std::string_view kInduction = "induction";

/// Olsson et al. 2022, "In-context Learning and Induction Heads", section 2: the token before stood earlier, once, and
/// what followed it there is right.
std::optional<RoleCase> induction_case(const std::vector<int>& tokens, int hidden, bool causal) {
  const int before = hidden - 1;
  if (before < 1) return std::nullopt;
  std::optional<int> place;
  for (int i = 1; i < before; ++i) {
    if (at(tokens, i) != at(tokens, before)) continue;
    if (place) return std::nullopt;
    place = i;
  }
  if (!place || *place + 1 == before) return std::nullopt;
  return RoleCase{causal ? before : hidden, *place + 1, std::nullopt};
}

/// The attractor that stands nearest to the asker.
std::optional<int> nearer_noun(const train::Sentence& sentence, const train::Label& label) {
  if (!train::has_attractor(sentence, label)) return std::nullopt;
  const auto words = train::vocabulary(sentence.task);
  const auto word = [&](int token) { return words[static_cast<std::size_t>(at(sentence.tokens, token))]; };
  const int towards = label.target < label.asker ? -1 : 1;
  for (int token = label.asker + towards; token != label.target; token += towards)
    if (train::is_noun(word(token).kind) && word(token).number != word(label.target).number) return token;
  return std::nullopt;
}

Asked asked_of_file(const heads::Attention& attention) {
  Asked asked;
  for (const std::string& token : attention.tokens) asked.tokens.push_back(quote(token, 60));
  return asked;
}

}  // namespace

std::string_view id_of(train::Relation relation) { return kRelationIds[static_cast<std::size_t>(relation)]; }

std::optional<train::Relation> find_relation(std::string_view id) {
  for (std::size_t i = 0; i < kRelationIds.size(); ++i)
    if (kRelationIds[i] == id) return static_cast<train::Relation>(i);
  return std::nullopt;
}

train::Sentence example_sentence(train::Task task, int example) {
  train::Random random{kExampleSeed + static_cast<std::uint64_t>(example)};
  return train::make_sentence(task, train::Split::held_out, random);
}

std::vector<RoleCase> cases_of(std::string_view role, const train::Sentence& sentence, bool causal) {
  std::vector<RoleCase> cases;
  if (role == kInduction) {
    for (const train::Label& label : sentence.labels) {
      const auto found = label.maskable ? induction_case(sentence.tokens, *label.maskable, causal) : std::nullopt;
      if (found && std::find(cases.begin(), cases.end(), *found) == cases.end()) cases.push_back(*found);
    }
    return cases;
  }
  const auto relation = find_relation(role);
  for (const train::Label& label : sentence.labels) {
    if (label.relation != relation || !label.maskable) continue;
    // in a causal model the token before predicts, unless it is a pronoun, which isn't hidden
    const int query = label.asker - (causal && label.asker == *label.maskable ? 1 : 0);
    if (causal && label.target > query) continue;
    cases.push_back({query, label.target, nearer_noun(sentence, label)});
  }
  return cases;
}

bool has_cases(train::Task task, std::string_view role) {
  if (role == kInduction) return task == train::Task::language;
  const auto relation = find_relation(role);
  return relation && occurs_in(task, *relation);
}

std::optional<int> next_example(const heads::Plan& plan, int example, std::string_view role) {
  if (!has_cases(plan.task, role)) return std::nullopt;
  for (int i = 1; i <= kExamples; ++i) {
    const int next = (example + i) % kExamples;
    if (!cases_of(role, example_sentence(plan.task, next), plan.shape.causal).empty()) return next;
  }
  return std::nullopt;
}

bool may_ask(train::Relation relation, const train::Word& word) {
  using train::Relation;
  using train::WordClass;
  switch (relation) {
    case Relation::determiner_noun: return word.kind == WordClass::determiner;
    case Relation::adjective_noun: return word.kind == WordClass::adjective;
    case Relation::verb_subject:
    case Relation::verb_pronoun: return word.kind == WordClass::verb;
    case Relation::object_verb: return word.kind == WordClass::thing;
    case Relation::pronoun_antecedent: return word.kind == WordClass::pronoun;
    case Relation::a_next: return word.text == "a" || word.text == "an";
    case Relation::next_word:
    case Relation::previous_word: return word.kind == WordClass::place || word.kind == WordClass::digit;
    case Relation::repeated: return word.kind == WordClass::last_name;
    case Relation::matching_bracket: return word.kind == WordClass::bracket;
    case Relation::sorted_digit: return word.kind == WordClass::digit;
  }
  return false;
}

Asked asked_of(const Gallery& gallery, const Specimen& specimen) {
  const heads::Model* model = model_of(specimen);
  if (!model) return asked_of_file(*attention_of(specimen));
  const train::Task task = model->plan.task;
  Asked asked;
  asked.own = !gallery.sentence.empty();
  if (asked.own) {
    train::Reading reading = train::read_sentence(task, gallery.sentence);
    asked.sentence = std::move(reading.sentence);
    for (const train::Unknown& unknown : reading.unknown) asked.unknown.push_back(quote(unknown.word));
    asked.left_out = reading.left_out > 0;
  } else {
    asked.sentence = example_sentence(task, std::clamp(gallery.example, 0, kExamples - 1));
  }
  const auto longest = static_cast<std::size_t>(std::max(0, model->plan.shape.longest));
  if (asked.sentence.tokens.size() > longest) {  // of a model that is smaller than the task's sentences
    asked.sentence.tokens.resize(longest);
    std::erase_if(asked.sentence.labels, [&](const train::Label& label) {
      const auto last = static_cast<std::size_t>(std::max({label.asker, label.target, label.maskable.value_or(0)}));
      return last >= longest;
    });
    asked.left_out = true;
  }
  for (const int id : asked.sentence.tokens) asked.tokens.emplace_back(text_of(task, id));
  return asked;
}

}  // namespace app
