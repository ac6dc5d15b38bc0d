// Training's side of the door: what a worker calls, or the page itself where no worker can be had. One heads::Studio a
// module; no program is needed.
#include "web/bridge.hpp"

#include "heads/heads.hpp"

#include <string>

namespace {

heads::Studio& studio() {
  static heads::Studio the_studio;
  return the_studio;
}

std::string report;  // the last one, as bytes

}  // namespace

/// Carries a command out (heads/studio.hpp). Answers with why not, or empty.
HS_EXPORT const char* hs_studio_command(const char* text) {
  std::string sentences;
  for (const attention::Problem& problem : studio().command(text)) {
    if (!sentences.empty()) sentences += ' ';
    sentences += attention::to_sentence(problem);
  }
  return web::answer(std::move(sentences));
}

/// 1 while hs_studio_work has work to do.
HS_EXPORT int hs_studio_busy() { return studio().is_busy(); }
/// One step or one exam.
HS_EXPORT void hs_studio_work() { studio().work(); }

/// Takes what there is to say. Its length in bytes, 0: nothing happened since the last time.
HS_EXPORT int hs_studio_report() {
  const auto news = studio().take_report();
  report = news ? heads::write_report(*news) : std::string();
  return static_cast<int>(report.size());
}
/// The bytes, until the next hs_studio_report.
HS_EXPORT const char* hs_studio_report_bytes() { return report.data(); }
