// The one plain sentence under an equation: what the number means, said from the numbers themselves.
#include "app/internal.hpp"

#include <algorithm>

namespace app {
namespace {

constexpr std::string_view kGiven = " This number is given. Click or press Enter to change it.";

std::string bold(std::string_view plain) { return "<b>" + escape_rich(plain) + "</b>"; }

std::string in_head(int head) { return "In head " + std::to_string(head + 1) + ", "; }

/// Everything that a sentence about one number needs.
struct Speaker {
  const State& state;
  const Derived& derived;
  const attention::Explanation& made;
  const Document& document;
  Cell cell;

  std::string number(const Cell& of) const { return strip_number(state, derived, of); }
  double value(const Cell& of) const { return value_of(state, derived, of); }
  std::string query() const { return bold(row_name(document, cell)); }
  std::string key(int index, std::string_view itself) const {
    if (index == cell.row) return std::string(itself);
    return bold(at(row_names(document, Tensor::K), index));
  }
  std::string ordinal() const { return ordinal_word(cell.col + 1); }

  // ------------------------------------------------------------------ given

  std::string given_meaning() const {
    const std::string times = number(cell), place = escape_rich(row_name(document, cell));
    const auto multiplies = [&](const std::string& what, const std::string& target) {
      return symbol_of(cell.tensor, -1) + " multiplies " + what + " by " + times + " for " + target;
    };
    switch (cell.tensor) {
      case Tensor::X:
      case Tensor::X_kv: return query() + " has " + times + " for " + escape_rich(col_name(document, cell)) + ".";
      case Tensor::additive_mask:
        return "The mask adds " + times + " to the scaled score of " + query() + " for " + key(cell.col, "itself") +
               ", in every head.";
      case Tensor::gate: return "the output is multiplied by its gate, " + times + ", on its way into concat.";
      case Tensor::W_Q: return multiplies(place, "the " + ordinal() + " number of a query.");
      case Tensor::W_K: return multiplies(place, "the " + ordinal() + " number of a key.");
      case Tensor::W_V: return multiplies(place, "the " + ordinal() + " number of a value.");
      case Tensor::W_O: {
        const int d_v = document.config.d_v;
        return multiplies(
            "number " + std::to_string(cell.row % d_v + 1) + " of head " + std::to_string(cell.row / d_v + 1),
            "output number " + std::to_string(cell.col + 1) + ".");
      }
      default:
        return "This bias of " + times + " is added to number " + std::to_string(cell.col + 1) + " of every row.";
    }
  }

  Sentence given() const {
    Sentence sentence;
    if (cell.head >= 0) sentence.lead = in_head(cell.head);
    sentence.rest = given_meaning();
    const auto* before = matrix_of(example(), nullptr, cell.tensor, cell.head);
    if (is_edited(state, cell) && before && has_cell(example(), cell))
      sentence.rest += " It was " + format_short((*before)(cell.row, cell.col)) + " before you changed it.";
    sentence.rest += kGiven;
    return sentence;
  }

  // -------------------------------------------------------------------- sums

  bool counts(const attention::Product& product) const { return value(product.a) != 0 && value(product.b) != 0; }

  Sentence projection() const {
    const std::string what = cell.tensor == Tensor::Q ? "query" : cell.tensor == Tensor::K ? "key" : "value";
    std::vector<std::string> sources;
    for (const auto& product : made.products)
      if (counts(product)) sources.push_back(escape_rich(col_name(document, product.a)));
    if (made.bias && value(*made.bias) != 0) sources.emplace_back("the bias");
    if (sources.empty())
      return {in_head(cell.head),
              "no feature of " + query() + " counts for the " + ordinal() + " number of its " + what + ", so it is 0."};
    return {in_head(cell.head),
            "the " + what + " of " + query() + " gets its " + ordinal() + " number from " + join(sources, "and") + "."};
  }

  Sentence score() const {
    return {in_head(cell.head), "the query of " + query() + " meets " +
                                    (cell.row == cell.col ? "its own key" : "the key of " + key(cell.col, "")) +
                                    ": their score is " + number(cell) + "."};
  }

  Sentence head_output() const {
    if (is_fully_masked(state, cell.row))
      return {"", query() + " may look at no token, so it takes no value, and its head output is 0."};
    std::vector<std::string> shares;
    const attention::Product* largest = nullptr;
    for (const auto& product : made.products) {
      const int token = product.a.col;
      if (!may_attend(document, cell.row, token)) continue;
      if (!largest || value(product.a) > value(largest->a)) largest = &product;
      shares.push_back(format_percent(value(product.a)) + " of " +
                       (token == cell.row ? std::string(shares.empty() ? "its own value" : "its own")
                                          : (shares.empty() ? "the value of " : "that of ") + key(token, "")));
    }
    constexpr std::size_t kMost = 4;  // more shares than that are no sentence
    if (shares.size() > kMost && largest)
      return {in_head(cell.head), query() + " takes most, " + format_percent(value(largest->a)) +
                                      ", from the value of " + key(largest->a.col, "itself") + "."};
    return {in_head(cell.head), query() + " takes " + join(shares, "and") + "."};
  }

  /// "one from head 1, two from head 3"
  std::string by_head(const std::vector<int>& counted) const {
    std::string list;
    for (int head = 0; head < static_cast<int>(counted.size()); ++head)
      if (at(counted, head) > 0)
        list += (list.empty() ? "" : ", ") + count_word(at(counted, head)) + " from head " + std::to_string(head + 1);
    return list;
  }

