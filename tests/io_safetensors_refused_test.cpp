// What the safetensors reader refuses: each reason, as it is said.
#include "safetensors_support.hpp"

using namespace safetensors_test;

namespace {

/// Two tensors of bytes, at these offsets of 8.
std::string two_at(const std::string& first, const std::string& second, int first_size, int second_size) {
  const auto one = [](const char* name, const std::string& offsets, int size) {
    return "\"" + std::string(name) + "\":{\"dtype\":\"U8\",\"shape\":[" + std::to_string(size) +
           "],\"data_offsets\":" + offsets + "}";
  };
  return file_of("{" + one("a", first, first_size) + "," + one("b", second, second_size) + "}", kEightBytes);
}

struct Refused {
  std::string bytes, sentence;
};
void check(const std::vector<Refused>& cases) {
  for (const auto& [bytes, sentence] : cases) CHECK(refusal_of(bytes) == sentence);
}

}  // namespace

TEST_CASE("refused: a header that isn't there, or isn't one") {
  check({
      {"", "file: found 0 bytes, wanted 8 bytes of header length and a header"},
      {std::string(7, '\x01'), "file: found 7 bytes, wanted 8 bytes of header length and a header"},
      {length_bytes(0), "header: found nothing, wanted { as its first byte"},
      {length_bytes(3) + "{}", "header length: found 3, wanted at most 2, the bytes after it"},
      {length_bytes(~std::uint64_t{0}) + "{}", "header length: found 18446744073709551615, wanted at most 8388608"},
      {length_bytes(0x100000002u) + "{}", "header length: found 4294967298, wanted at most 8388608"},
      {length_bytes(8388609) + "{}", "header length: found 8388609, wanted at most 8388608"},
      {length_bytes(8388608) + "{}", "header length: found 8388608, wanted at most 2, the bytes after it"},
      {file_of(" {}"), "header: found \" {}\", wanted { as its first byte"},
      {file_of("[]"), "header: found \"[]\", wanted { as its first byte"},
      {file_of("\xEF\xBB\xBF{}"), "header: found \"\uFEFF{}\", wanted { as its first byte"},
      {file_of("{"), "header byte 2: found the end, wanted a string in double quotes"},
      {file_of("{} {"), "header byte 4: found \"{\", wanted only white space after the last bracket"},
      {file_of(std::string("{}\0", 3)),
       "header byte 3: found \"\\u0000\", wanted only white space after the last bracket"},
      {file_of("{\"a\":1,}"),
       "tensor \"a\": found a number, wanted an object of dtype, shape and data_offsets\n"
       "header byte 8: found \"}\", wanted a string in double quotes"},
      {file_of("{'a':1}"), "header byte 2: found \"'\", wanted a string in double quotes"},
      {file_of("{\"\xFF\":1}"), "header byte 3: found byte 0xff, wanted UTF-8"},
      {file_of("{\"a\xE2\x88\":1}"), "header byte 4: found byte 0xe2, wanted UTF-8"},
      {file_of("{\"\\ud800\":1}"), "header byte 3: found \"\\\\\", wanted surrogates in pairs"},
      {file_of("{\"a\":" + std::string(99, '[')),
       "tensor \"a\": found a list, wanted an object of dtype, shape and data_offsets\n"
       "header byte 21: found \"[\", wanted at most 16 brackets inside each other"},
  });
}

TEST_CASE("refused: names and keys twice, too many, missing, or of another kind") {
  const std::string whole = "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]";
  const std::string empty = "{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
  check({
      {file_of("{\"a\":" + empty + ",\"b\":" + empty + ",\"\\u0061\":" + empty + "}"),
       "tensor \"a\": found the name twice, wanted it once"},
      {file_of("{\"a\":[]}"), "tensor \"a\": found a list, wanted an object of dtype, shape and data_offsets"},
      {file_of("{\"a\":null}"),
       "tensor \"a\": found true, false or null, wanted an object of dtype, shape and data_offsets"},
      {file_of(entry("")),
       "tensor \"a\" dtype: found nothing, wanted it once\ntensor \"a\" shape: found nothing, wanted it once\n"
       "tensor \"a\" data_offsets: found nothing, wanted it once"},
      {file_of(entry(whole + ",\"shape\":[1]"), kFourBytes), "tensor \"a\" shape: found it twice, wanted it once"},
      {file_of(entry(whole + ",\"dtype\":\"F32\""), kFourBytes), "tensor \"a\" dtype: found it twice, wanted it once"},
      {file_of(entry(whole + ",\"data_offsets\":[0,4]"), kFourBytes),
       "tensor \"a\" data_offsets: found it twice, wanted it once"},
      {file_of(entry(whole + ",\"offsets\":[{}]"), kFourBytes),
       "tensor \"a\" \"offsets\": found a key of that name, wanted dtype, shape and data_offsets alone"},
      {file_of("{\"__metadata__\":null}"), "__metadata__: found true, false or null, wanted an object of strings"},
      {file_of("{\"__metadata__\":{\"a\":1,\"b\":{\"c\":[]},\"d\":\"\"}}"),
       "__metadata__ \"a\": found a number, wanted a string\n__metadata__ \"b\": found an object, wanted a string"},
      {file_of("{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}"),
       "__metadata__ \"a\": found the name twice, wanted it once"},
      {file_of("{\"__metadata__\":{},\"__metadata__\":{}}"), "__metadata__: found it twice, wanted it once"},
  });
}

