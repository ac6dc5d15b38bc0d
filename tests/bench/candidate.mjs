// Ours as a participant (see core.mjs): the library's module as it is delivered, in the kernel that is asked for.

/**
 * @param {string} site URL of the folder with attention.mjs, with a slash at the end
 * @param {'relaxed' | 'simd' | 'scalar'} [kernel] default: the best that the engine runs
 */
export async function load(site, kernel) {
  const library = await import(new URL('attention.mjs', site).href);
  return async function create({ d, h, attn }) {
    const layer = await library.create({ d_model: d, h, ...(kernel && { kernel }) });
    if (kernel && layer.kernel !== kernel) throw new Error(`the library runs ${layer.kernel} where ${kernel} was asked for`);
    return {
      kernel: layer.kernel,
      setWeights: (W_Q, W_K, W_V, W_O) => layer.setWeights({ W_Q, W_K, W_V, W_O }),
      run(x) {
        const { output, weights } = attn ? layer.run(x, { weights: true }) : layer.run(x);
        return { out: output, attn: attn ? weights : null };
      },
      memoryBytes: () => layer.memoryBytes,
      dispose: () => layer.destroy(),
    };
  };
}
