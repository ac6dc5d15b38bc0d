// Attention files and companions that aren't right: refused by name.
#include "heads_attention_support.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace heads_test;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  INFO(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string refusal_of_companion(const std::string& companion) {
  return refusal_of(read_attention(looks(kTokens, {to_self}).bytes(), companion));
}
std::string refusal_with(const std::string& from, const std::string& to) {
  return refusal_of_companion(replaced(kCompanion, from, to));
}

}  // namespace

TEST_CASE("weights in bfloat16 may miss a sum of 1 by what their eight bits do") {
  Written file{{1, 1, 2, 2}, {0.9961f, 0, 0.5f, 0.5f}, Texts{"a", "b"}, io::Dtype::BF16};
  CHECK(refusal_of(read_attention(file.bytes())) == "");
  file.weights[0] = 0.992f;
  CHECK(
      refusal_of(read_attention(file.bytes())).starts_with("tensor \"weights\" layer 1 head 1 row 1: found a sum of"));
  file.dtype = io::Dtype::F32;
  file.weights[0] = 0.9961f;
  CHECK(refusal_of(read_attention(file.bytes())) ==
        "tensor \"weights\" layer 1 head 1 row 1: found a sum of 0.9961, wanted 1 within 0.001");
  file.weights[0] = 0.9992f;
  CHECK(refusal_of(read_attention(file.bytes())) == "");
}

TEST_CASE("a file whose shape isn't that of maps is refused by name") {
  const auto refusal = [](std::vector<std::int64_t> shape) {
    std::int64_t count = 1;
    for (const std::int64_t it : shape) count *= it;
    Written file{std::move(shape), std::vector<float>(static_cast<std::size_t>(count)), Texts{}};
    return refusal_of(read_attention(file.bytes()));
  };
  CHECK(refusal({2, 3, 3}) ==
        "tensor \"weights\" shape: found 2 x 3 x 3, wanted layers x heads x n x n, or 1 x layers x heads x n x n");
  CHECK(refusal({2, 1, 1, 3, 3}).starts_with("tensor \"weights\" shape: found 2 x 1 x 1 x 3 x 3, wanted layers"));
  CHECK(refusal({1, 1, 1, 1, 3, 3}).starts_with("tensor \"weights\" shape: found 1 x 1 x 1 x 1 x 3 x 3"));
  CHECK(refusal({1, 1, 3, 4}) ==
        "tensor \"weights\" shape: found 1 x 1 x 3 x 4, wanted as many keys as queries, n x n");
  CHECK(refusal({0, 1, 3, 3}).ends_with("wanted 1 to 48 layers"));
  CHECK(refusal({49, 1, 1, 1}).ends_with("wanted 1 to 48 layers"));
  CHECK(refusal({1, 0, 3, 3}).ends_with("wanted 1 to 64 heads"));
  CHECK(refusal({1, 65, 1, 1}).ends_with("wanted 1 to 64 heads"));
  CHECK(refusal({1, 1, 0, 0}).ends_with("wanted 1 to 512 tokens"));
  CHECK(refusal({1, 1, 513, 513}).ends_with("wanted 1 to 512 tokens"));
  CHECK(refusal({12, 13, 1, 1}).ends_with("wanted layers x heads of at most 144"));
  CHECK(refusal({0, 2147483647, 2147483647, 0}).starts_with("tensor \"weights\" shape: found 0 x 2147483647"));
  CHECK(refusal_of(read_attention(taken(io::write_safetensors({})))) ==
        "file: found 0 tensors, wanted one, which holds all weights");
  const std::vector<io::StoredTensor> two = {{.name = "a", .dtype = io::Dtype::U8, .shape = {0}, .data = {}},
                                             {.name = "b", .dtype = io::Dtype::U8, .shape = {0}, .data = {}}};
  CHECK(refusal_of(read_attention(taken(io::write_safetensors(two)))).starts_with("file: found 2 tensors"));
  CHECK(refusal_of(read_attention("x")).starts_with("file: found 1 byte"));
}

