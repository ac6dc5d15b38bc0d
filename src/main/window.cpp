// The window loop: SDL's events to the program, the program's frames to the screen, asleep in between.
//
// Three lengths meet here. A point is SDL's unit (events, window size), a device pixel is the framebuffer's, a CSS
// pixel is the program's: device pixels = points * density = CSS pixels * pixel ratio.
#include "main/window.hpp"

#include "main/sdl.hpp"
#include "main/viewport.hpp"
#include "main/workbench.hpp"
#include "ui/ui.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace native {
namespace {

constexpr float kNotch_px = 53;  // one notch of a wheel, as browsers count it
constexpr double kUnsynced_frame_ms = 1000.0 / 60;
constexpr Uint32 kLastMessages_ms = 50;

#ifdef __APPLE__
constexpr int kCommand = KMOD_GUI, kNotCommand = KMOD_CTRL | KMOD_ALT;
#else
constexpr int kCommand = KMOD_CTRL, kNotCommand = KMOD_GUI | KMOD_ALT | KMOD_MODE;
#endif

/// Milliseconds that the window could be seen: a minimised window's time stands still, so that nothing jumps after.
class Clock {
 public:
  double now_ms() const { return seen_ms_ + (running_ ? since_start_ms() : 0); }
  void pause() {
    seen_ms_ = now_ms();
    running_ = false;
  }
  void resume() {
    if (running_) return;
    start_ = std::chrono::steady_clock::now();
    running_ = true;
  }

 private:
  double since_start_ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seen_ms_ = 0;
  bool running_ = true;
};

/// A key that the program knows when pressed alone or with Shift.
ui::Key plain_key(const SDL_Keysym& pressed) {
  switch (pressed.sym) {
    case SDLK_LEFT: return ui::Key::left;
    case SDLK_RIGHT: return ui::Key::right;
    case SDLK_UP: return ui::Key::up;
    case SDLK_DOWN: return ui::Key::down;
    case SDLK_TAB: return (pressed.mod & KMOD_SHIFT) != 0 ? ui::Key::shift_tab : ui::Key::tab;
    case SDLK_RETURN:
    case SDLK_KP_ENTER: return ui::Key::enter;
    case SDLK_ESCAPE: return ui::Key::escape;
    case SDLK_SPACE: return ui::Key::space;
    case SDLK_HOME: return ui::Key::home;
    case SDLK_END: return ui::Key::end;
    case SDLK_BACKSPACE: return ui::Key::backspace;
    case SDLK_DELETE: return ui::Key::delete_forward;
    default: return ui::Key::other;
  }
}

bool acts_once(ui::Key key) { return key == ui::Key::space || key == ui::Key::enter || key == ui::Key::escape; }

/// SDL's drivers without a screen, which it may fall back to by itself.
bool shows_nothing(std::string_view driver) { return driver == "dummy" || driver == "offscreen"; }

class Window {
 public:
  explicit Window(const cli::Options& options) : fixed_ratio_(options.pixel_ratio) {}

  std::optional<std::string> open(const cli::Options& options, const app::State& state);
  void run();

 private:
  void measure();
  void set_smallest_size();
  void handle(const SDL_Event& event);
  void handle_window(const SDL_WindowEvent& event);
  void handle_key(const SDL_KeyboardEvent& event);
  void handle_shortcut(SDL_Keycode key, bool shift);
  void paste();
  bool copy();
  void wait_for_event();
  void draw_if_needed();
  void follow_program();

  float css(int points) const { return css(static_cast<float>(points)); }
  float css(float points) const { return points * css_per_point_; }
  int points(float css_px) const { return static_cast<int>(std::lround(css_px / css_per_point_)); }

  Video video_;
  WindowOwner window_;
  std::unique_ptr<GlContext> context_;
  std::unique_ptr<ui::Program> program_;
  CursorOwner arrow_, hand_, beam_;

