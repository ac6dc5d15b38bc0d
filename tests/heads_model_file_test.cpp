// A model's file: what was written is read, and what isn't a model is refused by name.
#include "heads/half.hpp"
#include "heads_support.hpp"
#include "io/safetensors.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

using namespace heads_test;

namespace {

using Tensors = std::vector<io::StoredTensor>;
using Texts = std::vector<io::MetadataText>;

/// The model's file with its tensors and metadata changed, and why that is refused.
std::string refusal_with(const std::function<void(Tensors&, Texts&)>& change) {
  Model model = small_model(Task::copy_previous, 4);
  model.table = count(Task::copy_previous, 4, {look_back, rest});
  model.table->layers = 2;
  model.table->rows.resize(4, model.table->rows[0]);
  const std::string bytes = write_model(model);
  io::Safetensors file = taken(io::read_safetensors(bytes));
  change(file.tensors, file.metadata);
  const std::string changed = taken(io::write_safetensors(file.tensors, file.metadata));
  return refusal_of(read_model(changed));
}

io::StoredTensor& named(Tensors& tensors, const std::string& name) {
  for (io::StoredTensor& it : tensors)
    if (it.name == name) return it;
  REQUIRE_MESSAGE(false, name);
  return tensors.front();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  INFO(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

float from_half(std::uint16_t half) {
  const char bytes[] = {static_cast<char>(half & 0xff), static_cast<char>(half >> 8)};
  const auto read =
      io::read_numbers<float>({.name = "half", .dtype = io::Dtype::F16, .shape = {1}, .data = {bytes, 2}});
  return std::get<std::vector<float>>(read).front();
}

}  // namespace

TEST_CASE("every half is a float that is written as the same half") {
  for (int bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = from_half(half);
    const std::uint16_t back = to_half(value);
    if (std::isnan(value) ? !std::isnan(from_half(back)) : back != half) FAIL_CHECK(bits << " came back as " << back);
  }
}

TEST_CASE("a float is written as the nearest half, of two equally near ones as the even one") {
  for (int bits = 0; bits < 0x7bff; ++bits) {  // between each and the next
    const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
    const float middle = (from_half(low) + from_half(high)) / 2, even = bits % 2 == 0 ? low : high;
    const bool right = to_half(middle) == even && to_half(std::nextafter(middle, 0.0f)) == low &&
                       to_half(std::nextafter(middle, 1e9f)) == high &&
                       to_half(-middle) == (static_cast<int>(even) | 0x8000);
    if (!right) FAIL_CHECK("between " << bits << " and the next");
  }
  CHECK(to_half(65519.996f) == 0x7bff);
  CHECK(to_half(65520.0f) == 0x7c00);
  CHECK(to_half(std::numeric_limits<float>::infinity()) == 0x7c00);
  CHECK(to_half(-1e30f) == 0xfc00);
  CHECK(to_half(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(to_half(-0.0f) == 0x8000);
}

TEST_CASE("a model is the same after its file, to the bit") {
  for (const Task task : {Task::language, Task::sort_digits}) {
    Model model = small_model(task, 9, task == Task::sort_digits);
    model.step = 137;
    CHECK(taken(read_model(write_model(model))) == model);
    model.table = count(task, 30, {look_back, rest});
    model.table->layers = 2;
    model.table->rows.resize(4, model.table->rows[1]);
    const std::string bytes = write_model(model);
    CHECK(taken(read_model(bytes)) == model);
    CHECK(write_model(taken(read_model(bytes))) == bytes);
  }
}

TEST_CASE("in half precision a model is rounded, in half the room, and then stays as it is") {
  Model model = small_model(Task::language, 2);
  model.parameters.embedding(0, 0) = 1e6f;
  model.parameters.embedding(0, 1) = -1e6f;
  const std::string half = write_model(model, Precision::half), single = write_model(model);
  CHECK(half.size() < single.size() * 6 / 10);
  const Model read = taken(read_model(half));
  CHECK(read.plan == model.plan);
  CHECK(read.parameters.embedding(0, 0) == 65504.0f);
  CHECK(read.parameters.embedding(0, 1) == -65504.0f);
  const auto a = train::matrices_of(std::as_const(model.parameters)), b = train::matrices_of(read.parameters);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (Eigen::Index j = i == 0 ? 2 : 0; j < a[i]->size(); ++j) {
      const float from = a[i]->data()[j], to = b[i]->data()[j];
      if (std::fabs(from - to) > std::max(std::fabs(from) / 2048, 3e-8f)) FAIL_CHECK(from << " became " << to);
    }
  }
  CHECK(write_model(read, Precision::half) == half);
}

TEST_CASE("a file that isn't the plan's model is refused by the name of what is wrong") {
  CHECK(refusal_with([](Tensors&, Texts&) {}) == "");
  CHECK(refusal_of(read_model("")).starts_with("file: found 0 bytes"));
  CHECK(refusal_with([](Tensors&, Texts& texts) { texts.erase(texts.begin()); }) ==
        "metadata \"headscope\": found nothing, wanted the plan of a model that was trained here");
  CHECK(refusal_with([](Tensors& tensors, Texts&) {
          std::erase_if(tensors, [](auto& it) { return it.name == "norm.gain"; });
        }) == "tensor \"norm.gain\": found nothing, wanted 1 x 16");
  CHECK(refusal_with([](Tensors& tensors, Texts&) { named(tensors, "norm.gain").name = "norm.pain"; }) ==
        "tensor \"norm.gain\": found nothing, wanted 1 x 16\n"
        "tensor \"norm.pain\": found it, wanted none of that name in a model of this plan");
  CHECK(refusal_with([](Tensors& tensors, Texts&) { named(tensors, "norm.gain").shape = {16}; }) ==
        "tensor \"norm.gain\" shape: found 16, wanted 1 x 16");
  CHECK(refusal_with([](Tensors& tensors, Texts&) {
          named(tensors, "layers.1.W_O").shape = {8, 32};
        }) == "tensor \"layers.1.W_O\" shape: found 8 x 32, wanted 16 x 16");
  CHECK(refusal_with([](Tensors& tensors, Texts&) { named(tensors, "norm.bias").dtype = io::Dtype::I32; }) ==
        "tensor \"norm.bias\" dtype: found I32, wanted F32 or F16");
  const std::string nan("\x00\x00\xc0\x7f", 4);
  CHECK(refusal_with([&](Tensors& tensors, Texts&) {
          static std::string data;
          data = std::string(named(tensors, "norm.bias").data);
          data.replace(4, 4, nan);
          named(tensors, "norm.bias").data = data;
        }).starts_with("norm.bias[1, 2]: found nan"));
  const auto plan_with = [](const std::string& from, const std::string& to) {
    return refusal_with([&](Tensors&, Texts& texts) { texts[0].value = replaced(texts[0].value, from, to); });
  };
  CHECK(plan_with("\"step\":0", "\"step\":-1").starts_with("headscope step: found -1, wanted a whole number from 0"));
  CHECK(plan_with(",\"step\":0", "") == "headscope step: found nothing, wanted it once");
  CHECK(plan_with("{\"plan\"", "{\"plan\":{},\"plan\"").starts_with("headscope plan: found it twice"));
  CHECK(plan_with("\"vocabulary\":21", "\"vocabulary\":22") ==
        "plan vocabulary: found 22, wanted 21 for the task copy_previous");
  CHECK(plan_with("\"d_model\":16", "\"d_model\":2147483647").starts_with("plan d_model: found 2147483647"));
  CHECK(
      plan_with("\"d_model\":16", "\"d_model\":32").find("tensor \"embedding\" shape: found 21 x 16, wanted 21 x 32") !=
      std::string::npos);
  CHECK(refusal_with([](Tensors&, Texts& texts) { texts[1].value = "{}"; }).starts_with("table layers: found nothing"));
  CHECK(refusal_with([](Tensors&, Texts& texts) {
          Table table;
          table.layers = table.heads = 1;
          table.rows.resize(1);
          texts[1].value = to_json(table);
        }) == "table layers: found 1, wanted 2, as in the plan\ntable heads: found 1, wanted 2, as in the plan");
}

TEST_CASE("other metadata may stand in the file") {
  CHECK(refusal_with([](Tensors&, Texts& texts) { texts.push_back({"note", "the best of five seeds"}); }) == "");
}

TEST_CASE("broken model files by the thousand: refused with reasons, or read to what can be used") {
  Model model = small_model(Task::copy_previous, 4);
  model.table = count(Task::copy_previous, 4, {look_back, rest});
  model.table->layers = 2;
  model.table->rows.resize(4, model.table->rows[0]);
  const std::string whole = write_model(model, Precision::half);
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data(), 8);
  const auto header = static_cast<std::size_t>(length);
  Random random{8};
  int read = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string bytes = whole;
    const auto in_header = [&] { return 8 + static_cast<std::size_t>(random.below(static_cast<int>(header))); };
    const std::size_t at = in_header();
    switch (random.below(5)) {
      case 0: bytes[at] = "{}[]\",:\\0129 -.e\x01\x7f\x80\xff"[random.below(21)]; break;
      case 1: bytes[at] = static_cast<char>('0' + random.below(10)); break;
      case 2: bytes.resize(static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))); break;
      case 3: {  // a bit of the numbers: some become infinite
        const auto data = static_cast<int>(bytes.size() - 8 - header);
        char& byte = bytes[8 + header + static_cast<std::size_t>(random.below(data))];
        byte = static_cast<char>(byte ^ 1 << random.below(8));
        break;
      }
      default: {  // a piece of the header over another place of it, as long
        const std::size_t piece = std::min<std::size_t>(40, 8 + header - at);
        const std::size_t from = in_header();
        bytes.replace(at, piece, whole, from, piece);
        bytes.resize(whole.size(), '0');
      }
    }
    const std::vector<char> exact(bytes.begin(), bytes.end());  // so that one byte too far is seen
    const auto found = read_model({exact.data(), exact.size()});
    if (const auto* taken_model = std::get_if<Model>(&found)) {
      ++read;
      CHECK(sentences_of(validate(taken_model->plan)) == "");
      CHECK(sentences_of(train::validate(taken_model->plan.shape, taken_model->parameters)) == "");
    } else {
      CHECK(refusal_of(found) != "");
    }
  }
  MESSAGE(read << " of 1500 were read");
  CHECK(read > 20);
}
