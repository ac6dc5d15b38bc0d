// "How this number was made": the equation, piece by piece, from what `explain` says and the trace holds.
#include "app/internal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace app {
namespace {

using attention::Operation;

std::string chip(const std::string& number) { return "<k>" + number + "</k>"; }

/// A row of pieces.
struct Line {
  std::vector<Part> parts;

  void text(std::string rich) { parts.push_back({.text = std::move(rich)}); }
  void may_break() { parts.push_back({.kind = Part::Kind::line_break_hint}); }
  void plus() { may_break(), text("<q>+</q>"); }
  void equals() { may_break(), text("<q>=</q>"); }
  bool has_terms() const { return parts.size() > 2; }  // more than label and "="
  void fraction(std::string above, std::string below, Part::Kind kind = Part::Kind::fraction) {
    parts.push_back({.kind = kind, .text = std::move(above), .below = std::move(below)});
  }
  void factor(const std::string& number, const Cell& cell, int head, bool dim) {
    parts.push_back({.kind = Part::Kind::factor, .text = chip(number), .head = head, .dim = dim, .cell = cell});
  }
  void result(std::string number, const Cell& cell, double value) {
    parts.push_back({.kind = Part::Kind::result, .text = std::move(number), .cell = cell, .value = value});
  }
};

/// Writes both lengths of one number's equation, and how it sounds.
struct Equation {
  const State& state;
  const Derived& derived;
  const attention::Explanation& made;
  Line full, brief;
  std::string spoken;

  std::string number(const Cell& cell) const { return strip_number(state, derived, cell); }
  double value(const Cell& cell) const { return value_of(state, derived, cell); }

  void begin() {
    for (Line* line : {&full, &brief}) line->text(label_of(state, made.cell)), line->text("<q>=</q>");
    spoken = spoken_name(made.cell) + ": ";
  }
  void end() {
    for (Line* line : {&full, &brief}) line->result(number(made.cell), made.cell, value(made.cell));
  }

  std::string spoken_name(const Cell& cell) const {
    std::string name = to_plain(symbol_of(cell.tensor, cell.head));
    std::replace(name.begin(), name.end(), '^', ' ');
    return name + ", " + row_name(state.document, cell) + ", " + col_name(state.document, cell);
  }
  void given() { spoken += number(made.cell) + ". "; }

  // ---------------------------------------------------------------- products

  /// Which products the short line keeps: those that count, or (projections) those that X doesn't switch off;
  /// all of a sum that is short anyway.
  bool is_kept(const attention::Product& product, std::size_t products) const {
    constexpr std::size_t kShortSum = 3;
    switch (made.cell.tensor) {
      case Tensor::Q:
      case Tensor::K:
      case Tensor::V: return value(product.a) != 0;
      case Tensor::output: return value(product.a) != 0 && value(product.b) != 0;
      default: return products <= kShortSum || (value(product.a) != 0 && value(product.b) != 0);
    }
  }

  /// Output numbers carry the bar of the head that they come from.
  int head_of(const Cell& operand) const {
    return operand.tensor == Tensor::concat ? operand.col / state.document.config.d_v : -1;
  }

  void add_product(Line& line, const attention::Product& product) const {
    if (line.has_terms()) line.plus();
    const bool dim = value(product.a) == 0 || value(product.b) == 0;
    line.factor(number(product.a), product.a, head_of(product.a), dim);
    line.text("<q>·</q>");
    line.factor(number(product.b), product.b, head_of(product.b), dim);
  }

  void dot() {
    std::vector<std::string> terms;
    for (const auto& product : made.products) {
      add_product(full, product);
      if (is_kept(product, made.products.size())) add_product(brief, product);
      if (value(product.a) != 0 && value(product.b) != 0)
        terms.push_back(number(product.a) + " times " + number(product.b));
    }
    if (made.bias) {
      for (Line* line : {&full, &brief}) {
        if (line->has_terms()) line->plus();
        line->factor(number(*made.bias), *made.bias, -1, value(*made.bias) == 0);
      }
      terms.push_back(number(*made.bias));
    }
    for (Line* line : {&full, &brief})
      if (line->has_terms()) line->equals();
    for (std::size_t i = 0; i < terms.size(); ++i) spoken += (i ? " plus " : "") + terms[i];
    spoken += terms.empty() ? "every product is 0, so it is " : ", equals ";
    spoken += number(made.cell) + ". ";
  }

  // ------------------------------------------------------- scale, mask, copy, gate

