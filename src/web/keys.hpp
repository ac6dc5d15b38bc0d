// What a key of the browser means to the program.
#pragma once

#include "ui/ui.hpp"

#include <optional>
#include <string_view>

namespace web {

struct Modifiers {
  bool shift = false;
  bool command = false;  // Ctrl, or Cmd on a Mac
  bool alt = false;
};

/// `name` is KeyboardEvent.key. Nothing for what belongs to the browser: F-keys, and every combination with
/// Ctrl, Cmd or Alt but undo (Z) and redo (Shift+Z, Y).
std::optional<ui::Key> read_key(std::string_view name, Modifiers held);

}  // namespace web
