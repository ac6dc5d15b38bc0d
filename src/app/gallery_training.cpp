// Training in words: how far it is, what stopped it, and which head clicked when.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

std::string name_of_subject(const Training& training, const std::string& id) {
  if (!training.checkpoints.empty()) {
    const heads::Table& table = training.checkpoints.back().specimen->table;
    if (const int subject = find_subject(table, id); subject >= 0) return at(table.subjects, subject).name;
  }
  std::string name = quote(id);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string small_head_name(int layer, int head) {
  return "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1);
}

std::string progress(const Training& training) {
  const std::string step = std::to_string(training.step);
  const std::string of = " of " + std::to_string(training.plan.options.steps);
  if (!training.problem.empty())
    return "Training stopped itself at step " + step + ". " + training.problem +
           (training.problem.ends_with('.') ? "" : ".") +
           " What is shown is the last good state. A lower learning rate may help.";
  if (training.finished) return "Finished after " + step + " steps.";
  return (training.running ? "Training, step " : "Paused at step ") + step + of + ".";
}

}  // namespace

void write_training(GalleryView& view, const Training& training) {
  for (const heads::Click& click : training.clicks)
    view.clicks.push_back(
        {click.step, small_head_name(click.layer, click.head) + ": " + name_of_subject(training, click.subject)});
  if (!training.started) {
    const train::Shape& shape = training.plan.shape;
    view.training = "Ready to train: " + count_word(shape.layers) + (shape.layers == 1 ? " layer" : " layers") +
                    " of " + count_word(shape.heads) + (shape.heads == 1 ? " head" : " heads") + ", " +
                    std::to_string(training.plan.options.steps) + " steps, seed " + std::to_string(training.plan.seed) +
                    ".";
    return;
  }
  view.training = progress(training);
  if (!training.checkpoints.empty())
    view.training += " On sentences that it has not seen, " +
                     format_whole_percent(training.checkpoints.back().accuracy.value()) +
                     " of the hidden words are right.";
  if (!view.clicks.empty())
    view.training += " Step " + std::to_string(view.clicks.back().step) + ": " + view.clicks.back().text + ".";
}

}  // namespace app
