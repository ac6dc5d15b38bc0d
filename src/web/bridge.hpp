// What the parts of the browser bridge share. JavaScript calls the hs_…
// functions of this folder; they forward to one ui::Program and answer with
// numbers or text. Every instance on a page has a wasm module, and so a
// memory, of its own: one program a module is enough.
//
// Text comes in as UTF-8 that the caller frees after the call. Text goes out
// as a pointer that stays valid until the next call that answers with text.
#pragma once

#include "ui/ui.hpp"

#include <emscripten/em_macros.h>

#include <string>

#define HS_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

namespace web {

/// The program that hs_create made; asserted.
ui::Program& program();

/// Keeps `text` for the caller to read.
const char* answer(std::string text);

}  // namespace web
