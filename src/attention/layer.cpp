// The fast layer: what is packed, in which order it runs, and how each matrix lies.
//
//   X          panels  [panel][d_model][8 tokens]              pack_tokens
//   Q          panels  [panel][h d_k][8 queries]               W_Q strips x X panels, by rows
//   K          blocks  [block of 24 keys][h d_k][24]           W_K strips x X panels, by rows
//   V          strips  [head][strip][n_k][strip height]        W_V strips x X panels, by columns
//   scores     one panel at a time, [n_k][8 queries]           K strips x Q panel, by rows; softmax in place
//   heads      panels  [panel][h d_v][8 queries]               V strips x scores, by rows, times gate / sum
//   output     (n_q, d_model)                                  W_O strips x heads panels, by columns
//
// 24 keys lie together so that panels of 8 can be written and strips of 6 read. Q and heads exist for one block of
// queries only. W_Q carries the scale and 1 / ln 2, so that softmax's exponentials are powers of two.
#include "attention/layer.hpp"

#include "attention/buffer.hpp"
#include "attention/kernels.hpp"
#include "attention/panels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

constexpr Size kKeyBlock = 24;  // a multiple of kPanel; strips of keys don't cross it
constexpr int kGroup = 4;       // panels of queries whose scores exist at once, in short sequences
// 16 KB of scores: beyond that, one panel at a time stays in the first-level cache.
constexpr Size kGroupFloats = 1 << 12;
constexpr double kLog2E = 1.4426950408889634;  // 1 / ln 2
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A bias from `row` on, or none.
const float* from(const float* bias, Size row) { return bias == nullptr ? nullptr : bias + row; }

Size key_room(Size n_k) { return (n_k + kKeyBlock - 1) / kKeyBlock * kKeyBlock; }

/// One panel of queries on its way through one head.
struct Panel {
  Size first, count;                  // its queries, counted in the sequence
  Size token;                         // the same, counted in the block
  int width;                          // 8, or 4
  Size keys;                          // that any of its queries may reach
  float* scores;                      // [keys][width]
  alignas(16) float factors[kPanel];  // gate / sum of each query's exponentials
};

}  // namespace

struct Layer::State {
  explicit State(const Config& its_config)
      : config(its_config), qk_strips(qk_rows()), head_strips(config.d_v), output_strips(config.d_model) {}

  Config config;
  Strips qk_strips, head_strips, output_strips;
  bool has_weights = false;
  bool has_bias[4] = {};              // Q, K, V, O
  Buffer W_Q, W_K, W_V, W_O, biases;  // packed; biases: b_Q, b_K, b_V, b_O one after another
  Buffer X, Q, K, V, scores, heads, row_scores, output, weights;  // work space and results
  std::vector<std::uint8_t> allowed;  // n_k, for the rows that softmax_columns leaves to softmax_row

  // The sequence that is being run.
  LayerInput now;
  const std::uint8_t* may_attend = nullptr;
  const float* additive_mask = nullptr;
  Size n_q = 0, n_k = 0, key_length = 0;
  const float* packed_from = nullptr;  // what X holds now
  Size packed_first = 0, packed_count = 0;

  Size qk_rows() const { return Size(config.h) * config.d_k; }
  Size v_rows() const { return Size(config.h) * config.d_v; }
  Size block() const { return std::max<Size>(kPanel, kFarFloats / config.d_model / kPanel * kPanel); }
  const float* bias(int which) const {
    const Size first[4] = {0, qk_rows(), 2 * qk_rows(), 2 * qk_rows() + v_rows()};
    return has_bias[which] ? biases.data() + first[which] : nullptr;
  }

  bool reserve(const LayerInput& input);
  void run_sequence(const float* X_from, const float* X_kv_from, float* out, float* weights_out);
  void pack(const float* tokens, Size first, Size count);
  void project_keys(Size first, Size count);
  void project_queries(Size count);
  void attend(int head, Size first, Size count, float* weights_out);
  void project_out(Size count, float* out);