  Workbench bench_;
  Clock clock_;
  std::optional<double> fixed_ratio_;
  ui::Viewport viewport_;
  float css_per_point_ = 1;
  bool waits_for_screen_ = false;  // swapping blocks until the screen has shown the frame
  bool open_ = true, visible_ = true;
  bool must_draw_ = true;  // the window's pixels are gone, whatever the program says
  bool editing_ = false;
  double drawn_ms_ = 0;
  SDL_Cursor* cursor_ = nullptr;
};

std::optional<std::string> Window::open(const cli::Options& options, const app::State& state) {
  const char* asked_for = std::getenv("SDL_VIDEODRIVER");
  const char* driver = SDL_GetCurrentVideoDriver();
  if (!video_.error().empty() || driver == nullptr || (asked_for == nullptr && shows_nothing(driver)))
    return "there is no display to open a window on" +
           (video_.error().empty() ? std::string() : " (SDL: " + video_.error() + ")") +
           ". --screenshot and --trace work without one; see --help";

  SDL_EnableScreenSaver();  // SDL switches it off, for games
  ask_for_opengl_33();
  window_.reset(SDL_CreateWindow("headscope", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, options.size.width,
                                 options.size.height,
                                 SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI));
  if (!window_) return "the window can't be opened: " + std::string(SDL_GetError());
  context_ = std::make_unique<GlContext>(window_.get());
  if (!*context_) return "the window has no OpenGL 3.3: " + std::string(SDL_GetError());
  waits_for_screen_ = SDL_GL_SetSwapInterval(1) == 0;

  measure();
  set_smallest_size();
  const int width = points(static_cast<float>(options.size.width));
  const int height = points(static_cast<float>(options.size.height));
  if (width != options.size.width || height != options.size.height) {
    SDL_SetWindowSize(window_.get(), width, height);
    SDL_SetWindowPosition(window_.get(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
    measure();
  }

  arrow_.reset(SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_ARROW));
  hand_.reset(SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_HAND));
  beam_.reset(SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_IBEAM));

  program_ = std::make_unique<ui::Program>(viewport_);
  program_->use_built_in_editor(true);
  program_->open(state);
  if (const std::string why = program_->create_graphics(); !why.empty()) return "OpenGL refused the program: " + why;
  return std::nullopt;
}

void Window::run() {
  while (open_) {
    bench_.serve(*program_);
    draw_if_needed();
    follow_program();
    wait_for_event();
  }
  program_->destroy_graphics(false);
  // On X11, SDL wakes its own wait by a message to the window, through a second connection. A window that is destroyed
  // before the server has passed it on ends the program with an X error (SDL 2.26), so the message gets time.
  SDL_HideWindow(window_.get());
  SDL_Delay(kLastMessages_ms);
}

void Window::measure() {
  int width_points = 0, height_points = 0, width_device = 0, height_device = 0;
  SDL_GetWindowSize(window_.get(), &width_points, &height_points);
  SDL_GL_GetDrawableSize(window_.get(), &width_device, &height_device);
  if (width_points <= 0 || height_points <= 0 || width_device <= 0 || height_device <= 0) return;
  const float density = static_cast<float>(width_device) / static_cast<float>(width_points);
  viewport_ = viewport_of(width_device, height_device, fixed_ratio_ ? static_cast<float>(*fixed_ratio_) : density);
  css_per_point_ = density / viewport_.pixel_ratio;
}

void Window::set_smallest_size() {
  SDL_SetWindowMinimumSize(window_.get(), points(static_cast<float>(cli::kSmallestSize.width)),
                           points(static_cast<float>(cli::kSmallestSize.height)));
}

