// `headscope train` and `headscope roles`. Private to cli; cli.hpp has the way in.
#pragma once

#include "heads/heads.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cli {

struct HeadsOptions {
  bool trains = false;     // else: roles
  heads::Plan plan;        // train
  std::string out;         // train: a file, or "-"
  heads::Precision precision = heads::Precision::single;
  std::string file;        // roles
  std::string companion;   // roles: the parse; empty: look beside the file
  int sentences = heads::kMeasuredSentences;
  std::uint64_t seed = 0;  // train: the plan's; roles: of the sentences that are counted on
  bool has_seed = false, json = false, help = false;
};

/// `arguments` begin with "train" or "roles". All that is wrong at once.
std::variant<HeadsOptions, std::vector<attention::Problem>> read_heads_arguments(
    std::span<const std::string_view> arguments);
std::string heads_help_text(bool trains);

/// The table as text for people: a paragraph for each subject, the heads that earned it, or the best one that didn't.
std::string to_text(const heads::Table& table);

/// Exit status; what went wrong is said on standard error.
int train(const HeadsOptions& options);
int roles(const HeadsOptions& options);

}  // namespace cli
