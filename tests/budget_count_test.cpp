// The counts of lesson/facts.md, number by number, and those of shared key/value heads.
#include "budget_support.hpp"

using namespace budget_test;

TEST_CASE("budget: the worked example has 144 parameters, 168 with biases") {
  Sizes sizes = sizes_of("lesson");
  CHECK(count(sizes).attention.total == 144);
  sizes.biases = true;
  CHECK(count(sizes).attention.total == 168);
  CHECK(count(sizes).attention.biases == 24);
}

TEST_CASE("budget: Transformer base, with and without biases") {
  Sizes sizes = sizes_of("transformer_base");
  CHECK(sizes == Sizes{});
  CHECK(count(sizes).attention.total == 1048576);
  CHECK(count(sizes).attention.W_Q == 262144);
  CHECK(count(sizes).feed_forward == 2097152);
  sizes.biases = true;
  CHECK(count(sizes).attention.total == 1050624);
  CHECK(count(sizes).attention.biases == 2048);
  CHECK(count(sizes).feed_forward == 2097152 + 2048 + 512);
}

TEST_CASE("budget: d_k = d_v = d_model / h costs the same for every h") {
  Sizes sizes = sizes_of("transformer_base");
  for (const Whole h : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
    sizes = changed(sizes, "h", std::to_string(h));
    CHECK(sizes.d_k == 512 / h);
    CHECK(sizes.h_kv == h);
    CHECK(count(sizes).attention.total == 1048576);
    CHECK(count(sizes).attention_maps == 18 * h);
  }
}

TEST_CASE("budget: d_model 1024 with 16 heads, question 4") {
  const Sizes sizes = sizes_of("transformer_big");
  const Parameters it = count(sizes);
  CHECK(it.one_head_qkv == 196608);
  CHECK(it.attention.W_Q + it.attention.W_K + it.attention.W_V == 3145728);
  CHECK(it.attention.W_O == 1048576);
  CHECK(it.one_head_output == 65536);
  CHECK(it.attention.total == 4194304);
}

TEST_CASE("budget: GPT-3, per layer and in 96") {
  const Sizes sizes = sizes_of("gpt3");
  const Parameters it = count(sizes);
  CHECK(sizes.d_k == 128);
  CHECK(it.attention.total == 603979776);
  CHECK(it.all_attention == 57982058496);
  CHECK(it.attentions == 96);
  CHECK(it.model == 57982058496 * 3);
}

TEST_CASE("budget: six encoder layers have 48 attention maps, six decoder layers 96 more") {
  Sizes sizes = sizes_of("transformer_base");
  CHECK(count(sizes).attention_maps == 48 + 96);
  CHECK(count(sizes).attentions == 18);
  CHECK(count(sizes).feed_forwards == 12);
  CHECK(count(sizes).model == 18 * Whole{1048576} + 12 * Whole{2097152});
  sizes.cross_layers = 0;
  CHECK(count(sizes).attention_maps == 48);
}

TEST_CASE("budget: four times d_model makes the feed-forward layer 8 d_model^2") {
  Sizes sizes = sizes_of("transformer_base");
  for (const auto& [d_model, d_ff] : {std::pair<Whole, Whole>{512, 2048}, {768, 3072}, {1024, 4096}, {12288, 49152}}) {
    sizes = changed(sizes, "d_model", std::to_string(d_model));
    CHECK(sizes.d_ff == d_ff);
    CHECK(count(sizes).feed_forward == 8 * d_model * d_model);
    CHECK(count(sizes).attention.total == 4 * d_model * d_model);
  }
  sizes = changed(sizes, "d_ff", "1000");
  CHECK(changed(sizes, "d_model", "512").d_ff == 1000);
}

TEST_CASE("budget: no more parameters, and one third more") {
  for (const char* id : {"transformer_base", "bert_large", "gpt3", "lesson"}) {
    const Sizes sizes = sizes_of(id);
    const Comparison it = compare(sizes);
    CHECK(it.heads_with_W_O == it.one_head_with_W_O);
    CHECK(it.heads_without_W_O == it.one_head_without_W_O);
    CHECK(it.one_head_without_W_O == 3 * sizes.d_model * sizes.d_model);
    CHECK(3 * it.heads_with_W_O == 4 * it.one_head_without_W_O);
  }
  Sizes biased = sizes_of("transformer_base");
  biased.biases = true;
  CHECK(compare(biased).heads_with_W_O == 1048576);
}