  Size keys_seen_by(Size first_query, Size queries) const;
  bool is_allowed(Size query, Size key) const;
  int next_panels(Size first, Size count, Size token, Panel* panels);
  void score(int head, const Panel* panels, int panel_count);
  void weigh(int head, const Panel* panels, int panel_count);
  void mask(const Panel& panel);
  void softmax(Panel& panel);
  void softmax_by_row(Panel& panel);
  void keep_weights(const Panel& panel, float* out) const;
};

Layer::Layer(const Config& config) : state_(std::make_unique<State>(config)) {}
Layer::~Layer() = default;
const Config& Layer::config() const { return state_->config; }

std::size_t Layer::memory_bytes() const {
  std::size_t bytes = state_->allowed.capacity();
  for (const Buffer* buffer :
       {&state_->W_Q, &state_->W_K, &state_->W_V, &state_->W_O, &state_->biases, &state_->X, &state_->Q, &state_->K,
        &state_->V, &state_->scores, &state_->heads, &state_->row_scores, &state_->output, &state_->weights}) {
    bytes += buffer->bytes();
  }
  return bytes;
}

// ---------------------------------------------------------------- weights

std::vector<Problem> Layer::set_weights(const LayerWeights& weights) {
  State& state = *state_;
  const Config& c = state.config;
  std::vector<Problem> problems;
  const auto want = [&](const char* field, const float* matrix) {
    if (matrix == nullptr) problems.push_back({field, "nothing", "a matrix"});
  };
  want("W_Q", weights.W_Q);
  want("W_K", weights.W_K);
  want("W_V", weights.W_V);
  want("W_O", weights.W_O);
  if (!problems.empty()) return problems;

  const Size qk = state.qk_rows(), v = state.v_rows(), d_model = c.d_model;
  Buffer W_Q, W_K, W_V, W_O, biases;
  const auto count = [](Size rows, Size cols) { return static_cast<std::size_t>(rows * cols); };
  if (!W_Q.reserve(count(d_model, qk)) || !W_K.reserve(count(d_model, qk)) || !W_V.reserve(count(d_model, v)) ||
      !W_O.reserve(count(v, d_model)) || !biases.reserve(count(2 * qk + v + d_model, 1))) {
    return {{"memory", "no room",
             std::to_string(count(2 * d_model, qk + v) * sizeof(float)) + " bytes for the packed weights"}};
  }
  const float factor = static_cast<float>(kLog2E * (c.scale ? *c.scale : 1 / std::sqrt(double(c.d_k))));
  pack_weights(weights.W_Q, d_model, qk, qk, factor, W_Q.data());
  pack_weights(weights.W_K, d_model, qk, qk, 1, W_K.data());
  for (int head = 0; head < c.h; ++head) {  // strips of V stay inside a head
    pack_weights(weights.W_V + head * c.d_v, d_model, c.d_v, v, 1, W_V.data() + d_model * head * c.d_v);
  }
  pack_weights(weights.W_O, v, d_model, d_model, 1, W_O.data());
  float* to = biases.data();
  const auto keep = [&](int which, const float* bias, Size size, float times) {
    state.has_bias[which] = bias != nullptr;
    for (Size i = 0; i < size; ++i) *to++ = bias == nullptr ? 0 : bias[i] * times;
  };
  keep(0, weights.b_Q, qk, factor);
  keep(1, weights.b_K, qk, 1);
  keep(2, weights.b_V, v, 1);
  keep(3, weights.b_O, d_model, 1);
  state.W_Q.swap(W_Q);
  state.W_K.swap(W_K);
  state.W_V.swap(W_V);
  state.W_O.swap(W_O);
  state.biases.swap(biases);
  state.has_weights = true;
  return {};
}

// ---------------------------------------------------------------- one run

