// What the tests of practice share: whose numbers are asked about, and all that can be amiss with a question.
//
// `faults_of` names every fault of one question; `check_type` looks for them in many seeds of one type.
#pragma once

#include "app/practice_internal.hpp"
#include "practice_text_support.hpp"
#include "thin.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace practice_test {

// ---------------------------------------------------------------- documents

struct Asked {
  std::string name;
  State state;
};

inline void set_all(State& state, Tensor tensor, const std::function<double()>& number) {
  for (const Cell& cell : cells_of(state, tensor)) REQUIRE(!update(state, SetCell{cell, number()}));
  state.past.clear();  // states are copied often
}

/// Numbers with one decimal from -most to most, everywhere.
inline State edited_state(std::uint64_t seed, double most) {
  Random random(seed);
  State state;
  for (const Tensor tensor : {Tensor::X, Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::W_O})
    set_all(state, tensor, [&] { return std::round(random.between(-most, most) * 10) / 10; });
  return state;
}

/// The shipped example with a few numbers changed a little.
inline State slightly_edited_state(std::uint64_t seed) {
  Random random(seed);
  State state;
  for (const Tensor tensor : {Tensor::X, Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::W_O}) {
    const Cell cell = any(random, cells_of(state, tensor));
    REQUIRE(!update(state, SetCell{cell, value_of(state, derive(state), cell) + 0.25 * random.whole(1, 4)}));
  }
  return state;
}

/// What a learner may have made of the example.
inline std::vector<Asked> documents() {
  std::vector<Asked> all{{"shipped", {}},
                         {"slightly edited", slightly_edited_state(1)},
                         {"edited", edited_state(2, 1)},
                         {"large numbers", edited_state(3, 9)},
                         {"edited and causal", edited_state(4, 2)}};
  REQUIRE(!update(all[4].state, SetCausal{true}));
  return all;
}

/// Numbers that can hardly be asked about: for fewer seeds.
inline std::vector<Asked> hard_documents() {
  std::vector<Asked> all{{"huge", edited_state(5, kLargestNumber)},
                         {"zeros", {}},
                         {"ones", {}},
                         {"tiny", {}},
                         {"one row masked", {}},
                         {"causal", {}}};
  for (const Tensor tensor : {Tensor::X, Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::W_O}) {
    set_all(all[1].state, tensor, [] { return 0.0; });
    set_all(all[2].state, tensor, [] { return 1.0; });
    set_all(all[3].state, tensor, [] { return 1e-7; });
  }
  for (const int key : {0, 1}) REQUIRE(!update(all[4].state, ToggleMay{0, key}));
  REQUIRE(!update(all[5].state, SetCausal{true}));
  return all;
}

// ------------------------------------------------------------------- faults

/// What a type of question may differ in.
struct Wanted {
  int heads = 3;  // "head 4" is a fault

  bool first_steps = true;  // each slip of a number says which step differs first
  bool chain = true;        // the picture is a chain
};

class Faults {
 public:
  Faults(const Question& question, const State& state, const Wanted& wanted)
      : q_(question), state_(state), wanted_(wanted) {}

  std::vector<std::string> all() {
    frame(), answer(), choices(), slips(), hints(), solution(), picture(), shown();
    return std::move(faults_);
  }

 private:
  void fault(std::string text) { faults_.push_back(std::move(text)); }
  void need(bool good, const std::string& text) {
    if (!good) fault(text);
  }
  void rich(const std::string& name, const std::string& text) {
    if (const std::string amiss = rich_fault(text); !amiss.empty()) return fault(name + " has " + amiss + ": " + text);
    plain(name, to_plain(text));
  }
  void plain(const std::string& name, const std::string& text) {
    if (const std::string amiss = words_fault(text); !amiss.empty()) fault(name + " has " + amiss + ": " + text);
    for (std::size_t at = 0; (at = text.find("head ", at)) != std::string::npos; at += 5) {
      const int head = std::atoi(text.c_str() + at + 5);
      const bool number = std::isdigit(static_cast<unsigned char>(text.c_str()[at + 5])) != 0;
      if (number && (head < 1 || head > wanted_.heads)) fault(name + " names a head that isn't there: " + text);
    }
  }
  void parts(const std::string& name, const std::vector<Part>& list) {
    for (const Part& part : list) {
      rich(name, part.text), rich(name, part.below);
      if (part.cell) need(exists(*part.cell), name + " names a cell that isn't there");
    }
  }
  bool exists(const Cell& cell) const {
    const State& asked = q_.picture.numbers ? q_.picture.numbers->state : state_;
    return attention::exists(asked.document.config, cell);
  }
  /// The number that these parts end in is this one, to the decimals that they show.
  bool ends_in(const std::vector<Part>& list, double value) const {
    if (list.empty()) return false;
    const std::string text = to_plain(list.back().text);
    const auto number = last_number(text);
    if (!number) return false;
    const std::size_t point = text.rfind('.');
    const auto decimals = point == std::string::npos ? 0 : static_cast<int>(text.find_last_of("0123456789") - point);
    const double half =
        q_.whole ? 0.003 * std::abs(value)
                 : std::max(0.501 * std::pow(10.0, -decimals), 0.0005 * std::abs(value) * (std::abs(value) > 1e5));
    return std::abs(*number - value) <= half;
  }

