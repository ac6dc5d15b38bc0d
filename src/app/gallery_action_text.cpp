// The gallery's actions as text, both ways.
#include "app/gallery_internal.hpp"

namespace app {
namespace {

using Read = std::variant<Action, attention::Problem>;

template <class Chosen>
Read read_map_cell(std::string_view field, std::string_view text) {
  if (text.empty()) return Action{Chosen{std::nullopt}};
  if (const auto pair = read_pair(text)) return Action{Chosen{MapCell{pair->first, pair->second}}};
  return not_read(field, text, "query.key, such as 3.5");
}

Read read_hovered_map(std::string_view text) {
  if (text.empty()) return Action{HoverMap{std::nullopt}};
  if (const auto number = read_count(text); number && *number >= 1) return Action{HoverMap{*number - 1}};
  return not_read("map-hover", text, "a map's number from 1");
}

/// A name out of a list.
template <class Chosen, class Value>
Read read_name(std::string_view field, std::string_view text, std::optional<Value> value, std::string_view wanted) {
  if (value) return Action{Chosen{*value}};
  return not_read(field, text, wanted);
}

Read read_example(std::string_view text) {
  if (const auto number = read_count(text); number && *number >= 1) return Action{ShowExample{*number - 1}};
  return not_read("example", text, "1 to " + std::to_string(kExamples));
}

Read read_contributions(std::string_view text) {
  if (text == "on" || text == "off") return Action{SetContributions{text == "on"}};
  return not_read("contributions", text, "on or off");
}

Read read_plan_field(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return not_read("plan", text, "a field and a value: heads=4");
  return Action{SetPlan{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))}};
}

Read read_scrub(std::string_view text) {
  if (text.empty()) return Action{Scrub{std::nullopt}};
  if (const auto step = read_count(text)) return Action{Scrub{*step}};
  return not_read("scrub", text, "a checkpoint's step");
}

std::string cell_text(std::string_view verb, const std::optional<MapCell>& cell) {
  return std::string(verb) + (cell ? pair_text(cell->query, cell->key) : "");
}

}  // namespace

std::optional<std::variant<Action, attention::Problem>> read_gallery_action(std::string_view verb,
                                                                            std::string_view rest) {
  if (verb == "page") return read_name<OpenPage>(verb, rest, find_page(rest), page_list());
  if (verb == "map") {
    if (const auto pair = read_pair(rest)) return Action{SelectMap{pair->first, pair->second}};
    return not_read(verb, rest, "layer.head, such as 2.1");
  }
  if (verb == "map-hover") return read_hovered_map(rest);
  if (verb == "at") return read_map_cell<PinMapCell>(verb, rest);
  if (verb == "at-hover") return read_map_cell<HoverMapCell>(verb, rest);
  if (verb == "at-focus") return read_map_cell<FocusMapCell>(verb, rest);
  if (verb == "role") return Action{FilterRole{std::string(rest)}};
  if (verb == "panel") return read_name<ShowPanel>(verb, rest, find_panel(rest), "head, training or layers");
  if (verb == "source") return read_name<SetSource>(verb, rest, find_source(rest), "shipped, trained or file");
  if (verb == "sentence") return Action{SetSentence{std::string(rest)}};
  if (verb == "example") return read_example(rest);
  if (verb == "example-for") return Action{ShowExampleFor{std::string(rest)}};
  if (verb == "asking") return read_name<SetAsking>(verb, rest, find_asking(rest), "hidden or visible");
  if (verb == "contributions") return read_contributions(rest);
  if (verb == "train")
    return read_name<Train>(verb, rest, find_command(rest), "start, pause, run, step, rewind or new_seed");
  if (verb == "plan") return read_plan_field(rest);
  if (verb == "scrub") return read_scrub(rest);
  return std::nullopt;
}

using Writer = GalleryWriter;
std::string Writer::operator()(const OpenPage& action) const { return "page:" + std::string(name_of(action.page)); }
std::string Writer::operator()(const SelectMap& action) const { return "map:" + pair_text(action.layer, action.head); }
std::string Writer::operator()(const HoverMap& action) const {
  return "map-hover:" + (action.map ? std::to_string(*action.map + 1) : "");
}
std::string Writer::operator()(const PinMapCell& action) const { return cell_text("at:", action.cell); }
std::string Writer::operator()(const HoverMapCell& action) const { return cell_text("at-hover:", action.cell); }
std::string Writer::operator()(const FocusMapCell& action) const { return cell_text("at-focus:", action.cell); }
std::string Writer::operator()(const FilterRole& action) const { return "role:" + action.role; }
std::string Writer::operator()(const ShowPanel& action) const { return "panel:" + std::string(name_of(action.panel)); }
std::string Writer::operator()(const SetSource& action) const {
  return "source:" + std::string(name_of(action.source));
}
std::string Writer::operator()(const SetSentence& action) const { return "sentence:" + action.text; }
std::string Writer::operator()(const ShowExample& action) const {
  return "example:" + std::to_string(action.example + 1);
}
std::string Writer::operator()(const ShowExampleFor& action) const { return "example-for:" + action.role; }
std::string Writer::operator()(const SetAsking& action) const {
  return "asking:" + std::string(name_of(action.asking));
}
std::string Writer::operator()(const SetContributions& action) const {
  return action.on ? "contributions:on" : "contributions:off";
}
std::string Writer::operator()(const OpenSpecimen&) const { return ""; }
std::string Writer::operator()(const Train& action) const { return "train:" + std::string(name_of(action.command)); }
std::string Writer::operator()(const SetPlan& action) const { return "plan:" + action.field + "=" + action.value; }
std::string Writer::operator()(const TakeReport&) const { return ""; }
std::string Writer::operator()(const Scrub& action) const {
  return "scrub:" + (action.step ? std::to_string(*action.step) : "");
}

}  // namespace app
