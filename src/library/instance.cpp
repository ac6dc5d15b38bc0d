// Slots, rooms, and the words for what doesn't fit.
#include "library/instance.hpp"

#include "library/reference.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace library {
namespace {

using attention::Config;
using attention::Problem;

constexpr const char* kNames[kSlots] = {"X",     "X_kv", "may_attend", "additive_mask", "key_lengths",
                                        "gates", "W_Q",  "W_K",        "W_V",           "W_O",
                                        "b_Q",   "b_K",  "b_V",        "b_O",           "d_output"};

/// How many numbers belong into a slot, after begin() has said how long the sequences are.
double wanted_in(int slot) {
  const Config& c = config();
  const attention::LayerInput& in = it().input;
  const double qk = double(c.h) * c.d_k, v = double(c.h) * c.d_v, pairs = double(in.n_q) * in.n_k;
  switch (slot) {
    case kX: return double(in.batch) * in.n_q * c.d_model;
    case kX_kv: return double(in.batch) * in.n_k * c.d_model;
    case kMayAttend:
    case kAdditiveMask: return in.mask_per_sequence ? in.batch * pairs : pairs;
    case kKeyLengths: return in.batch;
    case kGates: return c.h;
    case kW_Q:
    case kW_K: return c.d_model * qk;
    case kW_V: return c.d_model * v;
    case kW_O: return v * c.d_model;
    case kB_Q:
    case kB_K: return qk;
    case kB_V: return v;
    case kB_O: return c.d_model;
    default: return double(in.batch) * in.n_q * c.d_model;
  }
}

/// How long the rows of a slot's matrix are; 0 for a list, such as a bias, which may come in any arrangement.
double row_of(int slot) {
  const Config& c = config();
  switch (slot) {
    case kMayAttend:
    case kAdditiveMask: return it().input.n_k;
    case kW_Q:
    case kW_K: return double(c.h) * c.d_k;
    case kW_V: return double(c.h) * c.d_v;
    case kX:
    case kX_kv:
    case kW_O:
    case kD_output: return c.d_model;
    default: return 0;
  }
}

const char* shape_of_slot(int slot) {
  switch (slot) {
    case kX: return "batch x n_q x d_model";
    case kX_kv: return "batch x n_k x d_model";
    case kMayAttend:
    case kAdditiveMask: return it().input.mask_per_sequence ? "batch x n_q x n_k" : "n_q x n_k";
    case kKeyLengths: return "batch";
    case kGates: return "h";
    case kW_Q:
    case kW_K: return "d_model x h*d_k";
    case kW_V: return "d_model x h*d_v";
    case kW_O: return "h*d_v x d_model";
    case kB_Q:
    case kB_K: return "h*d_k";
    case kB_V: return "h*d_v";
    case kB_O: return "d_model";
    default: return "batch x n_q x d_model";
  }
}

}  // namespace

Instance::Instance() = default;
Instance::~Instance() = default;

Instance& it() {
  static Instance instance;
  return instance;
}

bool Room::reserve(std::size_t bytes) {
  if (data_ != nullptr && bytes <= bytes_) return true;
  void* grown = std::malloc(bytes + 16);  // so that no numbers have an address, too
  if (grown == nullptr) return false;
  std::free(data_);
  data_ = grown;
  bytes_ = bytes;
  return true;
}

void Room::clear() {
  std::free(data_);
  data_ = nullptr;
  bytes_ = 0;
}

int answer(const std::vector<Problem>& problems) {
  it().problems.clear();
  for (const Problem& problem : problems) {
    if (!it().problems.empty()) it().problems += '\n';
    it().problems += to_sentence(problem);
  }
  return problems.empty() ? 1 : 0;
}

bool fits(int slot, double count, double row) {
  const double wanted = wanted_in(slot), wanted_row = row_of(slot);
  const bool rows_are_right = row == 0 || wanted_row == 0 || row == wanted_row;
  if (count == wanted && rows_are_right && wanted <= kMostFloats) return true;
  if (count == wanted && !rows_are_right) {
    answer({{kNames[slot], "rows of " + numbers(row),
             "rows of " + numbers(wanted_row) + " (" + shape_of_slot(slot) + ")"}});
  } else if (count == wanted) {
    answer({{"memory", "no room", numbers(wanted) + " for " + kNames[slot]}});
  } else {
    answer({{kNames[slot], numbers(count), numbers(wanted) + " (" + shape_of_slot(slot) + ")"}});
  }
  return false;
}

const char* wanted_numbers_of(int slot) {
  return slot == kMayAttend    ? "0 (masked) or 1 (may attend)"
         : slot == kKeyLengths ? "a whole number, 0 to n_k"
                               : "a number";
}

const char* name_of(int slot) { return slot >= 0 && slot < kSlots ? kNames[slot] : ""; }

std::string brief(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string numbers(double count) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", count);
  return std::string(text) + (count == 1 ? " number" : " numbers");
}

/// Tokens of d_model numbers in `count` numbers for `batch` sequences, or -1.
int tokens_in(double count, int batch) {
  const double tokens = batch == 0 ? 0 : count / batch / config().d_model;
  return tokens == std::floor(tokens) && tokens <= std::numeric_limits<int>::max() ? int(tokens) : -1;
}

}  // namespace library
