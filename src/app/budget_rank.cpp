// What d_k allows: a pattern that a head may want, and how near the scores can come to it. And the layer as code.
#include "app/budget_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using budget::LowRank;
using budget::Sizes;
using budget::Target;

std::string name_of_target(Target target) {
  switch (target) {
    case Target::itself: return "itself";
    case Target::previous: return "the token before";
    case Target::shuffled: return "one each, shuffled";
    case Target::halves: return "its own half";
    case Target::first: return "the first token";
    case Target::average: return "all before, evenly";
  }
  return "";
}

std::string rank_text_of(const Sizes& sizes, Target target, const LowRank& picture) {
  const auto n = static_cast<int>(picture.target.rows());
  const std::string tokens = figure(n);
  std::string text;
  if (sizes.n > n) text += "The picture shows the first " + tokens + " of " + figure(sizes.n) + " tokens. ";
  text += "The target has rank " + figure(picture.rank) + ". ";
  if (picture.k >= picture.rank) {
    text +=
        "Rank " + figure(picture.k) + " is enough" + (sizes.n > n ? " for these " + tokens : "") + ": nothing is lost.";
  } else {
    text += "The nearest matrix of rank " + figure(picture.k) + " keeps <b>" + format_percent(picture.kept) +
            "</b> of its squares, and in " + figure(picture.rows_right) + " of " + tokens +
            " rows the largest number stands in the right place.";
    if (target == Target::itself || target == Target::shuffled)
      text += " All tokens count the same here: which " + figure(picture.k) + (picture.k == 1 ? " is" : " are") +
              " kept is free.";
  }
  const bool one_each = target == Target::itself || target == Target::shuffled;
  if (sizes.n > n && one_each && sizes.d_k < sizes.n)
    text += " Of all " + figure(sizes.n) + " tokens, rank " + figure(sizes.d_k) + " keeps " +
            format_percent(static_cast<double>(sizes.d_k) / static_cast<double>(sizes.n)) + ".";
  text +=
      " Softmax works on each row afterwards: it can make a row sharper, but rows that came out the same stay the "
      "same.";
  return text;
}

}  // namespace

void write_rank(BudgetView& view, const Budget& budget, const BudgetView* before) {
  const Sizes& sizes = budget.sizes;
  const int n = static_cast<int>(std::min<budget::Whole>(sizes.n, budget::kMostPictured));
  const int k = static_cast<int>(std::min<budget::Whole>(sizes.d_k, n));
  const LowRank* old = before && before->low_rank ? &*before->low_rank : nullptr;
  const bool same = old && old->k == k && old->target == budget::pattern_of(budget.target, n);
  view.low_rank = same ? before->low_rank : Held(budget::low_rank(budget.target, n, k, old));
  view.rank_title = sizes.d_k < sizes.n ? "d_{k} = " + figure(sizes.d_k) + " is less than n = " + figure(sizes.n) +
                                              ": no head can make every pattern of scores"
                                        : "d_{k} = " + figure(sizes.d_k) + " is no limit for " + figure(sizes.n) +
                                              (sizes.n == 1 ? " token" : " tokens") + ": scores may have any rank";
  view.rank_text = rank_text_of(sizes, budget.target, *view.low_rank);
  for (int i = 0; i < budget::kTargets; ++i)
    view.targets.emplace_back(static_cast<Target>(i), name_of_target(static_cast<Target>(i)));
}

void write_code(BudgetView& view, const Budget& budget) {
  view.code = budget::code_of(budget.sizes);
  const Sizes& it = budget.sizes;
  if (view.code.torch.empty() && view.code.keras.empty())
    view.code_note = "Neither library has this layer ready-made. It can be written by hand.";
  else if (view.code.torch.empty() && it.h_kv != it.h)
    view.code_note = "Keras has a layer whose heads share keys and values. PyTorch’s MultiheadAttention doesn’t share.";
  else if (view.code.torch.empty())
    view.code_note =
        "Keras takes the width of a head, so it can make this layer. PyTorch takes the width of a token and splits it, "
        "so it can’t.";
  else if (view.code.keras.empty())
    view.code_note = "PyTorch has this layer, Keras doesn’t.";
  else
    view.code_note = "The same layer twice: PyTorch takes d_{model} and splits it, " + figure(it.d_model) + " / " +
                     figure(it.h) + " = " + figure(it.d_k) + ". Keras takes d_{k} itself, and reads d_{model} off x.";
}

}  // namespace app
