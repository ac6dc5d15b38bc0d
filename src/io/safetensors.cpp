// Reads safetensors files: the header's grammar, each entry by itself, and the layout of the data.
#include "io/safetensors.hpp"

#include "io/json.hpp"
#include "io/json_reader.hpp"
#include "io/safetensors_internal.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace io {
namespace {

using attention::Problem;
using Kind = JsonReader::Kind;

constexpr std::int64_t kLargestDimension = std::numeric_limits<std::int32_t>::max();

struct DtypeRow {
  std::string_view name;
  std::size_t bytes;
};
constexpr DtypeRow kDtypes[] = {  // in the enum's order
    {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"F8_E8M0", 1},
    {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},     {"U32", 4},
    {"F32", 4},  {"I64", 8}, {"U64", 8}, {"F64", 8},     {"C64", 8}};
static_assert(std::size(kDtypes) == static_cast<std::size_t>(Dtype::C64) + 1);

/// What a file says, cut to a length that a sentence can hold, at the end of a character.
std::string cut(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return std::string(text);
  std::size_t length = kMost;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0u) == 0x80u) --length;
  return std::string(text.substr(0, length)) + "\u2026";
}

std::string bytes_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string_view kind_text(Kind kind) {
  constexpr std::string_view kTexts[] = {"an object",           "a list", "a string", "a number",
                                         "true, false or null", "nothing"};
  return kTexts[static_cast<std::size_t>(kind)];
}

/// Problems as they turn up, at most kNamedProblems of them.
class Refusals {
 public:
  void add(std::string field, std::string found, std::string wanted) {
    if (!is_full()) named_.push_back({std::move(field), std::move(found), std::move(wanted)});
  }
  bool empty() const { return named_.empty(); }
  bool is_full() const { return named_.size() == kNamedProblems; }
  std::vector<Problem> take() {
    if (is_full()) named_.push_back({"file", "these problems and maybe more", "none"});
    return std::move(named_);
  }

 private:
  std::vector<Problem> named_;
};

/// 1 for each dimension of 0: is the product a 64-bit number?
bool is_countable(std::span<const std::int64_t> shape) {
  std::int64_t most = std::numeric_limits<std::int64_t>::max();  // of the dimensions that are left
  for (const std::int64_t length : shape) {
    if (length > 0 && (most /= length) == 0) return false;
  }
  return true;
}

struct Entry {
  StoredTensor tensor;  // without its data
  std::uint64_t begin = 0, end = 0;
  bool has_dtype = false, has_shape = false, has_offsets = false;  // each read and right by itself
};

/// The header's grammar, and each entry by itself.
class HeaderReader {
 public:
  HeaderReader(std::string_view header, std::uint64_t data_size, Refusals& refusals)
      : json_(header), data_size_(data_size), refusals_(refusals) {}

  void read() {
    json_.begin();
    for (std::string name; json_.next_key(name);) {
      if (name == kMetadata) {
        read_metadata();
      } else {
        read_tensor(name);
      }
      if (refusals_.is_full()) return;  // what is that wrong is not worth the memory of its entries
    }
    json_.end();
    if (const auto& problem = json_.problem()) {
      refusals_.add("header " + problem->field, problem->found, problem->wanted);
    } else {
      refuse_repeated();
    }
  }

  std::vector<Entry> entries;  // in the header's order
  std::vector<MetadataText> metadata;

 private:
  /// True when the value to come is of that kind; else it is refused and passed over.
  bool expect(Kind kind, const std::string& field, std::string wanted) {
    const Kind found = json_.kind();
    if (found == kind) return true;
    if (found != Kind::none) refusals_.add(field, std::string(kind_text(found)), std::move(wanted));
    json_.skip();
    return false;
  }

  void read_metadata() {
    if (std::exchange(has_metadata_, true)) refusals_.add(std::string(kMetadata), "it twice", "it once");
    if (!expect(Kind::object, std::string(kMetadata), "an object of strings")) return;
    json_.begin();
    for (std::string key; json_.next_key(key);) {
      if (!expect(Kind::string, std::string(kMetadata) + " " + shown(key), "a string")) continue;
      metadata.push_back({key, json_.string()});
    }
  }

