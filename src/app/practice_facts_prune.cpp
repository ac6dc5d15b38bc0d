// Questions about the importance of heads: how much of the score is lost without one, and which one can go first.
#include "app/practice_facts.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

/// Below this, a head counts as one that can go (the lesson's code).
constexpr double kThreshold = 0.02;

/// Scores with all heads and with one head left out, in hundredths, so that what is shown is what is reckoned with.
struct Ablation {
  int baseline = 0;
  std::vector<int> ablated;

  int heads() const { return static_cast<int>(ablated.size()); }
  double base() const { return baseline / 100.0; }
  double score(int head) const { return at(ablated, head) / 100.0; }
  double importance(int head) const { return (base() - score(head)) / base(); }
  std::vector<int> which(const std::function<bool(int)>& holds) const {
    std::vector<int> list;
    for (int head = 0; head < heads(); ++head)
      if (holds(head)) list.push_back(head);
    return list;
  }
};

/// Michel et al. 2019 and Voita et al. 2019 find both: heads that matter, and heads whose removal helps a little.
Ablation ablation(Dice& dice) {
  if (dice.below(8) == 0) return {92, {91, 88, 90, 85, 91, 89, 92, 91}};  // the lesson’s own
  Ablation made;
  made.baseline = dice.from(78, 95);
  constexpr int kDrops[] = {-2, -1, 0, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9};
  for (int head = dice.from(5, 8); head > 0; --head)
    made.ablated.push_back(made.baseline - kDrops[dice.below(static_cast<int>(std::size(kDrops)))]);
  return made;
}

std::string score_text(double score) { return fixed(score, 2); }
std::string head_text(int head) { return "Head " + std::to_string(head + 1); }
std::string importance_text(double importance) { return fixed(importance, 3); }

std::string set_text(const std::vector<int>& heads) {
  if (heads.empty()) return "None of them";
  std::vector<std::string> names;
  for (const int head : heads) names.push_back(std::to_string(head + 1));
  return (heads.size() == 1 ? "Head " : "Heads ") + join(names, "and");
}

void draw_scores(Question& q, const Ablation& made) {
  Picture& picture = q.picture;
  picture.kind = Picture::Kind::scores;
  picture.title = "Score without one head; the line is the score with all";
  const int largest = std::max(made.baseline, *std::max_element(made.ablated.begin(), made.ablated.end()));
  for (int head = 0; head < made.heads(); ++head)
    picture.bars.push_back({"head " + std::to_string(head + 1), score_text(made.score(head)),
                            static_cast<double>(at(made.ablated, head)) / largest, false});
  picture.threshold = static_cast<double>(made.baseline) / largest;
  picture.formula = "importance <q>=</q> <k>( all − without )</k> / all";
  picture.why =
      "The importance of a head is the share of the score that is lost without it. Where the score rises, it is "
      "negative: the model is better off without that head.";
}

std::string why_of(const Ablation& made, int head) {
  const double importance = made.importance(head);
  return "( " + mono(score_text(made.base())) + " − " + mono(score_text(made.score(head))) + " ) / " +
         mono(score_text(made.base())) + " = " + mono(importance_text(importance)) +
         (importance < 0    ? ": without it the score rises."
          : importance == 0 ? ": nothing is lost without it."
                            : ".");
}

std::vector<Part> importance_line(const Ablation& made, int head) {
  return working(score_text(made.base()) + "~−~" + score_text(made.score(head)) + "|" + score_text(made.base()) +
                 " = [" + importance_text(made.importance(head)) + "]");
}

// ------------------------------------------------------------------ number

