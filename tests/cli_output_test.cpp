// Files are written whole or not at all.
#include "cli/cli.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("headscope-test-" + std::to_string(std::random_device{}()));
  Folder() { fs::create_directory(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string operator/(const char* name) const { return (path / name).string(); }
  std::ptrdiff_t count() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(const std::optional<std::string>& text, std::string_view part) {
  return text && text->find(part) != text->npos;
}

}  // namespace

TEST_CASE("a new file holds the bytes, and nothing is left beside it") {
  const Folder folder;
  const std::string bytes("a\0b\r\n", 5);
  CHECK_FALSE(cli::write_output(folder / "new", bytes));
  CHECK(read_file(folder / "new") == bytes);
  CHECK(folder.count() == 1);
}

TEST_CASE("an old file is replaced and keeps its permissions") {
  const Folder folder;
  const auto permissions = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  REQUIRE_FALSE(cli::write_output(folder / "old", "a longer text than the next"));
  fs::permissions(folder / "old", permissions);
  CHECK_FALSE(cli::write_output(folder / "old", "short"));
  CHECK(read_file(folder / "old") == "short");
  CHECK(fs::status(folder / "old").permissions() == permissions);
  CHECK(folder.count() == 1);
}

TEST_CASE("a link stays a link and its target is written") {
  const Folder folder;
  fs::create_symlink("target", folder / "link");
  CHECK_FALSE(cli::write_output(folder / "link", "through"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "target") == "through");
}

TEST_CASE("a folder that isn't there, and a folder in a file's place, are refused by name") {
  const Folder folder;
  const auto nowhere = cli::write_output(folder / "missing/out.json", "x");
  CHECK(contains(nowhere, "can't write \"" + (folder / "missing/out.json")));
  CHECK(contains(nowhere, "there is no folder"));
  CHECK(contains(cli::write_output(folder.path.string(), "x"), "it is a folder"));
  CHECK(folder.count() == 0);
}

#ifdef __linux__
TEST_CASE("a full device is noticed") {
  CHECK(contains(cli::write_output("/dev/full", "x"), "No space left on device"));
  CHECK_FALSE(cli::write_output("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
}
#endif
