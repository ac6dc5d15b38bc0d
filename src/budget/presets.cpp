// The models that people know, by their sizes.
#include "budget/budget.hpp"

#include <algorithm>

namespace budget {
namespace {

constexpr std::string_view kBiases = "The published model has biases besides.";

/// Even heads over d_model.
constexpr Sizes stack(Whole d_model, Whole h, Whole layers, Whole d_ff) {
  Sizes sizes;
  sizes.d_model = d_model, sizes.h = sizes.h_kv = h, sizes.d_k = sizes.d_v = d_model / h;
  sizes.layers = layers, sizes.cross_layers = 0, sizes.d_ff = d_ff;
  return sizes;
}
constexpr Sizes encoder_decoder(Sizes sizes, Whole cross_layers) {
  sizes.cross_layers = cross_layers;
  return sizes;
}
constexpr Sizes grouped(Sizes sizes, Whole h_kv, bool gated) {
  sizes.h_kv = h_kv, sizes.gated = gated;
  return sizes;
}
constexpr Sizes of_tokens(Sizes sizes, Whole n) {
  sizes.n = n;
  return sizes;
}

constexpr Preset kPresets[] = {
    {"transformer_base", "Transformer base", encoder_decoder(stack(512, 8, 6, 2048), 6), "Vaswani et al. 2017, table 3",
     "Its feed-forward layers have biases besides."},
    {"transformer_big", "Transformer big", encoder_decoder(stack(1024, 16, 6, 4096), 6), "Vaswani et al. 2017, table 3",
     "Its feed-forward layers have biases besides."},
    {"bert_base", "BERT base", stack(768, 12, 12, 3072), "Devlin et al. 2019, section 3", kBiases},
    {"bert_large", "BERT large", stack(1024, 16, 24, 4096), "Devlin et al. 2019, section 3", kBiases},
    {"gpt2_small", "GPT-2 small", stack(768, 12, 12, 3072), "Radford et al. 2019, table 2", kBiases},
    {"gpt2_medium", "GPT-2 medium", stack(1024, 16, 24, 4096), "Radford et al. 2019, table 2", kBiases},
    {"gpt2_large", "GPT-2 large", stack(1280, 20, 36, 5120), "Radford et al. 2019, table 2", kBiases},
    {"gpt2_xl", "GPT-2 XL", stack(1600, 25, 48, 6400), "Radford et al. 2019, table 2", kBiases},
    {"gpt3", "GPT-3", stack(12288, 96, 96, 49152), "Brown et al. 2020, table 2.1", kBiases},
    {"falcon_7b", "Falcon 7B", grouped(stack(4544, 71, 32, 18176), 1, false), "Almazrouei et al. 2023",
     "One key/value head serves all: multi-query."},
    {"llama2_70b", "Llama 2 70B", grouped(stack(8192, 64, 80, 28672), 8, true), "Touvron et al. 2023",
     "Eight query heads share a key/value head: grouped-query."},
    {"llama3_8b", "Llama 3 8B", grouped(stack(4096, 32, 32, 14336), 8, true), "Grattafiori et al. 2024, table 3",
     "Four query heads share a key/value head: grouped-query."},
    {"lesson", "The lesson’s example", of_tokens(stack(6, 3, 1, 24), 2), "The walkthrough’s numbers",
     "The walkthrough shows its attention; the feed-forward layer follows the rule of four."},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset* find_preset(std::string_view id) {
  const auto* found = std::find_if(std::begin(kPresets), std::end(kPresets), [&](auto& it) { return it.id == id; });
  return found == std::end(kPresets) ? nullptr : found;
}

const Preset* preset_of(const Sizes& sizes) {
  for (const Preset& preset : kPresets) {
    Sizes same = preset.sizes;
    same.n = sizes.n, same.batch = sizes.batch, same.bytes = sizes.bytes;
    if (same == sizes) return &preset;
  }
  return nullptr;
}

}  // namespace budget
