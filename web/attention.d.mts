// Types of the attention library: multi-head attention in WebAssembly, for pages, workers and Node 20 and newer.
//
//   import { create } from './attention.mjs';
//   const layer = await create({ d_model: 6, h: 3 });
//   layer.setWeights({ W_Q, W_K, W_V, W_O });
//   const { output, weights } = layer.run(X, { weights: true });
//   layer.destroy();
//
// Letters: batch sequences, n_q queries, n_k keys, d_model width of a token, h heads, d_k width of a query or key in one
// head, d_v width of a value. All matrices row-major; projections are X W + b (torch's in_proj_weight is the transpose).
// Rows of attention weights are queries, columns are keys (Vaswani et al. 2017, eq. 1 and section 3.2.2).
//
// `run` computes in float32 with the fastest kernels; forward, backward and analyse compute in float64 with the readable
// engine of the lesson and give every intermediate. Whatever doesn't fit throws AttentionError, which names what was found
// and what was wanted, and changes nothing. One case ends the layer, and says so: memory that ran out in the middle.
// forward, backward and analyse refuse NaN and infinity in X and weights; run, for speed, lets them through (IEEE 754).

/** A typed array of plain numbers, or (nested) arrays of numbers, whose rows then have to be as long as the matrix's. */
export type Numbers =
  | Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array
  | Uint32Array | Nested;
export type Nested = readonly (number | boolean | Nested)[];

export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  /** Row-major; yours to keep. */
  readonly data: Float64Array;
}

export interface CreateOptions {
  d_model: number;
  h: number;
  /** Default d_model / h, which must be whole. */
  d_k?: number;
  /** Default d_k. h * d_v need not equal d_model. */
  d_v?: number;
  /** What scores are multiplied by. Default 1 / sqrt(d_k). */
  scale?: number;
  /** Default: the fastest that compiles here and passes its self-test; one that computes wrong is passed over, which the
   *  console is told. 'relaxed': SIMD with fused multiply-add, 'simd', 'scalar'. */
  kernel?: 'relaxed' | 'simd' | 'scalar';
  /** URL of the folder with the .wasm files; a page may give it relative to itself. Default: where the module came from. */
  base?: string | URL;
  /** For tests: decides whether a build passes its self-test. */
  accept?: (engine: Record<string, any>, kernel: 'relaxed' | 'simd' | 'scalar') => boolean;
}

/** Heads side by side: head i (from 0) has columns i d_k … (i + 1) d_k - 1 of W_Q and W_K, columns i d_v … of W_V, and
 *  rows i d_v … of W_O. */
export interface Weights {
  W_Q: Numbers; // (d_model, h * d_k)
  W_K: Numbers; // (d_model, h * d_k)
  W_V: Numbers; // (d_model, h * d_v)
  W_O: Numbers; // (h * d_v, d_model)
  b_Q?: Numbers | null; // (h * d_k)
  b_K?: Numbers | null; // (h * d_k)
  b_V?: Numbers | null; // (h * d_v)
  b_O?: Numbers | null; // (d_model)
}

/** Masks compose: a query attends to a key when every mask that is given allows it. A query without any key gets zeros. */
export interface Input {
  /** (batch, n_k, d_model). Default: self-attention. */
  X_kv?: Numbers | null;
  /** Default 1. */
  batch?: number;
  /** (n_q, n_k) for all sequences, or (batch, n_q, n_k): 1 may attend, 0 may not. (torch's boolean attn_mask is the
   *  opposite for nn.MultiheadAttention.) Other numbers are refused. */
  may_attend?: Numbers | null;
  /** The same shapes, added to the scaled scores; -Infinity: may not attend. */
  additive_mask?: Numbers | null;
  /** (batch): only that many keys of each sequence are real. */
  key_lengths?: Numbers | null;
  /** Query i may attend to keys 0 … first_query + i. Default false. */
  causal?: boolean;
  /** With `causal`: the place of the first query among the keys, as with a key/value cache. Default 0. */
  first_query?: number;
  /** (h): what each head's output is multiplied by, 0 … 1. Default: 1. */
  gates?: Numbers | null;
}

export interface RunOptions extends Input {
  /** Give the attention weights, too. Default false: then no n_q x n_k matrix is ever held. Others than run always do. */
  weights?: boolean;
}

