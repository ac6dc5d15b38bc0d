// Attention from a file: a real sentence with its parse, and files made by hand.
#include "heads_attention_support.hpp"

#include <cmath>

using namespace heads_test;

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string shared_path(const std::string& ending) {
  return std::string(HEADSCOPE_SHARED_DIR) + "/real/bert-sst2-sentence." + ending;
}

/// The mean of a subject's mean weight over the heads of a layer, counted from 1.
double mean_weight_in(const Table& table, int layer, const std::string& id) {
  double sum = 0;
  for (int head = 0; head < table.heads; ++head) sum += score(table, layer - 1, head, id).mean_weight;
  return sum / table.heads;
}

}  // namespace

TEST_CASE("BERT's heads on one sentence: previous token in 4-6, next token in 3-1 and 3-10, rest on [SEP]") {
  const std::string bytes = read_file(shared_path("safetensors")), companion = read_file(shared_path("json"));
  if (bytes.empty() || companion.empty()) {
    MESSAGE("skipped: no " << shared_path("*"));
    return;
  }
  const Attention attention = taken(read_attention(bytes, companion));
  CHECK(attention.layers == 12);
  CHECK(attention.heads == 12);
  REQUIRE(attention.tokens.size() == 29);
  CHECK(attention.tokens[26] == "##op");
  CHECK(attention.word_of[0] == -1);
  CHECK(attention.word_of[1] == 0);
  CHECK(attention.word_of[25] == 23);
  CHECK(attention.word_of[26] == 23);
  CHECK(attention.word_of[28] == -1);
  CHECK(attention.dependencies.size() == 25);
  CHECK(attention.dependencies[3] == Dependency{3, 13, "nsubj"});
  CHECK(attention.model == "BERT-base fine-tuned on SST-2, attention rounded to 4 decimals");
  CHECK(taken(read_attention(bytes)).word_of.empty());

  const Table table = measure(attention);
  const auto weight = [&](int layer, int head, const char* id) {
    return score(table, layer - 1, head - 1, id).mean_weight;
  };
  CHECK(std::fabs(weight(4, 6, "previous_token") - 0.800) < 0.001);
  CHECK(std::fabs(weight(3, 1, "next_token") - 0.959) < 0.001);
  CHECK(std::fabs(weight(3, 10, "next_token") - 0.961) < 0.001);
  for (int layer = 1; layer <= 12; ++layer) {
    const double on_sep = mean_weight_in(table, layer, "sep");
    CAPTURE(layer);
    if (layer >= 4 && layer <= 10) {
      CHECK(on_sep > 0.24);
      CHECK(on_sep < 0.35);
    } else {
      CHECK(on_sep < 0.08);
    }
  }
  // The largest weight falls there in 26, 27 and 27 of 28 cases: more than nine of ten, which earns the name.
  CHECK(score(table, 3, 5, "previous_token").share == Share{26, 28});
  CHECK(score(table, 2, 0, "next_token").share == Share{27, 28});
  CHECK(score(table, 2, 9, "next_token").share == Share{27, 28});
  CHECK(roles_of(table, 3, 5) == "previous_token");
  CHECK(roles_of(table, 2, 0) == "next_token");
  CHECK(roles_of(table, 2, 9) == "next_token");
  // One sentence has too few cases of any dependency.
  CHECK(subject(table, "dependency:amod").cases == 6);
  CHECK(subject(table, "dependency:amod").best_offset == Share{4, 6});
  for (std::size_t i = 0; i < table.subjects.size(); ++i) {
    if (table.subjects[i].family != Family::syntactic) continue;
    CHECK(table.subjects[i].cases < kFewestCases);
    for (const HeadRoles& row : table.rows) CHECK_FALSE(row.scores[i].earned);
  }
  CHECK(table.counted_on == "this one sentence");
  CHECK(taken(read_table(to_json(table))) == table);
}