namespace {

std::vector<Problem> problems_of(const LayerInput& input, bool has_weights) {
  std::vector<Problem> problems;
  const auto want = [&](bool good, const char* field, std::string found, std::string wanted) {
    if (!good) problems.push_back({field, std::move(found), std::move(wanted)});
  };
  if (has_weights && input.batch >= 0 && input.n_q >= 0 && input.n_k >= 0 && (input.X != nullptr) &&
      (input.X_kv != nullptr || input.n_k == input.n_q) && input.first_query >= 0 && input.key_lengths == nullptr) {
    return problems;  // the usual call, without building a word
  }
  want(has_weights, "weights", "none", "set_weights before the first run");
  want(input.batch >= 0, "batch", std::to_string(input.batch), "0 or more");
  want(input.n_q >= 0, "n_q", std::to_string(input.n_q), "0 or more");
  want(input.n_k >= 0, "n_k", std::to_string(input.n_k), "0 or more");
  want(input.X != nullptr || input.n_q <= 0 || input.batch <= 0, "X", "nothing", "batch x n_q x d_model numbers");
  want(input.X_kv != nullptr || input.n_k == input.n_q, "n_k", std::to_string(input.n_k),
       std::to_string(input.n_q) + " (n_q: without X_kv the keys come from X)");
  want(input.first_query >= 0, "first_query", std::to_string(input.first_query), "0 or more");
  for (int i = 0; input.key_lengths != nullptr && i < input.batch; ++i) {
    const int length = input.key_lengths[i];
    want(length >= 0 && length <= input.n_k, "key_lengths",
         std::to_string(length) + " for sequence " + std::to_string(i + 1),
         "0 to " + std::to_string(input.n_k) + " (n_k)");
  }
  return problems;
}

}  // namespace

std::vector<Problem> Layer::run(const LayerInput& input, LayerOutput& output) {
  State& state = *state_;
  std::vector<Problem> problems = problems_of(input, state.has_weights);
  if (!problems.empty()) return problems;
  if (!state.reserve(input)) {
    return {{"memory", "no room",
             "space for " + std::to_string(input.batch) + " x " + std::to_string(input.n_q) + " queries and " +
                 std::to_string(input.n_k) + " keys" + (input.weights ? " with their attention weights" : "")}};
  }
  const Config& c = state.config;
  state.now = input;
  state.n_q = input.n_q;
  state.n_k = input.n_k;
  const Size pairs = state.n_q * state.n_k;
  for (int i = 0; i < input.batch; ++i) {
    const Size mask_at = input.mask_per_sequence ? i * pairs : 0;
    state.may_attend = input.may_attend == nullptr ? nullptr : input.may_attend + mask_at;
    state.additive_mask = input.additive_mask == nullptr ? nullptr : input.additive_mask + mask_at;
    state.key_length = input.key_lengths == nullptr ? state.n_k : input.key_lengths[i];
    const float* X = input.X + i * state.n_q * c.d_model;
    const float* X_kv = input.X_kv == nullptr ? X : input.X_kv + i * state.n_k * c.d_model;
    state.run_sequence(X, X_kv, state.output.data() + i * state.n_q * c.d_model,
                       input.weights ? state.weights.data() + i * c.h * pairs : nullptr);
  }
  output.output = state.output.data();
  output.weights = input.weights ? state.weights.data() : nullptr;
  return {};
}

bool Layer::State::reserve(const LayerInput& input) {
  const Size longest = std::max(input.n_q, input.n_k), in_block = std::min(block(), panel_room(longest));
  // In 64 bits, also where a size has 32: what doesn't fit must be refused, not wrap.
  const auto count = [](Size a, Size b = 1, Size c = 1, Size d = 1) {
    return std::uint64_t(a) * std::uint64_t(b) * std::uint64_t(c) * std::uint64_t(d);
  };
  if (allowed.size() < static_cast<std::size_t>(input.n_k)) allowed.resize(static_cast<std::size_t>(input.n_k));
  return X.reserve(count(in_block, config.d_model)) && Q.reserve(count(in_block, qk_rows())) &&
         heads.reserve(count(in_block, v_rows())) && K.reserve(count(key_room(input.n_k), qk_rows())) &&
         V.reserve(count(panel_room(input.n_k), v_rows())) &&
         scores.reserve(std::max(count(Size(input.n_k) + 1, kPanel), std::uint64_t(kGroupFloats))) &&
         row_scores.reserve(count(Size(input.n_k) + 1)) &&
         output.reserve(count(input.batch, input.n_q, config.d_model) + kLanes) &&
         (!input.weights || weights.reserve(count(input.batch, config.h, input.n_q, input.n_k) + kLanes));
}

