// Broken safetensors files by the thousand: none may crash the reader, and what it takes must be right by another
// reading.
#include "safetensors_support.hpp"

#include <algorithm>
#include <set>
#include <sstream>

using namespace safetensors_test;
using attention_test::Random;

namespace {

using Json = nlohmann::json;

std::size_t width_of(const std::string& dtype) {
  static const std::map<std::string, std::size_t> widths = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"F8_E8M0", 1},
      {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},     {"U32", 4},
      {"F32", 4},  {"I64", 8}, {"U64", 8}, {"F64", 8},     {"C64", 8}};
  const auto found = widths.find(dtype);
  return found == widths.end() ? 0 : found->second;
}

/// What is wrong with a file that was taken, read once more by the JSON library; "" when nothing is.
std::string fault_of(std::string_view bytes, const Safetensors& file) {
  std::uint64_t length = 0;
  for (std::size_t i = 8; i > 0; --i) length = length << 8 | static_cast<unsigned char>(bytes[i - 1]);
  if (length > bytes.size() - 8) return "the header's length";
  const std::string_view header = bytes.substr(8, static_cast<std::size_t>(length));
  const std::string_view data = bytes.substr(8 + header.size());
  const Json json = Json::parse(header, nullptr, false);
  if (!json.is_object()) return "the header isn't JSON";
  const Json metadata = json.value("__metadata__", Json::object());
  if (json.size() != file.tensors.size() + json.count("__metadata__")) return "tensors";
  if (metadata.size() != file.metadata.size()) return "metadata";
  for (const io::MetadataText& text : file.metadata) {
    if (metadata.value(text.key, Json()) != Json(text.value)) return "metadata " + text.key;
  }
  const char* next = data.data();
  std::set<std::string> names;
  for (const io::StoredTensor& tensor : file.tensors) {
    if (tensor.data.data() != next) return tensor.name + " leaves a hole or overlaps";
    next += tensor.data.size();
    if (!names.insert(tensor.name).second) return tensor.name + " twice";
    const Json entry = json.value(tensor.name, Json());
    if (!entry.is_object() || entry.size() != 3) return tensor.name + " has other keys";
    if (entry.at("dtype") != Json(std::string(io::name_of(tensor.dtype)))) return tensor.name + " dtype";
    if (entry.at("shape") != Json(tensor.shape)) return tensor.name + " shape";
    const auto begin = static_cast<std::size_t>(tensor.data.data() - data.data());
    if (entry.at("data_offsets") != Json({begin, begin + tensor.data.size()})) return tensor.name + " data_offsets";
    std::size_t size = width_of(entry.at("dtype").get<std::string>());
    if (size == 0) return tensor.name + " has no known type";
    for (const std::int64_t dimension : tensor.shape) size *= static_cast<std::size_t>(dimension);
    if (size != tensor.data.size()) return tensor.name + " size";
  }
  return next == data.data() + data.size() ? "" : "data are left over";
}

/// Everything that can be asked of a file; the sanitizers watch.
std::size_t use(const Safetensors& file) {
  std::size_t out = 0;
  for (const io::StoredTensor& tensor : file.tensors) {
    out += io::find(file, tensor.name) == &tensor ? 1 : 0;
    const auto numbers = io::read_numbers<float>(tensor);
    if (const auto* vector = std::get_if<std::vector<float>>(&numbers)) out += vector->size();
    if (io::count_matrices(tensor.shape) == 0) continue;
    const auto matrix = io::read_matrix<double>(tensor, io::count_matrices(tensor.shape) - 1);
    if (const auto* last = std::get_if<attention::Matrix<double>>(&matrix))
      out += static_cast<std::size_t>(last->size());
  }
  return out;
}

std::vector<std::string> seeds() {
  const std::string eight = "12345678";
  return {
      file_of("{}"),
      file_of("{\"w\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}  ", eight),
      file_of("{\"__metadata__\":{\"format\":\"pt\",\"\\u221a\":\"√\"},"
              "\"layer.0.W_Q\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
              "\"layer.0.b_Q\":{\"dtype\":\"F16\",\"shape\":[1,4],\"data_offsets\":[8,16]},"
              "\"gate\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[16,24]},"
              "\"none\":{\"dtype\":\"BF16\",\"shape\":[0,3],\"data_offsets\":[24,24]},"
              "\"ids\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[24,32]}}",
              eight + eight + eight + eight),
  };
}

std::size_t place_in(Random& random, const std::string& text) {
  return static_cast<std::size_t>(random.whole(0, static_cast<int>(text.size()) - 1));
}

/// A number at an edge: of the file, of a word, of what a number may look like.
std::string extreme(Random& random) {
  static const std::vector<std::string> words = [] {
    std::istringstream text(
        "0 -1 -0 1 2 3 4 8 16 24 32 01 1.0 1e0 1e999 2147483647 2147483648 4294967295 4294967296 4611686018427387904 "
        "9223372036854775807 9223372036854775808 18446744073709551608 18446744073709551615 18446744073709551616 [] "
        "null");
    return std::vector<std::string>(std::istream_iterator<std::string>(text), {});
  }();
  const int which = random.whole(0, static_cast<int>(words.size()));
  return which == static_cast<int>(words.size()) ? std::string(200, '9') : words[static_cast<std::size_t>(which)];
}

