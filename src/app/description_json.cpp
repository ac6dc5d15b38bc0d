// The description as JSON, member by member as app.hpp lists them; `pressed` is left out where it means nothing.
#include "app/app.hpp"
#include "io/json.hpp"

namespace app {
namespace {

void write(io::JsonWriter& json, std::string_view name, const std::vector<std::string>& list) {
  json.key(name).begin_array();
  for (const std::string& text : list) json.value(text);
  json.end_array();
}

void write(io::JsonWriter& json, const DescribedCell& cell) {
  json.begin_object().member("cell", cell.cell).member("text", cell.text).member("value", cell.value);
  json.member("editable", cell.editable).member("edited", cell.edited).member("masked", cell.masked);
  json.member("operand", cell.operand).member("pinned", cell.pinned).end_object();
}

void write(io::JsonWriter& json, const DescribedTable& table) {
  json.begin_object().member("id", table.id).member("caption", table.caption).member("stage", table.stage);
  json.member("pin", table.pin);
  write(json, "rows", table.rows);
  write(json, "cols", table.cols);
  json.key("cells").begin_array();
  for (const auto& row : table.cells) {
    json.begin_array();
    for (const DescribedCell& cell : row) write(json, cell);
    json.end_array();
  }
  json.end_array().end_object();
}

void write(io::JsonWriter& json, const DescribedControl& control) {
  json.begin_object().member("action", control.action).member("label", control.label);
  json.member("enabled", control.enabled);
  if (control.pressed) json.member("pressed", *control.pressed);
  json.member("group", control.group).end_object();
}

void write(io::JsonWriter& json, const DescribedField& field) {
  json.begin_object().member("action", field.action).member("label", field.label).member("value", field.value);
  json.member("enabled", field.enabled).end_object();
}

}  // namespace

std::string to_json(const Description& description) {
  io::JsonWriter json;
  json.begin_object();
  json.member("page", description.page);
  json.member("title", description.title).member("subtitle", description.subtitle);
  json.member("sentence", description.sentence).member("look_for", description.look_for);
  json.member("notice", description.notice);
  json.member("step", description.step).member("steps", description.steps);
  json.member("step_name", description.step_name).member("query", description.query);
  json.member("theme", description.theme).member("motion", description.motion);
  json.member("playing", description.playing).member("training", description.training);
  json.member("paste", description.paste);
  write(json, "notes", description.notes);
  json.key("tables").begin_array();
  for (const DescribedTable& table : description.tables) write(json, table);
  json.end_array();
  json.key("controls").begin_array();
  for (const DescribedControl& control : description.controls) write(json, control);
  json.end_array();
  json.key("fields").begin_array();
  for (const DescribedField& field : description.fields) write(json, field);
  json.end_array().end_object();
  std::string text = json.text();
  if (!description.roles.empty()) {  // JSON already: goes in as it is, before the last bracket
    text.pop_back();
    text += ",\"roles\":" + description.roles + "}";
  }
  return text;
}

}  // namespace app
