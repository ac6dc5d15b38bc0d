// LiteRT.js (XNNPACK in WebAssembly, with relaxed SIMD where the browser has it), one thread. It loads in browsers only.
import * as flatbuffers from 'flatbuffers';
import { Tensor, loadAndCompile, loadLiteRt } from '@litertjs/core';
import { buildModel } from './tflite.mjs';

/** @param {string} wasm URL of the package's wasm folder */
export async function load(wasm) {
  await loadLiteRt(wasm, { threads: false });
  return function create({ n, d, h, attn }) {
    let model = null;
    return {
      async setWeights(...weights) {
        const bytes = buildModel(flatbuffers, { n, d, h, attn }, weights);
        model = await loadAndCompile(bytes, { accelerator: 'wasm', cpuOptions: { numThreads: 1 } });
      },
      async run(x) {
        const input = new Tensor(x, [n, d]);
        const results = await model.run(input);
        const [out, pattern] = results.map((tensor) => tensor.toTypedArray());
        input.delete();
        for (const tensor of results) tensor.delete();
        return { out, attn: attn ? pattern : null };
      },
      dispose: () => model.delete(),
    };
  };
}
