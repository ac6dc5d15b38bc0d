#include "web/keys.hpp"

#include <array>
#include <utility>

namespace web {

std::optional<ui::Key> read_key(std::string_view name, Modifiers held) {
  using ui::Key;
  if (held.alt) return std::nullopt;
  if (held.command) {
    const bool z = name == "z" || name == "Z";
    const bool y = name == "y" || name == "Y";
    if (z) return held.shift ? Key::redo : Key::undo;
    if (y && !held.shift) return Key::redo;
    return std::nullopt;
  }
  static constexpr std::array<std::pair<std::string_view, Key>, 9> kNamed{{
      {"ArrowLeft", Key::left}, {"ArrowRight", Key::right}, {"ArrowUp", Key::up}, {"ArrowDown", Key::down},
      {"Enter", Key::enter}, {"Escape", Key::escape}, {" ", Key::space}, {"Home", Key::home}, {"End", Key::end},
  }};
  if (name == "Tab") return held.shift ? Key::shift_tab : Key::tab;
  for (const auto& [known, key] : kNamed) {
    if (name == known) return key;
  }
  return std::nullopt;
}

}  // namespace web
