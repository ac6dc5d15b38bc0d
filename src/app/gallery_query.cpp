// The gallery's part of a link.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

constexpr int kMostSize = 512;  // of anything that a map counts

/// Cut to at most `most` bytes, not inside of a character.
std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
}

}  // namespace

std::string encode(std::string_view plain) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : plain) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain(c))
      text += c;
    else if (c == ' ')
      text += '+';
    else
      text += '%', text += digits[byte >> 4], text += digits[byte & 15];
  }
  return text;
}

std::vector<std::pair<std::string_view, std::string>> query_of(const Gallery& gallery) {
  std::vector<std::pair<std::string_view, std::string>> pairs;
  const Gallery start;
  const auto add = [&](bool differs, std::string_view key, std::string value) {
    if (differs) pairs.emplace_back(key, std::move(value));
  };
  add(gallery.chosen, "map", pair_text(gallery.layer, gallery.head));
  if (gallery.pinned) add(true, "at", pair_text(gallery.pinned->query, gallery.pinned->key));
  add(!gallery.role.empty(), "role", gallery.role);
  add(gallery.panel != start.panel, "panel", std::string(name_of(gallery.panel)));
  add(gallery.source == Source::trained, "source", std::string(name_of(gallery.source)));
  add(!gallery.sentence.empty(), "sentence", gallery.sentence);
  add(gallery.example != start.example, "example", std::to_string(gallery.example + 1));
  add(gallery.asking != start.asking, "asking", std::string(name_of(gallery.asking)));
  add(gallery.contributions, "contributions", "on");
  const heads::Plan &plan = gallery.training.plan, &first = start.training.plan;
  add(plan.task != first.task, "task", plan_text(plan, "task"));
  const heads::Plan usual = heads::plan_for(plan.task);
  for (const std::string_view field : kPlanFields) {
    if (field == "task") continue;
    const std::string value = plan_text(plan, field);
    add(value != plan_text(usual, field), field, value);
  }
  return pairs;
}

bool GalleryReader::take(Gallery& gallery, std::string_view key, std::string_view value) {
  if (key == "map") {
    const auto pair = read_pair(value);
    if (!pair) return say(key, value, "not a head; wanted layer.head, such as 2.1."), true;
    gallery.layer = std::min(pair->first, kMostSize - 1), gallery.head = std::min(pair->second, kMostSize - 1);
    gallery.chosen = true;
  } else if (key == "at") {
    const auto pair = read_pair(value);
    if (!pair || pair->first >= kMostSize || pair->second >= kMostSize)
      return say(key, value, "not a weight's place; wanted query.key, such as 3.5."), true;
    gallery.pinned = MapCell{pair->first, pair->second};
  } else if (key == "role") {
    if (value.size() > 60 || quote(value, 60) != value)
      return say(key, value, "not a role's name, so all heads are shown."), true;
    gallery.role = value;
  } else if (key == "panel") {
    if (const auto panel = find_panel(value))
      gallery.panel = *panel;
    else
      say(key, value, "not a panel; wanted head, training or layers.");
  } else if (key == "source") {
    if (value == "file")
      say(key, value, "a link can't bring a file, so this opens the page's own model.");
    else if (const auto source = find_source(value))
      gallery.source = *source;
    else
      say(key, value, "not a source; wanted shipped or trained.");
  } else if (key == "sentence") {
    const std::string_view kept = beginning_of(value, kLongestOwnSentence);
    if (kept.size() < value.size())
      say(key, value, "too long; its first " + std::to_string(kept.size()) + " bytes are kept.");
    GalleryCarry{gallery}(SetSentence{std::string(kept)});
  } else if (key == "example") {
    const auto number = read_count(value);
    if (!number) return say(key, value, "not an example; wanted 1 to " + std::to_string(kExamples) + "."), true;
    const int kept = std::clamp(*number, 1, kExamples);
    gallery.example = kept - 1;
    if (kept != *number) say(key, value, "there is no such example, so this opens " + std::to_string(kept) + ".");
  } else if (key == "asking") {
    if (const auto asking = find_asking(value))
      gallery.asking = *asking;
    else
      say(key, value, "not a way of asking; wanted hidden or visible.");
  } else if (key == "contributions") {
    if (value != "on" && value != "off") say(key, value, "wanted on or off.");
    gallery.contributions = value == "on";
  } else if (std::find(std::begin(kPlanFields), std::end(kPlanFields), key) != std::end(kPlanFields)) {
    plan_.emplace_back(key, value);
  } else {
    return false;
  }
  return true;
}

void GalleryReader::take_plan(heads::Plan& plan, std::string_view field, std::string_view value) const {
  auto changed = with_field(plan, field, value);
  if (const auto* better = std::get_if<heads::Plan>(&changed))
    plan = *better;
  else
    say(field, value, *std::get_if<std::string>(&changed) + " It stays " + plan_text(plan, field) + ".");
}

/// The task first. Heads and width can be wrong only together: they are tried in both orders, and one head goes with
/// every width.
void GalleryReader::end(Gallery& gallery) {
  heads::Plan& plan = gallery.training.plan;
  for (const auto& [field, value] : plan_)
    if (field == "task") take_plan(plan, field, value);
  const heads::Plan usual = plan;
  std::optional<int> width;
  for (const auto& [field, value] : plan_)
    if (field == "d_model") {
      plan.shape.heads = 1;
      take_plan(plan, field, value);
      width = plan.shape.d_model;
    }
  if (width && *width % usual.shape.heads == 0) plan.shape.heads = usual.shape.heads;
  for (const auto& [field, value] : plan_)
    if (field != "task" && field != "d_model") take_plan(plan, field, value);
}

}  // namespace app
