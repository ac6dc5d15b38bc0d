// Reads JSON of which every key is known: what is missing, there twice, too many or of another kind is named. Private
// to heads.
#pragma once

#include "io/json_reader.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heads {

/// What a file says, in quotes, cut to a length that a sentence can hold.
std::string shown(std::string_view text);

/// Problems as they turn up, io::kNamedProblems of them at most and then one that says so.
class Refusals {
 public:
  void add(std::string field, std::string found, std::string wanted);
  void add(const std::vector<attention::Problem>& problems);
  bool empty() const { return named_.empty(); }
  bool is_full() const;
  std::vector<attention::Problem> take();

 private:
  std::vector<attention::Problem> named_;
};

/// Refers to what reads one value, for as long as the call lasts that it is handed to. std::function would be 10 KB of
/// wasm more.
class Read {
 public:
  template <class Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, Read>) Read(Function&& function)
      : function_(&function), call_([](const void* it, const std::string& field) {
          (*static_cast<const std::remove_reference_t<Function>*>(it))(field);
        }) {}
  /// `field` is how problems call the value.
  void operator()(const std::string& field) const { call_(function_, field); }

 private:
  const void* function_;
  void (*call_)(const void*, const std::string&);
};

class StrictJson {
 public:
  /// Every problem's field begins with `name`. `text` and `refusals` must outlive the reader.
  StrictJson(std::string name, std::string_view text, Refusals& refusals)
      : name_(std::move(name)), text_(text), json_(text), refusals_(refusals) {}

  /// One key of an object and what reads its value.
  struct Member {
    std::string_view key;
    Read read;
    bool needed = true;
  };
  enum class Others : std::uint8_t { refused, passed_over };
  void object(const std::string& field, std::initializer_list<Member> members, Others others = Others::refused);
  /// read(field) for each item. What is more than `most` is read, counted and dropped.
  void list(const std::string& field, std::size_t most, const Read& read);

  /// Each gives a value in range, or refuses what is there and gives the least one.
  std::int64_t whole(const std::string& field, std::int64_t least, std::int64_t most);
  int small(const std::string& field, int least, int most);
  std::uint64_t large(const std::string& field);  // all of 64 bits
  double number(const std::string& field, double least, double most);
  std::string text(const std::string& field, std::size_t most_bytes);
  bool truth(const std::string& field);
  std::size_t choice(const std::string& field, std::span<const std::string_view> names);  // which of these texts
  bool take_null();  // null was there, and is taken
  /// Any value as it is written; "" when what stands there isn't JSON.
  std::string_view raw();

  /// Nothing may follow. True when all of the text was read and nothing was refused while it was.
  bool end();
  const std::string& name() const { return name_; }
  void refuse(const std::string& field, std::string found, std::string wanted);

 private:
  bool expect(io::JsonReader::Kind kind, const std::string& field, std::string wanted);
  std::string_view word();

  std::string name_;
  std::string_view text_;
  io::JsonReader json_;
  Refusals& refusals_;
  bool refused_ = false;
};

}  // namespace heads