  Sentence output() const {
    const int all = static_cast<int>(made.products.size());
    std::vector<int> counted(static_cast<std::size_t>(document.config.h), 0);
    int counting = 0, off = 0;  // off: by a zero of W^O
    for (const auto& product : made.products) {
      if (counts(product))
        ++counting, ++at(counted, product.a.col / document.config.d_v);
      else if (value(product.b) == 0)
        ++off;
    }
    const int rest = all - counting;
    const std::string W_O = symbol_of(Tensor::W_O, -1), numbers = "the " + count_word(all) + " numbers";
    if (counting == 0)
      return {"",
              "None of " + numbers + " counts here: " +
                  (off == rest ? "the zeros in " + W_O + " switch them off." : "each of them is in a product with 0.")};
    if (rest == 0)
      return {"", (all == 1 ? "The one number counts" : "All " + count_word(all) + " numbers count") +
                      " here: " + by_head(counted) + "."};
    std::string text = capitalise(count_word(counting)) + " of " + numbers + (counting == 1 ? " counts" : " count") +
                       " here: " + by_head(counted) + ".";
    if (off < rest)
      text += rest == 1 ? " The other one is in a product with 0." : " The rest are in products with 0.";
    else if (rest == 1)
      text += " The zero in " + W_O + " switches the other one off.";
    else
      text += " The zeros in " + W_O + " switch the rest off.";
    return {"", text};
  }

  // ------------------------------------------------------------------- others

  Sentence scale() const {
    const Cell& score = made.operands[0];
    const std::string by = made.factor ? "multiplied by " + format_short(*made.factor)
                                       : "divided by √" + std::to_string(document.config.d_k);
    const std::string whose = "the score of " + query() + " for " + key(cell.col, "itself");
    if (value(score) == 0) return {in_head(cell.head), whose + " is 0. " + capitalise(by) + ", it is still 0."};
    return {in_head(cell.head), whose + " goes from " + number(score) + " to " + number(cell) + ": it is " + by + "."};
  }

  Sentence mask() const {
    const std::string other = key(cell.col, "itself");
    if (made.allowed && made.bias && value(*made.bias) != 0)
      return {"", query() + " may look at " + other + ", and the mask adds " + number(*made.bias) +
                      " to the scaled score."};
    if (made.allowed) return {"", query() + " may look at " + other + ", so the scaled score stays as it is."};
    if (is_fully_masked(state, cell.row)) return {"", query() + " may look at no token, so all its scores become −∞."};
    if (is_causal(state))
      return {"", other + " comes after " + query() + ", so " + query() + " may not look at it: the score becomes −∞."};
    return {"", query() + " may not look at " + other + ", so the score becomes −∞."};
  }

  Sentence softmax() const {
    if (is_fully_masked(state, cell.row)) return {"", query() + " may look at no token, so all its weights are 0."};
    if (!may_attend(document, cell.row, cell.col))
      return {"", query() + " may not look at " + key(cell.col, "itself") + ", so this weight is 0."};
    std::vector<std::string> hidden;
    for (int token = 0; token < document.config.n_k; ++token)
      if (!may_attend(document, cell.row, token)) hidden.push_back(key(token, "itself"));
    std::string text =
        query() + " gives " + format_percent(value(cell)) + " of its attention to " + key(cell.col, "itself") + ".";
    if (!hidden.empty())
      text += " It may not look at " + join(hidden, "or") + ": " +
              (hidden.size() == 1 ? "that weight is 0." : "those weights are 0.");
    return {in_head(cell.head), text};
  }

  Sentence copy() const {
    const Cell& from = made.operands[0];
    return {"", "This number is copied from head " + std::to_string(from.head + 1) + ", number " +
                    std::to_string(from.col + 1) + ". Concat computes nothing."};
  }

  Sentence gate() const {
    const Cell& from = made.operands[0];
    const std::string head = "head " + std::to_string(from.head + 1), gate = number(made.operands[1]);
    if (value(made.operands[1]) == 0) return {"", "The gate of " + head + " is 0, so nothing of it comes into concat."};
    return {"", "This number is number " + std::to_string(from.col + 1) + " of " + head +
                    ", multiplied by the gate of that head, " + gate + "."};
  }
};

}  // namespace

std::string strip_number(const State& state, const Derived& derived, const Cell& cell) {
  const double value = value_of(state, derived, cell);
  if (attention::is_given(cell.tensor)) return format_short(value);
  if (cell.tensor == Tensor::pattern && !may_attend(state.document, cell.row, cell.col)) return "0";
  const auto* matrix = matrix_of(state.document, &derived.trace, cell.tensor, cell.head);
  return format_number(value, matrix ? decimals_of(*matrix, 3) : 3);
}

Sentence sentence_of(const State& state, const Derived& derived) {
  const Speaker speaker{state, derived, derived.explanation, state.document, derived.explanation.cell};
  switch (speaker.made.operation) {
    case attention::Operation::given: return speaker.given();
    case attention::Operation::scale: return speaker.scale();
    case attention::Operation::mask: return speaker.mask();
    case attention::Operation::softmax: return speaker.softmax();
    case attention::Operation::copy: return speaker.copy();
    case attention::Operation::gate: return speaker.gate();
    case attention::Operation::dot: break;
  }
  switch (speaker.cell.tensor) {
    case Tensor::scores: return speaker.score();
    case Tensor::head: return speaker.head_output();
    case Tensor::output: return speaker.output();
    default: return speaker.projection();
  }
}

}  // namespace app