TEST_CASE("refused: types and shapes") {
  const std::string types = "one of BOOL U8 I8 F8_E5M2 F8_E4M3 F8_E8M0 I16 U16 F16 BF16 I32 U32 F32 I64 U64 F64 C64";
  const auto with_shape = [](const std::string& shape) {
    return file_of(entry_of("\"F32\"", shape, "[0,4]"), kFourBytes);
  };
  const std::string dimension = ", wanted a whole number from 0 to 2147483647";
  const std::string ones = "[1" + [] {
    std::string out;
    for (int i = 0; i < 64; ++i) out += ",1";
    return out;
  }();
  check({
      {file_of(entry_of("\"F33\"", "[1]", "[0,4]"), kFourBytes), "tensor \"a\" dtype: found \"F33\", wanted " + types},
      {file_of(entry_of("\"f32\"", "[1]", "[0,4]"), kFourBytes), "tensor \"a\" dtype: found \"f32\", wanted " + types},
      {file_of(entry_of("\"F4\"", "[2]", "[0,1]"), "x"), "tensor \"a\" dtype: found \"F4\", wanted " + types},
      {file_of(entry_of("32", "[1]", "[0,4]"), kFourBytes), "tensor \"a\" dtype: found a number, wanted " + types},
      {with_shape("1"), "tensor \"a\" shape: found a number, wanted a list of whole numbers"},
      {with_shape("[-1]"), "tensor \"a\" shape[1]: found -1" + dimension},
      {with_shape("[1,-0]"), "tensor \"a\" shape[2]: found -0" + dimension},
      {with_shape("[1.0]"), "tensor \"a\" shape[1]: found 1.0" + dimension},
      {with_shape("[1e0]"), "tensor \"a\" shape[1]: found 1e0" + dimension},
      {with_shape("[\"1\"]"), "tensor \"a\" shape[1]: found a string" + dimension},
      {with_shape("[[1]]"), "tensor \"a\" shape[1]: found a list" + dimension},
      {with_shape("[2147483648]"), "tensor \"a\" shape[1]: found 2147483648" + dimension},
      {with_shape("[18446744073709551617]"), "tensor \"a\" shape[1]: found 18446744073709551617" + dimension},
      {with_shape("[1" + std::string(99, '0') + "]"),
       "tensor \"a\" shape[1]: found 1" + std::string(59, '0') + "\u2026" + dimension},
      {with_shape("[01]"), "header byte 31: found \"1\", wanted a comma or ]"},
      {with_shape(ones + "]"), "tensor \"a\" shape: found a list of 65, wanted at most 64 numbers"},
      // 2^32 numbers are 0 of 32 bits; 2^62 of 4 bytes are 0 of 64; the next is 2^63.
      {with_shape("[65536,65536]"), "tensor \"a\" data_offsets: found 4 bytes, wanted 65536 x 65536 of 4 bytes (F32)"},
      {with_shape("[1073741824,1073741824,4]"),
       "tensor \"a\" data_offsets: found 4 bytes, wanted 1073741824 x 1073741824 x 4 of 4 bytes (F32)"},
      {with_shape("[1073741824,1073741824,8]"),
       "tensor \"a\" shape: found 1073741824 x 1073741824 x 8, wanted a product of at most 2^63 - 1"},
      {file_of(entry_of("\"F32\"", "[2147483647,2147483647,0,3]", "[0,0]")),
       "tensor \"a\" shape: found 2147483647 x 2147483647 x 0 x 3, wanted a product of at most 2^63 - 1"},
  });
  const std::string all_ones = file_of(entry_of("\"F32\"", ones.substr(0, ones.size() - 2) + "]", "[0,4]"), kFourBytes);
  CHECK(refusal_of(all_ones) == "");
}

