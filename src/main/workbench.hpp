// What the gallery's page needs beside it: the trained model, files that were dropped, and a studio that trains in slices
// between two frames.
#pragma once

#include "heads/heads.hpp"
#include "ui/ui.hpp"

#include <string>

namespace native {

class Workbench {
 public:
  /// The model that the program carries in itself, when the page wants it.
  void give_model(ui::Program& program);
  /// That, the page's commands to the studio, one slice of its work (tens of milliseconds) and its report.
  void serve(ui::Program& program);
  /// True while `serve` has more to do.
  bool is_busy() const { return studio_.is_busy(); }
  /// A model or attention from a file; with it the JSON file of the same name beside it. What is wrong the page says.
  void open_dropped(ui::Program& program, const std::string& path);

 private:
  heads::Studio studio_;
};

}  // namespace native
