// The parser of rich text: what is markup, what is text, and that nothing breaks it.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "app/app.hpp"
#include "ui/text_parse.hpp"

using ui::Face;
using ui::Piece;
using ui::Span;
using namespace std::literals;

namespace {

std::vector<Piece> parse(std::string_view source) {
  return ui::parse_rich(source, Face::sans);
}

/// All text of a line, markup gone.
std::string text_of(std::string_view source) {
  std::string out;
  for (const Piece& piece : parse(source))
    for (const Span& span : piece.spans) out += span.text;
  return out;
}

}  // namespace

TEST_CASE("tags set face and ink, and end with their closing tag") {
  const auto pieces = parse("a <b>b <q>c</q></b><m>d</m><M>e</M><i>f</i><w>g</w>");
  const std::vector<Span> expected{{"a ", Face::sans, Span::Ink::inherited, 0},
                                   {"b ", Face::bold, Span::Ink::inherited, 0},
                                   {"c", Face::bold, Span::Ink::ink2, 0},
                                   {"d", Face::mono, Span::Ink::inherited, 0},
                                   {"e", Face::mono_medium, Span::Ink::inherited, 0},
                                   {"f", Face::italic, Span::Ink::inherited, 0},
                                   {"g", Face::sans, Span::Ink::ink3, 0}};
  REQUIRE(pieces.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(pieces[i].kind == Piece::Kind::line);
    CHECK(pieces[i].spans == std::vector<Span>{expected[i]});
  }
}

TEST_CASE("each chip is its own, and reaches into the scripts inside it") {
  const auto pieces = parse("e^{<k>2</k>} + <k>W_{1}</k>");
  REQUIRE(pieces.size() == 5);
  CHECK(pieces[1].spans[0].chip == 1);
  CHECK(pieces[2].spans[0].chip == 0);
  CHECK(pieces[3].spans[0].chip == 2);
  CHECK(pieces[4].spans[0].chip == 2);
}

TEST_CASE("a superscript with its subscript right behind is stacked") {
  const auto pieces = parse("<b>W</b>^{Q}_{i} x^{2} _{3}");
  REQUIRE(pieces.size() == 7);
  CHECK(pieces[1].kind == Piece::Kind::sup);
  CHECK(pieces[1].stacked);
  CHECK(pieces[2].kind == Piece::Kind::sub);
  CHECK_FALSE(pieces[2].stacked);
  CHECK_FALSE(pieces[4].stacked);
  CHECK(pieces[1].spans[0].face == Face::sans);
}

TEST_CASE("a backslash makes text of the sign behind it, and only of < _ ^ and itself") {
  CHECK(text_of("\\<b>x\\_{1} \\^{2} \\\\ \\n \\") == "<b>x_{1} ^{2} \\ \\n \\");
  CHECK(parse("\\<b>").size() == 1);
  CHECK(text_of("a_{b\\\\}c") == "ab\\c");  // the backslash is escaped, the brace isn't
}

TEST_CASE("what isn't ours is text") {
  for (const char* source :
       {"<z>x</z>", "<>", "<b", "</", "<", "< b>", "<bb>", "_", "^", "_x", "{}", "_{", "^{a{b}", "&lt;", "<B>"})
    CHECK(text_of(source) == source);
  CHECK(text_of("_{}") == "");
  CHECK(text_of("</b>x") == "x");  // closes nothing
  CHECK(text_of("<b>x") == "x");   // closed by the end
  CHECK(text_of("<b>x<q>y</b>z") == "xyz");
  CHECK(parse("<b>x<q>y</b>z").back().spans[0] == Span{"z", Face::sans, Span::Ink::inherited, 0});
}

TEST_CASE("escaped text comes back as it was") {
  for (const std::string plain : {"<b>bold</b>", "a_{1}^{2}", "\\", "\\\\<", "_", "x < y", "<k>", "\\_", ""})
    CHECK(text_of(app::escape_rich(plain)) == plain);
}

TEST_CASE("deep nesting ends as text, quickly") {
  std::string deep;
  for (int i = 0; i < 20000; ++i) deep += "_{";
  CHECK(text_of(deep) == deep);
  std::string closed = "x";
  for (int i = 0; i < 50; ++i) closed = "^{" + closed + "}";
  CHECK(text_of(closed).find('x') != std::string::npos);
}

TEST_CASE("no bytes break the parser") {
  std::mt19937 random(1);
  const std::string_view alphabet = "<>/bimMqwk_^{}\\ \xC3\xA9\xFF\0z"sv;
  for (int round = 0; round < 20000; ++round) {
    std::string source;
    for (auto n = random() % 24; n > 0; --n) source += alphabet[random() % alphabet.size()];
    CHECK(text_of(source).size() <= source.size());
    ui::open_tags(source);
  }
}

TEST_CASE("the open tags of a broken line are known") {
  CHECK(ui::open_tags("<b>x<q>y") == "<b><q>");
  CHECK(ui::open_tags("<b>x<q>y</b>") == "");
  CHECK(ui::open_tags("\\<b>x</q>") == "");
  CHECK(ui::open_tags("") == "");
}