/// Sleeps until something happened or the program wants to move, then hands over all that has happened.
void Window::wait_for_event() {
  double wait_ms = visible_ ? program_->next_frame_in(clock_.now_ms()) : -1;
  if ((must_draw_ && visible_) || bench_.is_busy()) wait_ms = 0;
  if (wait_ms >= 0 && !waits_for_screen_ && !bench_.is_busy()) wait_ms = std::max(wait_ms, drawn_ms_ + kUnsynced_frame_ms - clock_.now_ms());

  SDL_Event event;
  int happened = 0;
  if (wait_ms < 0)
    happened = SDL_WaitEvent(&event);
  else if (wait_ms == 0)
    happened = SDL_PollEvent(&event);
  else
    happened = SDL_WaitEventTimeout(&event, static_cast<int>(std::ceil(std::min(wait_ms, 60'000.0))));
  for (; happened != 0; happened = SDL_PollEvent(&event)) handle(event);
}

void Window::draw_if_needed() {
  if (!visible_) return;
  const double now_ms = clock_.now_ms();
  if (!must_draw_ && !program_->wants_frame(now_ms)) return;
  program_->frame(now_ms);
  SDL_GL_SwapWindow(window_.get());
  must_draw_ = false;
  drawn_ms_ = now_ms;
}

/// The cursor's shape, and where input methods find the number that is being edited. Text input itself is always on, as
/// SDL starts it: switched on with the edit, it would miss what was typed before the switch.
void Window::follow_program() {
  const std::string_view shape = program_->cursor();
  SDL_Cursor* const cursor = shape == "pointer" ? hand_.get() : shape == "text" ? beam_.get() : arrow_.get();
  if (cursor != cursor_) {
    SDL_SetCursor(cursor);
    cursor_ = cursor;
  }

  const auto edit = program_->edit_request();
  if (edit && !editing_) {
    SDL_Rect where{points(edit->rect.x), points(edit->rect.y), points(edit->rect.w), points(edit->rect.h)};
    SDL_SetTextInputRect(&where);
  }
  editing_ = edit.has_value();
}

void Window::handle(const SDL_Event& event) {
  program_->set_clock(clock_.now_ms());
  switch (event.type) {
    case SDL_QUIT: open_ = false; break;
    case SDL_WINDOWEVENT: handle_window(event.window); break;
    case SDL_KEYDOWN: handle_key(event.key); break;
    case SDL_DROPFILE: {
      const TextOwner path(event.drop.file);
      bench_.open_dropped(*program_, path.get());
      must_draw_ = true;
      break;
    }
    case SDL_TEXTINPUT: program_->text_input(event.text.text); break;
    case SDL_MOUSEMOTION:
      program_->pointer_move(css(event.motion.x), css(event.motion.y), event.motion.which == SDL_TOUCH_MOUSEID);
      break;
    case SDL_MOUSEBUTTONDOWN:
      if (event.button.button == SDL_BUTTON_LEFT)
        program_->pointer_down(css(event.button.x), css(event.button.y), event.button.which == SDL_TOUCH_MOUSEID);
      break;
    case SDL_MOUSEBUTTONUP:
      if (event.button.button == SDL_BUTTON_LEFT)
        program_->pointer_up(css(event.button.x), css(event.button.y), event.button.which == SDL_TOUCH_MOUSEID);
      break;
    case SDL_MOUSEWHEEL: {
      int x = 0, y = 0;
      SDL_GetMouseState(&x, &y);
      program_->wheel(css(x), css(y), -event.wheel.preciseY * kNotch_px);  // SDL counts away from the hand
      break;
    }
    default: break;
  }
}

void Window::handle_window(const SDL_WindowEvent& event) {
  switch (event.event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
      measure();
      set_smallest_size();
      program_->resize(viewport_);
      must_draw_ = true;
      break;
    case SDL_WINDOWEVENT_EXPOSED: must_draw_ = true; break;
    case SDL_WINDOWEVENT_LEAVE: program_->pointer_leave(); break;
    // The counterpart, Program::focus, is for pages: it rings the whole canvas, one stop of Tab among others there.
    case SDL_WINDOWEVENT_FOCUS_LOST:
      program_->pointer_cancel();
      program_->blur();
      break;
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
      visible_ = false;
      clock_.pause();
      break;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_SHOWN:
      visible_ = must_draw_ = true;
      clock_.resume();
      break;
    default: break;
  }
}

void Window::handle_key(const SDL_KeyboardEvent& event) {
  const int held = event.keysym.mod;
  if ((held & kNotCommand) != 0) return;  // the system's, or a letter made with AltGr
  if ((held & kCommand) != 0) {
    handle_shortcut(event.keysym.sym, (held & KMOD_SHIFT) != 0);
    return;
  }
  const ui::Key key = plain_key(event.keysym);
  if (event.repeat != 0 && acts_once(key)) return;
  const bool used = program_->key(key, clock_.now_ms());
  // A page would take the focus now; a window has nothing else, so Tab goes round.
  if (!used && (key == ui::Key::tab || key == ui::Key::shift_tab)) program_->key(key, clock_.now_ms());
}

void Window::handle_shortcut(SDL_Keycode key, bool shift) {
  const double now_ms = clock_.now_ms();
  switch (key) {
    case SDLK_z: program_->key(shift ? ui::Key::redo : ui::Key::undo, now_ms); break;
    case SDLK_y: program_->key(ui::Key::redo, now_ms); break;
    case SDLK_a: program_->key(ui::Key::select_all, now_ms); break;
    case SDLK_c: copy(); break;
    case SDLK_x:
      if (copy()) program_->key(ui::Key::backspace, now_ms);
      break;
    case SDLK_v: paste(); break;
    case SDLK_q: open_ = false; break;
    default: break;
  }
}

void Window::paste() {
  if (!program_->edit_request()) return;
  const TextOwner text(SDL_GetClipboardText());
  if (text) program_->text_input(text.get());
}

/// True when something was selected, and is on the clipboard now.
bool Window::copy() {
  const std::string text = program_->edit_selection();
  return !text.empty() && SDL_SetClipboardText(text.c_str()) == 0;
}

}  // namespace

std::optional<std::string> run_window(const cli::Options& options, const app::State& state) {
  Window window(options);
  if (auto why = window.open(options, state)) return why;
  window.run();
  return std::nullopt;
}

}  // namespace native
