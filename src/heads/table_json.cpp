// The table of roles as JSON, and back. Layers and heads are counted from 1 there.
#include "heads/strict_json.hpp"
#include "heads/table.hpp"

#include "io/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace heads {
namespace {

constexpr std::array kFamilies = {Family::positional, Family::syntactic, Family::semantic, Family::resting,
                                  Family::diffuse};
constexpr int kMostCount = std::numeric_limits<int>::max();
constexpr int kLargestTable[] = {48, 64};  // layers, heads
constexpr std::size_t kMostSubjects = 512, kMostText = 400, kMostOffset = 512;
constexpr double kMostMean = 1.01;  // of weights whose rows sum to 1 within a thousandth
constexpr double kExact = 1e-12;    // what share and interval may differ by from what the counts give

void write_share(io::JsonWriter& json, std::string_view key, const Share& share) {
  json.key(key).begin_object(io::Lines::one).member("right", share.right).member("count", share.count).end_object();
}

void write_subject(io::JsonWriter& json, const Subject& subject) {
  json.begin_object().member("id", subject.id).member("name", subject.name).member("asks", subject.asks);
  json.member("explains", subject.explains).member("family", name_of(subject.family)).member("cases", subject.cases);
  write_share(json, "best_offset", subject.best_offset);
  json.member("offset", subject.offset);
  write_share(json, "best_rule", subject.best_rule);
  json.member("rule", subject.rule);
  if (subject.accuracy) {
    write_share(json, "accuracy", *subject.accuracy);
  } else {
    json.key("accuracy").null();
  }
  json.end_object();
}

void write_score(io::JsonWriter& json, const Subject& subject, const Score& score) {
  const Interval interval = interval_of(score.share);
  json.begin_object(io::Lines::one).member("subject", subject.id).member("right", score.share.right);
  json.member("count", score.share.count).member("share", score.share.value()).member("low", interval.low);
  json.member("high", interval.high).member("mean_weight", score.mean_weight).member("earned", score.earned);
  json.end_object();
}

void write_row(io::JsonWriter& json, const Table& table, std::size_t index) {
  const HeadRoles& row = table.rows[index];
  const auto per_layer = static_cast<std::size_t>(table.heads);
  json.begin_object().member("layer", index / per_layer + 1).member("head", index % per_layer + 1);
  json.key("roles").begin_array(io::Lines::one);
  for (const int role : row.roles) json.value(table.subjects[static_cast<std::size_t>(role)].id);
  json.end_array().member("diffuse", row.diffuse).member("entropy_share", row.entropy_share);
  json.member("mean_rest", row.mean_rest).key("scores").begin_array();
  for (std::size_t i = 0; i < row.scores.size(); ++i) write_score(json, table.subjects[i], row.scores[i]);
  json.end_array().end_object();
}

/// Reads what `to_json` wrote. What the counts decide (shares, intervals, roles) is computed again and compared: a file
/// can't give a head a name that its own counts don't.
class TableReader {
 public:
  TableReader(std::string_view text, Refusals& refusals) : json_("table", text, refusals), refusals_(refusals) {}

  Table read() {
    json_.object("", {{"layers", [&](auto& at) { table_.layers = json_.small(at, 1, kLargestTable[0]); }},
                      {"heads", [&](auto& at) { table_.heads = json_.small(at, 1, kLargestTable[1]); }},
                      {"sentences", [&](auto& at) { table_.sentences = json_.small(at, 0, kMostCount); }},
                      {"counted_on", [&](auto& at) { table_.counted_on = json_.text(at, kMostText); }},
                      {"subjects", [&](auto& at) { json_.list(at, kMostSubjects, [&](auto& it) { subject(it); }); }},
                      {"rows", [&](auto& at) { json_.list(at, kMostRows, [&](auto& it) { row(it); }); }}});
    if (json_.end() && refusals_.empty()) check();
    return std::move(table_);
  }

 private:
  static constexpr std::size_t kMostRows = 48 * 64;

  /// What is said about a row besides its counts.
  struct Said {
    std::vector<std::string> roles, subjects;
    std::vector<double> shares, lows, highs;
    std::vector<bool> earned;
    int layer = 0, head = 0;
    bool diffuse = false;
  };

  Share share(const std::string& field) {
    Share out;
    json_.object(field, {{"right", [&](auto& at) { out.right = json_.small(at, 0, kMostCount); }},
                         {"count", [&](auto& at) { out.count = json_.small(at, 0, kMostCount); }}});
    return out;
  }

