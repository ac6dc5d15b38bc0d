// The safetensors format: files written by hand, numbers of every type, the writer, and real files.
#include "safetensors_support.hpp"

#include <cstring>

using namespace safetensors_test;
using attention_test::Random;
using attention_test::same_bits;
using io::Dtype;
using io::MetadataText;
using io::StoredTensor;

namespace {

using Shape = std::vector<std::int64_t>;

std::string written(const std::vector<StoredTensor>& tensors, const std::vector<MetadataText>& metadata = {}) {
  auto made = io::write_safetensors(tensors, metadata);
  if (const auto* problems = std::get_if<Problems>(&made)) return sentences_of(*problems);
  return std::get<std::string>(std::move(made));
}

std::string names_of(const Safetensors& file) {
  std::string out;
  for (const StoredTensor& tensor : file.tensors) out += tensor.name + " ";
  return out;
}

/// A tensor's numbers when all that it has is one of them.
template <class T>
T one_of(Dtype dtype, std::uint64_t bits) {
  const std::string bytes = length_bytes(bits).substr(0, io::size_of(dtype));
  return numbers_of<T>({"x", dtype, {1}, bytes})[0];
}

}  // namespace

TEST_CASE("a file, byte by byte") {
  const std::string bytes(
      "\x40\x00\x00\x00\x00\x00\x00\x00"
      "{\"q\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}        "
      "\x00\x00\x80\x3f\x00\x00\x20\xc0",
      8 + 64 + 8);
  const Safetensors file = read_whole(bytes);
  REQUIRE(file.tensors.size() == 1);
  const StoredTensor& q = file.tensors[0];
  CHECK(q.name == "q");
  CHECK(q.dtype == Dtype::F32);
  CHECK(q.shape == Shape{1, 2});
  CHECK(q.data.data() == bytes.data() + 72);
  CHECK(numbers_of<float>(q) == std::vector<float>{1, -2.5f});
  CHECK(file.metadata.empty());
}

TEST_CASE("tensors come in the order of their data, metadata in the header's") {
  const std::string bytes = file_of(
      "{\"late\":{\"data_offsets\":[4,8],\"dtype\":\"F32\",\"shape\":[]},\n\t\"__metadata__\" : "
      "{\"z\":\"1\",\"a\":\"\"} ,"
      "\"none\":{\"dtype\":\"F64\",\"shape\":[3,0],\"data_offsets\":[4,4]},"
      "\"early\":{\"dtype\":\"U8\",\"shape\":[2,2],\"data_offsets\":[0,4]}}\r\n ",
      kEightBytes);
  const Safetensors file = read_whole(bytes);
  CHECK(names_of(file) == "early none late ");
  CHECK(file.metadata == std::vector<MetadataText>{{"z", "1"}, {"a", ""}});
  CHECK(tensor_of(file, "late").shape.empty());
  CHECK(numbers_of<double>(tensor_of(file, "late")) == std::vector<double>{1});
  CHECK(numbers_of<float>(tensor_of(file, "none")).empty());
  CHECK(io::find(file, "lat") == nullptr);
  CHECK(*io::find_text(file, "z") == "1");
  CHECK(io::find_text(file, "late") == nullptr);
}

TEST_CASE("a file without tensors, and names of any text") {
  const std::string nothing = file_of("{}"),
                    named = file_of(
                        "{\"\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},"
                        "\"\\u0041\\n\\ud83d\\udc15√\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}");
  CHECK(read_whole(nothing) == Safetensors{});
  CHECK(names_of(read_whole(named)) == " A\n🐕√ ");
}

TEST_CASE("every type is listed with its size; those that aren't floating point are refused as numbers") {
  const std::map<std::string, int> sizes = {{"BOOL", 1},    {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
                                            {"F8_E8M0", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},     {"BF16", 2},
                                            {"I32", 4},     {"U32", 4}, {"F32", 4}, {"I64", 8},     {"U64", 8},
                                            {"F64", 8},     {"C64", 8}};
  int read = 0;
  for (const auto& [name, size] : sizes) {
    INFO(name);
    const std::size_t total = 3 * static_cast<std::size_t>(size);
    const std::string bytes =
        file_of(entry_of("\"" + name + "\"", "[3]", "[0," + std::to_string(total) + "]"), std::string(total, '\0'));
    const Safetensors file = read_whole(bytes);
    CHECK(io::name_of(file.tensors[0].dtype) == name);
    const auto numbers = io::read_numbers<float>(file.tensors[0]);
    const auto matrix = io::read_matrix<double>(file.tensors[0]);
    const auto* refused = std::get_if<attention::Problem>(&numbers);
    CHECK((refused != nullptr) == std::holds_alternative<attention::Problem>(matrix));
    if (refused == nullptr)
      ++read;
    else
      CHECK(to_sentence(*refused) == "tensor \"a\" dtype: found " + name + ", wanted F32, F64, F16 or BF16");
  }
  CHECK(read == 4);
}

TEST_CASE("half precision: every number, against its definition") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31u), fraction = static_cast<int>(bits & 0x3FFu);
    double wanted = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) wanted = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
    if (bits >= 0x8000u) wanted = -wanted;
    if (!same_bits(one_of<double>(Dtype::F16, bits), wanted)) ++wrong;
    if (!same_bits(one_of<float>(Dtype::F16, bits), static_cast<float>(wanted))) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(one_of<float>(Dtype::F16, 0x7BFF) == 65504.0f);
}

