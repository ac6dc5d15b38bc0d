// What a model is asked about a sentence, and how its heads read it.
#include "attention/analysis.hpp"
#include "heads_support.hpp"

#include <bit>
#include <cmath>

using namespace heads_test;

namespace {

Sentence written(Task task, std::string_view text) {
  const train::Reading reading = train::read_sentence(task, text);
  CHECK(reading.left_out == 0);
  return reading.sentence;
}

std::vector<int> hidden(Task task, std::string_view text, int query) {
  return hidden_for(plan_for(task), written(task, text), query);
}

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("a sequence hides the masked words and wants them back") {
  const Sentence sentence = written(Task::language, "the dog barks .");
  const train::Sequence sequence = to_sequence(plan_for(Task::language).shape, sentence, Ints{1, 3});
  CHECK(sequence.tokens == Ints{train::kCls, train::kMask, sentence.tokens[2], train::kMask, sentence.tokens[4]});
  CHECK(sequence.targets ==
        Ints{train::kNoTarget, sentence.tokens[1], train::kNoTarget, sentence.tokens[3], train::kNoTarget});
  CHECK_FALSE(sequence.length);
}

TEST_CASE("for a causal model nothing is hidden, and the word is wanted one token earlier") {
  train::Shape shape = plan_for(Task::language).shape;
  shape.causal = true;
  const Sentence sentence = written(Task::language, "the dog barks .");
  const train::Sequence sequence = to_sequence(shape, sentence, Ints{1, 3});
  CHECK(sequence.tokens == sentence.tokens);
  CHECK(sequence.targets ==
        Ints{sentence.tokens[1], train::kNoTarget, sentence.tokens[3], train::kNoTarget, train::kNoTarget});
}

TEST_CASE("who asks is hidden, but for pronouns, punctuation and the first token") {
  const std::string_view text = "the duke saw the host . she slowly again ruled .";
  CHECK(hidden(Task::language, text, 0) == Ints{});
  CHECK(hidden(Task::language, text, 1) == Ints{1});
  CHECK(hidden(Task::language, text, 3) == Ints{3});
  CHECK(hidden(Task::language, text, 6) == Ints{});
  CHECK(hidden(Task::language, text, 7) == Ints{10});  // the verb after it, past adverbs
  CHECK(hidden(Task::language, text, 10) == Ints{10});
  CHECK(hidden(Task::language, "she the duke ruled", 1) == Ints{});
  CHECK(hidden(Task::language, "she", 1) == Ints{});
  CHECK(hidden(Task::language, "she [MASK] .", 1) == Ints{2});
  CHECK(hidden(Task::language, "she [MASK] .", 2) == Ints{2});
  Plan causal = plan_for(Task::language);
  causal.shape.causal = true;
  for (int query = 0; query < 4; ++query)
    CHECK(hidden_for(causal, written(Task::language, "the dog barks ."), query) == Ints{});
}

TEST_CASE("in bare tasks all answers are hidden, whoever asks") {
  for (int query = 0; query < 6; ++query) {
    CHECK(hidden(Task::copy_previous, "1 1 1 2 2", query) == Ints{2, 5});
    CHECK(hidden(Task::match_brackets, "( { } ) <", query) == Ints{3, 4});
    CHECK(hidden(Task::sort_digits, "3 1 , 1 3", query) == Ints{4, 5});
  }
  CHECK(hidden(Task::copy_previous, "1 2 [MASK] 3", 0) == Ints{3});
}

TEST_CASE("what is hidden for a token is what training hides for it") {
  Random random{17};
  for (const Task task : {Task::copy_previous, Task::match_brackets, Task::sort_digits}) {
    for (int i = 0; i < 200; ++i) {
      const Sentence sentence = train::make_sentence(task, random);
      CHECK(hidden_for(plan_for(task), sentence, i % length_of(sentence)) == train::choose_masks(sentence, random));
    }
  }
  int asked = 0;
  for (int i = 0; i < 400; ++i) {
    const Sentence sentence = train::make_sentence(Task::language, random);
    for (const train::Label& label : sentence.labels) {
      if (!label.maskable) continue;
      ++asked;
      CHECK(hidden_for(plan_for(Task::language), sentence, label.asker) == Ints{*label.maskable});
    }
  }
  CHECK(asked > 500);
}

TEST_CASE("with everything visible a reading is one run of the readable model, within float's rounding") {
  for (const bool causal : {false, true}) {
    const Model model = small_model(Task::language, 21, causal);
    const Sentence sentence = written(Task::language, "this old dog near the cats barks .");
    const Reading reading = read_with(model, sentence, Asking::visible, true);
    const int n = length_of(sentence);
    CHECK(reading.sentence == sentence);
    CHECK(reading.layers == 2);
    CHECK(reading.heads == 2);
    REQUIRE(reading.patterns.size() == 4);
    REQUIRE(reading.contributions.size() == 4);
    train::ModelTrace<float> trace;
    REQUIRE(train::forward<float>(model.plan.shape, model.parameters, sentence.tokens, trace));
    for (std::size_t map = 0; map < 4; ++map) {
      const auto& layer = trace.layers[map / 2];
      CHECK((reading.patterns[map] - layer.attention.heads[map % 2].pattern).cwiseAbs().maxCoeff() < 1e-5f);
      const auto moved = attention::contributions(train::attention_config(model.plan.shape, n),
                                                  model.parameters.layers[map / 2].attention, layer.attention,
                                                  static_cast<int>(map % 2));
      CHECK(reading.contributions[map] == moved);
    }
    for (const std::string& guess : reading.guesses) CHECK(guess == "");
    CHECK(read_with(model, sentence, Asking::visible, false).contributions.empty());
  }
}

TEST_CASE("each row comes from the run in which its query asks, and so do guesses and contributions") {
  const Model model = small_model(Task::language, 22);
  const Sentence sentence = written(Task::language, "the duke saw the host . he later ruled .");
  const Reading reading = read_with(model, sentence, Asking::hidden, true);
  train::ModelTrace<float> trace;
  for (int query = 0; query < length_of(sentence); ++query) {
    const std::vector<int> masks = hidden_for(model.plan, sentence, query);
    const train::Sequence sequence = to_sequence(model.plan.shape, sentence, masks);
    REQUIRE(train::forward<float>(model.plan.shape, model.parameters, sequence.tokens, trace));
    for (std::size_t map = 0; map < 4; ++map) {
      const auto& pattern = trace.layers[map / 2].attention.heads[map % 2].pattern;
      CHECK((reading.patterns[map].row(query) - pattern.row(query)).cwiseAbs().maxCoeff() < 1e-5f);
      const auto moved = attention::contributions(train::attention_config(model.plan.shape, length_of(sentence)),
                                                  model.parameters.layers[map / 2].attention,
                                                  trace.layers[map / 2].attention, static_cast<int>(map % 2));
      CHECK(reading.contributions[map].row(query) == moved.row(query));
    }
    Eigen::Index best = 0;
    trace.logits.row(query).maxCoeff(&best);
    const std::string& guess = reading.guesses[static_cast<std::size_t>(query)];
    CHECK(guess == (holds(masks, query) ? train::vocabulary(Task::language)[static_cast<std::size_t>(best)].text : ""));
  }
  CHECK(reading.guesses[7] == "");  // the pronoun, which is seen
  CHECK(reading.guesses[9] != "");  // its verb
}

TEST_CASE("a learner's own [MASK] is guessed, seen or hidden") {
  const Model model = small_model(Task::language, 23);
  const Sentence sentence = written(Task::language, "the [MASK] barks .");
  for (const Asking asking : {Asking::visible, Asking::hidden}) {
    const Reading reading = read_with(model, sentence, asking, false);
    CHECK(reading.guesses[2] != "");
    CHECK((reading.guesses[1] != "") == (asking == Asking::hidden));
  }
}

TEST_CASE("the longest and the shortest sentence can be read") {
  const Model model = small_model(Task::copy_previous, 24);
  for (const int n : {2, train::kLongestSentence}) {
    Sentence sentence{Task::copy_previous, {train::kCls}, {}};
    while (length_of(sentence) < n) sentence.tokens.push_back(5 + length_of(sentence) % 3);
    const Reading reading = read_with(model, sentence, Asking::hidden, true);
    for (const Pattern& pattern : reading.patterns) {
      CHECK(pattern.rows() == n);
      for (Eigen::Index row = 0; row < n; ++row) CHECK(pattern.row(row).sum() == doctest::Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("a model whose numbers grow beyond float reads nothing, and is right about nothing") {
  Model model = small_model(Task::language, 25);
  model.parameters.layers[0].attention.W_O.setConstant(3e38f);
  const Sentence sentence = written(Task::language, "the dog barks .");
  const Reading reading = read_with(model, sentence, Asking::hidden, true);
  for (const Pattern& pattern : reading.patterns) CHECK(pattern.isZero(0));
  for (const std::string& guess : reading.guesses) CHECK(guess == "");
  const Table table = measure(model, 70, 1);
  for (const HeadRoles& row : table.rows) {
    CHECK(row.roles.empty());
    CHECK(row.mean_rest == 0);
  }
  CHECK(subject(table, "verb_subject").accuracy->right == 0);
  CHECK(subject(table, "verb_subject").accuracy->count == subject(table, "verb_subject").cases);
  CHECK(taken(read_table(to_json(table))) == table);
}

// ---------------------------------------------------------------- measuring

TEST_CASE("a measured table is that of the readable model's patterns and answers, sentence by sentence") {
  for (const bool causal : {false, true}) {
    const Model model = small_model(Task::language, 31, causal);
    const int sentences = 130;  // two batches and a rest
    const Table found = measure(model, sentences, 77);
    Random random{77};
    RoleCounter counter(Task::language, causal, 2, 2);
    train::ModelTrace<float> trace;
    for (int i = 0; i < sentences; ++i) {
      const Sentence sentence = train::make_sentence(Task::language, train::Split::held_out, random);
      const std::vector<int> masks = train::choose_masks(sentence, random);
      const train::Sequence sequence = to_sequence(model.plan.shape, sentence, masks);
      REQUIRE(train::forward<float>(model.plan.shape, model.parameters, sequence.tokens, trace));
      counter.add(
          sentence, masks,
          [&](int layer, int head) {
            const auto& it =
                trace.layers[static_cast<std::size_t>(layer)].attention.heads[static_cast<std::size_t>(head)].pattern;
            return std::span<const float>(it.data(), static_cast<std::size_t>(it.size()));
          },
          [&](int token) {
            return std::span<const float>(trace.logits.data() + token * trace.logits.cols(),
                                          static_cast<std::size_t>(trace.logits.cols()));
          });
    }
    const Table wanted = counter.finish("130 held-out sentences");
    CHECK(found.counted_on == wanted.counted_on);
    CHECK(found.sentences == sentences);
    REQUIRE(found.subjects.size() == wanted.subjects.size());
    for (std::size_t i = 0; i < found.subjects.size(); ++i) {
      CAPTURE(found.subjects[i].id);
      CHECK(found.subjects[i].cases == wanted.subjects[i].cases);
      CHECK(found.subjects[i].best_rule == wanted.subjects[i].best_rule);
      CHECK(found.subjects[i].accuracy == wanted.subjects[i].accuracy);
      for (std::size_t row = 0; row < 4; ++row) {
        const Score &a = found.rows[row].scores[i], &b = wanted.rows[row].scores[i];
        CHECK(std::abs(a.share.right - b.share.right) <= 1);  // two weights may be as good as equal
        CHECK(a.share.count == b.share.count);
        CHECK(a.mean_weight == doctest::Approx(b.mean_weight).epsilon(1e-4));
      }
    }
    for (std::size_t row = 0; row < 4; ++row) {
      CHECK(found.rows[row].entropy_share == doctest::Approx(wanted.rows[row].entropy_share).epsilon(1e-4));
      CHECK(found.rows[row].mean_rest == doctest::Approx(wanted.rows[row].mean_rest).epsilon(1e-4));
    }
    CHECK(measure(model, sentences, 77) == found);
  }
}

TEST_CASE("numbers of sentences are written as people write them") {
  CHECK(counted_on_text(1) == "1 held-out sentence");
  CHECK(counted_on_text(192) == "192 held-out sentences");
  CHECK(counted_on_text(1000) == "1,000 held-out sentences");
  CHECK(counted_on_text(1234567) == "1,234,567 held-out sentences");
}