void Layer::State::run_sequence(const float* X_from, const float* X_kv_from, float* out, float* weights_out) {
  packed_from = nullptr;
  for (Size first = 0; first < n_k; first += block()) {
    const Size count = std::min(block(), n_k - first);
    pack(X_kv_from, first, count);
    project_keys(first, count);
  }
  for (Size first = 0; first < n_q; first += block()) {
    const Size count = std::min(block(), n_q - first);
    pack(X_from, first, count);
    project_queries(count);
    for (int head = 0; head < config.h; ++head) {
      attend(head, first, count, weights_out == nullptr ? nullptr : weights_out + (head * n_q + first) * n_k);
    }
    project_out(count, out + first * config.d_model);
  }
}

/// Nothing to do when the keys were just packed from the same tokens: a short self-attention.
void Layer::State::pack(const float* tokens, Size first, Size count) {
  if (packed_from == tokens && packed_first == first && packed_count == count) return;
  pack_tokens(tokens + first * config.d_model, count, config.d_model, X.data());
  packed_from = tokens;
  packed_first = first;
  packed_count = count;
}

void Layer::State::project_keys(Size first, Size count) {
  const Size d_model = config.d_model, qk = qk_rows(), room = panel_room(n_k);
  const float* b_K = bias(1);
  for_tiles(qk_strips, d_model, count, [&](Size row, int rows, Size token, int width) {
    const Size key = first + token;
    float* out = K.data() + key / kKeyBlock * kKeyBlock * qk + row * kKeyBlock + key % kKeyBlock;
    with_shape(rows, width, [&](auto r, auto p) {
      product_by_rows<r, p>(W_K.data() + row * d_model, rows, X.data() + token * d_model, d_model, from(b_K, row), out,
                            kKeyBlock);
    });
  });
  const float* b_V = bias(2);
  for (int head = 0; head < config.h; ++head) {
    const Size head_row = Size(head) * config.d_v;
    for_tiles(head_strips, d_model, count, [&](Size row, int rows, Size token, int width) {
      float* out = V.data() + (head_row + row) * room + (first + token) * rows;
      with_shape(rows, width, [&](auto r, auto p) {
        product_by_columns<r, p>(W_V.data() + (head_row + row) * d_model, rows, X.data() + token * d_model, d_model,
                                 from(b_V, head_row + row), out, rows, width);
      });
    });
  }
}

void Layer::State::project_queries(Size count) {
  const Size d_model = config.d_model, qk = qk_rows();
  const float* b_Q = bias(0);
  for_tiles(qk_strips, d_model, count, [&](Size row, int rows, Size token, int width) {
    with_shape(rows, width, [&](auto r, auto p) {
      product_by_rows<r, p>(W_Q.data() + row * d_model, rows, X.data() + token * d_model, d_model, from(b_Q, row),
                            Q.data() + token * qk + row * width, width);
    });
  });
}

/// One head, the queries first … first + count - 1, whose Q panels are there.
void Layer::State::attend(int head, Size first, Size count, float* weights_out) {
  const float gate = now.gates == nullptr ? 1 : now.gates[head];
  Panel panels[kGroup];
  for (Size token = 0; token < count;) {
    const int panel_count = next_panels(first, count, token, panels);
    score(head, panels, panel_count);
    for (int i = 0; i < panel_count; ++i) {
      Panel& panel = panels[i];
      mask(panel);
      softmax(panel);
      if (weights_out != nullptr) keep_weights(panel, weights_out + panel.token * n_k);
      for (int query = 0; query < panel.width; ++query) panel.factors[query] *= gate;
      token += panel.width;
    }
    weigh(head, panels, panel_count);
  }
}