TEST_CASE("bfloat16 is a float's upper half; a double is rounded to the nearest float") {
  CHECK(one_of<float>(Dtype::BF16, 0x3F80) == 1.0f);
  CHECK(one_of<double>(Dtype::BF16, 0x4049) == 3.140625);
  CHECK(one_of<float>(Dtype::BF16, 0x0001) == 0x1p-133f);
  CHECK(std::isinf(one_of<float>(Dtype::BF16, 0xFF80)));
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  CHECK(one_of<float>(Dtype::F64, bits(0.1)) == 0.1f);
  CHECK(one_of<double>(Dtype::F64, bits(0.1)) == 0.1);
  CHECK(one_of<float>(Dtype::F64, bits(-1e300)) == -std::numeric_limits<float>::infinity());
  CHECK(one_of<double>(Dtype::F64, bits(-1e300)) == -1e300);
}

TEST_CASE("the last two dimensions are a matrix, those before them count the matrices") {
  std::vector<float> numbers(24);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  const std::string bytes = "x" + io::to_bytes<float>(numbers);  // at an odd address
  const std::string_view data = std::string_view(bytes).substr(1);
  const StoredTensor four = {"x", Dtype::F32, {2, 2, 2, 3}, data}, row = {"x", Dtype::F32, {24}, data},
                     one = {"x", Dtype::F32, {}, data.substr(4, 4)}, none = {"x", Dtype::F32, {2, 0, 3}, ""};
  CHECK(io::count_matrices(four.shape) == 4);
  CHECK(matrix_of<double>(four, 2) == attention::Matrix<double>{{12, 13, 14}, {15, 16, 17}});
  CHECK(matrix_of<float>(four, 3)(1, 2) == 23);
  CHECK(matrix_of<float>(row).rows() == 1);
  CHECK(matrix_of<float>(row)(0, 23) == 23);
  CHECK(matrix_of<float>(one) == attention::Matrix<float>{{1}});
  CHECK(io::count_matrices(none.shape) == 2);
  CHECK(matrix_of<float>(none, 1).cols() == 3);
  CHECK(matrix_of<float>(none, 1).rows() == 0);
  CHECK(io::shape_text(four.shape) == "2 x 2 x 2 x 3");
  CHECK(io::shape_text(one.shape) == "one number");
  CHECK(io::count_numbers(one.shape) == 1);
}

TEST_CASE("the writer: these bytes, and the same again") {
  const std::string numbers = io::to_bytes<float>(std::vector<float>{1, -2.5f}), byte = "\x01";
  const std::vector<StoredTensor> tensors = {{"q", Dtype::F32, {1, 2}, numbers}, {"on", Dtype::BOOL, {}, byte}};
  const std::string header =
      "{\"__metadata__\":{\"by\":\"\\\"me\\\"\"},\"q\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"
      "\"on\":{\"dtype\":\"BOOL\",\"shape\":[],\"data_offsets\":[8,9]}}";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  const std::string bytes = written(tensors, {{"by", "\"me\""}});
  CHECK(bytes == file_of(header + padding, std::string("\x00\x00\x80\x3f\x00\x00\x20\xc0\x01", 9)));
  CHECK(bytes == written(tensors, {{"by", "\"me\""}}));
  CHECK(written({}) == file_of("{}      "));
  CHECK(io::to_bytes<double>(std::vector<double>{-2.5}) == std::string("\x00\x00\x00\x00\x00\x00\x04\xc0", 8));
}

