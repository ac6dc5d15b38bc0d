// Sizes by name: read, refused, and what follows.
#include "budget_support.hpp"

#include <set>

using namespace budget_test;

TEST_CASE("budget: digits with or without groups of three are a whole number, nothing else is") {
  const std::pair<const char*, Whole> good[] = {{"0", 0},
                                                {"512", 512},
                                                {"007", 7},
                                                {"12288", 12288},
                                                {"12,288", 12288},
                                                {"12 288", 12288},
                                                {"12_288", 12288},
                                                {"1,048,576", 1048576},
                                                {" 8 ", 8},
                                                {"12\u2009288", 12288},
                                                {"12\u00a0288", 12288},
                                                {"999999999999999", 999999999999999}};
  for (const auto& [text, value] : good) CHECK_MESSAGE(read_whole(text) == value, text);
  for (const char* text :
       {"", " ", "-1", "+1", "1.5", "1e3", "0x10", "12,28", "12,2888", "1234,567", "1,234 567", ",123", "123,",
        "1,,234", "12 288 tokens", "1000000000000000", "99999999999999999999999", "\u0661"})
    CHECK_MESSAGE(!read_whole(text), text);
}

TEST_CASE("budget: 512 with 12 heads is refused with both numbers, 42.67 and the h that divide") {
  const Sizes sizes = sizes_of("transformer_base");
  const std::string text = refusal(sizes, "h", "12");
  for (const char* part : {"512", "h = 12", "42.67", "1, 2, 4, 8, 16, 32, 64, 128, 256 or 512"})
    CHECK_MESSAGE(has(text, part), text);
  Sizes wide = changed(sizes_of("bert_base"), "n", "4");
  CHECK(has(refusal(wide, "d_model", "512"), "42.67"));

  Sizes free = changed(sizes, "keep", "off");
  free = changed(free, "h", "12");
  CHECK(free.h == 12);
  CHECK(free.h_kv == 12);
  CHECK(free.d_k == 64);
  CHECK(has(refusal(free, "keep", "on"), "42.67"));
  CHECK(changed(free, "d_k", "42").d_k == 42);
}

TEST_CASE("budget: what a refusal says: field, found, wanted") {
  const Sizes sizes;
  CHECK(refusal(sizes, "h", "0") == "h: found \"0\", wanted a whole number from 1 to 1024");
  CHECK(refusal(sizes, "h", "eight") == "h: found \"eight\", wanted a whole number from 1 to 1024");
  CHECK(refusal(sizes, "d_model", "65537") == "d_model: found \"65537\", wanted a whole number from 1 to 65536");
  CHECK(refusal(sizes, "n", "99999999999999999999") ==
        "n: found \"99999999999999999999\", wanted a whole number from 1 to 1048576");
  CHECK(refusal(sizes, "batch", "") == "batch: found nothing, wanted a whole number from 1 to 65536");
  CHECK(refusal(sizes, "bytes", "3") == "bytes: found \"3\", wanted 1, 2 or 4");
  CHECK(refusal(sizes, "biases", "yes") == "biases: found \"yes\", wanted on or off");
  CHECK(refusal(sizes, "d_k", "32") == "d_k: found 32, wanted 64 = d_model / h, as long as keep is on");
  CHECK(refusal(sizes, "d_k", "64").empty());
  CHECK(refusal(sizes, "h_kv", "3") == "h_kv: found 3 with h = 8, wanted a number of key/value heads that divides h");
  CHECK(has(refusal(sizes, "width", "3"), "size: found \"width\", wanted d_model, h, h_kv"));
  CHECK(refusal(sizes, "cross_layers", "0").empty());
  CHECK(has(refusal(sizes, "layers", "0"), "from 1 to 1024"));
}

TEST_CASE("budget: key/value heads follow h where they equalled it, and else divide it") {
  Sizes sizes = sizes_of("transformer_base");
  CHECK(changed(sizes, "h", "16").h_kv == 16);
  sizes = changed(changed(sizes, "h", "16"), "h_kv", "4");
  CHECK(changed(sizes, "h", "8").h_kv == 4);
  CHECK(changed(sizes, "h", "32").h_kv == 4);
  CHECK(changed(sizes, "h", "2").h_kv == 2);
  sizes = changed(sizes, "keep", "off");
  CHECK(changed(sizes, "h", "9").h_kv == 3);
  CHECK(changed(sizes, "h", "7").h_kv == 1);
}

