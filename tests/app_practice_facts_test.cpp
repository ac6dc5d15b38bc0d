// Generated questions about shapes, counts, roles and pruning: 1,000 seeds of each, every answer reckoned again from
// what the question itself says.
#include "app_practice_facts_support.hpp"

#include <cmath>
#include <map>

using namespace practice_test;

namespace {

using Amiss = std::vector<std::string>;

Amiss differs(const Question& question, double wanted) {
  const double found = std::get<double>(question.right);
  if (std::abs(found - wanted) < 1e-9 * std::max(1.0, std::abs(wanted))) return {};
  return {"reckoned again it is " + typed(wanted, 4) + ", not " + typed(found, 4)};
}

/// The number behind "d_k = " and the like, in title or given.
double size_of(const Question& question, const std::string& name, double otherwise = 0) {
  const std::string text = to_plain(question.title + " " + question.given);
  const std::size_t at = text.find(name + " = ");
  if (at == std::string::npos) return otherwise;
  const auto numbers = numbers_in(text.substr(at + name.size()));
  return numbers.empty() ? otherwise : numbers.front();
}

}  // namespace

TEST_CASE("shapes: 1,000 seeds, and each shape follows from the sizes that are given") {
  using Sizes = std::map<std::string, int>;
  const std::map<std::string, std::function<attention::Shape(Sizes)>> wanted{
      {"X",
       [](Sizes s) {
         return attention::Shape{s["n"], s["d_model"]};
       }},
      {"W^Q",
       [](Sizes s) {
         return attention::Shape{s["d_model"], s["d_k"]};
       }},
      {"W^V",
       [](Sizes s) {
         return attention::Shape{s["d_model"], s["d_v"]};
       }},
      {"Q",
       [](Sizes s) {
         return attention::Shape{s["n"], s["d_k"]};
       }},
      {"V",
       [](Sizes s) {
         return attention::Shape{s["n"], s["d_v"]};
       }},
      {"K^T",
       [](Sizes s) {
         return attention::Shape{s["d_k"], s["n"]};
       }},
      {"Q K^T",
       [](Sizes s) {
         return attention::Shape{s["n"], s["n"]};
       }},
      {"A",
       [](Sizes s) {
         return attention::Shape{s["n"], s["n"]};
       }},
      {"head",
       [](Sizes s) {
         return attention::Shape{s["n"], s["d_v"]};
       }},
      {"Concat",
       [](Sizes s) {
         return attention::Shape{s["n"], s["h"] * s["d_v"]};
       }},
      {"W^O",
       [](Sizes s) {
         return attention::Shape{s["h"] * s["d_v"], s["d_model"]};
       }},
      {"the output", [](Sizes s) {
         return attention::Shape{s["n"], s["d_model"]};
       }}};
  std::set<std::string> asked, slips;
  check_seeds({}, "shape", 1000, 600, [&](const Question& q) -> Amiss {
    const auto given = numbers_in(q.given);  // tokens, d_model, heads, d_k, and d_v where it is another
    if (given.size() < 4) return {"sizes are missing"};
    const auto whole = [&](std::size_t i) { return static_cast<int>(given[i]); };
    const Sizes sizes{
        {"n", whole(0)}, {"d_model", whole(1)}, {"h", whole(2)}, {"d_k", whole(3)}, {"d_v", whole(given.size() - 1)}};
    const std::string symbol = to_plain(q.label);
    asked.insert(symbol);
    for (const Slip& slip : q.slips) slips.insert(slip.id);
    if (!wanted.contains(symbol)) return {"no such matrix: " + symbol};
    if (std::get<attention::Shape>(q.right) == wanted.at(symbol)(sizes)) return {};
    return {"another shape follows from the sizes"};
  });
  CHECK(asked.size() == wanted.size());
  for (const char* id : {"transposed", "all_heads", "d_model", "heads", "one_head", "sliced_X", "inner", "weights"})
    CHECK_MESSAGE(slips.contains(id), id);
}

