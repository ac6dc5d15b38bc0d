// What one forward pass costs in operations and memory, part by part, with the present numbers.
#include "app/budget_internal.hpp"

#include <cmath>

namespace app {
namespace {

using budget::Sizes;
using Piece = budget::Work::Part;

std::string name_of_part(Piece part) {
  switch (part) {
    case Piece::project: return "Project Q, K, V";
    case Piece::scores: return "Scores";
    case Piece::softmax: return "Softmax";
    case Piece::weigh: return "Weigh values";
    case Piece::output: return "Output W^O";
    case Piece::feed_forward: return "Feed-forward";
  }
  return "";
}

Amount amount_of(Piece part) {
  switch (part) {
    case Piece::scores: return Amount::scores;
    case Piece::softmax: return Amount::softmax;
    case Piece::weigh: return Amount::weigh;
    case Piece::output: return Amount::output;
    default: return Amount::project;
  }
}

std::string work_formula(const Sizes& it, Piece part) {
  const std::string batch = it.batch == 1 ? "" : figure(it.batch) + " · ";
  const std::string n = figure(it.n), d_model = figure(it.d_model), h = figure(it.h);
  const std::string tokens = batch + n + " · ", pairs = batch + h + " · " + n + "^{2}";
  switch (part) {
    case Piece::project:
      return "2 · " + tokens + d_model + " · (" + figure(it.h * it.d_k) + " + " + figure(it.h_kv * it.d_k) + " + " +
             figure(it.h_kv * it.d_v) + ")";
    case Piece::scores: return "2 · " + pairs + " · " + figure(it.d_k);
    case Piece::softmax: return figure(static_cast<budget::Whole>(budget::kSoftmaxOperations)) + " · " + pairs;
    case Piece::weigh: return "2 · " + pairs + " · " + figure(it.d_v);
    case Piece::output: return "2 · " + tokens + figure(it.h * it.d_v) + " · " + d_model;
    case Piece::feed_forward:
      return "2 · " + tokens + (it.gated ? "3" : "2") + " · " + d_model + " · " + figure(it.d_ff);
  }
  return "";
}

std::string first_above(double place) { return place < 1e15 ? rounded(std::floor(place) + 1) : in_short(place); }

}  // namespace

void write_compute(BudgetView& view, const Budget& budget) {
  const Sizes& sizes = budget.sizes;
  const budget::Compute it = budget::compute(sizes);
  const auto bytes = [&](double numbers) { return numbers * static_cast<double>(sizes.bytes); };
  for (const budget::Work& work : it.parts)
    view.work.push_back({.amount = amount_of(work.part),
                         .has_amount = work.part != Piece::feed_forward,
                         .name = name_of_part(work.part),
                         .formula = work_formula(sizes, work.part),
                         .operations = work.operations,
                         .numbers = work.numbers,
                         .bytes = bytes(work.numbers),
                         .square = work.square});
  view.linear_share = it.linear / it.attention;
  const double n = static_cast<double>(sizes.n);
  view.overtakes = "From <b>" + first_above(it.overtakes_at) + (it.overtakes_at < 1 ? "</b> token" : "</b> tokens") +
                   " on, scores, softmax and weighing cost more than the projections: they grow with n^{2}. "
                   "With the feed-forward layer beside them, from <b>" +
                   first_above(it.overtakes_layer_at) + "</b> on. At " + figure(sizes.n) + " they are " +
                   format_percent(it.square / it.attention) + " of attention" +
                   (n > it.overtakes_at ? ", the larger part." : ".");

  const std::string batch = sizes.batch == 1 ? "" : figure(sizes.batch) + " · ";
  const budget::Parameters& count = view.parameters;
  view.weights_line = "Attention weights: " + batch + figure(sizes.h) + " · " + figure(sizes.n) + "^{2} = <b>" +
                      rounded(it.weights) + "</b>, " + in_bytes(bytes(it.weights)) + " in one layer";
  view.weights_line += count.attentions == 1 ? "."
                                             : "; " + in_bytes(bytes(it.all_weights)) + " in all " +
                                                   figure(count.attentions) + " attentions.";
  const budget::Whole writers = sizes.cross_layers > 0 ? sizes.cross_layers : sizes.layers;
  view.cache_line = "Key/value cache: " + figure(writers) + " · " + figure(sizes.h_kv) + " · (" + figure(sizes.d_k) +
                    " + " + figure(sizes.d_v) + ") = <b>" + rounded(it.cache_a_token) + "</b> numbers a token, " +
                    in_bytes(bytes(it.cache_a_token)) + "; " + in_bytes(bytes(it.cache)) + " for " + batch +
                    figure(sizes.n) + (sizes.batch == 1 && sizes.n == 1 ? " token." : " tokens.");
  if (sizes.cross_layers > 0) view.cache_line += " Decoder layers only: the encoder needs none.";
}

}  // namespace app
