// What follows from the gallery's state: the maps of the sentence, and every word beside them.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

std::string empty_note(const Gallery& gallery) {
  switch (gallery.source) {
    case Source::shipped: return "The model of this page is on its way.";
    case Source::file: return "No file is open yet.";
    case Source::trained: break;
  }
  if (!gallery.training.started) return "Nothing is trained yet. Press Train in the training card.";
  return "The first maps come with the first exam.";
}

std::string sentence_note(const GalleryView& view) {
  std::string note;
  if (!view.unknown.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : view.unknown)
      if (std::find(words.begin(), words.end(), "\"" + word + "\"") == words.end()) words.push_back("\"" + word + "\"");
    constexpr std::size_t kMost = 5;
    if (words.size() > kMost) {
      const std::size_t rest = words.size() - kMost;
      words.resize(kMost);
      words.push_back(count_word(static_cast<int>(rest)) + " more");
    }
    note = "This model doesn't know " + join(words, "and") + ": [MASK] stands there.";
  }
  if (view.left_out)
    note += (note.empty() ? "" : " ") + std::string("It reads ") + std::to_string(view.n) +
            " tokens at most, so the rest is left out.";
  return note;
}

/// Of the one before where it would come out the same.
Held<heads::Reading> reading_of(const GalleryView& view, const train::Sentence& sentence, const GalleryView* before) {
  const heads::Model* model = model_of(*view.specimen);
  if (before && before->reading && before->specimen.is_same_as(view.specimen) && before->asking == view.asking &&
      before->contributions == view.contributions && before->reading->sentence == sentence)
    return before->reading;
  if (model) return Held(heads::read_with(*model, sentence, view.asking, view.contributions));
  return Held(heads::Reading{
      .sentence = {}, .layers = view.layers, .heads = view.heads, .patterns = {}, .contributions = {}, .guesses = {}});
}

}  // namespace

const heads::Pattern& GalleryView::map(int map_layer, int map_head) const {
  const auto index = static_cast<std::size_t>(map_layer * heads + map_head);
  if (const auto* attention = attention_of(*specimen)) return attention->patterns[index];
  return contributions ? reading->contributions[index] : reading->patterns[index];
}

GalleryView derive_gallery(const Gallery& gallery, const GalleryView* before) {
  GalleryView view;
  view.title = "What did each head learn to look for?";
  view.subtitle =
      "Each map is one head: rows are the token that asks, columns the token it looks at. Select a map to enlarge it.";
  view.look_for = "Which head finds the subject of a verb when another noun stands nearer?";
  view.asking = gallery.asking;
  write_training(view, gallery.training);
  view.specimen = shown_specimen(gallery);
  if (!view.specimen) {
    view.empty = empty_note(gallery);
    return view;
  }
  const Specimen& specimen = *view.specimen;
  const MapCount maps = maps_of(specimen);
  view.layers = maps.layers, view.heads = maps.heads;
  view.layer = std::clamp(gallery.layer, 0, std::max(0, maps.layers - 1));
  view.head = std::clamp(gallery.head, 0, std::max(0, maps.heads - 1));
  view.measured = table_of(specimen) != nullptr;
  view.contributions = gallery.contributions && model_of(specimen);
  Asked asked = asked_of(gallery, specimen);
  view.tokens = asked.tokens;
  view.n = static_cast<int>(asked.tokens.size());
  view.unknown = asked.unknown;
  view.left_out = asked.left_out;
  if (view.n < 2 && model_of(specimen)) {
    view.empty = "This model reads one token only.";
    return view;
  }
  view.sentence_note = sentence_note(view);
  view.reading = reading_of(view, asked.sentence, before);
  write_captions(view, gallery);
  choose_cell(view, gallery, asked);
  write_card(view, gallery, asked);
  if (view.has_cell) write_finding(view, asked);
  write_strip(view);
  write_layers(view);
  return view;
}

}  // namespace app