/// Another number in place of one in the header.
void replace_number(Random& random, std::string& header) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t begin = place_in(random, header);
  while (begin < header.size() && !is_digit(header[begin])) ++begin;
  std::size_t end = begin;
  while (end < header.size() && is_digit(header[end])) ++end;
  if (begin < end) header.replace(begin, end - begin, extreme(random));
}

/// One change. Most often the header's length is put right: else nothing behind it would be reached.
std::string broken(Random& random, std::string bytes) {
  const auto length =
      static_cast<std::size_t>(static_cast<unsigned char>(bytes[0]) + 256 * static_cast<unsigned char>(bytes[1]));
  std::string header = bytes.substr(8, length), data = bytes.substr(8 + header.size());
  if (header.empty()) return bytes;
  const auto piece = [&](const std::string& text) {
    const std::size_t at = place_in(random, text);
    return text.substr(at, static_cast<std::size_t>(random.whole(1, 40)));
  };
  switch (random.whole(0, 7)) {
    case 0: {  // a bit
      char& byte = bytes[place_in(random, bytes)];
      byte = static_cast<char>(byte ^ 1 << random.whole(0, 7));
      return bytes;
    }
    case 1: return bytes.substr(0, place_in(random, bytes));
    case 2: return bytes.insert(place_in(random, bytes), 1, static_cast<char>(random.bits()));
    case 3: return length_bytes(random.bits() >> random.whole(0, 63)) + header + data;
    case 4: header.insert(place_in(random, header), piece(header)); break;
    case 5: header.erase(place_in(random, header), static_cast<std::size_t>(random.whole(1, 40))); break;
    case 6: replace_number(random, header); break;
    default: {
      char& byte = header[place_in(random, header)];
      byte = "{}[]\",:\\0129 \x01\x7f\x80\xff"[random.whole(0, 17)];
    }
  }
  return random.coin() && random.coin() ? length_bytes(length) + header + data : file_of(header, data);
}

}  // namespace

TEST_CASE("broken files: refused with reasons, or right by another reading") {
  Random random(73);
  int taken = 0, refused = 0;
  for (const std::string& seed : seeds()) {
    const Safetensors file = read_whole(seed);
    REQUIRE(fault_of(seed, file) == "");
    for (int round = 0; round < 6000; ++round) {
      std::string bytes = broken(random, seed);
      if (bytes.size() >= 8 && bytes.size() < 256 && random.coin() && random.coin()) bytes = broken(random, bytes);
      const std::vector<char> exact(bytes.begin(), bytes.end());  // so that one byte too far is seen
      const std::string_view view(exact.data(), exact.size());
      const auto read = io::read_safetensors(view);
      if (const auto* found = std::get_if<Safetensors>(&read)) {
        ++taken;
        const std::string fault = fault_of(view, *found);
        if (!fault.empty()) FAIL_CHECK(fault << " in " << bytes);
        use(*found);
      } else {
        ++refused;
        const auto& problems = std::get<Problems>(read);
        const bool said = !problems.empty() && problems.size() <= io::kNamedProblems + 1 && !problems[0].field.empty();
        if (!said) FAIL_CHECK("no reason for " << bytes);
      }
    }
  }
  MESSAGE(taken << " were taken, " << refused << " refused");
  CHECK(taken > 200);
  CHECK(refused > 10000);
}

TEST_CASE("two numbers of a header changed at once: offsets that move together are still checked") {
  Random random(74);
  int taken = 0;
  const std::string data(8, 'x');
  for (int round = 0; round < 6000; ++round) {
    const auto offset = [&] { return std::to_string(random.whole(0, 2) * 4); };
    const auto entry = [&](const char* name) {  // drawn one by one: compilers differ in what of a sum they do first
      const std::string size = std::to_string(random.whole(0, 2)), begin = offset(), end = offset();
      return "\"" + std::string(name) + "\":{\"dtype\":\"F32\",\"shape\":[" + size + "],\"data_offsets\":[" + begin +
             "," + end + "]}";
    };
    const std::string a = entry("a"), b = entry("b");
    const std::string bytes = file_of("{" + a + "," + b + "}", data);
    const auto read = io::read_safetensors(bytes);
    const auto* found = std::get_if<Safetensors>(&read);
    if (found == nullptr) continue;
    ++taken;
    CHECK(fault_of(bytes, *found) == "");
  }
  CHECK(taken > 10);
}

TEST_CASE("a header at its largest is read in memory that grows with it") {
  std::string header = "{";
  for (int i = 0; header.size() < io::kMostHeaderBytes / 4; ++i) {
    header +=
        (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
  }
  const std::string many = file_of(header + "}");
  CHECK(read_whole(many).tensors.size() > 30000);
  CHECK(refusal_of(file_of("{\"a\":{\"shape\":[0" + std::string(1 << 20, ' ') + "]")) != "");
  std::string zeros;
  for (int i = 0; i < 1 << 20; ++i) zeros += ",0";
  CHECK(refusal_of(file_of("{\"a\":{\"dtype\":\"U8\",\"shape\":[0" + zeros + "],\"data_offsets\":[0,0]}}")) ==
        "tensor \"a\" shape: found a list of 1048577, wanted at most 64 numbers");
  CHECK(refusal_of(file_of("{\"a\":" + std::string(1 << 20, '[')))
            .ends_with("wanted at most 16 brackets inside each other"));
}