TEST_CASE("weights that are no shares of 1 are refused, the first of each map") {
  const auto refusal = [](std::size_t at, float weight) {
    Written file = looks({"a", "b"}, {to_self, to_self});
    file.weights[at] = weight;
    return refusal_of(read_attention(file.bytes()));
  };
  CHECK(refusal(7, -0.25f) ==
        "tensor \"weights\" layer 1 head 2 row 2[2]: found -0.25, wanted a finite number from 0 up");
  CHECK(refusal(0, std::nanf("")).starts_with("tensor \"weights\" layer 1 head 1 row 1[1]: found nan"));
  CHECK(refusal(1, INFINITY).starts_with("tensor \"weights\" layer 1 head 1 row 1[2]: found inf"));
  CHECK(refusal(2, 0.2f) == "tensor \"weights\" layer 1 head 1 row 2: found a sum of 1.1, wanted 1 within 0.001");
  Written whole = looks({"a", "b"}, {to_self});
  whole.dtype = io::Dtype::I32;
  CHECK(refusal_of(read_attention(whole.bytes())) ==
        "tensor \"weights\" dtype: found I32, wanted F32, F64, F16 or BF16");
}

TEST_CASE("tokens of another number, or other tokens, are refused") {
  Written file = looks(kTokens, {to_self});
  file.tokens->pop_back();
  CHECK(refusal_of(read_attention(file.bytes())) ==
        "metadata \"tokens\": found 6, wanted 7, one for each row of a map");
  file.tokens.reset();
  CHECK(refusal_of(read_attention(file.bytes(), "{\"tokens\":[\"a\"]}")) ==
        "companion tokens: found 1, wanted 7, one for each row of a map");
  CHECK(refusal_with("\"barks\", \"[SEP]\"]", "\"barked\", \"[SEP]\"]") ==
        "companion tokens: found other tokens than in the file, wanted the same");
  CHECK(refusal_with("\"tokens\": [\"[CLS]\"", "\"tokens\": [1") ==
        "companion tokens[1]: found a number, wanted a string");
  CHECK(refusal_with("\"tokens\": [\"[CLS]\"", "\"tokens\": [\"" + std::string(257, 'x') + "\"") ==
        "companion tokens[1]: found 257 bytes, wanted at most 256");
}

TEST_CASE("a parse that doesn't fit is refused, and says where") {
  CHECK(refusal_of_companion("[]") == "companion: found a list, wanted an object of tokens, words, dependencies");
  CHECK(refusal_of_companion("{") == "companion byte 2: found the end, wanted a string in double quotes");
  CHECK(refusal_with("{\"id\": 3, ", "{\"id\": 3, \"tokens\": [], ") ==
        "companion tokens: found it twice, wanted it once");
  CHECK(refusal_with("\"Unhappy\"", "\"sad\"") ==
        "companion words[2]: found \"sad\", wanted what the tokens spell: tokens[3] is \"un\"");
  CHECK(refusal_with("\"Unhappy\"", "\"unhappier\"") ==
        "companion words[2]: found \"unhappier\", wanted what the tokens spell: tokens[4] is \"##happy\"");
  CHECK(refusal_with("\"child\": 1,", "\"child\": 0,") ==
        "companion dependencies list[2] child: found word 0 a second time, wanted one parent for each word");
  CHECK(refusal_with("\"child\": 1,", "\"child\": 4,") ==
        "companion dependencies list[2] child: found 4, wanted one of the 4 words, counted from 0");
  CHECK(
      refusal_with("\"child\": 1,", "\"child\": 511,").starts_with("companion dependencies list[2] child: found 511"));
  CHECK(refusal_with("\"child\": 1,", "\"child\": -1,").starts_with("companion dependencies list[2] child: found -1"));
  CHECK(refusal_with("\"parent\": 3", "\"parent\": 4") ==
        "companion dependencies list[3] parent: found 4, wanted one of the 4 words, counted from 0");
  CHECK(refusal_with("\"parent\": 3", "\"parent\": 2") ==
        "companion dependencies list[3] parent: found the word itself, wanted another word, or null for the root");
  CHECK(refusal_with("\"parent\": 3, ", "") == "companion dependencies list[3] parent: found nothing, wanted it once");
  CHECK(refusal_with("\"parent\": 3", "\"parent\": 4294967299")
            .starts_with("companion dependencies list[3] parent: found 4294967299"));
  CHECK(refusal_with("\"nsubj\"", "\"\"") == "companion dependencies list[3] relation: found nothing, wanted a name");
  CHECK(refusal_with("\"nsubj\"", "\"nsubj\", \"note\": 1")
            .starts_with("companion dependencies list[3] \"note\": found a key"));
  CHECK(refusal_with("\"words\": [\"the\", \"Unhappy\", \"dog\", \"barks\"]", "\"more\": 1")
            .starts_with("companion words: found nothing, wanted the words that the dependencies count"));
  CHECK(refusal_with("{\"id\": 3, ", "{\"words\": [\"a\"], ") ==
        "companion dependencies words: found other words than \"words\", wanted the same");
}