  Family family(const std::string& field) {
    std::vector<std::string_view> names;
    for (const Family it : kFamilies) names.push_back(name_of(it));
    return kFamilies[json_.choice(field, names)];
  }

  void subject(const std::string& field) {
    Subject out;
    constexpr int most = static_cast<int>(kMostOffset);
    json_.object(field, {{"id", [&](auto& at) { out.id = json_.text(at, kMostText); }},
                         {"name", [&](auto& at) { out.name = json_.text(at, kMostText); }},
                         {"asks", [&](auto& at) { out.asks = json_.text(at, kMostText); }},
                         {"explains", [&](auto& at) { out.explains = json_.text(at, kMostText); }},
                         {"family", [&](auto& at) { out.family = family(at); }},
                         {"cases", [&](auto& at) { out.cases = json_.small(at, 0, kMostCount); }},
                         {"best_offset", [&](auto& at) { out.best_offset = share(at); }},
                         {"offset", [&](auto& at) { out.offset = json_.small(at, -most, most); }},
                         {"best_rule", [&](auto& at) { out.best_rule = share(at); }},
                         {"rule", [&](auto& at) { out.rule = json_.text(at, kMostText); }},
                         {"accuracy", [&](auto& at) {
                            if (!json_.take_null()) out.accuracy = share(at);
                          }}});
    table_.subjects.push_back(std::move(out));
  }

  void row(const std::string& field) {
    HeadRoles out;
    Said said;
    json_.object(
        field, {{"layer", [&](auto& at) { said.layer = json_.small(at, 1, kLargestTable[0]); }},
                {"head", [&](auto& at) { said.head = json_.small(at, 1, kLargestTable[1]); }},
                {"roles",
                 [&](auto& at) {
                   json_.list(at, kMostSubjects, [&](auto& it) { said.roles.push_back(json_.text(it, kMostText)); });
                 }},
                {"diffuse", [&](auto& at) { said.diffuse = json_.truth(at); }},
                {"entropy_share", [&](auto& at) { out.entropy_share = json_.number(at, 0, kMostMean); }},
                {"mean_rest", [&](auto& at) { out.mean_rest = json_.number(at, 0, kMostMean); }},
                {"scores", [&](auto& at) { json_.list(at, kMostSubjects, [&](auto& it) { score(it, out, said); }); }}});
    table_.rows.push_back(std::move(out));
    said_.push_back(std::move(said));
  }

  void score(const std::string& field, HeadRoles& out, Said& said) {
    Score score;
    json_.object(field, {{"subject", [&](auto& at) { said.subjects.push_back(json_.text(at, kMostText)); }},
                         {"right", [&](auto& at) { score.share.right = json_.small(at, 0, kMostCount); }},
                         {"count", [&](auto& at) { score.share.count = json_.small(at, 0, kMostCount); }},
                         {"share", [&](auto& at) { said.shares.push_back(json_.number(at, 0, 1)); }},
                         {"low", [&](auto& at) { said.lows.push_back(json_.number(at, 0, 1)); }},
                         {"high", [&](auto& at) { said.highs.push_back(json_.number(at, 0, 1)); }},
                         {"mean_weight", [&](auto& at) { score.mean_weight = json_.number(at, 0, kMostMean); }},
                         {"earned", [&](auto& at) { said.earned.push_back(json_.truth(at)); }}});
    out.scores.push_back(score);
  }

  void same_count(const std::string& field, std::size_t found, std::size_t wanted, const std::string& what) {
    if (found != wanted) json_.refuse(field, std::to_string(found), std::to_string(wanted) + ", " + what);
  }

  /// Of `cases`, or of none where none is allowed.
  void check_share(const std::string& field, const Share& share, int cases, bool may_be_none) {
    if (share.count != cases && !(may_be_none && share.count == 0)) {
      json_.refuse(field + " count", std::to_string(share.count), std::to_string(cases) + ", the subject's cases");
    } else if (share.right > share.count) {
      json_.refuse(field + " right", std::to_string(share.right), "at most the count, " + std::to_string(share.count));
    }
  }

  void check_number(const std::string& field, double found, double wanted) {
    if (std::fabs(found - wanted) <= kExact) return;
    json_.refuse(field, io::number_text(found), io::number_text(wanted) + ", what the counts give");
  }

