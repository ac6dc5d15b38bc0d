// Which weight of the enlarged map is explained, and whether it is a case that can be tested.
#include "app/gallery_internal.hpp"

namespace app {
namespace {

bool is_special(std::string_view token) {
  return token.size() > 2 &&
         ((token.front() == '[' && token.back() == ']') || (token.front() == '<' && token.back() == '>'));
}

bool is_causal(const GalleryView& view) {
  const heads::Model* model = model_of(*view.specimen);
  return model && model->plan.shape.causal;
}

/// The sharpest of the rows that `may` lets through.
template <class May>
std::optional<MapCell> sharpest(const GalleryView& view, const May& may) {
  const heads::Pattern& map = view.map(view.layer, view.head);
  std::optional<MapCell> best;
  for (int query = 0; query < view.n; ++query) {
    const int key = largest_key(view, query);
    if (!may(query, key)) continue;
    if (!best || map(query, key) > map(best->query, best->key)) best = MapCell{query, key};
  }
  return best;
}

/// The role's own: a case of it, harder ones first; in a learner's sentence a word that may ask; else the sharpest row,
/// and rows that rest on a special token only when there are no others.
MapCell own_cell(const GalleryView& view, const Asked& asked) {
  const heads::Table* table = table_of(*view.specimen);
  const std::vector<int> roles = table ? table->at(view.layer, view.head).roles : std::vector<int>();
  if (!roles.empty()) {
    const std::string& role = at(table->subjects, roles.front()).id;
    const std::vector<RoleCase> cases = cases_of(role, asked.sentence, is_causal(view));
    for (const RoleCase& it : cases)
      if (it.nearer) return {it.query, it.target};
    if (!cases.empty()) return {cases.front().query, cases.front().target};
    const auto relation = find_relation(role);
    if (asked.own && relation) {
      const auto words = train::vocabulary(asked.sentence.task);
      const auto asks = [&](int query, int) {
        return may_ask(*relation, words[static_cast<std::size_t>(at(asked.sentence.tokens, query))]);
      };
      if (const auto cell = sharpest(view, asks)) return *cell;
    }
  }
  const bool rests = !roles.empty() && at(table->subjects, roles.front()).family == heads::Family::resting;
  const auto works = [&](int query, int key) {
    return !is_special(at(view.tokens, query)) && (rests || !is_special(at(view.tokens, key)));
  };
  if (const auto cell = sharpest(view, works)) return *cell;
  return sharpest(view, [](int, int) { return true; }).value_or(MapCell{});
}

}  // namespace

int largest_key(const GalleryView& view, int query) {
  const heads::Pattern& map = view.map(view.layer, view.head);
  int best = 0;
  for (int key = 1; key < view.n; ++key)
    if (map(query, key) > map(query, best)) best = key;
  return best;
}

std::optional<RoleCase> case_at(const GalleryView& view, const Asked& asked, int query) {
  const heads::Table* table = table_of(*view.specimen);
  if (!table) return std::nullopt;
  std::vector<int> roles = table->at(view.layer, view.head).roles;
  if (const int nearest = subject_of_card(view); roles.empty() && nearest >= 0) roles.push_back(nearest);
  for (const int role : roles)
    for (const RoleCase& it : cases_of(at(table->subjects, role).id, asked.sentence, is_causal(view)))
      if (it.query == query) return it;
  return std::nullopt;
}

void choose_cell(GalleryView& view, const Gallery& gallery, const Asked& asked) {
  view.has_cell = view.n > 0;
  if (!view.has_cell) return;
  for (const std::optional<MapCell>& chosen : {gallery.hovered, gallery.focused, gallery.pinned}) {
    if (!chosen || chosen->query < 0 || chosen->query >= view.n || chosen->key < 0 || chosen->key >= view.n) continue;
    view.shown = *chosen;
    return;
  }
  view.shown = own_cell(view, asked);
}

}  // namespace app