TEST_CASE("a parse lies over the tokens: pieces of a word, large letters, signs for spaces, unknown words") {
  const Attention attention = taken(read_attention(looks(kTokens, {to_self}).bytes(), kCompanion));
  CHECK(attention.word_of == std::vector<int>{-1, 0, 1, 1, 2, 3, -1});
  CHECK(attention.tokens == kTokens);
  CHECK(attention.dependencies.size() == 4);
  CHECK_FALSE(attention.dependencies[3].parent);
  const auto words_of = [](const Texts& tokens, const Texts& words) {
    const std::string companion = "{\"words\":" + list_text(words) + "}";
    const auto read = read_attention(looks(tokens, {to_self}).bytes(), companion);
    const auto* found = std::get_if<Attention>(&read);
    return found == nullptr ? std::vector<int>{99} : found->word_of;
  };
  CHECK(words_of({"<s>", "\u0120The", "\u0120un", "happy", "\u0120dog", "</s>"}, {"the", "unhappy", "dog"}) ==
        std::vector<int>{-1, 0, 1, 1, 2, -1});
  CHECK(words_of({"\u2581a", "\u2581b"}, {"a", "b"}) == std::vector<int>{0, 1});
  CHECK(words_of({"[CLS]", "[UNK]", "b", "[SEP]", "c", "[SEP]", "[PAD]"}, {"\u6f22\u5b57", "b", "c"}) ==
        std::vector<int>{-1, 0, 1, -1, 2, -1, -1});
  CHECK(words_of({"##", "##a"}, {"##", "##a"}) == std::vector<int>{0, 1});  // a word may begin with it
  CHECK(words_of({"a", "b"}, {"ab"}) == std::vector<int>{0, 0});
  CHECK(words_of({"a", "[SEP]", "b"}, {"ab"}) == std::vector<int>{99});
  CHECK(words_of({"a", "b"}, {"a"}) == std::vector<int>{99});
  CHECK(words_of({"a"}, {"a", "b"}) == std::vector<int>{99});
  CHECK(words_of({"a"}, {"ab"}) == std::vector<int>{99});
  CHECK(words_of({"abc"}, {"ab", "c"}) == std::vector<int>{99});
}

TEST_CASE("a dependency is counted on words: all pieces of one together, [CLS], [SEP] and the word itself left out") {
  // Head 1: from the pieces of "unhappy" most weight on [SEP], next on themselves, then on "Dog".
  Written file = looks(kTokens, {to_self, [](int query) { return query == 4 ? 3 : 0; }});
  const std::size_t n = kTokens.size();
  for (const std::size_t query : {2u, 3u}) {
    const std::vector<float> row = {0.02f, 0.05f, 0.15f, 0.15f, query == 2 ? 0.03f : 0.19f, 0.08f, 0.0f};
    float sum = 0;
    for (std::size_t key = 0; key < n; ++key) sum += file.weights[query * n + key] = row[key];
    file.weights[query * n + 6] = 1 - sum;
  }
  const Table table = measure(taken(read_attention(file.bytes(), kCompanion)));
  const Score& amod = score(table, 0, 0, "dependency:amod");
  CHECK(amod.share == Share{1, 1});
  CHECK(amod.mean_weight == doctest::Approx(0.11));  // the mean of 0.03 and 0.19
  const Subject& it = subject(table, "dependency:amod");
  CHECK(it.offset == 1);  // in words: the next one
  CHECK(it.family == Family::syntactic);
  // Head 2: "Dog" looks at one piece of "unhappy".
  CHECK(score(table, 0, 1, "dependency:amod of").share == Share{1, 1});
  CHECK(score(table, 0, 1, "dependency:amod of").mean_weight == doctest::Approx(0.8 + 0.4 / 7));
  CHECK(score(table, 0, 1, "dependency:det of").share == Share{0, 1});
  CHECK(subject(table, "dependency:det of").name == "det of");
  CHECK(subject(table, "dependency:nsubj").cases == 1);
  for (const Subject& subject : table.subjects) CHECK(subject.id != "dependency:root");
}

