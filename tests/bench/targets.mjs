// What the benchmark holds the library to. Letters: n tokens, d = d_model, h heads.

/**
 * The sizes, and the most that a ratio of times (ours / theirs) may be there; for `roofline` the least share.
 *   js        output only, to plain JavaScript
 *   best      output only, to the quickest peer
 *   weights   output and weights, to the quickest peer
 *   simd      output only, ours without relaxed SIMD to the quickest graph of ONNX Runtime Web
 *   roofline  output only, of what the machine's SIMD loop reaches
 * They hold in Chromium, on one thread, on a machine that does nothing else.
 */
export const sizes = [
  { n: 2, d: 6, h: 3, targets: { js: 0.55, simd: 0.75 } },
  { n: 16, d: 64, h: 4, targets: { best: 0.3, weights: 0.2, simd: 0.75 } },
  { n: 64, d: 256, h: 8, targets: { best: 0.6, weights: 0.55, simd: 0.75 } },
  { n: 128, d: 512, h: 8, targets: { best: 0.68, weights: 0.55, simd: 0.75, roofline: 0.85 } },
  { n: 512, d: 512, h: 8, targets: { best: 0.74, weights: 0.55, simd: 0.75, roofline: 0.85 } },
  { n: 512, d: 768, h: 12, targets: { best: 0.76, weights: 0.55, simd: 0.75, roofline: 0.85 } },
  { n: 1024, d: 768, h: 12, targets: { best: 0.84, weights: 0.55, simd: 0.75, roofline: 0.85 } },
];

/** Where the memory of an output-only run is read: one n × n matrix for each head would take 512 MiB. */
export const memorySize = { n: 4096, d: 512, h: 8 };

/** The greatest difference from float64 that anything may have, as a part of the reference's greatest value. */
export const tolerance = 1e-5;