  void scale() {
    if (made.factor) return scale_by(format_short(*made.factor));
    const std::string under = std::to_string(state.document.config.d_k);
    for (Line* line : {&full, &brief}) {
      line->fraction(chip(number(made.operands[0])), under, Part::Kind::root_fraction);
      line->equals();
    }
    spoken +=
        number(made.operands[0]) + " divided by the square root of " + under + ", equals " + number(made.cell) + ". ";
  }

  void scale_by(const std::string& factor) {
    const Cell& score = made.operands[0];
    for (Line* line : {&full, &brief}) {
      line->factor(number(score), score, -1, false);
      line->text("<q>·</q>");
      line->text(factor);
      line->equals();
    }
    spoken += number(score) + " times " + factor + ", equals " + number(made.cell) + ". ";
  }

  void mask() {
    if (!made.allowed) {
      spoken += "masked, so it is minus infinity. ";
      return;
    }
    const Cell& scaled = made.operands[0];
    for (Line* line : {&full, &brief}) {
      line->factor(number(scaled), scaled, -1, false);
      if (made.bias) line->plus(), line->factor(number(*made.bias), *made.bias, -1, value(*made.bias) == 0);
      line->equals();
    }
    spoken += made.bias ? number(scaled) + " plus " + number(*made.bias) + ", equals " + number(made.cell) + ". "
                        : "open, so it stays " + number(made.cell) + ". ";
  }

  void copy() {
    const Cell& from = made.operands[0];
    for (Line* line : {&full, &brief}) line->factor(number(from), from, from.head, false), line->equals();
    spoken += number(from) + ". ";
  }

  void gate() {
    const Cell &from = made.operands[0], &gate = made.operands[1];
    for (Line* line : {&full, &brief}) {
      line->factor(number(from), from, from.head, value(gate) == 0);
      line->text("<q>·</q>");
      line->factor(number(gate), gate, -1, value(gate) == 0);
      line->equals();
    }
    spoken += number(from) + " times " + number(gate) + ", equals " + number(made.cell) + ". ";
  }

  // ---------------------------------------------------------------- softmax

  bool is_open(const Cell& masked) const { return may_attend(state.document, masked.row, masked.col); }

  /// "16.92 + 1.00": one term for each key, 0 where it is masked.
  template <class Term>
  std::string sum_of(Term term, std::string_view plus = " + ") const {
    std::string sum;
    for (const Cell& cell : made.operands) {
      if (!sum.empty()) sum += plus;
      sum += is_open(cell) ? term(value(cell), number(cell)) : "0";
    }
    return sum;
  }

  /// What is taken off every exponent before powers are written out: 0 while they are easy to read, else the
  /// row's largest, which changes no weight.
  double shift() const {
    double largest = -std::numeric_limits<double>::infinity();
    for (const Cell& cell : made.operands) largest = std::max(largest, is_open(cell) ? value(cell) : largest);
    const double power = std::exp(largest);
    return power >= 0.1 && power < 99999.5 ? 0 : largest;
  }

  void softmax() {
    if (is_fully_masked(state, made.cell.row)) {
      spoken += "0. ";
      return;
    }
    const Cell& own = at(made.operands, made.own);
    const bool open = is_open(own);
    const double off = shift();
    int decimals = 2;
    const auto exponential = [](double, const std::string& number) { return "e^{" + chip(number) + "}"; };
    const auto shifted = [&](double x, const std::string&) { return "e^{" + format_number(x - off, 3) + "}"; };
    const auto power = [&](double x, const std::string&) { return format_number(std::exp(x - off), decimals); };
    const auto above = [&](auto term) { return open ? term(value(own), number(own)) : std::string("0"); };
    double total = 0;
    for (const Cell& cell : made.operands) total += is_open(cell) ? std::exp(value(cell) - off) : 0;
    decimals = total < 1 ? 3 : 2;

    for (Line* line : {&full, &brief}) line->fraction(above(exponential), sum_of(exponential)), line->equals();
    if (open) {
      if (off != 0)
        full.fraction(above(shifted), sum_of(shifted)), full.equals();
      else if (made.operands.size() > 1)
        full.fraction(above(power), sum_of(power)), full.equals();
      // The short line keeps the one middle that stays true: large powers only with their largest taken off.
      full.fraction(above(power), format_number(total, decimals)), full.equals();
      brief.fraction(off != 0 ? above(shifted) : above(power), off != 0 ? sum_of(shifted) : format_number(total, decimals));
      brief.equals();
    }
    const auto said_power = [](double, const std::string& number) { return "e to the " + number; };
    spoken +=
        above(said_power) + " divided by " + sum_of(said_power, " plus ") + ", equals " + number(made.cell) + ". ";
  }

