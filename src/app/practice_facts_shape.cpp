// Questions about shapes: which rows and columns a matrix of a layer has.
#include "app/practice_facts.hpp"

#include <array>

namespace app {
namespace {

using attention::Config;
using attention::Shape;

enum class Side : std::uint8_t { n, d_model, d_k, d_v, all_d_v, all_d_k, h };

struct Matrix {
  Tensor tensor;
  bool transposed;
  std::string_view symbol, made;  // rich: how it is made
  Side rows, cols;
  std::string_view why;  // plain enough for rich
};

constexpr Matrix kMatrices[] = {
    {Tensor::X, false, "<b>X</b>", "", Side::n, Side::d_model,
     "X has one row for each token. Every head reads all of it."},
    {Tensor::W_Q, false, "<b>W</b>^{Q}", "<b>Q</b> <q>=</q> <b>X</b> <k><b>W</b>^{Q}</k>", Side::d_model, Side::d_k,
     "A weight matrix has a row for each number that it reads and a column for each that it makes."},
    {Tensor::W_V, false, "<b>W</b>^{V}", "<b>V</b> <q>=</q> <b>X</b> <k><b>W</b>^{V}</k>", Side::d_model, Side::d_v,
     "A weight matrix has a row for each number that it reads and a column for each that it makes."},
    {Tensor::Q, false, "<b>Q</b>", "<b>X</b> <b>W</b>^{Q}", Side::n, Side::d_k,
     "Each token makes one query, d_{k} numbers wide."},
    {Tensor::V, false, "<b>V</b>", "<b>X</b> <b>W</b>^{V}", Side::n, Side::d_v,
     "Each token makes one value, d_{v} numbers wide."},
    {Tensor::K, true, "<b>K</b>^{T}", "( <b>X</b> <b>W</b>^{K} )^{T}", Side::d_k, Side::n,
     "K has one row for each token. Turned over, it has one column for each."},
    {Tensor::scores, false, "<b>Q</b> <b>K</b>^{T}", "<b>Q</b> <b>K</b>^{T}", Side::n, Side::n,
     "Each query meets each key: one score for each pair of tokens. The width d_{k} is summed away."},
    {Tensor::pattern, false, "<b>A</b>", "softmax( <b>Q</b> <b>K</b>^{T} / √d_{k} )", Side::n, Side::n,
     "One row for each token that asks, one column for each that it looks at. Softmax keeps the shape."},
    {Tensor::head, false, "head", "<b>A</b> <b>V</b>", Side::n, Side::d_v,
     "Each token gets a weighted mean of values, which are d_{v} numbers wide."},
    {Tensor::concat, false, "Concat", "[ head_{1} … head_{h} ]", Side::n, Side::all_d_v,
     "The heads stand side by side, so their columns add up. The rows stay: one for each token."},
    {Tensor::W_O, false, "<b>W</b>^{O}", "Concat( head_{1} … head_{h} ) <k><b>W</b>^{O}</k>", Side::all_d_v,
     Side::d_model, "W^{O} reads all heads side by side and makes a token of the model’s width."},
    {Tensor::output, false, "the output", "Concat <b>W</b>^{O}", Side::n, Side::d_model,
     "What goes in comes out with the same shape, so layers can be stacked."},
};

struct Sizes {
  Config config;
  int of(Side side) const {
    switch (side) {
      case Side::n: return config.n_q;
      case Side::d_model: return config.d_model;
      case Side::d_k: return config.d_k;
      case Side::d_v: return config.d_v;
      case Side::all_d_v: return config.h * config.d_v;
      case Side::all_d_k: return config.h * config.d_k;
      case Side::h: return config.h;
    }
    return 0;
  }
};

std::string_view name_of(Side side) {
  constexpr std::array<std::string_view, 7> kNames = {"n",         "d_{model}", "d_{k}", "d_{v}",
                                                      "h~·~d_{v}", "h~·~d_{k}", "h"};
  return kNames[static_cast<std::size_t>(side)];
}

bool is_of_one_head(Side side) { return side == Side::d_k || side == Side::d_v; }

std::string text_of(const Shape& shape) { return std::to_string(shape.rows) + "~×~" + std::to_string(shape.cols); }

/// Slips are told apart by what somebody had in mind when he took another size for a side.
class Slips {
 public:
  Slips(Question& question, const Matrix& matrix, const Sizes& sizes) : q_(question), m_(matrix), sizes_(sizes) {}

