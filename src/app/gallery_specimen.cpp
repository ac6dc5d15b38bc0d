// What is looked at: which specimen a source means, its sizes and its table, and how a file becomes one.
#include "app/gallery_internal.hpp"
#include "io/safetensors.hpp"

#include <algorithm>

namespace app {

heads::Plan Training::first_plan() { return heads::plan_for(train::Task::language); }

Held<Specimen> shown_specimen(const Gallery& gallery) {
  switch (gallery.source) {
    case Source::shipped: return gallery.shipped;
    case Source::file: return gallery.file;
    case Source::trained: break;
  }
  const Training& training = gallery.training;
  if (training.checkpoints.empty()) return {};
  const int last = static_cast<int>(training.checkpoints.size()) - 1;
  return at(training.checkpoints, std::clamp(training.scrubbed.value_or(last), 0, last)).specimen;
}

const heads::Model* model_of(const Specimen& specimen) { return std::get_if<heads::Model>(&specimen.what); }
const heads::Attention* attention_of(const Specimen& specimen) { return std::get_if<heads::Attention>(&specimen.what); }

MapCount maps_of(const Specimen& specimen) {
  if (const auto* model = model_of(specimen)) return {model->plan.shape.layers, model->plan.shape.heads};
  const auto* attention = attention_of(specimen);
  return {attention->layers, attention->heads};
}

const heads::Table* table_of(const Specimen& specimen) {
  const MapCount maps = maps_of(specimen);
  const heads::Table& table = specimen.table;
  const bool fits = table.layers == maps.layers && table.heads == maps.heads && table.layers > 0 &&
                    static_cast<int>(table.rows.size()) == maps.all();
  return fits ? &table : nullptr;
}

int find_subject(const heads::Table& table, std::string_view id) {
  for (std::size_t i = 0; i < table.subjects.size(); ++i)
    if (table.subjects[i].id == id) return static_cast<int>(i);
  return -1;
}

bool has_role(const heads::Table& table, int map, std::string_view role) {
  const heads::HeadRoles& row = at(table.rows, map);
  if (role == kDiffuse) return row.roles.empty() && row.diffuse;
  if (role == kNone) return row.roles.empty() && !row.diffuse;
  return std::any_of(row.roles.begin(), row.roles.end(),
                     [&](int subject) { return at(table.subjects, subject).id == role; });
}

int heads_with(const heads::Table& table, std::string_view role) {
  int count = 0;
  for (int map = 0; map < static_cast<int>(table.rows.size()); ++map) count += has_role(table, map, role);
  return count;
}

bool tells(const heads::Table& table, int map) {
  const std::vector<int>& roles = at(table.rows, map).roles;
  if (roles.empty()) return false;
  const heads::Family family = at(table.subjects, roles.front()).family;
  return family == heads::Family::syntactic || family == heads::Family::semantic;
}

bool is_syntactic(const heads::Table& table, int map) {
  const std::vector<int>& roles = at(table.rows, map).roles;
  return !roles.empty() && at(table.subjects, roles.front()).family == heads::Family::syntactic;
}

std::optional<int> most_telling(const heads::Table& table) {
  std::optional<int> best;
  std::pair<bool, double> best_rank;  // syntactic, lead
  for (int map = 0; map < static_cast<int>(table.rows.size()); ++map) {
    if (!tells(table, map)) continue;
    const int role = at(table.rows, map).roles.front();
    const heads::Subject& subject = at(table.subjects, role);
    const std::pair rank(subject.family == heads::Family::syntactic,
                         at(at(table.rows, map).scores, role).share.value() -
                             std::max(subject.best_offset.value(), subject.best_rule.value()));
    if (!best || rank > best_rank) best = map, best_rank = rank;
  }
  return best;
}

std::variant<Specimen, std::vector<attention::Problem>> read_specimen(std::string_view name, std::string_view bytes,
                                                                      std::string_view companion) {
  Specimen specimen;
  specimen.name = quote(name, 60);
  const auto file = io::read_safetensors(bytes);
  if (const auto* problems = std::get_if<std::vector<attention::Problem>>(&file)) return *problems;
  if (io::find_text(*std::get_if<io::Safetensors>(&file), "headscope")) {
    auto read = heads::read_model(bytes);
    if (auto* problems = std::get_if<std::vector<attention::Problem>>(&read)) return std::move(*problems);
    heads::Model& model = *std::get_if<heads::Model>(&read);
    if (model.table) specimen.table = *model.table;
    specimen.what = std::move(model);
    return specimen;
  }
  auto read = heads::read_attention(bytes, companion);
  if (auto* problems = std::get_if<std::vector<attention::Problem>>(&read)) return std::move(*problems);
  heads::Attention& attention = *std::get_if<heads::Attention>(&read);
  specimen.table = heads::measure(attention);
  specimen.what = std::move(attention);
  return specimen;
}

}  // namespace app