TEST_CASE("refused: offsets, and data that aren't the tensors one after the other") {
  const auto with_offsets = [](const std::string& offsets) {
    return file_of(entry_of("\"F32\"", "[1]", offsets), kFourBytes);
  };
  const std::string offset = ", wanted a whole number from 0 to 4";
  check({
      {with_offsets("0"), "tensor \"a\" data_offsets: found a number, wanted a list of whole numbers"},
      {with_offsets("[]"), "tensor \"a\" data_offsets: found a list of 0, wanted [begin, end]"},
      {with_offsets("[0]"), "tensor \"a\" data_offsets: found a list of 1, wanted [begin, end]"},
      {with_offsets("[0,4,{}]"), "tensor \"a\" data_offsets: found a list of 3, wanted at most 2 numbers"},
      {with_offsets("[0,3,4]"), "tensor \"a\" data_offsets: found a list of 3, wanted at most 2 numbers"},
      {with_offsets("[-4,0]"), "tensor \"a\" data_offsets[1]: found -4" + offset},
      {with_offsets("[0,5]"), "tensor \"a\" data_offsets[2]: found 5" + offset},
      {with_offsets("[4294967296,4294967300]"), "tensor \"a\" data_offsets[1]: found 4294967296" + offset +
                                                    "\ntensor \"a\" data_offsets[2]: found 4294967300" + offset},
      {with_offsets("[18446744073709551612,4]"), "tensor \"a\" data_offsets[1]: found 18446744073709551612" + offset},
      {with_offsets("[4,0]"), "tensor \"a\" data_offsets: found [4, 0], wanted an end that isn't before its begin"},
      {with_offsets("[0,3]"), "tensor \"a\" data_offsets: found 3 bytes, wanted 1 of 4 bytes (F32)"},
      {with_offsets("[1,2]"), "tensor \"a\" data_offsets: found 1 byte, wanted 1 of 4 bytes (F32)"},
      {file_of(entry_of("\"F32\"", "[1]", "[0,5]"), kFourBytes + "x"),
       "tensor \"a\" data_offsets: found 5 bytes, wanted 1 of 4 bytes (F32)"},
      {file_of(entry_of("\"F64\"", "[]", "[0,4]"), kFourBytes),
       "tensor \"a\" data_offsets: found 4 bytes, wanted one number of 8 bytes (F64)"},
      {two_at("[0,4]", "[4,8]", 4, 4), ""},
      {two_at("[0,4]", "[5,8]", 4, 3), "tensor \"b\" data_offsets[1]: found 5, wanted 4, where tensor \"a\" ends"},
      {two_at("[0,4]", "[3,8]", 4, 5), "tensor \"b\" data_offsets[1]: found 3, wanted 4, where tensor \"a\" ends"},
      {two_at("[0,8]", "[0,8]", 8, 8), "tensor \"b\" data_offsets[1]: found 0, wanted 8, where tensor \"a\" ends"},
      {two_at("[0,8]", "[2,4]", 8, 2), "tensor \"b\" data_offsets[1]: found 2, wanted 8, where tensor \"a\" ends"},
      {two_at("[0,8]", "[4,4]", 8, 0), "tensor \"b\" data_offsets[1]: found 4, wanted 8, where tensor \"a\" ends"},
      {two_at("[4,8]", "[1,4]", 4, 3), "tensor \"b\" data_offsets[1]: found 1, wanted 0, where the data begin"},
      {two_at("[0,4]", "[4,7]", 4, 3), "data: found 8 bytes, wanted 7 bytes, where the last tensor ends"},
      {file_of("{}", "x"), "data: found 1 byte, wanted 0 bytes, where the last tensor ends"},
  });
}

TEST_CASE("all that is wrong is said at once, up to a number") {
  const std::string bytes = file_of(
      "{\"a\":{\"dtype\":\"F31\",\"shape\":[-1],\"data_offsets\":[0,9]},\"__metadata__\":[],\"a\":{\"dtype\":1},"
      "\"b\":");
  CHECK(refusal_of(bytes).starts_with("tensor \"a\" dtype: found \"F31\", wanted one of "));
  const auto read = io::read_safetensors(bytes);
  REQUIRE(std::holds_alternative<Problems>(read));
  std::string fields;
  for (const attention::Problem& problem : std::get<Problems>(read)) fields += problem.field + ", ";
  CHECK(fields ==
        "tensor \"a\" dtype, tensor \"a\" shape[1], tensor \"a\" data_offsets[2], __metadata__, tensor \"a\" dtype, "
        "tensor \"a\" shape, tensor \"a\" data_offsets, header byte 94, ");

  std::string many = "{\"x\":0";
  for (int i = 0; i < 1000; ++i) many += ",\"" + std::to_string(i) + "\":0";
  const auto refused = io::read_safetensors(file_of(many + "}"));
  REQUIRE(std::holds_alternative<Problems>(refused));
  const Problems& problems = std::get<Problems>(refused);
  REQUIRE(problems.size() == io::kNamedProblems + 1);
  CHECK(problems[19].field == "tensor \"18\"");
  CHECK(to_sentence(problems[20]) == "file: found these problems and maybe more, wanted none");
}

TEST_CASE("a name that is long or strange is cut and quoted in a sentence") {
  const std::string owls(100, 'o');
  CHECK(refusal_of(file_of("{\"" + owls + "\":0}")) ==
        "tensor \"" + owls.substr(0, 60) +
            "\u2026\": found a number, wanted an object of dtype, shape and data_offsets");
  CHECK(refusal_of(file_of("{\"" + owls.substr(0, 59) + "√√\":0}"))
            .starts_with("tensor \"" + owls.substr(0, 59) + "\u2026\": "));
  CHECK(refusal_of(file_of("{\"\\u0007\":0}")).starts_with("tensor \"\\u0007\": "));
}