  void frame() {
    const auto& types = question_types();
    const auto type = std::find_if(types.begin(), types.end(), [&](const QuestionType& t) { return t.id == q_.id; });
    need(type != types.end(), "its type isn't known");
    need(!q_.tag.empty() && q_.tag.size() <= 10, "the tag is missing or long: " + q_.tag);
    if (type != types.end()) need(q_.tag == type->tag, "the tag isn't its type's");
    need(!q_.title.empty(), "no title");
    rich("title", q_.title), rich("given", q_.given), plain("rounding", q_.rounding), rich("label", q_.label);
  }

  void answer() {
    constexpr std::size_t kIndex[] = {0, 1, 2, 3};  // of Answer, in the order of Asks
    if (q_.right.index() != kIndex[static_cast<std::size_t>(q_.asks)])
      return fault("the right answer is of another kind");
    const auto read = read_answer(q_, answer_text(q_, q_.right));
    const Answer* same = std::get_if<Answer>(&read);
    need(same && is_right(q_, *same), "the right answer isn't accepted: " + answer_text(q_, q_.right));
    const double* right = std::get_if<double>(&q_.right);
    if (!right) return;
    need(std::isfinite(*right), "the right answer isn't finite");
    if (q_.whole) {
      need(*right == std::round(*right), "a count that isn't whole");
      need(!is_right(q_, *right + 1) && !is_right(q_, *right - 1), "a count that is one off is accepted");
      return;
    }
    need(q_.tolerance > 0, "no tolerance");
    const int decimals = decimals_asked(q_).value_or(3);
    need(is_right(q_, std::strtod(typed(*right, decimals).c_str(), nullptr)),
         "the rounded number isn't accepted: " + typed(*right, decimals));
    if (!decimals_asked(q_))
      need(std::abs(*right * 1000 - std::round(*right * 1000)) < 1e-6, "it has to be rounded, and doesn't say so");
    for (const double sign : {-2.0, 2.0})
      need(!is_right(q_, *right + sign * q_.tolerance), "a number two tolerances off is accepted");
  }

  void choices() {
    if (q_.asks != Asks::choice) return need(q_.choices.empty(), "choices that can't be chosen");
    const auto count = static_cast<int>(q_.choices.size());
    need(count >= 2 && count <= 6, "two to six choices are wanted");
    const int* right = std::get_if<int>(&q_.right);
    need(right && *right >= 0 && *right < count, "the right choice isn't there");
    std::set<std::string> texts;
    for (const Choice& choice : q_.choices) {
      rich("choice", choice.text), rich("why of a choice", choice.why);
      need(!choice.text.empty() && !choice.why.empty(), "an empty choice, or one without its why");
      need(texts.insert(to_plain(choice.text)).second, "two choices are the same: " + choice.text);
    }
  }

