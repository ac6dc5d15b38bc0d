// The lesson's questions about W^O, shown on the numbers of the walkthrough: one head (Q3), and heads without W^O (Q7).
#include "app/practice_lesson.hpp"

#include <cmath>

namespace app {
namespace {

using attention::Config;
using Grid = attention::Matrix<double>;
using Weights = attention::Weights<double>;

/// With the engine's own arithmetic: input, masks and scale are the document's.
attention::Trace<double> run(const Document& document, const Config& config, const Weights& weights) {
  attention::Trace<double> trace;
  attention::forward(config, document.input, weights, trace);
  return trace;
}

double largest(const Grid& matrix) {
  double most = 0;
  for (Eigen::Index i = 0; i < matrix.size(); ++i) most = std::max(most, std::abs(matrix.data()[i]));
  return most;
}
double largest_difference(const Grid& a, const Grid& b) { return largest(a - b); }

Grid product(const Grid& a, const Grid& b) {
  Grid result = Grid::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index k = 0; k < a.cols(); ++k)
      for (Eigen::Index j = 0; j < b.cols(); ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

/// Head 1 alone: with W^V and its rows of W^O apart, and with their product in place of W^V.
struct OneHead {
  Grid apart, merged, left_out;  // outputs, (n, d_model); left_out: the head’s own, padded with zeros
};
OneHead one_head(const Document& document) {
  const auto& head = document.weights.heads.front();
  Config config = document.config;
  config.h = 1;
  Weights weights;
  weights.heads = {head};
  weights.W_O = document.weights.W_O.topRows(config.d_v);
  OneHead made;
  made.apart = run(document, config, weights).output;

  Weights merged = weights;
  merged.heads.front().W_V = product(head.W_V, weights.W_O);
  if (head.b_V.size() > 0) merged.heads.front().b_V = product(head.b_V, weights.W_O);
  merged.W_O = Grid::Identity(config.d_model, config.d_model);
  Config wide = config;
  wide.d_v = config.d_model;
  made.merged = run(document, wide, merged).output;

  made.left_out = Grid::Zero(made.apart.rows(), made.apart.cols());
  const Grid own = run(document, config, weights).heads.front().output;
  made.left_out.leftCols(std::min(own.cols(), made.left_out.cols())) =
      own.leftCols(std::min(own.cols(), made.left_out.cols()));
  return made;
}

/// Columns in which head 2 takes part, with W^O and without: those that change when it is switched off.
struct Reach {
  std::vector<int> with_W_O, without;
};
std::vector<int> changed(const Grid& a, const Grid& b) {
  std::vector<int> columns;
  for (Eigen::Index col = 0; col < a.cols(); ++col)
    if (a.col(col) != b.col(col)) columns.push_back(static_cast<int>(col) + 1);
  return columns;
}
Reach reach_of_head_2(const Document& document) {
  Weights off = document.weights;
  off.heads[1].gate = 0;
  const auto on_trace = run(document, document.config, document.weights),
             off_trace = run(document, document.config, off);
  return {changed(on_trace.output, off_trace.output), changed(on_trace.concat, off_trace.concat)};
}

bool is_small(const Numbers& numbers) {
  const auto& trace = numbers.derived.trace;
  for (Eigen::Index i = 0; i < trace.output.size(); ++i)
    if (!is_handy(trace.output.data()[i])) return false;
  return true;
}

std::string list_of(const std::vector<int>& columns) {
  std::vector<std::string> names;
  for (const int column : columns) names.push_back(std::to_string(column));
  return join(names, "and");
}
std::string columns_text(const std::vector<int>& columns) {
  return (columns.size() == 1 ? "column " : "columns ") + list_of(columns);
}
std::string as_one(std::string text) {
  for (char& c : text)
    if (c == ' ') c = '~';
  return text;
}

}  // namespace

Question ask_q3(const State& state, Dice&) {
  Question q;
  const Numbers numbers = numbers_for(state, [](const Numbers& it) {
    if (!is_small(it)) return false;
    const OneHead made = one_head(it.state.document);
    return largest_difference(made.apart, made.merged) < 0.0005 &&
           largest_difference(made.apart, made.left_out) > 0.0005;
  });
  const OneHead made = one_head(numbers.state.document);
  const double merged = largest_difference(made.apart, made.merged),
               left_out = largest_difference(made.apart, made.left_out);
  q.title =
      "With h = 1, multi-head attention is single-head attention and one more linear map. What can become of W^{O}?";
  q.given = "The output has to stay the same.";
  if (const std::string whose = whose_numbers(numbers, state); !whose.empty()) q.given += " " + whose;
  offer(q,
        {{"It can be left out: there is nothing to put side by side",
          "Concat of one head is that head. But W^{O} still changes its numbers: with head 1 of the example alone, the "
          "output "
          "is up to " +
              mono(fixed(left_out)) + " off without it."},
         {"It can be multiplied into W^{Q}",
          "W^{Q} makes scores, and softmax stands between them and the values. A map of "
          "the output can’t be moved to the other side of it."},
         {"It can be multiplied into W^{V}",
          "<b>A</b> ( <b>X</b> <b>W</b>^{V} ) <b>W</b>^{O} is <b>A</b> <b>X</b> ( <b>W</b>^{V} "
          "<b>W</b>^{O} ). So one head with the product in place of W^{V} gives the same output."},
         {"It has to stay: softmax stands in the way",
          "Softmax stands between queries and weights. Values are only added up, "
          "so nothing stands between W^{V} and W^{O}."}},
        2);
  q.hints = {"Write the output of one head as <b>A</b> <b>X</b> <b>W</b>^{V} <b>W</b>^{O}.",
             "In a product of matrices, brackets may be set anew. Which two stand beside each other?"};
  const std::string difference = merged == 0 ? "0" : format_short(merged);
  q.solution = working("largest~difference = [" + difference + "]");
  q.solution_says =
      "Head 1 alone, once with W^{V} and W^{O} apart and once with W^{V} W^{O} in one matrix: the outputs differ by " +
      mono(difference) + (merged == 0 ? "" : " at most, which is rounding") +
      ". So h = 1 is single-head attention with one more linear map. Without W^{O} the output would be up to " +
      mono(fixed(left_out)) + " off.";
  q.picture.formula =
      "head_{1} <q>=</q> softmax( <b>Q</b> <b>K</b>^{T} / √d_{k} ) <b>X</b> <b>W</b>^{V}, "
      "output <q>=</q> head_{1} <k><b>W</b>^{O}</k>";
  q.picture.why = "With one head there is nothing to put side by side: Concat( head_{1} ) is head_{1}.";
  const Cell cell{Tensor::output, -1, 0, 0};
  q.show = walk_to(cell);
  q.show_label = "Show me on the canvas";
  return q;
}

Question ask_q7(const State& state, Dice&) {
  Question q;
  const Numbers numbers = numbers_for(state, [](const Numbers& it) {
    if (!is_small(it) || it.state.document.config.h < 2) return false;
    const Reach reach = reach_of_head_2(it.state.document);
    return !reach.without.empty() && reach.with_W_O.size() > reach.without.size();
  });
  const Reach reach = reach_of_head_2(numbers.state.document);
  const Config& config = numbers.state.document.config;
  q.title = "What happens when the output projection W^{O} is taken away?";
  q.given = "The heads’ outputs are then only put side by side.";
  if (const std::string whose = whose_numbers(numbers, state); !whose.empty()) q.given += " " + whose;
  offer(q,
        {{"Nothing: the concatenation already mixes the heads",
          "Putting side by side mixes nothing: " + columns_text(reach.without) +
              " hold what head 2 found, and the others hold "
              "nothing of it."},
         {"The heads’ attention weights become alike",
          "W^{O} comes after softmax and the values. The weights are the same "
          "with it and without it."},
         {"The output no longer has the shape of X",
          "The shape would fit here: h · d_{v} = " + figure(Whole{config.h} * config.d_v) +
              " columns, and d_{model} = " + figure(Whole{config.d_model}) + ". Something else is lost."},
         {"The heads no longer mix: each has its own columns of the output",
          "Without W^{O} the output is one block for each "
          "head. The model can’t weigh heads against each other or join what they found."}},
        3);
  if (config.h * config.d_v != config.d_model) {
    q.choices[2].why =
        "That happens here, as h · d_{v} isn’t d_{model}. Where it is, as usual, something else is lost.";
  }
  q.hints = {"Which columns of the output can head 2 reach with W^{O}, and which without it?",
             "Concat gives each head d_{v} columns of its own."};
  q.solution = working("head~2~reaches = [" + as_one(columns_text(reach.with_W_O)) + "] , without~W^{O} = [" +
                       as_one(columns_text(reach.without)) + "]");
  q.solution_says = "Switch head 2 off: with W^{O} the output changes in " + columns_text(reach.with_W_O) +
                    ", without it only in " + columns_text(reach.without) + ".";
  q.cell = Cell{Tensor::output, -1, 0, 0};
  q.show = walk_to(*q.cell);
  q.show_label = "Show me on the canvas";
  Picture& picture = q.picture;
  picture.kind = Picture::Kind::chain;
  picture.numbers = Held(numbers);
  picture.chain = {Tensor::head, Tensor::concat, Tensor::output};
  picture.head = 1;
  picture.hides_asked = false;
  picture.formula = "MultiHead <q>=</q> Concat( head_{1} … head_{h} ) <k><b>W</b>^{O}</k>";
  picture.why =
      "Each head fills its own columns of the concatenation. W^{O} has a row for each of them, and every row may reach "
      "all columns of the output.";
  return q;
}

}  // namespace app
