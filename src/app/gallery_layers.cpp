// By layer: what this model's heads do from low to high, beside what the lesson says and what others measured.
#include "app/gallery_internal.hpp"

namespace app {
namespace {

using heads::LayerShares;

struct Kind {
  std::string_view name;
  int LayerShares::*count;
};
constexpr Kind kKinds[] = {{"positional", &LayerShares::positional}, {"syntactic", &LayerShares::syntactic},
                           {"semantic", &LayerShares::semantic},     {"resting", &LayerShares::resting},
                           {"diffuse", &LayerShares::diffuse},       {"without a role", &LayerShares::none}};

std::string layer_text(const LayerShares& shares, int layer, int heads) {
  std::vector<std::string> list;
  for (const Kind& kind : kKinds)
    if (shares.*kind.count > 0) list.push_back(std::to_string(shares.*kind.count) + " " + std::string(kind.name));
  return "Layer " + std::to_string(layer + 1) + ", " + std::to_string(heads) + (heads == 1 ? " head: " : " heads: ") +
         join(list, "and") + ".";
}

/// Where the heads of a kind stand on average, from 1; absent: there is none.
std::optional<double> mean_layer(const std::vector<LayerShares>& layers, int LayerShares::*count) {
  int sum = 0, all = 0;
  for (int layer = 0; layer < static_cast<int>(layers.size()); ++layer)
    sum += (layer + 1) * (at(layers, layer).*count), all += at(layers, layer).*count;
  return all == 0 ? std::nullopt : std::optional(static_cast<double>(sum) / all);
}

std::string verdict(const std::vector<LayerShares>& layers) {
  std::vector<std::string> parts;
  std::vector<double> means;
  for (const Kind& kind : {kKinds[0], kKinds[1], kKinds[2]})
    if (const auto mean = mean_layer(layers, kind.count)) {
      parts.push_back(std::string(kind.name) + " heads in layer " + format_number(*mean, 1));
      means.push_back(*mean);
    }
  if (parts.size() < 2) return "This model has too few kinds of heads to compare low and high.";
  bool rising = true;
  for (std::size_t i = 1; i < means.size(); ++i) rising = rising && means[i] > means[i - 1];
  return "On average this model has " + join(parts, "and") + ": " +
         (rising ? "the order that the lesson gives." : "not the order that the lesson gives.");
}

}  // namespace

void write_layers(GalleryView& view) {
  const heads::Table* table = table_of(*view.specimen);
  if (!table) return;
  view.by_layer = heads::by_layer(*table);
  auto& notes = view.layer_notes;
  for (int layer = 0; layer < static_cast<int>(view.by_layer.size()); ++layer)
    notes.push_back({layer_text(at(view.by_layer, layer), layer, view.heads), false, ""});
  notes.push_back({verdict(view.by_layer), false, ""});
  notes.push_back({"Low layers are positional, middle layers syntactic, high layers semantic.", true, "the lesson"});
  notes.push_back(
      {"In BERT, head 10 of layer 8 finds direct objects in 86.8 % of the cases, where the best fixed offset "
       "reaches 40.0 %, and head 11 of layer 8 the noun of a determiner in 94.3 % against 51.7 %.",
       true, "Clark et al. 2019"});
  notes.push_back(
      {"A head is positional when its largest weight is at one relative position at least 90 % of the time. "
       "In a translation model 38 of 48 encoder heads could go at a cost of 0.15 BLEU.",
       true, "Voita et al. 2019"});
}

}  // namespace app