  void slips() {
    for (std::size_t i = 0; i < q_.slips.size(); ++i) {
      const Slip& slip = q_.slips[i];
      const std::string name = "slip " + slip.id;
      need(!slip.id.empty() && !slip.heading.empty() && !slip.says.empty(),
           name + ": id, heading or words are missing");
      need(!slip.heading.ends_with('.'), name + ": the heading ends in a full stop");
      if (slip.answer.index() != q_.right.index()) return fault(name + " is of another kind");
      need(!is_right(q_, slip.answer), name + " is right: " + answer_text(q_, slip.answer));
      for (std::size_t j = 0; j < i; ++j) {
        need(!same_answer(q_, slip.answer, q_.slips[j].answer), name + " gives the same as " + q_.slips[j].id);
        need(slip.id != q_.slips[j].id, name + " is there twice");
      }
      plain(name + ": heading", slip.heading), rich(name + ": says", slip.says);
      parts(name + ": way", slip.way), parts(name + ": first", slip.first);
      plain(name + ": first", slip.first_name), plain(name + ": arc", slip.arc);
      slip_steps(slip, name);
      if (slip.differs_at) {
        need(slip.differs_at && std::count(q_.picture.chain.begin(), q_.picture.chain.end(), *slip.differs_at) == 1,
             name + " leaves at a matrix that isn't in the picture");
        need(!slip.arc.empty() && slip.arc.size() <= 40, name + ": the arc's words are missing or long");
      }
    }
  }
  void slip_steps(const Slip& slip, const std::string& name) {
    const auto blanks = std::count_if(slip.first.begin(), slip.first.end(),
                                      [](const Part& part) { return part.kind == Part::Kind::blank; });
    need(slip.first.empty() == slip.first_name.empty(), name + ": the first step and its name go together");
    need(slip.first.empty() || blanks > 0, name + ": the first step has no blank");
    const double* value = std::get_if<double>(&slip.answer);
    if (!value) return;
    need(std::isfinite(*value), name + " isn't finite");
    need(ends_in(slip.way, *value), name + ": its way doesn't end in " + typed(*value, 6) + ": " + plain_of(slip.way));
    if (wanted_.first_steps) need(!slip.first.empty(), name + " doesn't say which step differs first");
    if (q_.whole) return;
    // What a learner types is rounded: it still has to be this slip, and no other.
    const double rounded = std::strtod(typed(*value, decimals_asked(q_).value_or(3)).c_str(), nullptr);
    need(!is_right(q_, rounded), name + " is right once it is rounded");
    const auto first = std::find_if(q_.slips.begin(), q_.slips.end(),
                                    [&](const Slip& it) { return same_answer(q_, it.answer, rounded); });
    need(first != q_.slips.end() && &*first == &slip, name + " isn't recognised once it is rounded");
  }

  void hints() {
    need(q_.hints.size() >= 2 && q_.hints.size() <= 3, "two or three hints are wanted");
    for (const std::string& hint : q_.hints) {
      rich("hint", hint);
      for (const std::string& text : told())
        need(!names(to_plain(hint), text), "a hint gives the answer away: " + hint);
    }
  }
  /// Texts that give the answer away. A short whole number may stand in a hint for something else.
  std::vector<std::string> told() const {
    if (const double* right = std::get_if<double>(&q_.right)) {
      std::vector<std::string> texts{"= " + short_number(*right)};
      if (short_number(*right).find('.') != std::string::npos || std::abs(*right) >= 100)
        texts.push_back(short_number(*right)), texts.push_back(fixed(*right, decimals_asked(q_).value_or(3)));
      return texts;
    }
    if (const int* choice = std::get_if<int>(&q_.right); choice && *choice >= 0 && *choice < std::ssize(q_.choices))
      return {to_plain(q_.choices[static_cast<std::size_t>(*choice)].text)};
    return {answer_text(q_, q_.right)};
  }
  /// `what` stands in `text` and isn't part of a longer word or number.
  static bool names(const std::string& text, const std::string& what) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) {
      const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.'; };
      const std::size_t end = at + what.size();
      const bool dot_ends = end + 1 >= text.size() || text[end + 1] == ' ';
      const bool more = end < text.size() && is_word(text[end]) && !(text[end] == '.' && dot_ends);
      if ((at == 0 || !is_word(text[at - 1])) && !more) return true;
    }
    return false;
  }

  void solution() {
    need(!q_.solution.empty(), "no solution");
    need(!q_.solution_says.empty(), "the solution says nothing");
    parts("solution", q_.solution), rich("words of the solution", q_.solution_says);
    if (const double* right = std::get_if<double>(&q_.right))
      need(ends_in(q_.solution, *right), "the solution doesn't end in the right number: " + plain_of(q_.solution));
  }

  void picture() {
    const Picture& picture = q_.picture;
    rich("formula", picture.formula), rich("reason", picture.why);
    need(!picture.formula.empty() && !picture.why.empty(), "the picture has no formula or no reason");
    plain("title of the picture", picture.title);
    for (const Picture::Bar& bar : picture.bars)
      plain("bar", bar.name), plain("bar", bar.text), need(std::isfinite(bar.length), "a bar without a length");
    if (picture.kind != Picture::Kind::chain) return need(!wanted_.chain, "the picture is no chain");
    need(picture.formula.find("<k>") != std::string::npos, "nothing is lit in the formula: " + picture.formula);
    need(static_cast<bool>(picture.numbers), "the chain has no numbers");
    if (!picture.numbers) return;
    const attention::Config& config = picture.numbers->state.document.config;
    need(!picture.chain.empty() && picture.chain.size() <= 3, "one to three matrices are wanted");
    need(picture.head >= -1 && picture.head < config.h, "the picture's head isn't there");
    for (const Tensor tensor : picture.chain)
      need(!attention::is_per_head(tensor) || picture.head >= 0, "a matrix of no head");
    for (const Cell& cell : picture.operands) {
      need(exists(cell), "an operand that isn't there: " + to_text(cell));
      need(std::count(picture.chain.begin(), picture.chain.end(), cell.tensor) == 1,
           "an operand that isn't in the picture: " + to_text(cell));
    }
    if (q_.cell && !picture.chain.empty())
      need(picture.chain.back() == q_.cell->tensor, "the last matrix doesn't hold the asked number");
  }

  void shown() {
    need(q_.show.empty() == q_.show_label.empty(), "the way there and its button go together");
    plain("button", q_.show_label);
    if (q_.cell) need(exists(*q_.cell), "the asked cell isn't there: " + to_text(*q_.cell));
    State state = state_;
    state.page = Page::practice;
    for (const std::string& text : q_.show) {
      const auto action = read_action(text);
      const Action* known = std::get_if<Action>(&action);
      if (!known) return fault("an action that can't be read: " + text);
      if (const auto reason = update(state, *known)) return fault(text + " is refused: " + *reason);
    }
    if (q_.show_label != "Show me on the canvas" || !q_.cell || state.page != Page::walkthrough) return;
    const Derived derived = derive(state);
    need(derived.shown && (*derived.shown == *q_.cell), "the walkthrough shows another number: wanted " +
                                                            to_text(*q_.cell) + ", shown " +
                                                            (derived.shown ? to_text(*derived.shown) : "none"));
  }

  const Question& q_;
  const State& state_;
  const Wanted& wanted_;
  std::vector<std::string> faults_;
};