  void add() {
    put("transposed", m_.cols, m_.rows, "rows and columns are swapped",
        "Rows come first. Ask what one row of it stands for.", true);
    if (is_of_one_head(m_.rows) || is_of_one_head(m_.cols)) {
      put("all_heads", all_heads(m_.rows), all_heads(m_.cols), "that is all heads together",
          "One head is asked. It makes its own part of the width only.", false);
      put("d_model", wide(m_.rows), wide(m_.cols), "one head is narrower than a token",
          "d_{model} is the width of a whole token. A head works in a smaller space.", false);
      put("heads", as_h(m_.rows), as_h(m_.cols), "that takes the number of heads for their width",
          "h says how many heads there are, not how wide one is.", false);
    }
    switch (m_.tensor) {
      case Tensor::X:
        put("sliced_X", Side::n, Side::d_k, "X isn’t cut up", "Every head reads all of X, not a slice of it.", false);
        break;
      case Tensor::W_Q:
      case Tensor::W_V:
        put("sliced_X", m_.cols, m_.cols, "a head reads all of X",
            "Its matrix has a row for each number of a token, not for a slice of them.", true);
        put("result", Side::n, m_.cols, "that is what the matrix makes",
            "Weights don’t depend on the text: a longer one takes the same matrix.", true);
        break;
      case Tensor::Q:
      case Tensor::V:
      case Tensor::K:
        put("weights", m_.transposed ? m_.rows : Side::d_model, m_.transposed ? Side::d_model : m_.cols,
            "that is the weight matrix",
            "The weights have a line for each number of a token. What they make of X has one for each token.", true);
        break;
      case Tensor::scores:
      case Tensor::pattern:
        put("inner", Side::d_k, Side::d_k, "that is the other product",
            "Rows of Q meet rows of K. The width d_{k} is summed away, and tokens stay.", true);
        put("queries", Side::n, Side::d_k, "that is still the matrix of queries",
            "Multiplied by K^{T}, each query has one number for each key.", false);
        break;
      case Tensor::head:
        put("pattern", Side::n, Side::n, "that is the map of weights",
            "The weights are multiplied by V: each row becomes as wide as a value.", false);
        break;
      case Tensor::concat:
        put("one_head", Side::n, Side::d_v, "that is one head", "All h heads stand side by side here.", false);
        break;
      case Tensor::W_O:
        put("one_head", Side::d_v, Side::d_model, "that is one head’s part",
            "These are the rows for one head. W^{O} reads all heads.", true);
        put("square", Side::d_v, Side::d_v, "that stays within one head",
            "W^{O} reads all heads and makes a whole token.", true);
        break;
      default:
        put("one_head", Side::n, Side::d_v, "that is one head", "W^{O} brings all heads back to the model’s width.",
            false);
        break;
    }
    if (m_.tensor == Tensor::W_O || m_.tensor == Tensor::concat)
      put("heads_over", m_.tensor == Tensor::W_O ? Side::d_model : Side::all_d_v,
          m_.tensor == Tensor::W_O ? Side::d_model : Side::n, "rows are tokens, columns numbers",
          "Heads stand side by side, not over each other.", m_.tensor == Tensor::W_O);
  }

 private:
  static Side all_heads(Side side) {
    return side == Side::d_k ? Side::all_d_k : side == Side::d_v ? Side::all_d_v : side;
  }
  static Side wide(Side side) { return is_of_one_head(side) ? Side::d_model : side; }
  static Side as_h(Side side) { return is_of_one_head(side) ? Side::h : side; }

