// Rich text: what makes foreign text harmless in it, and how it is read aloud.
#include "app/internal.hpp"

namespace app {
namespace {

constexpr std::string_view kTags = "bimMqwk";

/// Characters of a tag such as "<b>" or "</b>" at the start of `text`, 0 when there is none.
std::size_t tag_size(std::string_view text) {
  const std::size_t name = text.starts_with("</") ? 2 : 1;
  const bool tag = text.size() > name + 1 && text[0] == '<' && text[name + 1] == '>' &&
                   kTags.find(text[name]) != std::string_view::npos;
  return tag ? name + 2 : 0;
}

/// Where the group that has been opened before `start` is closed.
std::size_t group_end(std::string_view rich, std::size_t start) {
  int depth = 1;
  for (std::size_t i = start; i < rich.size(); ++i) {
    if (rich[i] == '\\')
      ++i;
    else if (rich[i] == '{')
      ++depth;
    else if (rich[i] == '}' && --depth == 0)
      return i;
  }
  return rich.size();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string escape_rich(std::string_view plain) {
  std::string rich;
  for (const char c : plain) {
    if (c == '<' || c == '_' || c == '^' || c == '\\') rich += '\\';
    rich += c;
  }
  return rich;
}

std::string to_plain(std::string_view rich) {
  std::string plain;
  for (std::size_t i = 0; i < rich.size(); ++i) {
    const char c = rich[i];
    if (c == '\\' && i + 1 < rich.size()) {
      plain += rich[++i];
    } else if (const std::size_t tag = tag_size(rich.substr(i))) {
      i += tag - 1;
    } else if ((c == '_' || c == '^') && rich.substr(i + 1).starts_with('{')) {
      const std::size_t end = group_end(rich, i + 2);
      const std::string inner = to_plain(rich.substr(i + 2, end - i - 2));
      plain += c == '_' && !inner.empty() && is_digit(inner[0]) ? ' ' : c;  // "head 1", but "d_k", "W^Q"
      plain += inner;
      i = end;
    } else {
      plain += c;
    }
  }
  return plain;
}

}  // namespace app
