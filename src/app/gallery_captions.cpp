// What stands under the maps, the chips above them, and what a head's share is held against.
#include "app/gallery_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

MapCaption caption_of(const heads::Table& table, int map) {
  const heads::HeadRoles& row = at(table.rows, map);
  MapCaption caption{role_of(table, map), "", row.roles.empty(), true};
  if (!row.roles.empty()) caption.evidence = format_whole_percent(at(row.scores, row.roles.front()).share.value());
  return caption;
}

void add_chip(GalleryView& view, const Gallery& gallery, const heads::Table& table, std::string id,
              const std::string& name) {
  const int heads = heads_with(table, id);
  if (heads > 0 || gallery.role == id) view.chips.push_back({std::move(id), capitalise(name), heads});
}

}  // namespace

std::string format_whole_percent(double share) {
  const long whole = std::lround(share * 100);
  if (whole >= 100 && share < 1) return "over 99 %";
  if (whole <= 0 && share > 0) return "under 1 %";
  return std::to_string(whole) + " %";
}

std::string head_name(int map, int heads) {
  return "Layer " + std::to_string(map / heads + 1) + ", head " + std::to_string(map % heads + 1);
}

std::string offset_text(int offset) {
  if (offset == 0) return "itself";
  const int far = std::abs(offset);
  return std::to_string(far) + (far == 1 ? " token" : " tokens") + (offset < 0 ? " back" : " ahead");
}

Baseline baseline_of(const heads::Subject& subject) {
  const double offset = subject.best_offset.value(), rule = subject.best_rule.value();
  if (subject.best_rule.count > 0 && rule > offset)
    return {rule, "the best simple rule, <b>" + escape_rich(subject.rule) + "</b>"};
  return {offset, "the best fixed offset, <b>" + offset_text(subject.offset) + "</b>"};
}

double missing_share(const heads::Subject& subject, const heads::Score& score) {
  const bool of_words = subject.family == heads::Family::syntactic || subject.family == heads::Family::semantic;
  if (of_words) return baseline_of(subject).share + heads::kMargin - score.share.value();
  return heads::kPositionalShare - score.share.value();
}

std::string role_of(const heads::Table& table, int map) {
  const heads::HeadRoles& row = at(table.rows, map);
  if (!row.roles.empty()) return at(table.subjects, row.roles.front()).name;
  return row.diffuse ? "diffuse" : "no role found";
}

int subject_of(const heads::Table& table, int map) {
  const heads::HeadRoles& row = at(table.rows, map);
  if (!row.roles.empty()) return row.roles.front();
  int nearest = -1;
  double least = 0;
  for (int i = 0; i < static_cast<int>(std::min(table.subjects.size(), row.scores.size())); ++i) {
    const heads::Score& score = at(row.scores, i);
    if (score.share.count < heads::kFewestCases) continue;
    const double missing = missing_share(at(table.subjects, i), score);
    if (nearest < 0 || missing < least) nearest = i, least = missing;
  }
  return nearest;
}

int subject_of_card(const GalleryView& view) {
  const heads::Table* table = view.specimen ? table_of(*view.specimen) : nullptr;
  return table ? subject_of(*table, view.layer * view.heads + view.head) : -1;
}

void write_captions(GalleryView& view, const Gallery& gallery) {
  const heads::Table* table = table_of(*view.specimen);
  const int all = view.layers * view.heads;
  view.chips.push_back({"", "All roles", all});
  if (!table) {
    view.captions.assign(static_cast<std::size_t>(all), {"not tested yet", "", true, true});
    return;
  }
  for (int map = 0; map < all; ++map) {
    view.captions.push_back(caption_of(*table, map));
    view.captions.back().shown = gallery.role.empty() || has_role(*table, map, gallery.role);
  }
  using heads::Family;
  for (const Family family : {Family::positional, Family::resting, Family::syntactic, Family::semantic})
    for (const heads::Subject& subject : table->subjects)
      if (subject.family == family) add_chip(view, gallery, *table, subject.id, subject.name);
  add_chip(view, gallery, *table, std::string(kDiffuse), "Diffuse");
  add_chip(view, gallery, *table, std::string(kNone), "No role found");
}

}  // namespace app