void ask_importance(Question& q, const Ablation& made, Dice& dice) {
  const auto telling = made.which([&](int head) { return at(made.ablated, head) != made.baseline; });
  const int head = telling.empty() ? 0 : dice.one_of(telling);
  const double base = made.base(), score = made.score(head), importance = made.importance(head);
  q.title = "How important is head " + std::to_string(head + 1) + "?";
  q.given += " Without head " + std::to_string(head + 1) + " the score is " + mono(score_text(score)) + ".";
  q.rounding = "Round to three decimals.";
  q.label = "importance";
  q.asks = Asks::number;
  q.right = importance;
  q.tolerance = 0.0006;
  q.hints = {"How much of the score is lost without the head?",
             "Importance is that loss as a share of the score with all heads."};
  if (importance < 0) q.hints.emplace_back("The score rises here. So keep the sign.");
  q.solution = importance_line(made, head);
  q.solution_says = importance < 0   ? "The score rises without this head, so its importance is negative."
                    : importance > 0 ? "Without this head, " + format_percent(importance) + " of the score is lost."
                                     : "The score stays as it is: this head can go.";
  const std::string all = score_text(base), without = score_text(score), difference = all + "~−~" + without;
  add_number_slip(q, {"absolute", "the loss isn’t a share yet",
                      "This is the loss itself. Importance is its share of the score with all heads.", base - score,
                      all + " − " + without + " = " + score_text(base - score), "Then divide",
                      score_text(base - score) + "|" + all + " = ?"});
  add_number_slip(q, {"turned", "the sign is the other one",
                      "Take the score without the head from the score with all, not the other way round.", -importance,
                      without + "~−~" + all + "|" + all + " = " + importance_text(-importance), "First the loss",
                      all + " − " + without + " = ?"});
  add_number_slip(q,
                  {"by_ablated", "the share is of another score",
                   "This divides by the score without the head. Importance is a share of the score with all.",
                   (base - score) / score, difference + "|" + without + " = " + importance_text((base - score) / score),
                   "Then divide", difference + "|" + all + " = ?"});
  add_number_slip(q, {"ratio", "that is what is left", "This is the share of the score that stays without the head.",
                      score / base, without + "|" + all + " = " + importance_text(score / base), "First the loss",
                      all + " − " + without + " = ?"});
  add_number_slip(q, {"percent", "that is a number of percent",
                      "Written as a share, without “percent”, it is a hundred times smaller.", 100 * importance,
                      "100 · " + difference + "|" + all + " = " + importance_text(100 * importance), "As a share",
                      difference + "|" + all + " = ?"});
  if (importance < 0)
    add_number_slip(q, {"clamped", "importance may be negative",
                        "Removing this head helps. That is worth knowing, so it isn’t set to 0.", 0, "0.000",
                        "First the loss", all + " − " + without + " = ?"});
}

// ------------------------------------------------------------------- first

/// Choices in a new order; the first one was right.
void shuffle_choices(Question& q, Dice& dice) {
  const std::string right = q.choices.front().text;
  dice.shuffle(q.choices);
  const auto place =
      std::find_if(q.choices.begin(), q.choices.end(), [&](const Choice& it) { return it.text == right; });
  q.right = static_cast<int>(place - q.choices.begin());
}

/// One head is the least important; the others, apart from it, get a chance to be taken for it.
bool ask_first(Question& q, const Ablation& made, Dice& dice) {
  const int highest = *std::max_element(made.ablated.begin(), made.ablated.end());
  const auto least = made.which([&](int head) { return at(made.ablated, head) == highest; });
  if (least.size() != 1) return false;
  const int right = least.front();
  auto others = made.which([&](int head) { return head != right; });
  std::stable_sort(others.begin(), others.end(),
                   [&](int a, int b) { return at(made.ablated, a) < at(made.ablated, b); });
  std::vector<int> offered{right, others.front(), others.back()};  // the most important one, the runner-up
  others.erase(others.begin());
  others.pop_back();
  if (!others.empty()) offered.push_back(dice.one_of(others));
  q.asks = Asks::choice;
  q.title = "Which head would you prune first?";
  for (const int head : offered) q.choices.push_back({head_text(head), why_of(made, head)});
  shuffle_choices(q, dice);
  q.hints = {"Prune first what is missed least.", "Where does the score stay highest?"};
  q.solution = importance_line(made, right);
  q.solution_says =
      made.importance(right) < 0
          ? head_text(right) + " even lowers the score: its importance is below 0, and the smallest of all."
          : head_text(right) + " has the smallest importance of all.";
  return true;
}

