// What the tests of heads share: patterns made by hand, tables made from counts, and problems as text.
#pragma once

#include "heads/heads.hpp"
#include "heads/role_counter.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace heads_test {

using namespace heads;
using train::Random;
using train::Relation;
using train::Sentence;
using train::Task;

inline std::string sentences_of(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) out += (out.empty() ? "" : "\n") + attention::to_sentence(problem);
  return out;
}
/// Why something was refused, a line each; "" when it was read.
template <class T>
std::string refusal_of(const std::variant<T, std::vector<Problem>>& read) {
  const auto* problems = std::get_if<std::vector<Problem>>(&read);
  return problems == nullptr ? "" : sentences_of(*problems);
}
template <class T>
T taken(std::variant<T, std::vector<Problem>> read) {
  INFO(refusal_of(read));
  REQUIRE(std::holds_alternative<T>(read));
  return std::get<T>(std::move(read));
}

/// One head: for a masked sentence and a query, where it looks.
using Look = std::function<int(const Sentence& sentence, const std::vector<int>& masks, int query)>;

inline int length_of(const Sentence& sentence) { return static_cast<int>(sentence.tokens.size()); }
inline const train::Word& word(const Sentence& sentence, int at) {
  return train::vocabulary(sentence.task)[static_cast<std::size_t>(sentence.tokens[static_cast<std::size_t>(at)])];
}
inline bool holds(const std::vector<int>& list, int it) {
  return std::find(list.begin(), list.end(), it) != list.end();
}

inline int look_back(const Sentence&, const std::vector<int>&, int query) { return query > 0 ? query - 1 : 0; }
inline int look_on(const Sentence& sentence, const std::vector<int>&, int query) {
  return query + 1 < length_of(sentence) ? query + 1 : 0;
}
inline int look_at_itself(const Sentence&, const std::vector<int>&, int query) { return query; }
inline int rest(const Sentence&, const std::vector<int>&, int) { return 0; }
/// The nearest noun to the left of a verb.
inline int nearest_noun(const Sentence& sentence, const std::vector<int>&, int query) {
  for (int i = query - 1; i > 0; --i)
    if (train::is_noun(word(sentence, i).kind)) return i;
  return 0;
}
/// By the labels: right always, but every `wrong_every`th time one beside it.
inline Look find(Relation relation, int wrong_every = 0) {
  return [=, count = 0](const Sentence& sentence, const std::vector<int>& masks, int query) mutable {
    for (const train::Label& label : sentence.labels) {
      if (label.relation != relation || label.asker != query) continue;
      if (label.maskable && holds(masks, *label.maskable) && wrong_every > 0 && ++count % wrong_every == 0)
        return label.target - 1;
      return label.target;
    }
    return 0;
  };
}

/// A share of `sharp` on where it looks, the rest evenly on all.
inline std::vector<float> pattern_of(const Sentence& sentence, const std::vector<int>& masks, const Look& look,
                                     float sharp = 0.75f) {
  const int n = length_of(sentence);
  std::vector<float> out(static_cast<std::size_t>(n * n), (1 - sharp) / static_cast<float>(n));
  for (int query = 0; query < n; ++query)
    out[static_cast<std::size_t>(query * n + look(sentence, masks, query))] += sharp;
  return out;
}

/// One layer of these heads, on so many held-out sentences.
inline Table count(Task task, int sentences, std::vector<Look> looks, bool causal = false, float sharp = 0.75f) {
  Random random{11};
  RoleCounter counter(task, causal, 1, static_cast<int>(looks.size()));
  for (int i = 0; i < sentences; ++i) {
    const Sentence sentence = train::make_sentence(task, train::Split::held_out, random);
    const std::vector<int> masks = train::choose_masks(sentence, random);
    std::vector<std::vector<float>> patterns;
    for (Look& look : looks) patterns.push_back(pattern_of(sentence, masks, std::ref(look), sharp));
    counter.add(sentence, masks,
                [&](int, int head) -> std::span<const float> { return patterns[static_cast<std::size_t>(head)]; });
  }
  return counter.finish(counted_on_text(sentences));
}

inline std::size_t place_of(const Table& table, const std::string& id) {
  const auto found =
      std::find_if(table.subjects.begin(), table.subjects.end(), [&](const Subject& it) { return it.id == id; });
  INFO(id);
  REQUIRE(found != table.subjects.end());
  return static_cast<std::size_t>(found - table.subjects.begin());
}
inline const Subject& subject(const Table& table, const std::string& id) { return table.subjects[place_of(table, id)]; }
inline const Score& score(const Table& table, int layer, int head, const std::string& id) {
  return table.at(layer, head).scores[place_of(table, id)];
}
/// "verb_subject, first_token": the roles of a head, the best first.
inline std::string roles_of(const Table& table, int layer, int head) {
  std::string out;
  for (const int role : table.at(layer, head).roles)
    out += (out.empty() ? "" : ", ") + table.subjects[static_cast<std::size_t>(role)].id;
  return out;
}

/// A model of one small layer, its numbers drawn from the seed.
inline Model small_model(Task task, std::uint64_t seed, bool causal = false) {
  Model model;
  model.plan = plan_for(task);
  model.plan.shape.layers = 2;
  model.plan.shape.heads = 2;
  model.plan.shape.d_model = 16;
  model.plan.shape.causal = causal;
  model.plan.seed = seed;
  Random random{seed};
  model.parameters = train::random_parameters<float>(model.plan.shape, random);
  train::for_each(model.parameters, [&](const std::string&, attention::Matrix<float>& matrix) {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] += static_cast<float>(0.5 * random.bell());
  });
  return model;
}

}  // namespace heads_test