TEST_CASE("budget: with widths of their own, the general formula") {
  Sizes sizes = sizes_of("transformer_base");
  sizes.keep = false, sizes.h = sizes.h_kv = 3, sizes.d_k = 5, sizes.d_v = 7;
  // h d_model (2 d_k + d_v) + h d_v d_model
  CHECK(count(sizes).attention.total == 3 * 512 * (2 * 5 + 7) + 3 * 7 * 512);
  CHECK(compare(sizes).heads_with_W_O == count(sizes).attention.total);
  CHECK(compare(sizes).heads_without_W_O == 3 * 512 * 17);
}

TEST_CASE("budget: shared key/value heads are counted once") {
  const Parameters llama = count(sizes_of("llama2_70b"));
  CHECK(llama.attention.W_Q == 67108864);
  CHECK(llama.attention.W_K == 8388608);
  CHECK(llama.attention.W_V == 8388608);
  CHECK(llama.attention.total == 150994944);
  CHECK(llama.feed_forward == 3 * Whole{8192} * 28672);
  CHECK(llama.model == 80 * (Whole{150994944} + 704643072));

  const Parameters small = count(sizes_of("llama3_8b"));
  CHECK(small.attention.total == 2 * 4096 * 4096 + 2 * 4096 * 1024);
  CHECK(small.one_head_qkv == 3 * 4096 * 128);

  Sizes falcon = sizes_of("falcon_7b");
  CHECK(falcon.h_kv == 1);
  CHECK(count(falcon).attention.W_K == 4544 * 64);
  CHECK(count(falcon).attention.total == 2 * 4544 * 4544 + 2 * 4544 * 64);
  falcon.biases = true;  // queries 4544, one key head, one value head, output 4544
  CHECK(count(falcon).attention.biases == 4544 + 64 + 64 + 4544);
}

TEST_CASE("budget: a gated layer has a third matrix and its bias") {
  Sizes sizes = sizes_of("lesson");
  const Whole plain = count(sizes).feed_forward;
  CHECK(plain == 2 * 6 * 24);
  sizes.gated = true;
  CHECK(count(sizes).feed_forward == 3 * 6 * 24);
  sizes.biases = true;
  CHECK(count(sizes).feed_forward == 3 * 6 * 24 + 24 + 24 + 6);
}

TEST_CASE("budget: the known models' blocks are as large as their reports say") {
  // Without embeddings, norms and biases, in millions, rounded.
  CHECK(count(sizes_of("bert_base")).model == 84934656);
  CHECK(count(sizes_of("gpt2_small")).model == 84934656);
  CHECK(count(sizes_of("bert_large")).model == 301989888);
  CHECK(count(sizes_of("gpt2_xl")).model == 1474560000);
  CHECK(count(sizes_of("gpt2_medium")).model == 301989888);
  CHECK(count(sizes_of("gpt2_large")).model == 707788800);
  CHECK(count(sizes_of("transformer_big")).model == 18 * Whole{4194304} + 12 * Whole{8388608});
}

TEST_CASE("budget: at the limits no count overflows") {
  Sizes sizes;
  sizes.keep = false, sizes.biases = sizes.gated = true;
  for (const std::string_view field : fields())
    if (!is_switch(field)) sizes = changed(sizes, field, std::to_string(limits_of(field).most));
  CHECK(validate(sizes).empty());
  const Parameters it = count(sizes);
  CHECK(it.model > 0);
  CHECK(it.model < Whole{1} << 60);
  CHECK(it.model == it.all_attention + it.all_feed_forward);
  CHECK(static_cast<double>(it.attention.W_Q) == 65536.0 * 1024 * 65536);
  CHECK(compute(sizes).all_weights == 65536.0 * 1024 * 1048576.0 * 1048576.0 * 3072);
  CHECK(compare(sizes).one_head_with_W_O == 4 * Whole{65536} * 65536);
}
