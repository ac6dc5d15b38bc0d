// Files written whole or not at all.
#include "cli/cli.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>

namespace cli {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::string reason(int error) { return error == 0 ? "unknown reason" : std::strerror(error); }

std::string refusal(const std::string& path, std::string_view why) {
  return "can't write \"" + path + "\": " + std::string(why);
}

/// Writes and flushes; a full disk shows here at the latest. Returns errno, 0 when all is well.
int put(std::FILE* file, std::string_view bytes) {
  errno = 0;
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (whole && std::fflush(file) == 0) return 0;
  return errno == 0 ? EIO : errno;
}

int put_and_close(File file, std::string_view bytes) {
  const int error = put(file.get(), bytes);
  errno = 0;
  const bool closed = std::fclose(file.release()) == 0;
  if (error != 0) return error;
  return closed ? 0 : (errno == 0 ? EIO : errno);
}

/// The file that all links at `path` end at, whether it is there yet or not.
fs::path follow_links(fs::path path) {
  std::error_code error;
  for (int depth = 0; depth < 40 && fs::is_symlink(path, error); ++depth) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

/// A new, empty file beside `target`: nobody else's, since it must not be there before.
File create_beside(const fs::path& target, fs::path& made) {
  std::random_device random;
  for (int attempt = 0; attempt < 16; ++attempt) {
    made = target;
    made += ".part-" + std::to_string(random());
    errno = 0;
    if (File file{std::fopen(made.string().c_str(), "wbx")}) return file;
    if (errno != EEXIST) break;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    const int error = put(stdout, bytes);
    if (error != 0) return "can't write to standard output: " + reason(error);
    return std::nullopt;
  }

  std::error_code error;
  const fs::path target = follow_links(path);
  const fs::file_status before = fs::status(target, error);
  if (fs::is_directory(before)) return refusal(path, "it is a folder");

  // An existing file must be writable itself, although only its folder matters to a rename.
  if (fs::exists(before)) {
    errno = 0;
    File file{std::fopen(target.string().c_str(), fs::is_regular_file(before) ? "ab" : "wb")};
    if (!file) return refusal(path, reason(errno));
    if (!fs::is_regular_file(before)) {
      const int failed = put_and_close(std::move(file), bytes);
      if (failed != 0) return refusal(path, reason(failed));
      return std::nullopt;
    }
  } else if (const fs::path folder = target.parent_path(); !folder.empty() && !fs::is_directory(folder, error)) {
    return refusal(path, "there is no folder \"" + folder.string() + '"');
  }

  fs::path made;
  File file = create_beside(target, made);
  if (!file) return refusal(path, reason(errno));
  const int failed = put_and_close(std::move(file), bytes);
  if (failed == 0) {
    if (fs::exists(before)) fs::permissions(made, before.permissions(), error);
    fs::rename(made, target, error);
    if (!error) return std::nullopt;
  }
  std::error_code ignored;
  fs::remove(made, ignored);
  return refusal(path, failed != 0 ? reason(failed) : error.message());
}

}  // namespace cli