TEST_CASE("broken attention files and companions by the thousand: refused with reasons, or right by another reading") {
  const std::string whole = looks(kTokens, {to_self, [](int query) { return query / 2; }}).bytes();
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data(), 8);
  const auto header = static_cast<std::size_t>(length);
  Random random{19};
  int read = 0, refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = whole, companion = kCompanion;
    std::string& text = random.below(2) == 0 ? bytes : companion;
    const bool in_file = &text == &bytes;
    const auto place = [&] {
      return in_file ? 8 + static_cast<std::size_t>(random.below(static_cast<int>(header)))
                     : static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
    };
    switch (random.below(5)) {
      case 0: text[place()] = "{}[]\",:\\0129 -.e\x01\x7f\x80\xff"[random.below(21)]; break;
      case 1: text[place()] = static_cast<char>('0' + random.below(10)); break;
      case 2: text.resize(static_cast<std::size_t>(random.below(static_cast<int>(text.size())))); break;
      case 3: {
        const std::size_t at =
            in_file ? 8 + header + static_cast<std::size_t>(random.below(static_cast<int>(text.size() - 8 - header)))
                    : place();
        text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
        break;
      }
      default: {
        const std::size_t from = place(), to = place();
        for (std::size_t i = 0; i < 20 && std::max(from, to) + i < (in_file ? 8 + header : text.size()); ++i)
          text[to + i] = text[from + i];
      }
    }
    const std::vector<char> exact(bytes.begin(), bytes.end()), beside(companion.begin(), companion.end());
    const auto found = read_attention({exact.data(), exact.size()}, {beside.data(), beside.size()});
    const auto* attention = std::get_if<Attention>(&found);
    if (attention == nullptr) {
      ++refused;
      CHECK(refusal_of(found) != "");
      continue;
    }
    ++read;
    const std::size_t n = attention->tokens.size();
    CHECK(attention->patterns.size() == static_cast<std::size_t>(attention->layers * attention->heads));
    for (const Pattern& pattern : attention->patterns) {
      CHECK(pattern.rows() == static_cast<Eigen::Index>(n));
      CHECK((pattern.array() >= 0).all());
      CHECK((pattern.rowwise().sum().array() - 1).abs().maxCoeff() < 2e-3f);
    }
    if (!companion.empty()) {
      const nlohmann::json json = nlohmann::json::parse(companion, nullptr, false);
      CHECK(json.is_object());
    }
    CHECK((attention->word_of.empty() || attention->word_of.size() == n));
    const Table table = measure(*attention);
    CHECK(taken(read_table(to_json(table))) == table);
  }
  MESSAGE(read << " were read, " << refused << " refused");
  CHECK(read > 100);
  CHECK(refused > 2000);
}
