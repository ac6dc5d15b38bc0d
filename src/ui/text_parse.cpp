// The parser of rich text.
#include "ui/text_parse.hpp"

#include <optional>

namespace ui {
namespace {

constexpr int kDeepest = 8;  // sub in sup in sub …: deeper ones are text

struct Tag {
  char name;
  bool closing;
  std::size_t length;
};

/// "<b>" or "</b>" at the start of `rest`.
std::optional<Tag> tag_at(std::string_view rest) {
  if (rest.empty() || rest[0] != '<') return std::nullopt;
  const bool closing = rest.size() > 1 && rest[1] == '/';
  const std::size_t at = closing ? 2 : 1;
  if (at + 1 >= rest.size() || rest[at + 1] != '>') return std::nullopt;
  if (std::string_view("bimMqwk").find(rest[at]) == std::string_view::npos) return std::nullopt;
  return Tag{rest[at], closing, at + 2};
}

bool escaped_at(std::string_view rest) {
  return rest.size() > 1 && rest[0] == '\\' && std::string_view("<_^\\").find(rest[1]) != std::string_view::npos;
}

/// Where the group that opens with "_{" or "^{" at the start of `rest` ends (behind its brace); 0 when it doesn't.
std::size_t group_length(std::string_view rest) {
  if (rest.size() < 3 || (rest[0] != '_' && rest[0] != '^') || rest[1] != '{') return 0;
  int depth = 1;
  for (std::size_t i = 2; i < rest.size(); ++i) {
    if (escaped_at(rest.substr(i)))
      ++i;
    else if (rest[i] == '{')
      ++depth;
    else if (rest[i] == '}' && --depth == 0)
      return i + 1;
  }
  return 0;
}

struct Style {
  Span span;
  char tag = 0;
};

struct Parser {
  int chips = 0;

  void open(std::vector<Style>& styles, char tag) {
    Style next = styles.back();
    next.tag = tag;
    switch (tag) {
      case 'b':
        next.span.face = Face::bold;
        break;
      case 'i':
        next.span.face = Face::italic;
        break;
      case 'm':
        next.span.face = Face::mono;
        break;
      case 'M':
        next.span.face = Face::mono_medium;
        break;
      case 'q':
        next.span.ink = Span::Ink::ink2;
        break;
      case 'w':
        next.span.ink = Span::Ink::ink3;
        break;
      default:
        next.span.chip = ++chips;
    }
    styles.push_back(next);
  }

  static void close(std::vector<Style>& styles, char tag) {
    for (std::size_t i = styles.size(); i-- > 1;)
      if (styles[i].tag == tag) return styles.resize(i);  // and with it what was left open inside
  }

  std::vector<Piece> parse(std::string_view source, const Span& base, int depth) {
    std::vector<Piece> pieces;
    std::vector<Style> styles{{base}};
    std::string text;
    const auto flush = [&] {
      if (text.empty()) return;
      Span span = styles.back().span;
      span.text = std::move(text);
      text.clear();
      pieces.push_back({Piece::Kind::line, {std::move(span)}, false});
    };
    std::size_t i = 0;
    while (i < source.size()) {
      const std::string_view rest = source.substr(i);
      if (escaped_at(rest)) {
        text += rest[1];
        i += 2;
      } else if (const auto tag = tag_at(rest)) {
        flush();
        if (tag->closing)
          close(styles, tag->name);
        else
          open(styles, tag->name);
        i += tag->length;
      } else if (const std::size_t length = depth < kDeepest ? group_length(rest) : 0) {
        flush();
        Piece piece{rest[0] == '_' ? Piece::Kind::sub : Piece::Kind::sup, {}, false};
        for (Piece& inner : parse(rest.substr(2, length - 3), styles.back().span, depth + 1))
          for (Span& span : inner.spans) piece.spans.push_back(std::move(span));
        piece.stacked = rest[0] == '^' && rest.substr(length).starts_with('_') && group_length(rest.substr(length)) > 0;
        pieces.push_back(std::move(piece));
        i += length;
      } else {
        text += rest[0];
        ++i;
      }
    }
    flush();
    return pieces;
  }
};

}  // namespace

std::vector<Piece> parse_rich(std::string_view source, Face face) {
  return Parser{}.parse(source, {{}, face, Span::Ink::inherited, 0}, 0);
}

std::string open_tags(std::string_view source) {
  std::string open;
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    if (const auto tag = tag_at(rest)) {
      if (!tag->closing)
        open += tag->name;
      else if (const auto at = open.rfind(tag->name); at != std::string::npos)
        open.resize(at);
      i += tag->length;
    } else {
      i += escaped_at(rest) ? 2 : 1;
    }
  }
  std::string tags;
  for (const char name : open) tags += {'<', name, '>'};
  return tags;
}

}  // namespace ui