  void put(std::string id, Side rows, Side cols, std::string heading, std::string says, bool in_rows) {
    const Shape shape{sizes_.of(rows), sizes_.of(cols)};
    Slip slip;
    slip.id = std::move(id);
    slip.answer = shape;
    slip.heading = std::move(heading);
    slip.says = std::move(says);
    slip.way = working(std::string(name_of(rows)) + " × " + std::string(name_of(cols)) + " = " + text_of(shape));
    slip.first_name = in_rows ? "First the rows" : "First the columns";
    slip.first = working((in_rows ? "rows" : "columns") + std::string(" = ?"));
    add_slip(q_, std::move(slip));
  }

  Question& q_;
  const Matrix& m_;
  const Sizes& sizes_;
};

/// Sizes that can be told apart: n, d_model, h, d_k and d_v are five different numbers where there are two widths.
Config sizes_of(Dice& dice) {
  constexpr int kHeads[] = {2, 3, 4, 6, 8, 12, 16};
  Config config;
  do {
    config.h = kHeads[dice.below(static_cast<int>(std::size(kHeads)))];
    config.d_k = 2 * dice.from(2, 40);
    config.d_v = dice.below(3) == 0 ? 2 * dice.from(2, 40) : config.d_k;
    config.d_model = config.h * config.d_k;
    config.n_q = config.n_k = dice.from(3, 30);
  } while (config.n_q == config.d_k || config.n_q == config.d_v || config.n_q == config.h || config.h == config.d_k ||
           config.h == config.d_v || config.n_q == config.d_model);
  return config;
}

}  // namespace

Question make_shape(const State&, Dice& dice) {
  Question q;
  const Sizes sizes{sizes_of(dice)};
  const Config& config = sizes.config;
  const Matrix& matrix = kMatrices[dice.below(static_cast<int>(std::size(kMatrices)))];
  Shape right = attention::shape_of(config, matrix.tensor);
  if (matrix.transposed) std::swap(right.rows, right.cols);
  const bool of_head = attention::is_per_head(matrix.tensor);
  q.asks = Asks::shape;
  q.right = right;
  q.title = matrix.tensor == Tensor::head
                ? std::string("What is the shape of the output of one head?")
                : "What is the shape of " + std::string(matrix.symbol) + (of_head ? " in one head?" : "?");
  q.given =
      counted(config.n_q, "token") + ", d_{model} = " + mono(config.d_model) + ", " + counted(config.h, "head") + ", ";
  q.given += config.d_k == config.d_v ? "d_{k} = d_{v} = " + mono(config.d_k) + "."
                                      : "d_{k} = " + mono(config.d_k) + ", d_{v} = " + mono(config.d_v) + ".";
  q.rounding = "Rows × columns.";
  q.label = std::string(matrix.symbol);
  q.hints = {"Ask what one row stands for, and what one column stands for."};
  const bool weights = matrix.tensor == Tensor::W_Q || matrix.tensor == Tensor::W_V || matrix.tensor == Tensor::W_O;
  q.hints.emplace_back(weights ? "X W is possible when X has as many columns as W has rows."
                               : "In a product, rows come from the left matrix and columns from the right one.");
  if (of_head && !weights) q.hints.emplace_back("One head makes queries and keys of d_{k} numbers, values of d_{v}.");
  std::string line =
      std::string(name_of(matrix.rows)) + " × " + std::string(name_of(matrix.cols)) + " = [" + text_of(right) + "]";
  q.solution = working(line);
  q.solution_says = std::string(matrix.why);
  const std::string made(matrix.made), lit = "<k>" + std::string(matrix.symbol) + "</k>";
  q.picture.formula = made.find("<k>") != std::string::npos   ? made
                      : made.empty() || made == matrix.symbol ? lit
                                                              : lit + " <q>=</q> " + made;
  q.picture.why =
      "Shapes tell what is meant: text is n long, a token d_{model} wide, a head’s query d_{k} wide. In a "
      "product the inner sizes have to agree.";
  Slips(q, matrix, sizes).add();
  const Cell cell{matrix.tensor, of_head ? 0 : -1, 0, 0};
  q.show = walk_to(cell);
  q.show_label = "Show me on the canvas";
  return q;
}

}  // namespace app
