// What pages, sources, panels and commands are called in actions and links.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

constexpr std::array<std::string_view, kPages> kPageNames = {"walkthrough", "gallery", "budget", "practice"};
constexpr std::array<std::string_view, kPages> kPageTitles = {"Walkthrough", "Head gallery", "Parameter budget",
                                                              "Practice"};
constexpr std::array<std::string_view, 3> kSources = {"shipped", "trained", "file"};
constexpr std::array<std::string_view, kPanels> kPanelNames = {"head", "training", "layers"};
constexpr std::array<std::string_view, 2> kAskings = {"hidden", "visible"};
constexpr std::array<std::string_view, 6> kCommands = {"start", "pause", "run", "step", "rewind", "new_seed"};

template <class Value, std::size_t count>
std::optional<Value> find(const std::array<std::string_view, count>& names, std::string_view name) {
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == name) return static_cast<Value>(i);
  return std::nullopt;
}

template <class Value, std::size_t count>
std::string_view name(const std::array<std::string_view, count>& names, Value value) {
  const auto index = static_cast<std::size_t>(value);
  return index < count ? names[index] : std::string_view("?");
}

}  // namespace

std::string_view name_of(Page page) { return name(kPageNames, page); }
std::string_view title_of(Page page) { return name(kPageTitles, page); }
std::string_view name_of(Source source) { return name(kSources, source); }
std::string_view name_of(Panel panel) { return name(kPanelNames, panel); }
std::string_view name_of(heads::Asking asking) { return name(kAskings, asking); }
std::string_view name_of(TrainingCommand command) { return name(kCommands, command); }

std::string page_list() { return join({kPageNames.begin(), kPageNames.end()}, "or"); }

std::optional<Page> find_page(std::string_view text) { return find<Page>(kPageNames, text); }
std::optional<Source> find_source(std::string_view text) { return find<Source>(kSources, text); }
std::optional<Panel> find_panel(std::string_view text) { return find<Panel>(kPanelNames, text); }
std::optional<heads::Asking> find_asking(std::string_view text) { return find<heads::Asking>(kAskings, text); }
std::optional<TrainingCommand> find_command(std::string_view text) { return find<TrainingCommand>(kCommands, text); }

std::optional<train::Task> find_task(std::string_view text) {
  std::string wanted(text);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (int i = 0; i < train::kTasks; ++i)
    if (train::name(static_cast<train::Task>(i)) == wanted) return static_cast<train::Task>(i);
  return std::nullopt;
}

std::optional<std::pair<int, int>> read_pair(std::string_view text) {
  const auto parts = split(text.substr(0, 20), '.');
  if (parts.size() != 2 || text.size() > 20) return std::nullopt;
  const auto a = read_count(parts[0]), b = read_count(parts[1]);
  if (!a || !b || *a < 1 || *b < 1) return std::nullopt;
  return std::pair(*a - 1, *b - 1);
}

std::string pair_text(int a, int b) { return std::to_string(a + 1) + "." + std::to_string(b + 1); }

attention::Problem not_read(std::string_view field, std::string_view found, std::string_view wanted) {
  return {std::string(field), found.empty() ? "nothing" : "\"" + quote(found) + "\"", std::string(wanted)};
}

}  // namespace app