// -------------------------------------------------------------------- sets

bool ask_below(Question& q, const Ablation& made, Dice& dice) {
  const auto below = made.which([&](int head) { return made.importance(head) < kThreshold; });
  std::vector<std::pair<std::vector<int>, std::string>> sets;
  const auto offer = [&](std::vector<int> heads, std::string why) {
    for (const auto& [other, reason] : sets)
      if (other == heads) return;
    sets.emplace_back(std::move(heads), std::move(why));
  };
  std::string list;
  for (const int head : below) list += (list.empty() ? "" : ", ") + mono(importance_text(made.importance(head)));
  const std::string limit = mono(score_text(kThreshold));
  const std::string whose = below.size() == 1 ? "Its importance is " : "Their importance is ";
  offer(below, below.empty() ? "Each of them is at " + limit + " or above." : whose + list + ": below " + limit + ".");
  if (const auto kept = made.which([&](int head) { return made.importance(head) >= kThreshold; }); !kept.empty())
    offer(kept, kept.size() == 1 ? "That one is at " + limit + " or above: the head to keep."
                                 : "Those are at " + limit + " or above: the heads to keep.");
  offer(made.which([&](int head) { return std::abs(made.importance(head)) < kThreshold; }),
        "A negative importance is below " + limit + ", too, however large it is without its sign.");
  offer(made.which([&](int head) { return made.baseline - at(made.ablated, head) <= 2; }),
        "A loss of " + mono(score_text(0.02)) + " is already more than that share of the score with all heads.");
  offer(made.which([&](int head) { return at(made.ablated, head) == made.baseline; }),
        "Importance needn’t be exactly 0: it only has to be below " + limit + ".");
  offer(made.which([&](int head) { return made.baseline - at(made.ablated, head) <= 4; }),
        "Among these are heads whose importance is above " + limit + ".");
  if (sets.size() < 3) return false;
  q.asks = Asks::choice;
  q.title = "Which heads fall below the threshold of " + score_text(kThreshold) + "?";
  for (std::size_t i = 0; i < sets.size() && i < 4; ++i) q.choices.push_back({set_text(sets[i].first), sets[i].second});
  shuffle_choices(q, dice);
  q.hints = {"Importance is the loss as a share of the score with all heads.",
             "With " + mono(score_text(made.base())) + " for all, a loss of " + mono(score_text(0.01)) +
                 " is an importance of " + mono(importance_text(0.01 / made.base())) + "."};
  q.solution = working("below " + score_text(kThreshold) + " = [" + [&] {
    std::string text = set_text(below);
    std::replace(text.begin(), text.end(), ' ', '~');
    return text;
  }() + "]");
  q.solution_says = below.empty() ? "No head is below the threshold: none would be pruned." : whose + list + ".";
  return true;
}

}  // namespace

Question make_prune(const State&, Dice& dice) {
  const int variant = dice.below(3);
  for (;;) {  // until the scores have an answer that stands out
    Question q;
    const Ablation made = ablation(dice);
    std::string scores;
    for (int head = 0; head < made.heads(); ++head)
      scores += (head == 0 ? "" : ", ") + mono(score_text(made.score(head)));
    q.given = "With all heads the score is " + mono(score_text(made.base())) + ".";
    if (variant != 0) q.given += " Without head 1, 2, …, " + std::to_string(made.heads()) + " it is " + scores + ".";
    bool good = true;
    if (variant == 0) ask_importance(q, made, dice);
    if (variant == 1) good = ask_first(q, made, dice);
    if (variant == 2) good = ask_below(q, made, dice);
    if (!good) continue;
    draw_scores(q, made);
    return q;
  }
}

}  // namespace app
