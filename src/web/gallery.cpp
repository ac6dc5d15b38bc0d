// The page's end of training and files: JavaScript carries commands, reports and files, and looks into none of them.
// Bytes come in as a pointer and a length that the caller frees after the call.
#include "web/bridge.hpp"

#include "heads/heads.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using web::answer;
using web::program;

namespace {

std::string_view view(const char* bytes, int length) { return {bytes, static_cast<std::size_t>(length)}; }

}  // namespace

/// The next command for the studio (hs_studio_command, here or in a worker), or empty.
HS_EXPORT const char* hs_take_studio_command() { return answer(program().take_studio_command().value_or("")); }

/// A report of the studio (hs_studio_report). Answers with why it was refused (its run has been let go), or empty.
HS_EXPORT const char* hs_take_report(const char* bytes, int length) {
  return answer(program().take_report(view(bytes, length)).value_or(""));
}

/// The studio is gone in the middle of a run: `reason` is the browser's.
HS_EXPORT void hs_lose_studio(const char* reason) {
  const app::Training& training = program().state().gallery.training;
  if (!training.started) return;
  heads::Report report;
  report.run = training.run;
  report.step = training.step;
  report.problem = std::string("The browser ended training: ") + reason + ". Rewind to begin again.";
  program().take_report(heads::write_report(report));
}

/// Opens a file of the learner's, with its companion where it has one. Answers with why not, or empty; the learner has
/// been told.
HS_EXPORT const char* hs_open_file(const char* name, const char* bytes, int length, const char* companion,
                                   int companion_length) {
  return answer(program().open_file(name, view(bytes, length), view(companion, companion_length), false).value_or(""));
}

/// 1 once after the learner pressed "From a file": the browser's dialogue opens.
HS_EXPORT int hs_take_file_request() { return program().take_file_request(); }

/// 1 while the model of this site is to be shown and isn't there.
HS_EXPORT int hs_wants_shipped_model() { return program().wants_shipped_model(); }
/// Brings it. Answers with why it can't be read, or empty.
HS_EXPORT const char* hs_open_shipped(const char* bytes, int length) {
  return answer(program().open_file("", view(bytes, length), {}, true).value_or(""));
}