TEST_CASE("places and rest on a long made sentence, with two separators") {
  Texts tokens = {"[CLS]"};
  for (int i = 0; i < 38; ++i) tokens.push_back("w" + std::to_string(i));
  tokens[20] = tokens[39 - 1] = "[SEP]";
  const int n = static_cast<int>(tokens.size());
  const Written file = looks(tokens, {[](int query) { return query > 0 ? query - 1 : 5; },
                                      [&](int query) { return query + 1 < n ? query + 1 : 5; }, to_self,
                                      [](int) { return 0; }, [](int query) { return query % 2 == 0 ? 20 : 38; }});
  const Table table = measure(taken(read_attention(file.bytes())));
  CHECK(roles_of(table, 0, 0) == "previous_token");
  CHECK(roles_of(table, 0, 1) == "next_token");
  CHECK(roles_of(table, 0, 2) == "same_token");
  CHECK(roles_of(table, 0, 3) == "first_token");
  CHECK(roles_of(table, 0, 4) == "sep");
  CHECK(score(table, 0, 0, "previous_token").share == Share{n - 1, n - 1});
  CHECK(score(table, 0, 4, "sep").share == Share{n, n});
  CHECK(subject(table, "sep").name == "[SEP]");
  CHECK(score(table, 0, 4, "sep").mean_weight == doctest::Approx(0.8 + 2 * 0.2 / n));  // both together
  CHECK(table.at(0, 4).mean_rest > 0.8);
  CHECK(table.at(0, 3).mean_rest > 0.8);
  CHECK(table.at(0, 2).mean_rest < 0.2);
  for (const Subject& it : table.subjects) CHECK(it.id != "induction");
}

TEST_CASE("induction in a file: from a word that stood before to what followed it there") {
  const Texts tokens = {"<s>", "a", "b", "c", "d", "a", "b", "c", "d"};
  const Written file = looks(tokens, {[](int query) { return query > 4 ? query - 3 : 0; }});
  const Table table = measure(taken(read_attention(file.bytes())));
  CHECK(subject(table, "induction").cases == 4);
  CHECK(score(table, 0, 0, "induction").share == Share{4, 4});
  CHECK_FALSE(score(table, 0, 0, "induction").earned);  // few
  CHECK(subject(table, "induction").offset == -3);
}

TEST_CASE("a file of a causal model: no next token to look at, and entropy over what a token may see") {
  Written file{{1, 1, 3, 3}, {1, 0, 0, 0.5f, 0.5f, 0, 1.0f / 3, 1.0f / 3, 1.0f / 3}, Texts{"x", "y", "z"}};
  const Table table = measure(taken(read_attention(file.bytes())));
  CHECK(subject(table, "next_token").cases == 0);
  CHECK(subject(table, "previous_token").cases == 2);
  CHECK(table.rows[0].entropy_share == doctest::Approx(2.0 / 3));  // the first token has no choice
  CHECK(table.rows[0].mean_rest == doctest::Approx((1 + 0.5 + 1.0 / 3) / 3));
}

TEST_CASE("one token alone can be measured") {
  const Table table = measure(taken(read_attention(Written{{1, 1, 1, 1}, {1}, Texts{"x"}}.bytes())));
  CHECK(subject(table, "same_token").cases == 1);
  CHECK(subject(table, "previous_token").cases == 0);
  CHECK(taken(read_table(to_json(table))) == table);
}

TEST_CASE("tokens come from the file or from the companion, and a batch of one is opened") {
  Written file = looks(kTokens, {to_self});
  file.tokens.reset();
  file.shape.insert(file.shape.begin(), 1);
  CHECK(taken(read_attention(file.bytes(), kCompanion)).tokens == kTokens);
  CHECK(refusal_of(read_attention(file.bytes())) ==
        "tokens: found nothing, wanted metadata \"tokens\", or \"tokens\" in the companion");
}