  void write() {
    begin();
    switch (made.operation) {
      case Operation::given: given(); break;
      case Operation::dot: dot(); break;
      case Operation::scale: scale(); break;
      case Operation::mask: mask(); break;
      case Operation::softmax: softmax(); break;
      case Operation::copy: copy(); break;
      case Operation::gate: gate(); break;
    }
    end();
  }
};

/// How the row's attention is split, for weights and for what is made of them.
std::optional<RowBar> bar_of(const State& state, const Derived& derived, const Cell& cell) {
  if (cell.tensor != Tensor::pattern && cell.tensor != Tensor::head) return std::nullopt;
  RowBar bar;
  bar.short_title = "Row <b>" + escape_rich(row_name(state.document, cell)) + "</b>";
  bar.title = bar.short_title + ", head " + std::to_string(cell.head + 1);
  bar.labels = col_names(state.document, Tensor::pattern);
  double sum = 0, sum_of_rounded = 0;
  for (int key = 0; key < state.document.config.n_k; ++key) {
    const Cell weight{Tensor::pattern, cell.head, cell.row, key};
    const double share = value_of(state, derived, weight);
    bar.shares.push_back(share);
    sum += share;
    sum_of_rounded += std::round(share * 1000);
    bar.sum += (key ? " + " : "") + (may_attend(state.document, cell.row, key) ? format_number(share, 3) : "0");
  }
  if (is_fully_masked(state, cell.row)) return bar.sum += " = 0", bar;
  const bool exact = std::round(sum * 1000) == sum_of_rounded;  // else the rounded parts miss the sum by a little
  bar.sum += (exact ? " = " : " ≈ ") + format_number(sum, 3);
  return bar;
}

}  // namespace

Strip strip_of(const State& state, const Derived& derived) {
  Strip strip;
  if (!derived.shown) return strip;
  Equation equation{
      .state = state, .derived = derived, .made = derived.explanation, .full = {}, .brief = {}, .spoken = {}};
  equation.write();
  strip.parts = std::move(equation.full.parts);
  strip.short_parts = std::move(equation.brief.parts);
  const Sentence sentence = sentence_of(state, derived);
  strip.sentence = sentence.lead + sentence.rest;
  strip.short_sentence = capitalise(sentence.rest);
  strip.bar = bar_of(state, derived, *derived.shown);
  strip.spoken = equation.spoken + to_plain(strip.sentence);
  return strip;
}

std::string symbol_of(Tensor tensor, int head) {
  const std::string index = head >= 0 ? "_{" + std::to_string(head + 1) + "}" : "";
  switch (tensor) {
    case Tensor::X_kv: return "<b>X</b>_{kv}";
    case Tensor::additive_mask: return "<b>Mask</b>";
    case Tensor::W_Q: return "<b>W</b>^{Q}" + index;
    case Tensor::b_Q: return "<b>b</b>^{Q}" + index;
    case Tensor::W_K: return "<b>W</b>^{K}" + index;
    case Tensor::b_K: return "<b>b</b>^{K}" + index;
    case Tensor::W_V: return "<b>W</b>^{V}" + index;
    case Tensor::b_V: return "<b>b</b>^{V}" + index;
    case Tensor::scores: return "<b>Score</b>" + index;
    case Tensor::scaled: return "<b>Scaled</b>" + index;
    case Tensor::masked: return "<b>Masked</b>" + index;
    case Tensor::pattern: return "<b>A</b>" + index;
    case Tensor::head: return "head" + index;
    case Tensor::gate: return "gate" + index;
    case Tensor::concat: return "<b>Concat</b>";
    case Tensor::W_O: return "<b>W</b>^{O}";
    case Tensor::b_O: return "<b>b</b>^{O}";
    case Tensor::output: return "<b>Output</b>";
    default: return "<b>" + std::string(attention::name_of(tensor)) + "</b>" + index;  // X, Q, K, V
  }
}

std::string label_of(const State& state, const Cell& cell) {
  return symbol_of(cell.tensor, cell.head) + "[" + escape_rich(row_name(state.document, cell)) + ", " +
         escape_rich(col_name(state.document, cell)) + "]";
}

}  // namespace app