TEST_CASE("the writer refuses what would not come back") {
  const StoredTensor whole = {"a", Dtype::F32, {1}, kFourBytes};
  StoredTensor wide = whole, negative = whole, misnamed = whole, reserved = whole;
  wide.shape = {2};
  negative.shape = {-1};
  misnamed.name = "\xFF";
  reserved.name = "__metadata__";
  CHECK(written({whole, whole}) == "tensor \"a\": found the name twice, wanted it once");
  CHECK(written({wide}) == "tensor \"a\" data_offsets: found 4 bytes, wanted 2 of 4 bytes (F32)");
  CHECK(written({negative}) == "tensor \"a\" shape[1]: found -1, wanted a whole number from 0 to 2147483647");
  CHECK(written({misnamed}) == "text \"\uFFFD\": found bytes that aren't UTF-8, wanted UTF-8");
  CHECK(written({reserved}).starts_with("__metadata__ \"shape\": found a list, wanted a string"));
  CHECK(written({}, {{"k", "\xC0\x80"}}) == "text \"\uFFFD\uFFFD\": found bytes that aren't UTF-8, wanted UTF-8");
  CHECK(written({}, {{"k", ""}, {"k", ""}}) == "__metadata__ \"k\": found the name twice, wanted it once");
  CHECK(written({}, {{"k", std::string(io::kMostHeaderBytes, ' ')}}) ==
        "header length: found 8388640, wanted at most 8388608");
}

TEST_CASE("any bits come back: random tensors, names, metadata") {
  Random random(71);
  for (int round = 0; round < 200; ++round) {
    const int count = random.whole(0, 5);
    std::vector<std::string> data(static_cast<std::size_t>(count));
    Safetensors wanted;
    for (int i = 0; i < count; ++i) {
      StoredTensor tensor{std::to_string(i) + "\"\\\n√", static_cast<Dtype>(random.whole(0, 16)), {}, {}};
      for (int rank = random.whole(0, 3); rank > 0; --rank) tensor.shape.push_back(random.whole(0, 4));
      std::string& bytes = data[static_cast<std::size_t>(i)];
      const std::size_t size = static_cast<std::size_t>(io::count_numbers(tensor.shape)) * io::size_of(tensor.dtype);
      while (bytes.size() < size) bytes += static_cast<char>(random.bits());
      tensor.data = bytes;
      wanted.tensors.push_back(tensor);
    }
    if (random.coin()) wanted.metadata = {{"seed", std::to_string(random.bits())}, {"", "\x7f\t🐕"}};
    const std::string bytes = written(wanted.tensors, wanted.metadata);
    CHECK(read_whole(bytes) == wanted);
    CHECK(static_cast<unsigned char>(bytes[0]) % 8 == 0);  // the header's length
  }
}

TEST_CASE("floats come back to the bit, NaNs and all") {
  Random random(72);
  std::vector<float> floats(1000);
  std::vector<double> doubles(1000);
  for (float& number : floats) number = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
  for (double& number : doubles) number = std::bit_cast<double>(random.bits());
  const std::string a = io::to_bytes<float>(floats), b = io::to_bytes<double>(doubles);
  const std::string bytes = written({{"a", Dtype::F32, {10, 100}, a}, {"b", Dtype::F64, {1000}, b}});
  const Safetensors file = read_whole(bytes);
  const auto back = numbers_of<float>(tensor_of(file, "a"));
  const auto back_in_double = numbers_of<double>(tensor_of(file, "b"));
  REQUIRE(back.size() == 1000);
  REQUIRE(back_in_double.size() == 1000);
  CHECK(std::memcmp(back.data(), floats.data(), 4000) == 0);
  CHECK(std::memcmp(back_in_double.data(), doubles.data(), 8000) == 0);
}

TEST_CASE("real files are read whole, and written again byte by byte") {
  for (const std::string name : {"nano-sort-gpt", "nano-sort-gpt.layer0", "bert-sst2-sentence"}) {
    const std::string path = std::string(HEADSCOPE_SHARED_DIR) + "/real/" + name + ".safetensors";
    const std::string bytes = read_file(path);
    if (bytes.empty()) {
      MESSAGE("skipped: there is no " << path);
      continue;
    }
    INFO(path);
    const Safetensors file = read_whole(bytes);
    CHECK(file.tensors.size() > 0);
    CHECK(written(file.tensors, file.metadata) == bytes);
    int not_numbers = 0;  // infinities there are: what is masked
    for (const StoredTensor& tensor : file.tensors) {
      for (const float number : numbers_of<float>(tensor)) not_numbers += std::isnan(number) ? 1 : 0;
    }
    CHECK(not_numbers == 0);
    if (name == "bert-sst2-sentence") {
      const StoredTensor& attention = tensor_of(file, "attention");
      CHECK(io::shape_text(attention.shape) == "12 x 12 x 29 x 29");
      for (std::int64_t head = 0; head < io::count_matrices(attention.shape); ++head) {
        const double worst = (matrix_of<double>(attention, head).rowwise().sum().array() - 1).abs().maxCoeff();
        CHECK(worst < 29 * 0.00005);  // rounded to 4 decimals
      }
      CHECK(nlohmann::json::parse(*io::find_text(file, "tokens")).size() == 29);
    }
  }
}
