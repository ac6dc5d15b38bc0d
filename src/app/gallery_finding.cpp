// The sentence about the shown weight: what the token finds, what it misses, or what it looks at.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

struct Speaker {
  const GalleryView& view;
  const heads::Pattern& map;
  int query, largest;

  /// Bold; with its place where the sentence has the same word twice.
  std::string name(int token) const {
    const std::string& text = at(view.tokens, token);
    const bool twice = std::count(view.tokens.begin(), view.tokens.end(), text) > 1;
    return "<b>" + escape_rich(text) + "</b>" + (twice ? " (token " + std::to_string(token + 1) + ")" : "");
  }
  std::string object(int token) const { return token == query ? "itself" : name(token); }
  std::string number(int key) const { return format_number(static_cast<double>(map(query, key)), 2); }

  std::string found(const RoleCase& it) const {
    if (it.nearer)
      return name(query) + " looks past the nearer noun, " + name(*it.nearer) + ", and finds " + name(it.target) + ".";
    return name(query) + " finds " + object(it.target) + ": its largest weight, " + number(it.target) + ", is there.";
  }
  std::string missed(const RoleCase& it) const {
    const std::string where = largest == it.nearer ? "the nearer noun, " + name(largest) : object(largest);
    return name(query) + " does not find " + object(it.target) + " yet: its largest weight, " + number(largest) +
           ", is on " + where + ".";
  }
  std::string weight(int key) const {
    if (key == largest) return name(query) + " gives its largest weight, " + number(key) + ", to " + object(key) + ".";
    return name(query) + " gives " + number(key) + " of its attention to " + object(key) + "; its largest weight, " +
           number(largest) + ", goes to " + object(largest) + ".";
  }
  std::string contribution(int key) const {
    const auto subject = [&](int token) { return token == query ? "The token itself" : name(token); };
    if (key == largest) return subject(key) + " adds most to " + name(query) + " in this head: " + number(key) + ".";
    return subject(key) + " adds " + number(key) + " to " + name(query) + " in this head; " +
           (largest == query ? "the token itself" : name(largest)) + " adds most, " + number(largest) + ".";
  }
};

}  // namespace

void write_finding(GalleryView& view, const Asked& asked) {
  const int query = view.shown.query, key = view.shown.key;
  const Speaker speaker{view, view.map(view.layer, view.head), query, largest_key(view, query)};
  if (view.contributions) {
    view.finding = speaker.contribution(key);
    return;
  }
  const auto tested = case_at(view, asked, query);
  if (!tested || (key != speaker.largest && key != tested->target))
    view.finding = speaker.weight(key);
  else
    view.finding = speaker.largest == tested->target ? speaker.found(*tested) : speaker.missed(*tested);
}

}  // namespace app
