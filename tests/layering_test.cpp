// Arrows between modules point down only: read from the #include lines of src, held against this table.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path kSource = fs::path(HEADSCOPE_SOURCE_DIR) / "src";

struct Module {
  Names may_include;     // modules; `embedded` is generated: files that the program carries in itself
  Names public_headers;  // what others may include of it, besides NAME/NAME.hpp
  Names others;          // beginnings of headers that are neither ours nor the standard library's
};

const std::map<std::string, Module> kModules = {
    {"attention", {{}, {"analysis.hpp", "arithmetic.hpp", "layer.hpp", "training.hpp"}, {"Eigen/Core", "Eigen/Eigenvalues", "wasm_simd128.h", "xmmintrin.h"}}},
    {"train", {{"attention"}, {}, {}}},
    {"heads", {{"attention", "train", "io"}, {}, {}}},
    {"budget", {{"attention"}, {}, {"Eigen/Eigenvalues"}}},
    {"io", {{"attention"}, {"json.hpp", "json_reader.hpp", "safetensors.hpp", "trace_json.hpp"}, {}}},
    {"app", {{"attention", "train", "io", "heads", "budget"}, {}, {}}},
    {"render", {{"embedded"}, {"gl.hpp"}, {"GLES3/", "GL/", "OpenGL/"}}},
    {"ui", {{"app", "render", "heads", "budget", "train", "attention", "embedded"}, {}, {"imgui", "imstb_", "backends/imgui_"}}},
    {"cli", {{"app", "heads", "train", "io", "attention", "embedded"}, {}, {"unistd.h", "io.h"}}},
    {"main",
     {{"cli", "ui", "render", "app", "heads", "train", "io", "attention", "embedded"},
      {},
      {"SDL", "EGL/", "GL/", "GLES3/", "OpenGL/", "imgui", "backends/imgui_", "stb_"}}},
    {"library", {{"attention"}, {}, {"emscripten/"}}},
    {"web", {{"ui", "render", "app", "heads", "train", "io", "attention", "embedded"}, {}, {"emscripten/", "GLES3/", "imgui"}}},
};

struct Include {
  std::string file;    // "app/update.cpp"
  std::string module;  // "app"
  std::string target;  // what stands between the quotes or brackets
};

bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The target of an include line, "" of any other line.
std::string target_of(std::string_view line) {
  const auto skip_spaces = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_spaces();
  if (!line.starts_with('#')) return "";
  line.remove_prefix(1);
  skip_spaces();
  if (!line.starts_with("include")) return "";
  line.remove_prefix(7);
  skip_spaces();
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return "";
  const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  return std::string(line.substr(1, end == std::string_view::npos ? end : end - 1));
}

/// Every folder of src that holds C++, by name.
Names folders_of_code() {
  Names out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(kSource, error)) {
    if (!entry.is_directory(error)) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(entry.path(), error)) {
      const std::string extension = file.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      out.push_back(entry.path().filename().string());
      break;
    }
  }
  return out;
}

std::vector<Include> includes_of(const std::string& module, const std::string& file_name, const std::string& text) {
  std::vector<Include> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string target = target_of(line);
    if (!target.empty()) out.push_back({module + "/" + file_name, module, target});
  }
  return out;
}

std::vector<Include> all_includes() {
  std::vector<Include> out;
  std::error_code error;
  for (const std::string& module : folders_of_code()) {
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(kSource / module, error)) {
      if (!file.is_regular_file(error)) continue;
      const auto found = includes_of(module, file.path().filename().string(), read(file.path()));
      out.insert(out.end(), found.begin(), found.end());
    }
  }
  return out;
}

/// The standard library's headers have neither a folder nor an extension.
bool is_standard(const std::string& target) { return target.find_first_of("./") == std::string::npos; }

/// Why this include may not be, "" when it may.
std::string objection(const Include& include) {
  const auto found = kModules.find(include.module);
  if (found == kModules.end()) return "module " + include.module + " is not in the layering test's table";
  const Module& from = found->second;
  const std::size_t slash = include.target.find('/');
  const std::string folder = include.target.substr(0, slash);
  const bool ours = slash != std::string::npos && (kModules.count(folder) > 0 || folder == "embedded");
  if (ours) {
    if (folder == include.module) return "";
    if (!holds(from.may_include, folder)) return include.module + " may not include " + folder;
    if (folder == "embedded") return "";
    const std::string header = include.target.substr(slash + 1);
    const Names& extra = kModules.at(folder).public_headers;
    return header == folder + ".hpp" || holds(extra, header) ? "" : include.target + " is private to " + folder;
  }
  if (is_standard(include.target)) return "";
  const bool allowed = std::any_of(from.others.begin(), from.others.end(),
                                   [&](const std::string& beginning) { return include.target.starts_with(beginning); });
  return allowed ? "" : include.module + " may not use " + include.target;
}

}  // namespace

TEST_CASE("arrows between modules point down only, and others' headers stay where they belong") {
  const std::vector<Include> includes = all_includes();
  REQUIRE(includes.size() > 20);  // else the folder was not read
  for (const Include& include : includes) {
    INFO(include.file << " includes " << include.target);
    CHECK(objection(include) == "");
  }
}

TEST_CASE("the table itself has no arrow up: what a module may include never leads back to it") {
  for (const auto& [name, module] : kModules) {
    Names reached = module.may_include;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const auto next = kModules.find(reached[i]);
      if (next == kModules.end()) continue;
      for (const std::string& further : next->second.may_include) {
        if (!holds(reached, further)) reached.push_back(further);
      }
    }
    INFO(name);
    CHECK_FALSE(holds(reached, name));
  }
}

TEST_CASE("every module has its public header, or is a program") {
  for (const std::string& name : folders_of_code()) {
    if (name == "main" || name == "web" || name == "library" || name == "io") continue;  // io: one a format
    INFO(name);
    CHECK(fs::exists(kSource / name / (name + ".hpp")));
  }
}

TEST_CASE("the map of the code names every folder of src") {
  const std::string map = read(kSource / "README.md");
  REQUIRE_FALSE(map.empty());
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(kSource, error)) {
    if (!entry.is_directory(error)) continue;
    const std::string name = entry.path().filename().string();
    INFO(name);
    CHECK(map.find("| `" + name + "` |") != std::string::npos);
  }
}

TEST_CASE("a forbidden include is noticed, whatever way it is written") {
  const auto objections = [](const std::string& module, const std::string& text) {
    Names out;
    for (const Include& include : includes_of(module, "file.cpp", text)) {
      if (const std::string why = objection(include); !why.empty()) out.push_back(why);
    }
    return out;
  };
  CHECK(objections("attention", "#include <vector>\n#include <Eigen/Core>\n#include \"attention/kernels.hpp\"\n")
            .empty());
  CHECK(objections("attention", "  #  include \"app/app.hpp\"  // up\n") == Names{"attention may not include app"});
  CHECK(objections("render", "#include <ui/ui.hpp>\n") == Names{"render may not include ui"});
  CHECK(objections("app", "#include <imgui.h>") == Names{"app may not use imgui.h"});
  CHECK(objections("app", "#include \"attention/kernels.hpp\"") ==
        Names{"attention/kernels.hpp is private to attention"});
  CHECK(objections("app", "#include <Eigen/Dense>") == Names{"app may not use Eigen/Dense"});
  CHECK(objections("app", "// #include <imgui.h>\n").empty());
  CHECK(objections("novelty", "#include <vector>") == Names{"module novelty is not in the layering test's table"});
}