TEST_CASE("budget: keep makes d_k and d_v follow, and off leaves them") {
  const Sizes sizes = changed(sizes_of("transformer_base"), "d_model", "768");
  CHECK(sizes.d_k == 96);
  CHECK(sizes.d_v == 96);
  Sizes free = changed(changed(sizes, "keep", "off"), "d_model", "512");
  CHECK(free.d_k == 96);
  free = changed(free, "keep", "on");
  CHECK(free.d_k == 64);
  CHECK(free.d_v == 64);
}

TEST_CASE("budget: validate finds what sizes from elsewhere have wrong") {
  Sizes sizes;
  CHECK(validate(sizes).empty());
  sizes.d_k = 65;
  REQUIRE(validate(sizes).size() == 1);
  CHECK(validate(sizes)[0].field == "d_k");
  sizes = {}, sizes.h_kv = 3;
  CHECK(validate(sizes).size() == 1);
  sizes = {}, sizes.h = 12, sizes.h_kv = 12;
  REQUIRE(validate(sizes).size() == 1);
  CHECK(has(attention::to_sentence(validate(sizes)[0]), "42.67"));
  sizes = {}, sizes.n = 0, sizes.bytes = 3, sizes.layers = -1, sizes.h = 0;
  CHECK(validate(sizes).size() == 4);
  sizes = {}, sizes.d_model = Whole{1} << 62;
  CHECK(validate(sizes).size() == 1);
}

TEST_CASE("budget: 1,000 random changes keep the sizes valid") {
  Random random(1);
  Sizes sizes;
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string_view field = random_field(random);
    const std::string value = random_value(random, sizes, field);
    const auto result = with_field(sizes, field, value);
    if (const auto* better = std::get_if<Sizes>(&result)) {
      sizes = *better;
      CHECK(text_of(sizes, field) == value);
    } else {
      ++refused;
    }
    const auto problems = validate(sizes);
    CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : attention::to_sentence(problems[0])), " after ",
                  std::string(field), "=", value);
  }
  CHECK(refused > 50);
  CHECK(refused < 950);
}

TEST_CASE("budget: a slider's stops ascend, hold the present value, and are all carried out") {
  Random random(2);
  for (int walk = 0; walk < 100; ++walk) {
    const Sizes sizes = random_sizes(random);
    for (const std::string_view field : fields()) {
      if (is_switch(field)) continue;
      const auto stops = stops_of(sizes, field);
      CHECK(stops.size() <= 40);
      CHECK(std::is_sorted(stops.begin(), stops.end()));
      CHECK(std::adjacent_find(stops.begin(), stops.end()) == stops.end());
      CHECK(std::find(stops.begin(), stops.end(), *read_whole(text_of(sizes, field))) != stops.end());
      if (sizes.keep && (field == "d_k" || field == "d_v")) continue;
      for (const Whole stop : stops) {
        const std::string text = refusal(sizes, field, std::to_string(stop));
        CHECK_MESSAGE(text.empty(), text);
      }
    }
  }
  CHECK(stops_of(Sizes{}, "h") == std::vector<Whole>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
  CHECK(stops_of(Sizes{}, "h_kv") == std::vector<Whole>{1, 2, 4, 8});
  CHECK(stops_of(Sizes{}, "bytes") == std::vector<Whole>{1, 2, 4});
  CHECK(stops_of(Sizes{}, "cross_layers").front() == 0);
}

TEST_CASE("budget: a width with more than forty divisors still has stops") {
  const Sizes sizes = changed(changed(Sizes{}, "keep", "off"), "d_model", "55440");
  CHECK(stops_of(changed(changed(sizes, "h", "16"), "keep", "on"), "h").size() <= 40);
}

TEST_CASE("budget: presets are valid, found by id, and recognised whatever the text is like") {
  std::set<std::string_view> ids;
  for (const Preset& preset : presets()) {
    CHECK(validate(preset.sizes).empty());
    CHECK(ids.insert(preset.id).second);
    CHECK(find_preset(preset.id) == &preset);
    CHECK_FALSE(preset.name.empty());
    CHECK_FALSE(preset.source.empty());
    Sizes sizes = preset.sizes;
    sizes.n = 77, sizes.batch = 3, sizes.bytes = 2;
    const Preset* found = preset_of(sizes);
    REQUIRE(found);
    sizes.n = found->sizes.n, sizes.batch = found->sizes.batch, sizes.bytes = found->sizes.bytes;
    CHECK(found->sizes == sizes);
    sizes.layers += 1;
    CHECK_FALSE(preset_of(sizes));
  }
  CHECK(presets().front().sizes == Sizes{});
  CHECK_FALSE(find_preset("gpt5"));
  CHECK(preset_of(sizes_of("gpt3"))->id == "gpt3");
}