  void check_subjects() {
    for (std::size_t i = 0; i < table_.subjects.size(); ++i) {
      const Subject& it = table_.subjects[i];
      const std::string field = "subjects[" + std::to_string(i + 1) + "]";
      if (it.id.empty()) json_.refuse(field + " id", "nothing", "a name");
      const bool twice = std::any_of(table_.subjects.begin(), table_.subjects.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const Subject& other) { return other.id == it.id; });
      if (twice) json_.refuse(field + " id", shown(it.id) + " twice", "each once");
      check_share(field + " best_offset", it.best_offset, it.cases, true);
      check_share(field + " best_rule", it.best_rule, it.cases, true);
      if (it.accuracy) check_share(field + " accuracy", *it.accuracy, it.cases, false);
    }
  }

  void check_row(std::size_t index) {
    const HeadRoles& row = table_.rows[index];
    const Said& said = said_[index];
    const std::string field = "rows[" + std::to_string(index + 1) + "]";
    const int at = static_cast<int>(index);
    same_count(field + " layer", static_cast<std::size_t>(said.layer),
               index / static_cast<std::size_t>(table_.heads) + 1, "layer by layer");
    if (said.head != at % table_.heads + 1) {
      json_.refuse(field + " head", std::to_string(said.head), std::to_string(at % table_.heads + 1) + ", in order");
    }
    same_count(field + " scores", row.scores.size(), table_.subjects.size(), "one for each subject");
    if (row.scores.size() != table_.subjects.size()) return;
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      const std::string part = field + " scores[" + std::to_string(i + 1) + "]";
      const Subject& subject = table_.subjects[i];
      if (said.subjects[i] != subject.id) {
        json_.refuse(part + " subject", shown(said.subjects[i]), shown(subject.id) + ", in the subjects' order");
      }
      const Share& share = row.scores[i].share;
      check_share(part, share, subject.cases, false);
      const Interval interval = interval_of(share);
      check_number(part + " share", said.shares[i], share.value());
      check_number(part + " low", said.lows[i], interval.low);
      check_number(part + " high", said.highs[i], interval.high);
    }
  }

  void check() {
    check_subjects();
    same_count("rows", table_.rows.size(), static_cast<std::size_t>(table_.layers * table_.heads),
               "layers times heads");
    for (std::size_t i = 0; i < table_.rows.size() && !refusals_.is_full(); ++i) check_row(i);
    if (!refusals_.empty()) return;
    decide(table_);
    for (std::size_t i = 0; i < table_.rows.size(); ++i) check_decided(i);
  }

  void check_decided(std::size_t index) {
    const HeadRoles& row = table_.rows[index];
    const Said& said = said_[index];
    const std::string field = "rows[" + std::to_string(index + 1) + "]";
    const auto text = [](bool truth) { return std::string(truth ? "true" : "false"); };
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      if (said.earned[i] == row.scores[i].earned) continue;
      json_.refuse(field + " scores[" + std::to_string(i + 1) + "] earned", text(said.earned[i]),
                   text(row.scores[i].earned) + ", what the counts give");
    }
    std::vector<std::string> roles;
    for (const int role : row.roles) roles.push_back(table_.subjects[static_cast<std::size_t>(role)].id);
    if (roles != said.roles) json_.refuse(field + " roles", list_of(said.roles), list_of(roles) + ", what was earned");
    if (said.diffuse != row.diffuse) {
      json_.refuse(field + " diffuse", text(said.diffuse), text(row.diffuse) + ", by its entropy");
    }
  }

  static std::string list_of(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + shown(name);
    return out.empty() ? "none" : out;
  }

  StrictJson json_;
  Refusals& refusals_;
  Table table_;
  std::vector<Said> said_;  // one per row
};

}  // namespace

std::string to_json(const Table& table, int indent) {
  io::JsonWriter json(indent);
  json.begin_object().member("layers", table.layers).member("heads", table.heads);
  json.member("sentences", table.sentences).member("counted_on", table.counted_on).key("subjects").begin_array();
  for (const Subject& subject : table.subjects) write_subject(json, subject);
  json.end_array().key("rows").begin_array();
  for (std::size_t i = 0; i < table.rows.size(); ++i) write_row(json, table, i);
  json.end_array().end_object();
  return json.text();
}

std::variant<Table, std::vector<Problem>> read_table(std::string_view json) {
  Refusals refusals;
  Table table = TableReader(json, refusals).read();
  if (!refusals.empty()) return refusals.take();
  return table;
}

}  // namespace heads
