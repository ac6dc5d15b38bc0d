// What a head may be asked about a sentence of the language or of a bare task: subjects in their words, and the cases
// of one masked sentence. Private to heads.
#pragma once

#include "heads/counter.hpp"
#include "train/train.hpp"

#include <optional>
#include <span>
#include <vector>

namespace heads {

/// The relations that a task has, in the enum's order.
std::vector<train::Relation> relations_of(train::Task task);

/// In the table's order: relations, induction (of the language), previous, next, same and first token.
std::vector<Subject> subjects_of(train::Task task);
/// The words of the four positional ones, for every table.
std::vector<Subject> places();
Subject induction();

/// A case of the relation `label.relation`, at place `index` of subjects_of.
struct LabelCase {
  train::Label label;
  std::size_t index = 0;
  int query = 0;    // who looks: the asker, and in a causal model the token that predicts it
  int answers = 0;  // the token whose logits name the masked word
};
/// Of the labels whose maskable token is among the masks. Causal: only where the target stands at the query or before.
std::vector<LabelCase> label_cases(const train::Sentence& sentence, std::span<const int> masks, bool causal);

/// Olsson et al. 2022, "In-context Learning and Induction Heads", section 2: where the token before stood earlier, the
/// one that followed it there is right. Asked is each masked token, and in a causal model the one before it, whose own
/// earlier copy then counts. Only where the earlier token stands there once, and where neither it nor what followed is
/// masked.
struct InductionCase {
  int asker = 0;  // the masked token
  int query = 0;
  int target = 0;
};
std::vector<InductionCase> induction_cases(const train::Sentence& sentence, std::span<const int> masks, bool causal);

/// Previous, next, same and first token of n, asked from `first_query` on; `first` is the first one's index of subject.
std::vector<Case> place_cases(int n, int first_query, bool causal, std::size_t first);

}  // namespace heads
