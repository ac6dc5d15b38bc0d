// A gallery with something in it, for tests without a screen: attention from a file, or a model that was never trained.
#pragma once

#include "app/app.hpp"
#include "ui/ui.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace gallery_test {

/// Every token looks at the one before it; the first at itself.
inline app::Held<app::Specimen> attention_of(int layers, int heads, int n) {
  heads::Attention attention;
  attention.layers = layers;
  attention.heads = heads;
  for (int i = 0; i < n; ++i) attention.tokens.push_back("w" + std::to_string(i));
  for (int map = 0; map < layers * heads; ++map) {
    heads::Pattern pattern = heads::Pattern::Zero(n, n);
    for (int i = 0; i < n; ++i) pattern(i, i > 0 ? i - 1 : 0) = 1;
    attention.patterns.push_back(std::move(pattern));
  }
  app::Specimen specimen;
  specimen.name = "attention.safetensors";
  specimen.what = std::move(attention);
  return app::Held<app::Specimen>(std::move(specimen));
}

inline app::Held<app::Specimen> untrained_model() {
  heads::Model model;
  model.plan = heads::plan_for(train::Task::language);
  model.parameters = train::start<float>(model.plan.shape, model.plan.options, 1).now.parameters;
  app::Specimen specimen;
  specimen.name = "untrained";
  specimen.what = std::move(model);
  return app::Held<app::Specimen>(std::move(specimen));
}

inline ui::Viewport viewport_of(float width, float height) {
  ui::Viewport viewport;
  viewport.width = width;
  viewport.height = height;
  return viewport;
}

inline void draw(ui::Program& program, double now = 0) {
  for (int i = 0; i < 2; ++i) {
    program.settle();
    program.frame(now);
  }
}

inline void must(ui::Program& program, const app::Action& action) {
  const auto reason = program.dispatch(action);
  CHECK_MESSAGE(!reason.has_value(), reason.value_or(""));
}

inline void open_attention(ui::Program& program, int layers, int heads, int n) {
  must(program, app::OpenPage{app::Page::gallery});
  must(program, app::OpenSpecimen{app::Source::file, attention_of(layers, heads, n)});
  must(program, app::SetSource{app::Source::file});
  draw(program);
}

inline void open_model(ui::Program& program) {
  must(program, app::OpenPage{app::Page::gallery});
  must(program, app::OpenSpecimen{app::Source::shipped, untrained_model()});
  draw(program);
}

inline void click(ui::Program& program, float x, float y) {
  program.pointer_move(x, y);
  program.pointer_down(x, y);
  program.pointer_up(x, y);
}

}  // namespace gallery_test
