// How much of a long property test is run: all of it in the optimised native build, a fifth where each step takes many
// times as long (sanitizers, wasm). The questions and layouts are the same everywhere; what differs there is the machine.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__EMSCRIPTEN__) || defined(HEADSCOPE_THIN)
inline constexpr int kShare = 5;
#else
inline constexpr int kShare = 1;
#endif

inline int thinned(int count) { return (count + kShare - 1) / kShare; }
/// Of a list of cases, the ones that are left out.
inline bool is_thinned_out(int index) { return kShare > 1 && index % 2 == 1; }
