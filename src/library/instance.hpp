// The library's one instance: a fast layer, what JavaScript wrote for it, and the last call's problems.
//
// web/attention.mjs writes numbers into rooms that it asks for here, calls one function, and reads results where it is
// told; every check and every word of a message is on this side. A call answers 1, or an address; 0 means that
// problems() has the text, one sentence a line.
#pragma once

#include "attention/layer.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace library {

/// What JavaScript writes. slot_name() gives it the names; numbers are floats, but uint8 in may_attend and int32 in
/// key_lengths. For the readable engine all are doubles.
enum Slot {
  kX,
  kX_kv,
  kMayAttend,
  kAdditiveMask,
  kKeyLengths,
  kGates,
  kW_Q,
  kW_K,
  kW_V,
  kW_O,
  kB_Q,
  kB_K,
  kB_V,
  kB_O,
  kD_output,
  kSlots
};

/// Memory that JavaScript writes into. It only grows; running out is an answer, not an abort.
class Room {
 public:
  Room() = default;
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { clear(); }
  [[nodiscard]] bool reserve(std::size_t bytes);
  void clear();
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

struct Reference;

struct Instance {
  std::unique_ptr<attention::Layer> layer;
  Room rooms[kSlots];
  bool given[kSlots] = {};
  bool has_weights = false;     // set_weights() once took some
  attention::LayerInput input;  // how long the next run is
  attention::LayerOutput output;
  std::unique_ptr<Reference> reference;  // made when it is first asked for
  std::string problems;
  Instance();
  ~Instance();
};

/// One to a WebAssembly instance: layers share no memory, so none moves another's views.
Instance& it();
inline const attention::Config& config() { return it().layer->config(); }

/// Keeps the problems' text; 1 without any, else 0.
int answer(const std::vector<attention::Problem>& problems);

/// May `count` numbers go into a slot, now that begin() has said how long the sequences are? They came as rows of `row`
/// numbers, or with 0 as one list. Else false, with the problem.
bool fits(int slot, double count, double row);
const char* name_of(int slot);
const char* wanted_numbers_of(int slot);  // "0 (masked) or 1 (may attend)"
std::string numbers(double count);        // "3 numbers"
std::string brief(double number);         // "0.5"
/// The most floats that can lie in one piece where bytes are counted in 32 bits.
inline constexpr double kMostFloats = (4294967296.0 - 65536) / sizeof(float);
/// Tokens of d_model numbers in `count` numbers for `batch` sequences, or -1.
int tokens_in(double count, int batch);

}  // namespace library
