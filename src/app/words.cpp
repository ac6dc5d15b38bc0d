// What each step is called and what it says: titles state the point, tokens ask, look at and give attention.
#include "app/internal.hpp"

#include <algorithm>

namespace app {
namespace {

struct StepName {
  std::string_view name, slug;
};
constexpr std::array<StepName, kStepCount> kSteps = {{{"Input", "input"},
                                                      {"Project", "project"},
                                                      {"Score", "score"},
                                                      {"Scale", "scale"},
                                                      {"Mask", "mask"},
                                                      {"Softmax", "softmax"},
                                                      {"Weigh V", "weigh"},
                                                      {"Concat", "concat"},
                                                      {"Output", "output"}}};

std::string counted(int n, const std::string& thing) { return count_word(n) + " " + thing + (n == 1 ? "" : "s"); }

/// The token that the margin asks about: the second one, as in the strip.
std::string asking_token(const Document& document) {
  if (document.tokens.empty()) return "this token";
  return "<b>" + escape_rich(document.tokens[std::min<std::size_t>(1, document.tokens.size() - 1)]) + "</b>";
}

/// "<b>dogs</b> may look at no token, so all its weights are 0.": the tokens that the mask leaves nothing, "" when
/// there are none.
std::string about_closed_rows(const State& state) {
  std::vector<std::string> closed;
  const auto names = row_names(state.document, Tensor::pattern);
  for (int query = 0; query < static_cast<int>(names.size()); ++query)
    if (is_fully_masked(state, query)) closed.push_back("<b>" + escape_rich(at(names, query)) + "</b>");
  if (closed.empty()) return "";
  constexpr std::size_t kMost = 3;
  const std::string who =
      closed.size() > kMost ? capitalise(counted(static_cast<int>(closed.size()), "token")) : join(closed, "and");
  return who + " may look at no token, so " +
         (closed.size() == 1 ? "all its weights are 0." : "all their weights are 0.");
}

StepWords input_words(const Document& document) {
  return {"Every token comes in as one row of numbers",
          "Input: every token is one row of numbers",
          {"Every token comes in", "as one row of numbers"},
          "Each number says how much of a feature the token has. All heads read the same rows.",
          "Which features does " + asking_token(document) + " have?",
          "one row per token"};
}

StepWords project_words() {
  return {"Each head turns every token into a query, a key and a value",
          "Project: each head makes its own Q, K and V",
          {"Each head makes its own", "queries, keys and values"},
          "A query asks, a key answers, a value is what a token passes on. Every head reads all of <b>X</b>.",
          "Which features does each head use for its queries?",
          "<b>Q</b>, <b>K</b>, <b>V</b>"};
}

StepWords score_words(const Document& document) {
  return {"A score tells how well a query matches a key",
          "Score: how well each query matches each key",
          {"A score tells how well", "a query matches a key"},
          "Each row is a token that asks. Each column is a token that it can look at.",
          "Which key matches the query of " + asking_token(document) + " best?",
          "<b>Q K</b>^{T}"};
}

StepWords scale_words(const Document& document) {
  const std::string root = "√" + std::to_string(document.config.d_k);
  return {"Scale keeps the scores small, however wide a head is",
          "Scale: every score is divided by " + root,
          {"Scale keeps the scores", "small, even in wide heads"},
          "A wider query adds up more products. Dividing by √d_{k}, here " + root + ", evens this out.",
          "Does the largest score of a row stay the largest?",
          "÷ " + root};
}

StepWords mask_words(const State& state) {
  if (!mask_is_on(state))
    return {"The mask is off: every token may look at every token",
            "Mask: it is off, so every token may look at all",
            {"The mask is off: tokens", "may look at every token"},
            "A mask closes some pairs. With the causal mask, no token can look at a later one.",
            "What changes when you switch the causal mask on?",
            "every pair is open"};
  if (is_causal(state))
    return {"The causal mask hides later tokens: their scores become −∞",
            "Mask: later tokens are hidden, their scores are −∞",
            {"The causal mask hides", "tokens that come later"},
            "A token may look at itself and at the tokens before it, but not at those that come after it.",
            "Which row has only one open score left?",
            "later tokens are hidden"};
  return {"The mask closes some pairs: their scores become −∞",
          "Mask: closed pairs get −∞ as their score",
          {"The mask closes some pairs:", "their scores become −∞"},
          "A token gives no attention to a token that is hidden from it. The other scores stay.",
          "Which tokens may each row still look at?",
          "closed pairs are hidden"};
}

StepWords softmax_words(const Document& document) {
  return {"Softmax turns each row of scores into weights that add up to 1",
          "Softmax: each row becomes weights that add up to 1",
          {"Each row becomes weights", "that add up to 1"},
          "Each token splits its attention over all tokens. A larger scaled score takes a larger share.",
          "In which head does " + asking_token(document) + " find its subject?",
          "each row adds up to 1"};
}

StepWords weigh_words(const Document& document) {
  return {"Each token collects values, weighted by its attention",
          "Weigh V: the weights mix the values of the tokens",
          {"Each token collects values,", "weighted by its attention"},
          "A large weight takes much of a token's value, a small weight only a little.",
          "Whose value does " + asking_token(document) + " take most of in head 1?",
          "<b>A V</b>"};
}

StepWords concat_words(const Document& document) {
  return {
      "Concat puts the outputs of the heads side by side",
      "Concat: the head outputs stand side by side",
      {"The outputs of the heads", "stand side by side"},
      "Nothing is computed here. Each head fills its own " + counted(document.config.d_v, "column") + " in every row.",
      "Which columns come from head 2?",
      "nothing is computed"};
}

StepWords output_words(const Document& document) {
  const attention::Config& config = document.config;
  return {"<b>W</b>^{O} mixes the " + counted(config.h, "head") + " into one vector per token",
          "Output: <b>W</b>^{O} mixes the heads into one vector",
          {"<b>W</b>^{O} mixes the heads", "into one vector per token"},
          "Until here the heads never met. Each output number is a weighted sum of all " +
              count_word(config.h * config.d_v) + " head numbers.",
          "Which heads reach this output number?",
          "one row per token"};
}

StepWords usual_words(const State& state, Step step) {
  const Document& document = state.document;
  switch (step) {
    case Step::input: return input_words(document);
    case Step::project: return project_words();
    case Step::score: return score_words(document);
    case Step::scale: return scale_words(document);
    case Step::mask: return mask_words(state);
    case Step::softmax: return softmax_words(document);
    case Step::weigh: return weigh_words(document);
    case Step::concat: return concat_words(document);
    case Step::output: return output_words(document);
  }
  return {};
}

}  // namespace

std::string_view name_of(Step step) { return kSteps[static_cast<std::size_t>(step)].name; }
std::string_view slug_of(Step step) { return kSteps[static_cast<std::size_t>(step)].slug; }

std::optional<Step> find_step(std::string_view slug) {
  for (int i = 0; i < kStepCount; ++i)
    if (slug_of(static_cast<Step>(i)) == slug) return static_cast<Step>(i);
  return std::nullopt;
}

std::string step_list() {
  std::vector<std::string> slugs;
  for (const StepName& step : kSteps) slugs.emplace_back(step.slug);
  return join(slugs, "or");
}

StepWords words_of(const State& state, Step step) {
  StepWords words = usual_words(state, step);
  if (step != Step::mask && step != Step::softmax && step != Step::weigh) return words;
  if (const std::string closed = about_closed_rows(state); !closed.empty()) {
    words.subtitle = closed;
    if (step == Step::softmax) words.band_note = "each open row adds up to 1";
  }
  return words;
}

}  // namespace app