/// The panels that go through a head together, from `token` of the block on: short ones in groups, so that the machine
/// has another's work to do while one waits for its sum.
int Layer::State::next_panels(Size first, Size count, Size token, Panel* panels) {
  int made = 0;
  float* place = scores.data();
  for (; made < kGroup && token < count; ++made, token += kPanel) {
    Panel& panel = panels[made];
    panel.width = panel_width(count - token);
    panel.count = std::min<Size>(panel.width, count - token);
    panel.token = token;
    panel.first = first + token;
    panel.keys = keys_seen_by(panel.first, panel.count);
    panel.scores = place;
    place += panel.keys * panel.width;
    if (made > 0 && place > scores.data() + kGroupFloats) break;
  }
  return made;
}

/// Each strip of V by each panel's scores.
void Layer::State::weigh(int head, const Panel* panels, int panel_count) {
  const Size v = v_rows(), room = panel_room(n_k);
  for (Size strip = 0, row = Size(head) * config.d_v; strip < head_strips.count; ++strip) {
    const int rows = head_strips.height_of(strip);
    for (int i = 0; i < panel_count; ++i) {
      const Panel& panel = panels[i];
      with_shape(rows, panel.width, [&](auto r, auto p) {
        scaled_product_by_rows<r, p>(V.data() + row * room, rows, panel.scores, panel.keys, panel.factors,
                                     heads.data() + panel.token * v + row * panel.width, panel.width);
      });
    }
    row += rows;
  }
}

void Layer::State::project_out(Size count, float* out) {
  const Size v = v_rows(), d_model = config.d_model;
  const float* b_O = bias(3);
  for_tiles(output_strips, v, count, [&](Size row, int rows, Size token, int width) {
    with_shape(rows, width, [&](auto r, auto p) {
      product_by_columns<r, p>(W_O.data() + row * v, rows, heads.data() + token * v, v, from(b_O, row),
                               out + token * d_model + row, d_model,
                               static_cast<int>(std::min<Size>(kPanel, count - token)));
    });
  });
}

// ---------------------------------------------------------------- scores of one panel of queries

/// How many keys any of these queries may reach: causal and padding masks save the work behind them.
Size Layer::State::keys_seen_by(Size first_query, Size queries) const {
  if (!now.causal || now.first_query >= key_length) return key_length;
  return std::min(now.first_query + first_query + queries, key_length);
}

bool Layer::State::is_allowed(Size query, Size key) const {
  if (now.causal && key - query > now.first_query) return false;
  if (may_attend != nullptr && may_attend[query * n_k + key] == 0) return false;
  return additive_mask == nullptr || additive_mask[query * n_k + key] != -kInfinity;
}

/// Each strip of K by each panel's queries.
void Layer::State::score(int head, const Panel* panels, int panel_count) {
  const Size qk = qk_rows(), d_k = config.d_k;
  Size most_keys = 0;
  for (int i = 0; i < panel_count; ++i) most_keys = std::max(most_keys, panels[i].keys);
  const Strips whole_block(kKeyBlock);
  for (Size block_first = 0; block_first < most_keys; block_first += kKeyBlock) {
    const Size left = most_keys - block_first;
    const Strips strips = left >= kKeyBlock ? whole_block : Strips(left);
    const float* K_strip = K.data() + block_first * qk + head * d_k * kKeyBlock;
    for (Size strip = 0, key = block_first; strip < strips.count; ++strip) {
      const int rows = strips.height_of(strip);
      for (int i = 0; i < panel_count; ++i) {
        const Panel& panel = panels[i];
        const int rows_here = static_cast<int>(std::min<Size>(rows, panel.keys - key));
        if (rows_here <= 0) continue;  // a causal mask hides these keys from this panel
        with_shape(rows_here, panel.width, [&](auto r, auto p) {
          product_by_rows<r, p>(K_strip, kKeyBlock, Q.data() + panel.token * qk + head * d_k * panel.width, d_k,
                                nullptr, panel.scores + key * panel.width, panel.width);
        });
      }
      K_strip += rows;
      key += rows;
    }
  }
}

