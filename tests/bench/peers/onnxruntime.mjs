// ONNX Runtime Web on its CPU (wasm) provider, one thread, with all of its graph optimisations.
import * as ort from 'onnxruntime-web'; // a page's import map names the build without WebGPU
import { buildGraph } from './onnx.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

/** @param {'plain' | 'mha' | 'attention' | 'att23'} kind which operators make up the graph: see onnx.mjs */
export const load = (kind) =>
  function create({ n, d, h, attn }) {
    if (attn && (kind === 'mha' || kind === 'attention')) return null; // these operators keep their weights to themselves
    let session = null;
    return {
      async setWeights(...weights) {
        const graph = buildGraph(kind, { n, d, h, attn }, weights);
        session = await ort.InferenceSession.create(graph, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
      },
      async run(x) {
        const results = await session.run({ x: new ort.Tensor('float32', x, [n, d]) });
        return { out: results.out.data, attn: attn ? results.attn.data : null };
      },
      dispose: () => session.release(),
    };
  };