/// All that is amiss with one question, in words.
inline std::vector<std::string> faults_of(const Question& question, const State& state, const Wanted& wanted = {}) {
  return Faults(question, state, wanted).all();
}

inline std::string lines(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& line : list) text += "\n  " + line;
  return text;
}

/// All of a question that one can see, to compare two.
inline std::string text_of(const Question& question) {
  std::string text =
      question.id + question.title + question.given + question.label + answer_text(question, question.right);
  for (const Slip& slip : question.slips)
    text += "|" + slip.id + answer_text(question, slip.answer) + slip.heading + slip.says + plain_of(slip.way) +
            slip.first_name + plain_of(slip.first) + slip.arc;
  for (const Choice& choice : question.choices) text += "|" + choice.text + choice.why;
  for (const std::string& hint : question.hints) text += "|" + hint;
  for (const std::string& action : question.show) text += "|" + action;
  for (const Cell& operand : question.picture.operands) text += "|" + app::to_text(operand);
  if (question.cell) text += "|" + app::to_text(*question.cell);
  text += question.rounding + app::to_text(question.tolerance) + question.show_label + question.picture.title;
  return text + plain_of(question.solution) + question.solution_says + question.picture.formula + question.picture.why;
}

/// Looks for faults in `seeds` questions of one type about these numbers. `also`: what else has to be true of each.
/// At least `different` of them aren't the same. One that has been looked at already isn't looked at again. Stops after
/// a few faulty ones.
inline void check_type(std::string_view id, const Asked& asked, int seeds, int different, const Wanted& wanted = {},
                       const std::function<std::vector<std::string>(const Question&)>& also = {}) {
  std::set<std::string> all, seen;
  int faulty = 0;
  for (int seed = 1; seed <= thinned(seeds) && faulty < 3; ++seed) {
    const Question question = make_question(asked.state, id, static_cast<std::uint64_t>(seed));
    const std::string text = text_of(question);
    std::vector<std::string> faults;
    if (seen.insert(text).second) {
      faults = faults_of(question, asked.state, wanted);
      if (question.id != id) faults.push_back("it says that its type is " + question.id);
      if (also)
        for (std::string& fault : also(question)) faults.push_back(std::move(fault));
    }
    if (seed % 20 == 1 && text != text_of(make_question(asked.state, id, static_cast<std::uint64_t>(seed))))
      faults.emplace_back("the same seed gives another question");
    faulty += !faults.empty();
    CHECK_MESSAGE(faults.empty(), id, ", seed ", seed, ", ", asked.name, ": ", to_plain(question.title), lines(faults));
    all.insert(question.title + question.given + answer_text(question, question.right));
  }
  if (faulty == 0)
    CHECK_MESSAGE(static_cast<int>(all.size()) >= different / kShare, id, ", ", asked.name, ": only ", all.size(),
                  " different questions");
}

}  // namespace practice_test
