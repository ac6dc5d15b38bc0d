// What the page reads and changes: query, description, actions and edits.
#include "web/bridge.hpp"

#include "io/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

using web::answer;
using web::program;

namespace {

void write(io::JsonWriter& json, const ui::Rect& rect) {
  json.begin_object().member("x", rect.x).member("y", rect.y).member("w", rect.w).member("h", rect.h).end_object();
}

/// Carries the text out as an action; why not, or nothing.
std::optional<std::string> dispatch(std::string_view text) {
  const auto read = app::read_action(text);
  if (const auto* problem = std::get_if<attention::Problem>(&read)) return attention::to_sentence(*problem);
  return program().dispatch(std::get<app::Action>(read));
}

}  // namespace

/// "?step=softmax", or empty at the start.
HS_EXPORT const char* hs_query() { return answer(app::to_query(program().state())); }

/// Replaces everything by what the query says; what was wrong in it is said in the notice.
HS_EXPORT void hs_open(const char* query) { program().open(app::read_query(query)); }

/// 1 when the query opens or sets anything of another page than the walkthrough: hs_open must wait for the pages' code.
HS_EXPORT int hs_needs_pages(const char* query) { return app::needs_other_pages(std::string_view(query)); }

// The code of the other pages comes later (web/pages.mjs).
HS_EXPORT void hs_expect_pages() { program().expect_pages(); }
HS_EXPORT int hs_wants_pages() { return static_cast<int>(program().wants_pages()); }  // 0 not, 1 soon, 2 now
HS_EXPORT void hs_pages_are_here() { program().pages_are_here(); }
HS_EXPORT void hs_give_up_pages() { program().give_up_pages(); }

/// Text that the learner asked to have copied (with a query, "?page=…", at its end or alone), once; or empty.
HS_EXPORT const char* hs_take_copy_request() { return answer(program().take_copy_request().value_or("")); }

/// The accessible description as JSON (app::to_json).
HS_EXPORT const char* hs_description() {
  return answer(app::to_json(app::describe(program().state(), program().derived())));
}

/// Carries out an action's text ("next", "set:X.1.3=0.5"). Answers with the reason for a refusal, or empty.
HS_EXPORT const char* hs_dispatch(const char* text) { return answer(dispatch(text).value_or("")); }

/// What wants a text field: {"cell" or "field","decimal","rect","text","label","font_px"}, or empty.
HS_EXPORT const char* hs_edit_request() {
  const auto request = program().edit_request();
  if (!request) return answer("");
  io::JsonWriter json;
  json.begin_object();
  if (request->field.empty())
    json.member("cell", std::string_view(app::to_text(request->cell)));
  else
    json.member("field", std::string_view(request->field));
  json.member("decimal", request->decimal);
  write(json.key("rect"), request->rect);
  json.member("text", std::string_view(request->text)).member("label", std::string_view(request->label));
  json.member("font_px", request->font_px).end_object();
  return answer(json.text());
}

/// Ends editing, or answers why the text was refused: editing goes on then, unless the learner is `leaving` the
/// field: the old number stays, and a notice says why.
HS_EXPORT const char* hs_commit_edit(const char* text, int leaving) {
  const auto refusal = program().commit_edit(text);
  if (refusal && leaving != 0) {
    program().leave_edit();
    program().dispatch(app::SetNotice{*refusal});
    return answer("");
  }
  return answer(refusal.value_or(""));
}

HS_EXPORT void hs_cancel_edit() { program().cancel_edit(); }

/// Where a cell ("pattern.1.2.1") is drawn: {"x","y","w","h"}, or empty when it isn't.
HS_EXPORT const char* hs_rect_of(const char* cell_text) {
  const auto cell = app::read_cell(cell_text);
  const auto rect = cell ? program().rect_of(*cell) : std::nullopt;
  if (!rect) return answer("");
  io::JsonWriter json;
  write(json, *rect);
  return answer(json.text());
}