  void read_tensor(const std::string& name) {
    constexpr std::string_view kKeys[] = {"dtype", "shape", "data_offsets"};
    Entry& entry = entries.emplace_back();
    entry.tensor.name = name;
    const std::string field = field_of(entry.tensor);
    if (!expect(Kind::object, field, "an object of dtype, shape and data_offsets")) return;
    std::array<bool, std::size(kKeys)> seen = {};
    json_.begin();
    for (std::string key; json_.next_key(key);) {
      const auto which = static_cast<std::size_t>(std::find(std::begin(kKeys), std::end(kKeys), key) - kKeys);
      if (which == seen.size()) {
        refusals_.add(field + " " + shown(key), "a key of that name", "dtype, shape and data_offsets alone");
        json_.skip();
        continue;
      }
      const std::string part = field + " " + key;
      if (std::exchange(seen[which], true)) refusals_.add(part, "it twice", "it once");
      if (which == 0) read_dtype(part, entry);
      if (which == 1) read_shape(part, entry);
      if (which == 2) read_offsets(part, entry);
    }
    if (json_.failed()) return;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) refusals_.add(field + " " + std::string(kKeys[i]), "nothing", "it once");
    }
    check_size(field, entry);
  }

  void read_dtype(const std::string& field, Entry& entry) {
    std::string wanted = "one of";
    for (const DtypeRow& row : kDtypes) wanted += " " + std::string(row.name);
    if (!expect(Kind::string, field, wanted)) return;
    const std::string name = json_.string();
    if (json_.failed()) return;
    const auto row =
        std::find_if(std::begin(kDtypes), std::end(kDtypes), [&](const DtypeRow& it) { return it.name == name; });
    if (row == std::end(kDtypes)) return refusals_.add(field, shown(name), wanted);
    entry.tensor.dtype = static_cast<Dtype>(row - kDtypes);
    entry.has_dtype = true;
  }

  void read_shape(const std::string& field, Entry& entry) {
    std::vector<std::int64_t> shape;
    if (!read_list(field, kMostDimensions, kLargestDimension, shape)) return;
    if (!is_countable(shape)) return refusals_.add(field, shape_text(shape), "a product of at most 2^63 - 1");
    entry.tensor.shape = std::move(shape);
    entry.has_shape = true;
  }

  void read_offsets(const std::string& field, Entry& entry) {
    std::vector<std::int64_t> offsets;
    const auto most = std::min<std::uint64_t>(data_size_, std::numeric_limits<std::int64_t>::max());
    if (!read_list(field, 2, static_cast<std::int64_t>(most), offsets)) return;
    if (offsets.size() < 2) return refusals_.add(field, "a list of " + std::to_string(offsets.size()), "[begin, end]");
    if (offsets[0] > offsets[1]) {
      const std::string found = "[" + std::to_string(offsets[0]) + ", " + std::to_string(offsets[1]) + "]";
      return refusals_.add(field, found, "an end that isn't before its begin");
    }
    entry.begin = static_cast<std::uint64_t>(offsets[0]);
    entry.end = static_cast<std::uint64_t>(offsets[1]);
    entry.has_offsets = true;
  }

  /// At most `longest` whole numbers from 0 to `most`. What is too many is read, counted and dropped.
  bool read_list(const std::string& field, std::size_t longest, std::int64_t most, std::vector<std::int64_t>& out) {
    if (!expect(Kind::list, field, "a list of whole numbers")) return false;
    const std::string wanted = "a whole number from 0 to " + std::to_string(most);
    std::size_t count = 0;
    bool right = true;
    json_.begin();
    while (json_.next_item()) {
      if (++count > longest) {
        json_.skip();
        continue;
      }
      const std::string item = field + "[" + std::to_string(count) + "]";
      const bool is_number = expect(Kind::number, item, wanted);
      const std::string_view text = is_number ? json_.number() : "";
      const std::optional<std::int64_t> number = whole_number(text, most);
      if (number) out.push_back(*number);
      if (is_number && !number && !json_.failed()) refusals_.add(item, cut(text), wanted);
      right = right && number;
    }
    if (count > longest && !json_.failed()) {
      refusals_.add(field, "a list of " + std::to_string(count), "at most " + std::to_string(longest) + " numbers");
    }
    return right && count <= longest && !json_.failed();
  }

  /// Digits alone: 2.0, 2e3 and -0 are refused, as the format's own library does.
  static std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t most) {
    std::int64_t out = 0;
    for (const char c : text) {
      const std::int64_t digit = c - '0';
      if (digit < 0 || digit > 9 || digit > most || out > (most - digit) / 10) return std::nullopt;
      out = 10 * out + digit;
    }
    return text.empty() ? std::nullopt : std::optional(out);
  }

  void check_size(const std::string& field, const Entry& entry) {
    if (!entry.has_dtype || !entry.has_shape || !entry.has_offsets) return;
    const std::uint64_t size = entry.end - entry.begin, width = size_of(entry.tensor.dtype);
    const auto count = static_cast<std::uint64_t>(count_numbers(entry.tensor.shape));
    if (size % width == 0 && size / width == count) return;
    refusals_.add(field + " data_offsets", bytes_text(size),
                  shape_text(entry.tensor.shape) + " of " + bytes_text(width) + " (" +
                      std::string(name_of(entry.tensor.dtype)) + ")");
  }

  void refuse_repeated() {
    std::vector<std::string_view> names, keys;
    for (const Entry& entry : entries) names.push_back(entry.tensor.name);
    for (const MetadataText& text : metadata) keys.push_back(text.key);
    refuse_repeated("tensor ", names);
    refuse_repeated(std::string(kMetadata) + " ", keys);
  }
  void refuse_repeated(const std::string& field, std::vector<std::string_view>& names) {
    std::sort(names.begin(), names.end());
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i] == names[i - 1]) refusals_.add(field + shown(names[i]), "the name twice", "it once");
    }
  }

  JsonReader json_;
  std::uint64_t data_size_;
  Refusals& refusals_;
  bool has_metadata_ = false;
};