TEST_CASE("splits: 1,000 seeds, and exactly one answer fits") {
  int choices = 0;
  check_seeds({}, "split", 1000, 300, [&](const Question& q) -> Amiss {
    const auto sizes = numbers_in(q.title);
    if (q.asks == Asks::number) return differs(q, sizes[0] / sizes[1]);
    ++choices;
    const bool divides = !says(q.title, "can’t");
    Amiss faults;
    for (std::size_t i = 0; i < q.choices.size(); ++i) {
      const double h = numbers_in(q.choices[i].text).front();
      const bool fits = (std::fmod(sizes[0], h) == 0) == divides;
      if (fits != (std::get<int>(q.right) == static_cast<int>(i)))
        faults.push_back("not the only one: " + q.choices[i].text);
    }
    return faults;
  });
  CHECK(choices > 400 / kShare);
}

TEST_CASE("counts: 1,000 seeds, with biases, shared keys and two widths; slips are there by name") {
  std::map<std::string, int> slips;
  int shared = 0, biased = 0, two_widths = 0;
  check_seeds({}, "count", 1000, 500, [&](const Question& q) -> Amiss {
    const double d = size_of(q, "d_model"), h = size_of(q, "h"), d_v = size_of(q, "d_v");
    const double d_k = size_of(q, "d_k", d_v);
    double h_kv = h;
    const std::string given = to_plain(q.given);
    if (says(given, "All heads share one key and value head")) h_kv = 1;
    if (const auto at = given.find("There are ");
        at != std::string::npos && std::isdigit(static_cast<unsigned char>(given[at + 10])))
      h_kv = numbers_in(given.substr(at)).front();
    const bool biases = says(given, "Every matrix has biases");
    shared += h_kv != h, biased += biases, two_widths += d_k != d_v;
    double total = h * d * d_k + h_kv * d * d_k + h_kv * d * d_v + h * d_v * d;
    if (biases) total += h * d_k + h_kv * d_k + h_kv * d_v + d;
    for (const Slip& slip : q.slips) ++slips[slip.id];
    return differs(q, total);
  });
  CHECK(shared > 100 / kShare);
  CHECK(biased > 200 / kShare);
  CHECK(two_widths > 50 / kShare);
  for (const char* id : {"no_W_O", "h_times", "all_layers", "one_head", "one_matrix", "sliced_X", "biases", "no_biases",
                         "not_shared", "queries_shared"})
    CHECK_MESSAGE(slips[id] > 50, id);
}

TEST_CASE("feed-forward parts: 1,000 seeds, 8 d_model^2 and the biases") {
  check_seeds({}, "ffn", 1000, 150, [](const Question& q) {
    const double d = size_of(q, "d_model");
    return differs(q, 8 * d * d + (says(q.given, "Both matrices have biases") ? 5 * d : 0));
  });
}

TEST_CASE("maps and weights: 1,000 seeds, n counts twice") {
  std::map<std::string, int> slips;
  check_seeds({}, "maps", 1000, 900, [&](const Question& q) {
    const auto sizes = numbers_in(q.given);  // layers, heads
    const double n = size_of(q, "n");
    for (const Slip& slip : q.slips) ++slips[slip.id];
    if (n == 0) return differs(q, sizes[0] * sizes[1]);
    return differs(q, (says(q.title, "all layers") ? sizes[0] : 1) * sizes[1] * n * n);
  });
  for (const char* id : {"linear", "one_head", "one_layer", "all_layers", "half", "added"})
    CHECK_MESSAGE(slips[id] > 50, id);
}

TEST_CASE("pruning: 1,000 seeds, negative importances among them, and nothing is clamped") {
  std::map<std::string, int> slips;
  int negative = 0, sets = 0, first_negative = 0;
  check_seeds({}, "prune", 1000, 800, [&](const Question& q) -> Amiss {
    const auto scores = [&] {
      std::vector<double> list;
      for (const std::string& text : mono_numbers(q.given)) list.push_back(numbers_in(text).front());
      return list;
    }();
    const double base = scores[0];
    if (q.asks == Asks::number) {
      negative += scores[1] > base;
      for (const Slip& slip : q.slips) ++slips[slip.id];
      return differs(q, (base - scores[1]) / base);
    }
    const std::string right = to_plain(q.choices[static_cast<std::size_t>(std::get<int>(q.right))].text);
    const std::vector<double> ablated(scores.begin() + 1, scores.end());
    if (q.picture.bars.size() != ablated.size()) return {"the picture has other heads"};
    if (right.starts_with("Head ") && says(q.title, "first")) {
      const auto best = std::max_element(ablated.begin(), ablated.end());
      first_negative += *best > base;
      if (std::count(ablated.begin(), ablated.end(), *best) != 1) return {"two heads are equally unimportant"};
      return right == "Head " + std::to_string(best - ablated.begin() + 1) ? Amiss{}
                                                                           : Amiss{"another head is less important"};
    }
    ++sets;
    std::vector<double> named = numbers_in(right), wanted;
    for (std::size_t i = 0; i < ablated.size(); ++i)
      if ((base - ablated[i]) / base < 0.02) wanted.push_back(static_cast<double>(i + 1));
    return named == wanted ? Amiss{} : Amiss{"other heads are below the threshold"};
  });
  CHECK(negative > 30 / kShare);
  CHECK(first_negative > 30 / kShare);
  CHECK(sets > 200 / kShare);
  for (const char* id : {"absolute", "turned", "by_ablated", "ratio", "percent", "clamped"})
    CHECK_MESSAGE(slips[id] > 20 / kShare, id);
}

