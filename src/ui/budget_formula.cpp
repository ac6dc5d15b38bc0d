// The bill's formula: symbols over their present numbers, the matrices' names over both.
#include "ui/budget.hpp"

#include <algorithm>

namespace ui {
namespace {

using Term = app::BudgetView::Term;

bool is_paren(const std::string& symbol) { return symbol.find('(') != symbol.npos || symbol.find(')') != symbol.npos; }

struct Column {
  const Term* term;
  float w, gap;
};

std::vector<Column> columns_of(const Draw& d, const std::vector<Term>& terms, float size) {
  std::vector<Column> columns;
  const float scale = size / 16;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool last = i + 1 == terms.size();
    const Face face = last ? Face::mono_bold : Face::mono;
    const float symbol_w = d.rich_width(terms[i].symbol, last ? std::min(size, 14.f) : size);
    const float w = std::max(symbol_w, d.rich_width(terms[i].number, size, face));
    const bool paren = is_paren(terms[i].symbol) || (!last && terms[i + 1].symbol.find('(') != std::string::npos);
    const bool close = terms[i].symbol == "h" || terms[i].symbol == "·";
    columns.push_back({&terms[i], w, (paren ? 5.f : close ? 7.f : 11.f) * scale});
  }
  return columns;
}

/// Lines break before a sign: "+", "=", or a product's dot where nothing else helps.
std::vector<std::vector<Column>> lines_of(const std::vector<Column>& columns, float w) {
  std::vector<std::vector<Column>> lines(1);
  const auto width = [](const std::vector<Column>& line) {
    float sum = 0;
    for (const Column& column : line) sum += column.w + column.gap;
    return line.empty() ? 0 : sum - line.back().gap;
  };
  for (const Column& column : columns) {
    lines.back().push_back(column);
    if (width(lines.back()) <= w) continue;
    std::vector<Column>& line = lines.back();
    std::size_t at = line.size() - 1;
    while (at > 0 && line[at].term->symbol != "+" && line[at].term->symbol != "=") --at;
    if (at == 0) at = line.size() - 1;
    if (at == 0) continue;
    std::vector<Column> rest(line.begin() + static_cast<std::ptrdiff_t>(at), line.end());
    line.resize(at);
    lines.push_back(std::move(rest));
  }
  return lines;
}

}  // namespace

float draw_formula(Page& page, float x, float y, float w, float line_h, float number_dy, float label_dy) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& terms = page.v.budget.formula;
  if (terms.empty()) return y;
  float size = 16;
  auto columns = columns_of(d, terms, size);
  auto lines = lines_of(columns, w);
  const std::size_t most = line_h > 0 ? 5 : 1;
  while (size > 12 && lines.size() > most) {
    size -= 1;
    columns = columns_of(d, terms, size);
    lines = lines_of(columns, w);
  }
  if (line_h <= 0 && lines.size() > 1) {  // one line at most: the gaps close
    lines = {columns};
    float sum = 0;
    for (const Column& column : lines[0]) sum += column.w;
    const float gap = std::max(1.f, (w - sum) / static_cast<float>(std::max<std::size_t>(1, columns.size() - 1)));
    for (Column& column : lines[0]) column.gap = std::min(column.gap, gap);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) y += line_h;
    float at = x;
    for (const Column& column : lines[i]) {
      const Term& term = *column.term;
      if (&term == &terms.back()) {
        d.rich(at + 2, y, term.symbol, {.size = std::min(size, 14.f), .colour = c.ink2});
        d.rich(at + 2, y + number_dy, term.number, {.size = size, .face = Face::mono_bold, .colour = c.ink});
        continue;
      }
      const float middle = at + column.w / 2;
      d.rich(middle, y, term.symbol, {.size = size, .colour = c.ink2, .align = 0.5f});
      if (!term.label.empty()) d.rich(middle, y + label_dy, term.label, {.size = 12, .colour = c.ink2, .align = 0.5f});
      d.rich(middle, y + number_dy, term.number, {.size = size, .face = Face::mono, .colour = c.ink, .align = 0.5f});
      at += column.w + column.gap;
    }
  }
  return y + number_dy;
}

}  // namespace ui