/// One after the other, from the first byte to the last. `entries` are in the order of their data.
void check_layout(const std::vector<Entry>& entries, std::uint64_t data_size, Refusals& refusals) {
  std::uint64_t taken = 0;
  std::string wanted = "0, where the data begin";
  for (const Entry& entry : entries) {
    if (entry.begin != taken) {
      refusals.add(field_of(entry.tensor) + " data_offsets[1]", std::to_string(entry.begin), wanted);
    }
    if (entry.end < taken) continue;  // inside the one before
    taken = entry.end;
    wanted = std::to_string(taken) + ", where " + field_of(entry.tensor) + " ends";
  }
  if (taken == data_size) return;
  refusals.add("data", bytes_text(data_size), bytes_text(taken) + ", where the last tensor ends");
}

}  // namespace

std::string shown(std::string_view text) { return quoted_text(cut(text)); }

std::string field_of(const StoredTensor& tensor) { return "tensor " + shown(tensor.name); }

std::string_view name_of(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)].name; }
std::size_t size_of(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)].bytes; }

std::variant<Safetensors, std::vector<Problem>> read_safetensors(std::string_view bytes) {
  Refusals refusals;
  const auto refuse = [&](std::string field, std::string found, std::string wanted) {
    refusals.add(std::move(field), std::move(found), std::move(wanted));
    return refusals.take();
  };
  if (bytes.size() < kLengthBytes) {
    return refuse("file", bytes_text(bytes.size()), "8 bytes of header length and a header");
  }
  const std::uint64_t length = little_endian(bytes.substr(0, kLengthBytes)), rest = bytes.size() - kLengthBytes;
  if (length > kMostHeaderBytes) {
    return refuse("header length", std::to_string(length), "at most " + std::to_string(kMostHeaderBytes));
  }
  if (length > rest) {
    return refuse("header length", std::to_string(length), "at most " + std::to_string(rest) + ", the bytes after it");
  }
  const std::string_view header = bytes.substr(kLengthBytes, static_cast<std::size_t>(length));
  const std::string_view data = bytes.substr(kLengthBytes + header.size());
  if (!header.starts_with('{')) {
    return refuse("header", header.empty() ? "nothing" : shown(header), "{ as its first byte");
  }

  HeaderReader reader(header, data.size(), refusals);
  reader.read();
  if (!refusals.empty()) return refusals.take();
  std::stable_sort(reader.entries.begin(), reader.entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  check_layout(reader.entries, data.size(), refusals);
  if (!refusals.empty()) return refusals.take();

  Safetensors file;
  file.metadata = std::move(reader.metadata);
  for (Entry& entry : reader.entries) {
    entry.tensor.data =
        data.substr(static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
    file.tensors.push_back(std::move(entry.tensor));
  }
  return file;
}

const StoredTensor* find(const Safetensors& file, std::string_view name) {
  const auto found =
      std::find_if(file.tensors.begin(), file.tensors.end(), [&](const StoredTensor& it) { return it.name == name; });
  return found == file.tensors.end() ? nullptr : &*found;
}

const std::string* find_text(const Safetensors& file, std::string_view key) {
  const auto found =
      std::find_if(file.metadata.begin(), file.metadata.end(), [&](const MetadataText& it) { return it.key == key; });
  return found == file.metadata.end() ? nullptr : &found->value;
}

}  // namespace io
