#include "main/workbench.hpp"

#include "embedded/shipped_model.hpp"
#include "main/sdl.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace native {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void Workbench::give_model(ui::Program& program) {
  if (program.wants_shipped_model()) program.open_file("shipped.safetensors", embedded::shipped_model, "", true);
}

void Workbench::serve(ui::Program& program) {
  give_model(program);
  if (program.take_file_request())
    program.dispatch(
        app::SetNotice{"Drop a .safetensors file on this window: attention, or a model. A JSON file of the "
                       "same name beside it is read as its parse."});
  if (const auto text = program.take_copy_request())
    program.dispatch(app::SetNotice{SDL_SetClipboardText(text->c_str()) == 0
                                        ? std::string("Copied.")
                                        : std::string("The clipboard can't be written: ") + SDL_GetError() + "."});
  while (const auto command = program.take_studio_command()) {
    for (const attention::Problem& problem : studio_.command(*command))
      program.dispatch(app::SetNotice{attention::to_sentence(problem)});
  }
  studio_.work();
  if (const auto report = studio_.take_report()) program.take_report(heads::write_report(*report));
}

void Workbench::open_dropped(ui::Program& program, const std::string& path) {
  const fs::path file = path;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    program.dispatch(app::SetNotice{"\"" + file.filename().string() + "\" is no file that can be opened."});
    return;
  }
  const fs::path beside = fs::path(file).replace_extension(".json");
  const bool has_companion = beside != file && fs::is_regular_file(beside, error);
  program.open_file(file.filename().string(), bytes_of(file), has_companion ? bytes_of(beside) : "", false);
}

}  // namespace native
