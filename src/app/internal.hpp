// What the files of `app` share with each other and with nobody else.
#pragma once

#include "app/app.hpp"

namespace app {

template <class T>
const T& at(const std::vector<T>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}
template <class T>
T& at(std::vector<T>& list, int i) {
  return list[static_cast<std::size_t>(i)];
}

bool same_bits(double a, double b);

// ------------------------------------------------------- document (document.cpp)

/// The matrix that a tensor is; null where the document has none (no bias, no X_kv, no additive mask; a gate is in no
/// matrix), where the head doesn't exist, and for computed tensors without a trace.
const attention::Matrix<double>* matrix_of(const Document& document, const attention::Trace<double>* trace,
                                           Tensor tensor, int head);
/// The same for what is given, to write to.
attention::Matrix<double>* given_matrix(Document& document, Tensor tensor, int head);
/// Inside a matrix that this document really has.
bool has_cell(const Document& document, const Cell& cell);

bool may_attend(const Document& document, int query, int key);
void set_may_attend(Document& document, int query, int key, bool may);  // keeps "all allowed" as the empty matrix
void set_causal(Document& document, bool on);
bool same_numbers(const Document& a, const Document& b);  // input, mask and weights, bit for bit

/// Headers of a tensor's rows and columns: tokens, features or "1", "2" …; plain.
std::vector<std::string> row_names(const Document& document, Tensor tensor);
std::vector<std::string> col_names(const Document& document, Tensor tensor);
std::string row_name(const Document& document, const Cell& cell);
std::string col_name(const Document& document, const Cell& cell);

/// `scaled` and `masked` cells as the one that stands in their common place now; others unchanged.
Cell at_its_place(const State& state, Cell cell);

// ------------------------------------------------------------------ text (text.cpp)

/// Foreign text made fit to be quoted: valid UTF-8, no control characters, cut after `most` characters with "…".
std::string quote(std::string_view text, std::size_t most = 40);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& words, std::string_view last);  // "a, b and c"
std::optional<int> read_count(std::string_view text);                            // digits only; at most 999999
std::string count_word(int n);                                                   // "two"; figures above twelve
std::string ordinal_word(int n);                                                 // "first"; "13th" above twelfth
std::string capitalise(std::string text);
/// What to say about text that can't be read: field, found, wanted.
attention::Problem not_read(std::string_view field, std::string_view found, std::string_view wanted);

// -------------------------------------------------------------- numbers (number.cpp)

/// read_number without the limit on magnitude; too large for a double is infinity.
std::variant<double, attention::Problem> read_unlimited(std::string_view text);
/// Up to three decimals, none that are 0: "0.9", "0.125", "4e−4".
std::string format_short(double value);
std::string format_percent(double share);  // "94.4 %", "less than 0.1 %"

// ---------------------------------------------------------------- words (sentence.cpp)

/// The number as it stands in the strip.
std::string strip_number(const State& state, const Derived& derived, const Cell& cell);
/// The strip's sentence (rich) without its "In head 1, ", which stands in `lead`.
struct Sentence {
  std::string lead, rest;
};
Sentence sentence_of(const State& state, const Derived& derived);

/// Names that URLs and actions use.
std::optional<Step> find_step(std::string_view slug);
std::optional<Theme> find_theme(std::string_view name);
std::optional<Motion> find_motion(std::string_view name);
std::string_view name_of(Theme theme);
std::string_view name_of(Motion motion);
std::string step_list();  // "input, project, …"

}  // namespace app
