// The budget's presets, sliders and switches.
#include "app/budget_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using budget::Sizes;
using budget::Whole;

std::string plural(Whole count, std::string_view one, std::string_view many) {
  return figure(count) + " " + std::string(count == 1 ? one : many);
}

std::string heads_text(const Sizes& sizes) {
  const std::string heads = plural(sizes.h, "head", "heads");
  return sizes.h_kv == sizes.h ? heads : heads + ", " + figure(sizes.h_kv) + " key/value";
}

std::string symbol_of_field(std::string_view field) {
  const std::size_t under = field.find('_');
  if (field == "layers" || field == "cross_layers" || field == "batch" || field == "bytes") return "";
  if (under == std::string_view::npos) return "<b>" + std::string(field) + "</b>";
  return "<b>" + std::string(field.substr(0, under)) + "_{" + std::string(field.substr(under + 1)) + "}</b>";
}

/// What it is, and where it comes from when it follows.
std::string caption_of(const Sizes& sizes, std::string_view field) {
  const std::string split = sizes.keep ? ", = " + figure(sizes.d_model) + " / " + figure(sizes.h) : "";
  if (field == "d_model") return "width of a token";
  if (field == "h") return "heads";
  if (field == "d_k") return "query and key" + split;
  if (field == "d_v") return "value" + split;
  if (field == "h_kv") {
    const Whole share = sizes.h / sizes.h_kv;
    if (share == 1) return "key/value heads, = h";
    return "key/value heads, each for " + figure(share);
  }
  if (field == "layers") return sizes.cross_layers > 0 ? "encoder layers" : "layers";
  if (field == "cross_layers") return "decoder layers, two attentions each";
  if (field == "d_ff") return "feed-forward width";
  if (field == "n") return "tokens";
  if (field == "batch") return "sequences at once";
  return "bytes a number";
}

SizeControl control(const Sizes& sizes, std::string_view field) {
  SizeControl it;
  it.field = field;
  it.symbol = symbol_of_field(field);
  it.caption = caption_of(sizes, field);
  const Whole present = *budget::read_whole(budget::text_of(sizes, field));
  it.value = figure(present);
  it.locked = sizes.keep && (field == "d_k" || field == "d_v");
  const std::vector<Whole> stops = budget::stops_of(sizes, field);
  const auto last = static_cast<float>(std::max<std::size_t>(stops.size(), 2) - 1);
  for (const Whole stop : stops) {
    if (stop == present) it.stop = static_cast<int>(it.stops.size());
    it.places.push_back(static_cast<float>(it.stops.size()) / last);
    it.stops.push_back("size:" + it.field + "=" + std::to_string(stop));
  }
  return it;
}

/// What the biases of one attention add, whether they are there or not.
Whole biases_of(Sizes sizes) {
  sizes.biases = true;
  return budget::count(sizes).attention.biases;
}

bool same_model(Sizes a, const Sizes& b) {
  a.n = b.n, a.batch = b.batch, a.bytes = b.bytes;
  return a == b;
}

}  // namespace

void write_controls(BudgetView& view, const Budget& budget) {
  const Sizes& sizes = budget.sizes;
  for (const budget::Preset& preset : budget::presets())
    view.presets.push_back({.id = std::string(preset.id),
                            .name = std::string(preset.name),
                            .d_model = figure(preset.sizes.d_model),
                            .heads = heads_text(preset.sizes),
                            .on = same_model(preset.sizes, sizes)});
  for (const std::string_view field : {"d_model", "h", "h_kv", "d_k", "d_v"})
    view.controls.push_back(control(sizes, field));
  for (const std::string_view field : {"layers", "cross_layers", "d_ff"})
    view.model_controls.push_back(control(sizes, field));
  for (const std::string_view field : {"n", "batch", "bytes"}) view.text_controls.push_back(control(sizes, field));
  view.keep = sizes.keep, view.biases = sizes.biases, view.gated = sizes.gated;
  view.keep_label = "Keep d_{k} = d_{v} = d_{model} / h";
  view.biases_note = (sizes.biases ? "add " : "would add ") + figure(biases_of(sizes));
}

}  // namespace app