export interface RunResult {
  /** (batch, n_q, d_model). A view into the layer, valid until its next call or its end: copy what you keep (.slice()). */
  readonly output: Float32Array;
  /** (batch, h, n_q, n_k), a view like `output`; null unless asked for. Each row sums to 1, or is all zeros. */
  readonly weights: Float32Array | null;
  readonly n_q: number;
  readonly n_k: number;
}

export interface HeadTrace {
  Q: Matrix; // (n_q, d_k)
  K: Matrix; // (n_k, d_k)
  V: Matrix; // (n_k, d_v)
  scores: Matrix; // (n_q, n_k) Q K^T
  scaled: Matrix; // (n_q, n_k) scores / sqrt(d_k), or times `scale`
  masked: Matrix; // (n_q, n_k) -Infinity where a mask forbids
  pattern: Matrix; // (n_q, n_k) softmax over keys
  output: Matrix; // (n_q, d_v) pattern V
}
export interface Trace {
  heads: HeadTrace[];
  concat: Matrix; // (n_q, h * d_v) head outputs side by side, each times its gate
  output: Matrix; // (n_q, d_model)
}

export interface Gradients {
  /** Summed over the batch. b_…: null where there is no bias. */
  d_weights: {
    heads: { W_Q: Matrix; W_K: Matrix; W_V: Matrix; b_Q: Matrix | null; b_K: Matrix | null; b_V: Matrix | null; gate: number }[];
    W_O: Matrix;
    b_O: Matrix | null;
  };
  /** One for each sequence. */
  d_X: Matrix[];
  d_X_kv: Matrix[] | null;
  d_additive_mask: Matrix[] | null;
  /** By every intermediate, under its name in the forward. */
  d_traces: Trace[];
}

export interface HeadAnalysis {
  /** Mean over queries, in bits (Shannon 1948). */
  entropy_bits: number;
  /** 2 to the power of that. */
  effective_tokens: number;
  /** Mean of |key - query|, weighted. */
  mean_distance: number;
  /** |M|_F^2 / |M|_2^2. */
  stable_rank_of_pattern: number;
  stable_rank_of_output: number;
  /** Mean over queries of the sum of `contributions`. */
  mean_contribution: number;
  /** key - query of the first entry below. */
  first_distance: number;
  mean_weight_at_distance: Float64Array;
  /** (n_q, n_k): |alpha v W_O| (Kobayashi et al. 2020). */
  contributions: Matrix;
}
export interface Analysis {
  heads: HeadAnalysis[];
  /** (h, h), in bits: 0 the same, 1 nothing in common (Lin 1991). */
  jensen_shannon_bits: Matrix;
  /** (h, h). */
  cosine_of_outputs: Matrix;
}

export interface Attention {
  readonly d_model: number;
  readonly h: number;
  readonly d_k: number;
  readonly d_v: number;
  /** The build in use. */
  readonly kernel: 'relaxed' | 'simd' | 'scalar';
  /** The WebAssembly memory of this layer, in bytes. It only grows. */
  readonly memoryBytes: number;
  /** Packs the weights; what you passed is copied. Refused, the layer keeps those it had. */
  setWeights(weights: Weights): void;
  /** X: (batch, n_q, d_model); n_q comes from its length. */
  run(X: Numbers, options?: RunOptions): RunResult;
  /** Every intermediate, one trace for each sequence. */
  forward(X: Numbers, options?: RunOptions): Trace[];
  /** Derivatives of one number L, from d_output = dL / d output, (batch, n_q, d_model). */
  backward(X: Numbers, d_output: Numbers, options?: RunOptions): Gradients;
  /** What each head does, one analysis for each sequence. The stable ranks take time that grows with n^3. */
  analyse(X: Numbers, options?: RunOptions): Analysis[];
  /** Lets the memory go. Views die with it; every later call throws. Each layer has a WebAssembly memory of its own, and
   *  an engine has room for so many addresses only: Chromium for about 120 layers in a page at a time. */
  destroy(): void;
}

export class AttentionError extends Error {
  /** One sentence for each: field, what was found, what was wanted. */
  readonly problems: string[];
}
export function create(options: CreateOptions): Promise<Attention>;
export const version: string;
