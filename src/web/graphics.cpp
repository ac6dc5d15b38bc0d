// The WebGL 2 context of this instance's canvas, which JavaScript has put
// under the name "!canvas" in specialHTMLTargets: no element id is needed.
#include "web/bridge.hpp"

#include <emscripten/html5_webgl.h>

namespace {

EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;

}  // namespace

/// Makes context and GL objects. Answers with what went wrong, empty when all is well.
HS_EXPORT const char* hs_create_graphics() {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = false;      // opaque: nothing of the page shines through
  attributes.antialias = false;  // ImGui smooths its own edges
  attributes.depth = false;
  attributes.stencil = false;
  context = emscripten_webgl_create_context("!canvas", &attributes);
  if (context <= 0) {
    context = 0;
    return web::answer("the browser gave no WebGL 2 context");
  }
  emscripten_webgl_make_context_current(context);
  return web::answer(web::program().create_graphics());
}

/// `lost`: the browser has taken the context away already.
HS_EXPORT void hs_destroy_graphics(int lost) {
  if (context == 0) return;
  web::program().destroy_graphics(lost != 0);
  emscripten_webgl_destroy_context(context);
  context = 0;
}
