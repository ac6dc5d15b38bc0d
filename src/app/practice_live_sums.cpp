// Sums of products and softmax, as ways that a number is rebuilt by, and the slips that are made of them.
#include "app/practice_live.hpp"

#include <algorithm>
#include <cmath>

namespace app::live {
namespace {

/// A negative number behind a sign stands in brackets.
std::string factor(double value, bool first) {
  return !first && value < 0 ? "(" + mono(typed(value)) + ")" : mono(typed(value));
}

std::string product(double a, double b, bool first = true) {
  return factor(a, first) + " <q>·</q> " + factor(b, false);
}

}  // namespace

void add_term(std::string& sum, double value) {
  const std::string term = typed(value);
  sum += sum.empty() ? term : value < 0 ? " + (" + term + ")" : " + " + term;
}

double total(const Sum& sum) {
  double total = 0;
  for (std::size_t i = 0; i < sum.a.size(); ++i) total += sum.a[i] * sum.b[i];
  return total;
}

double total_as_printed(const Sum& sum) { return total({as_printed(sum.a), as_printed(sum.b)}); }

std::vector<Part> way_of(const Sum& sum, double result) {
  constexpr std::size_t kShort = 3;
  std::vector<Part> parts;
  for (std::size_t i = 0; i < sum.a.size(); ++i) {
    if (sum.a.size() > kShort && sum.a[i] * sum.b[i] == 0) continue;
    const bool first = parts.empty();
    if (!first) parts.push_back({.kind = Part::Kind::line_break_hint}), parts.push_back(words("<q>+</q>"));
    parts.push_back(words(product(sum.a[i], sum.b[i], first)));
  }
  if (parts.empty()) parts.push_back(words("only products with 0"));
  parts.push_back({.kind = Part::Kind::line_break_hint});
  parts.push_back(equals());
  parts.push_back(words(mono(typed(result))));
  return parts;
}

std::vector<Part> first_product(const Sum& ours, const Sum& theirs) {
  const std::size_t size = ours.a.size();
  const auto differs = [&](std::size_t i) {
    return i >= theirs.a.size() || ours.a[i] != theirs.a[i] || ours.b[i] != theirs.b[i];
  };
  std::size_t first = size;
  for (std::size_t i = size; i-- > 0;)
    if (differs(i) && (first == size || ours.a[i] * ours.b[i] != 0)) first = i;
  if (first == size) first = 0;
  return {words(product(ours.a[first], ours.b[first])), equals(), blank()};
}

// -------------------------------------------------------------------- slips

void add_number_slip(Question& question, Slip slip) {
  if (is_handy(std::get<double>(slip.answer))) add_slip(question, std::move(slip));
}

void Slips::way(std::string id, double answer, std::string heading, const std::string& says, std::vector<Part> way) {
  add_number_slip(question, {.id = std::move(id),
                             .answer = answer,
                             .heading = std::move(heading),
                             .says = typed(answer) + " " + says,
                             .way = std::move(way),
                             .first_name = first_name,
                             .first = first_product(ours, {}),
                             .differs_at = at,
                             .arc = kDiffers});
}

void Slips::sum(std::string id, std::string heading, const std::string& says, const Sum& theirs) {
  const double answer = total(theirs);
  add_number_slip(question, {.id = std::move(id),
                             .answer = answer,
                             .heading = std::move(heading),
                             .says = typed(answer) + " " + says,
                             .way = way_of(theirs, answer),
                             .first_name = first_name,
                             .first = first_product(ours, theirs),
                             .differs_at = at,
                             .arc = kDiffers});
}

void Slips::forgot_product() {
  Sum theirs = ours;
  for (std::size_t i = theirs.a.size(); i-- > 0;) {
    if (theirs.a[i] * theirs.b[i] == 0) continue;
    theirs.a.erase(theirs.a.begin() + static_cast<std::ptrdiff_t>(i));
    theirs.b.erase(theirs.b.begin() + static_cast<std::ptrdiff_t>(i));
    const double answer = total(theirs);
    add_number_slip(question,
                    {.id = "forgot_product",
                     .answer = answer,
                     .heading = "one product is missing",
                     .says = typed(answer) + " is the sum without its last product. Every pair that isn’t 0 counts.",
                     .way = way_of(theirs, answer),
                     .first_name = "Last product",
                     .first = {words(product(ours.a[i], ours.b[i])), equals(), blank()},
                     .differs_at = at,
                     .arc = "your way leaves out a product"});
    return;
  }
}

// ------------------------------------------------------------------ softmax

std::string power(double exponent) { return "e^{" + short_number(exponent) + "}"; }

double softmax_at(const List& scores, int own) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - largest);
  return std::exp(at(scores, own) - largest) / sum;
}

std::vector<Part> softmax_way(const List& scores, int own, double result) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  const double size = std::exp(largest);
  const double off = size >= 0.1 && size < 99999.5 ? 0 : largest;
  const auto sum_of = [&](auto term) {
    std::string sum;
    for (const double score : scores) sum += (sum.empty() ? "" : " + ") + term(score);
    return sum;
  };
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - off);
  const int decimals = sum < 1 ? 3 : 2;
  const auto shifted = [&](double score) { return power(score - off); };

  std::vector<Part> parts{fraction(power(at(scores, own)), sum_of(power)), equals()};
  if (off != 0) parts.push_back(fraction(shifted(at(scores, own)), sum_of(shifted))), parts.push_back(equals());
  parts.push_back(fraction(fixed(std::exp(at(scores, own) - off), decimals), fixed(sum, decimals)));
  parts.push_back(equals());
  parts.push_back(words(mono(typed(result))));
  return parts;
}

bool is_open_row(const Numbers& numbers, int query) {
  for (int key = 0; key < numbers.state.document.config.n_k; ++key)
    if (!may_attend(numbers.state.document, query, key)) return false;
  return true;
}

}  // namespace app::live