void Layer::State::mask(const Panel& panel) {
  if (may_attend == nullptr && additive_mask == nullptr) {
    if (!now.causal) return;
    if (now.first_query >= panel.keys) return;
    for (Size i = 0; i < panel.count; ++i) {  // the corner beyond each query's own place
      for (Size key = now.first_query + panel.first + i + 1; key < panel.keys; ++key) {
        panel.scores[key * panel.width + i] = -kInfinity;
      }
    }
    return;
  }
  for (Size i = 0; i < panel.count; ++i) {
    const Size query = panel.first + i;
    float* column = panel.scores + i;
    for (Size key = 0; key < panel.keys; ++key) {
      if (!is_allowed(query, key)) {
        column[key * panel.width] = -kInfinity;
      } else if (additive_mask != nullptr) {
        column[key * panel.width] += additive_mask[query * n_k + key] * static_cast<float>(kLog2E);
      }
    }
  }
}

void Layer::State::softmax(Panel& panel) {
  if (softmax_columns(panel.scores, panel.keys, panel.width, panel.factors, nullptr)) return;
  bool empty[kPanel];  // fully masked, or no query at all
  for (Size i = 0; i < panel.width; ++i) {
    empty[i] = true;
    for (Size key = 0; i < panel.count && key < panel.keys && empty[i]; ++key)
      empty[i] = !is_allowed(panel.first + i, key);
  }
  if (softmax_columns(panel.scores, panel.keys, panel.width, panel.factors, empty)) return;
  softmax_by_row(panel);
}

/// Where a score overflowed: row by row, as the readable engine does it.
void Layer::State::softmax_by_row(Panel& panel) {
  for (Size i = 0; i < panel.width; ++i) {
    float* column = panel.scores + i;
    for (Size key = 0; key < panel.keys; ++key) {
      allowed[static_cast<std::size_t>(key)] = i < panel.count && is_allowed(panel.first + i, key) ? 1 : 0;
      row_scores.data()[key] = column[key * panel.width] * static_cast<float>(1 / kLog2E);
    }
    softmax_row(row_scores.data(), allowed.data(), panel.keys, row_scores.data());
    for (Size key = 0; key < panel.keys; ++key) column[key * panel.width] = row_scores.data()[key];
    panel.factors[i] = 1;
  }
}

/// From [key][queries] to a row for each query, with the last division.
void Layer::State::keep_weights(const Panel& panel, float* out) const {
  for (int half = 0; half < panel.width; half += kLanes) {
    const int here = static_cast<int>(std::min<Size>(kLanes, panel.count - half));
    if (here <= 0) break;
    const Lanes factor = load(panel.factors + half);
    const float* from = panel.scores + half;
    float* rows = out + half * n_k;
    Size key = 0;
    for (; key + kLanes <= panel.keys; key += kLanes) {
      Lanes lanes[kLanes];
      for (int i = 0; i < kLanes; ++i) lanes[i] = load(from + (key + i) * panel.width) * factor;
      transpose(lanes[0], lanes[1], lanes[2], lanes[3]);
      for (int i = 0; i < here; ++i) store(rows + i * n_k + key, lanes[i]);
    }
    for (int i = 0; i < here; ++i) {
      for (Size rest = key; rest < panel.keys; ++rest) {
        rows[i * n_k + rest] = from[rest * panel.width + i] * panel.factors[half + i];
      }
      std::fill(rows + i * n_k + panel.keys, rows + (i + 1) * n_k, 0.0f);
    }
  }
}

}  // namespace attention
