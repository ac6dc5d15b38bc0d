// Draws the page into a framebuffer of exact size, reads it back and packs it as PNG.
#include "main/screenshot.hpp"

#include "main/offscreen.hpp"
#include "main/viewport.hpp"
#include "main/workbench.hpp"
#include "render/gl.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace native {
namespace {

constexpr int kChannels = 3;  // the page is opaque
constexpr int kMostFrames = 8;
constexpr double kFrame_ms = 1000.0 / 60;

struct Extent {
  int width = 0, height = 0;  // device pixels
};

/// A colour buffer to draw into, bound as long as it lives.
class Framebuffer {
 public:
  explicit Framebuffer(Extent extent) {
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glGenRenderbuffers(1, &colour_);
    glBindRenderbuffer(GL_RENDERBUFFER, colour_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, extent.width, extent.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
  }
  ~Framebuffer() {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteRenderbuffers(1, &colour_);
    glDeleteFramebuffers(1, &framebuffer_);
  }
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;
  bool is_complete() const { return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE; }

 private:
  GLuint framebuffer_ = 0, colour_ = 0;
};

std::string check_limits(Extent extent) {
  GLint side = 0;
  GLint viewport[2] = {};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  if (extent.width <= std::min(side, viewport[0]) && extent.height <= std::min(side, viewport[1])) return {};
  return "the picture is too large for this OpenGL: found " + std::to_string(extent.width) + "x" +
         std::to_string(extent.height) + " device pixels, wanted at most " +
         std::to_string(std::min(side, viewport[0])) + "x" + std::to_string(std::min(side, viewport[1]));
}

/// Fonts and layout may ask for another frame; at rest there is an end to it.
void draw_until_still(ui::Program& program) {
  double now_ms = 0;
  for (int frame = 0; frame < kMostFrames; ++frame, now_ms += kFrame_ms) {
    program.settle();
    program.frame(now_ms);
    if (!program.wants_frame(now_ms + kFrame_ms)) break;
  }
}

std::variant<Png, std::string> read_png(Extent extent) {
  const std::size_t row = static_cast<std::size_t>(extent.width) * kChannels;
  std::vector<std::uint8_t> pixels(row * static_cast<std::size_t>(extent.height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, extent.width, extent.height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  if (const GLenum error = glGetError(); error != GL_NO_ERROR)
    return "OpenGL reported error " + std::to_string(error) + " while drawing";

  Png png;
  const auto append = [](void* context, void* data, int size) {
    static_cast<Png*>(context)->bytes.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  // OpenGL's first row is the lowest, PNG's the highest: start at the end and step back.
  const std::uint8_t* top = pixels.data() + row * static_cast<std::size_t>(extent.height - 1);
  if (stbi_write_png_to_func(append, &png, extent.width, extent.height, kChannels, top, -static_cast<int>(row)) == 0)
    return "there is not enough memory to pack the picture";
  return png;
}

}  // namespace

std::variant<Png, std::string> draw_screenshot(const cli::Options& options, const app::State& state) {
  const double ratio = options.pixel_ratio.value_or(1);
  const Extent extent{static_cast<int>(std::lround(options.size.width * ratio)),
                      static_cast<int>(std::lround(options.size.height * ratio))};

  auto made = make_offscreen_context();
  if (const auto* why = std::get_if<std::string>(&made)) return *why;
  if (std::string why = check_limits(extent); !why.empty()) return why;
  const Framebuffer framebuffer(extent);
  if (!framebuffer.is_complete()) return "OpenGL can't make a framebuffer of this size";

  ui::Program program(viewport_of(extent.width, extent.height, static_cast<float>(ratio)));
  program.open(state);
  Workbench().give_model(program);
  if (std::string why = program.create_graphics(); !why.empty()) return "OpenGL refused the program: " + why;
  draw_until_still(program);
  auto png = read_png(extent);
  program.destroy_graphics(false);
  return png;
}

}  // namespace native
