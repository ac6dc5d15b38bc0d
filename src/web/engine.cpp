// The engine itself: which kernels run here, whether they compute right, and
// how long a forward takes.
#include "web/bridge.hpp"

/// 1 when this build's kernels agree with the scalar reference on this machine.
HS_EXPORT int hs_self_test() { return attention::self_test(); }

HS_EXPORT const char* hs_kernel() { return web::answer(std::string(attention::kernel_name())); }

/// Runs `count` forwards of the learner's document. The first number of the output, so that nothing is optimised away.
HS_EXPORT double hs_forward(int count) {
  static attention::Trace<double> trace;
  const app::Document& document = web::program().state().document;
  for (int i = 0; i < count; ++i) attention::forward(document.config, document.input, document.weights, trace);
  return trace.output.size() > 0 ? trace.output(0, 0) : 0;
}