TEST_CASE("pruning: the lesson's own scores are among them, with its importances") {
  const std::string scores = "0.91, 0.88, 0.90, 0.85, 0.91, 0.89, 0.92, 0.91";
  const std::vector<std::string> importances{"0.011", "0.043", "0.022", "0.076", "0.011", "0.033", "0.000", "0.011"};
  bool below = false, first = false;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Question q = make_question({}, "prune", seed);
    if (!says(q.given, "it is " + scores)) continue;
    const Choice& right = q.choices[static_cast<std::size_t>(std::get<int>(q.right))];
    if (says(q.title, "threshold")) {
      below = true;
      CHECK(right.text == "Heads 1, 5, 7 and 8");
      CHECK(says(right.why, "0.011, 0.011, 0.000, 0.011"));
      continue;
    }
    first = true;
    CHECK(right.text == "Head 7");
    for (const Choice& choice : q.choices) {
      const auto head = static_cast<std::size_t>(numbers_in(choice.text).front()) - 1;
      CHECK(says(choice.why, "= " + importances[head]));
    }
  }
  CHECK(below);
  CHECK(first);
}

TEST_CASE("roles: 1,000 seeds of the shipped model, named by its table alone") {
  State state;
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, shipped_specimen()}));
  const heads::Table& table = shipped_specimen()->table;
  std::set<int> maps;
  int pointed = 0;
  check_seeds(state, "role", 1000, 150, [&](const Question& q) {
    Amiss faults;
    const int map = q.picture.layer * table.heads + q.picture.head;
    maps.insert(map);
    const heads::HeadRoles& row = table.rows[static_cast<std::size_t>(map)];
    for (std::size_t i = 0; i < q.choices.size(); ++i) {
      int subject = -1;
      for (std::size_t s = 0; s < table.subjects.size(); ++s)
        if (escape_rich(table.subjects[s].name) == q.choices[i].text) subject = static_cast<int>(s);
      const bool earned = subject >= 0 && row.scores[static_cast<std::size_t>(subject)].earned;
      if (earned != (std::get<int>(q.right) == static_cast<int>(i)))
        faults.push_back("earned or not: " + q.choices[i].text);
    }
    const std::size_t n = q.picture.tokens.size();
    if (q.picture.weights.size() != n * n) faults.emplace_back("the map isn't n by n");
    pointed += q.hints.size() == 3;
    State shown = state;
    shown.page = Page::gallery;
    for (const std::string& text : q.show) {
      const auto action = read_action(text);
      if (const Action* known = std::get_if<Action>(&action)) update(shown, *known);
    }
    const Derived derived = derive(shown);
    if (derived.gallery.layer * table.heads + derived.gallery.head != map || derived.gallery.tokens != q.picture.tokens)
      faults.emplace_back("the gallery shows another head or sentence");
    return faults;
  });
  CHECK(maps.size() > 4);
  CHECK(pointed > 300 / kShare);
}

TEST_CASE("roles: until the model is there the question waits, and says so") {
  const Question q = make_question({}, "role", 1);
  CHECK(q.waiting == "This question is about the trained model, which isn’t here yet.");
  State state;
  REQUIRE(!update(state, OpenPage{Page::practice}));
  REQUIRE(!update(state, OpenPractice{"role"}));
  CHECK(update(state, GiveAnswer{"1"}) == q.waiting);
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, shipped_specimen()}));
  CHECK(make_question(state, "role", 1).waiting.empty());
  CHECK(!update(state, GiveAnswer{"1"}));
}
