// What the tests of questions about sizes, counts and heads share: the trained model, digits without their gaps, and
// the harness of practice_support.hpp over many seeds.
#pragma once

#include "practice_support.hpp"

#include <fstream>
#include <iterator>

namespace practice_test {

/// Groups of digits stand apart by thin spaces, which no font has and the canvas draws as gaps; here they are commas.
inline std::string with_commas(std::string text) {
  for (std::size_t at; (at = text.find("\u2009")) != std::string::npos;) text.replace(at, 3, ",");
  return text;
}
inline void with_commas(std::vector<Part>& parts) {
  for (Part& part : parts) part.text = with_commas(part.text), part.below = with_commas(part.below);
}
inline Question with_commas(Question q) {
  for (std::string* text : {&q.title, &q.given, &q.rounding, &q.label, &q.solution_says, &q.picture.title,
                            &q.picture.formula, &q.picture.why})
    *text = with_commas(*text);
  for (Slip& slip : q.slips) {
    slip.heading = with_commas(slip.heading), slip.says = with_commas(slip.says);
    with_commas(slip.way), with_commas(slip.first);
  }
  for (Choice& choice : q.choices) choice.text = with_commas(choice.text), choice.why = with_commas(choice.why);
  for (std::string& hint : q.hints) hint = with_commas(hint);
  for (Picture::Bar& bar : q.picture.bars) bar.text = with_commas(bar.text);
  with_commas(q.solution);
  return q;
}

/// No chain, and heads of a model, not of the walkthrough.
inline Wanted of_sizes() {
  Wanted wanted;
  wanted.heads = 99;
  wanted.chain = false;
  return wanted;
}

inline Held<Specimen> shipped_specimen() {
  static const Held<Specimen> shipped = [] {
    std::ifstream file(HEADSCOPE_SOURCE_DIR "/src/heads/shipped.safetensors", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    auto read = read_specimen("the model of this page", bytes);
    REQUIRE(std::holds_alternative<Specimen>(read));
    return Held(std::get<Specimen>(std::move(read)));
  }();
  return shipped;
}

/// Looks for faults in many seeds of one type, and for what `also` finds.
inline void check_seeds(const State& state, std::string_view id, int seeds, int different,
                        const std::function<std::vector<std::string>(const Question&)>& also) {
  std::set<std::string> all;
  int faulty = 0;
  for (int seed = 1; seed <= thinned(seeds) && faulty < 3; ++seed) {
    const Question question = make_question(state, id, static_cast<std::uint64_t>(seed));
    const Question shown = with_commas(question);
    std::vector<std::string> faults = faults_of(shown, state, of_sizes());
    for (std::string& fault : also(shown)) faults.push_back(std::move(fault));
    if (seed % 100 == 1 && text_of(question) != text_of(make_question(state, id, static_cast<std::uint64_t>(seed))))
      faults.emplace_back("the same seed gives another question");
    faulty += !faults.empty();
    CHECK_MESSAGE(faults.empty(), id, ", seed ", seed, ": ", to_plain(question.title), " | ", to_plain(question.given),
                  lines(faults));
    all.insert(question.title + question.given + answer_text(question, question.right));
  }
  if (faulty == 0)
    CHECK_MESSAGE(static_cast<int>(all.size()) >= different / kShare, id, ": only ", all.size(), " different ones");
}

/// Numbers in the order in which they stand in a text: "d_model = 12,288" gives 12288. Words such as "W^Q_1" don't
/// count.
inline std::vector<double> numbers_in(const std::string& rich) {
  const std::string text = with_minus(to_plain(with_commas(rich)));
  std::vector<double> found;
  for (std::size_t i = 0; i < text.size();) {
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    if (!is_digit(i)) {
      ++i;
      continue;
    }
    std::string digits;
    while (is_digit(i) || ((text[i] == ',' || text[i] == '.') && is_digit(i + 1))) {
      if (text[i] != ',') digits += text[i];
      if (++i >= text.size()) break;
    }
    found.push_back(std::strtod(digits.c_str(), nullptr));
  }
  return found;
}

inline bool says(const std::string& rich, std::string_view what) {
  return to_plain(with_commas(rich)).find(what) != std::string::npos;
}

inline const Slip* find_slip(const Question& question, std::string_view id) {
  for (const Slip& slip : question.slips)
    if (slip.id == id) return &slip;
  return nullptr;
}

}  // namespace practice_test
