// Reports as bytes and back: what a worker sends to its page.
#include "heads/studio.hpp"

#include "io/json.hpp"
#include "io/json_reader.hpp"
#include "io/safetensors.hpp"

#include <cstdlib>
#include <limits>
#include <utility>

namespace heads {
namespace {

using Kind = io::JsonReader::Kind;

/// NaN where JSON has null: a loss that grew beyond all bounds.
double read_double(io::JsonReader& json) {
  if (json.kind() != Kind::number) {
    json.skip();
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::strtod(std::string(json.number()).c_str(), nullptr);  // libc++'s <charconv> reads no double
}

int read_int(io::JsonReader& json) {
  const double value = read_double(json);
  return value >= -2147483647.0 && value <= 2147483647.0 ? static_cast<int>(value) : 0;
}

bool read_bool(io::JsonReader& json, std::string_view text) {
  const std::size_t at = json.at();
  json.skip();
  return text.substr(at).starts_with("true");
}

Click read_click(io::JsonReader& json) {
  Click click;
  json.begin();
  for (std::string key; json.next_key(key);) {
    if (key == "step")
      click.step = read_int(json);
    else if (key == "subject")
      click.subject = json.string();
    else if (key == "layer")
      click.layer = read_int(json);
    else if (key == "head")
      click.head = read_int(json);
    else if (key == "share")
      click.share = read_double(json);
    else
      json.skip();
  }
  return click;
}

}  // namespace

std::string write_report(const Report& report) {
  io::JsonWriter json;
  json.begin_object().member("run", report.run).member("running", report.running).member("finished", report.finished);
  json.member("step", report.step).member("problem", report.problem);
  json.key("points").begin_array();
  for (const Point& point : report.points)
    json.begin_array().value(point.step).value(point.loss).value(point.accuracy).end_array();
  json.end_array().key("clicks").begin_array();
  for (const Click& click : report.clicks) {
    json.begin_object().member("step", click.step).member("subject", click.subject).member("layer", click.layer);
    json.member("head", click.head).member("share", click.share).end_object();
  }
  json.end_array();
  if (report.exam) {
    json.key("exam").begin_object().member("step", report.exam->step);
    json.member("right", report.exam->accuracy.right).member("count", report.exam->accuracy.count).end_object();
  }
  json.end_object();

  std::vector<io::StoredTensor> tensors;
  std::string model;
  if (report.model) {
    model = write_model(*report.model);
    tensors.push_back(
        {.name = "model", .dtype = io::Dtype::U8, .shape = {static_cast<std::int64_t>(model.size())}, .data = model});
  }
  const std::vector<io::MetadataText> metadata = {{"report", json.text()}};
  auto written = io::write_safetensors(tensors, metadata);
  if (auto* bytes = std::get_if<std::string>(&written)) return std::move(*bytes);
  return {};  // can't be: the names are fixed and the texts are JSON
}

std::variant<Report, std::vector<Problem>> read_report(std::string_view bytes) {
  auto read = io::read_safetensors(bytes);
  if (auto* problems = std::get_if<std::vector<Problem>>(&read)) return std::move(*problems);
  const io::Safetensors& file = std::get<io::Safetensors>(read);
  const std::string* text = io::find_text(file, "report");
  if (text == nullptr) return std::vector<Problem>{{"report", "nothing", "metadata \"report\""}};

  Report report;
  std::optional<Exam> exam;
  io::JsonReader json(*text);
  json.begin();
  for (std::string key; json.next_key(key);) {
    if (key == "run") {
      report.run = static_cast<std::uint64_t>(read_double(json));
    } else if (key == "running") {
      report.running = read_bool(json, *text);
    } else if (key == "finished") {
      report.finished = read_bool(json, *text);
    } else if (key == "step") {
      report.step = read_int(json);
    } else if (key == "problem") {
      report.problem = json.string();
    } else if (key == "points") {
      json.begin();
      while (json.next_item()) {
        Point point;
        json.begin();
        for (int i = 0; json.next_item(); ++i) {
          if (i == 0)
            point.step = read_int(json);
          else if (i == 1)
            point.loss = read_double(json);
          else if (i == 2)
            point.accuracy = read_double(json);
          else
            json.skip();
        }
        report.points.push_back(point);
      }
    } else if (key == "clicks") {
      json.begin();
      while (json.next_item()) report.clicks.push_back(read_click(json));
    } else if (key == "exam") {
      exam.emplace();
      json.begin();
      for (std::string name; json.next_key(name);) {
        if (name == "step")
          exam->step = read_int(json);
        else if (name == "right")
          exam->accuracy.right = read_int(json);
        else if (name == "count")
          exam->accuracy.count = read_int(json);
        else
          json.skip();
      }
    } else {
      json.skip();
    }
  }
  json.end();
  if (json.problem()) return std::vector<Problem>{*json.problem()};

  const io::StoredTensor* stored = io::find(file, "model");
  if ((stored != nullptr) != exam.has_value())
    return std::vector<Problem>{
        {"report", exam ? "an exam without a model" : "a model without an exam", "both or none"}};
  if (stored == nullptr) return report;
  auto model = read_model(stored->data);
  if (auto* problems = std::get_if<std::vector<Problem>>(&model)) return std::move(*problems);
  report.model = std::move(std::get<Model>(model));
  if (!report.model->table) return std::vector<Problem>{{"report", "a model without a table", "an exam's table"}};
  exam->table = *report.model->table;
  report.exam = std::move(exam);
  return report;
}

}  // namespace heads
