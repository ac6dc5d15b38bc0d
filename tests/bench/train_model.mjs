// What the training benchmark trains, for all participants: the model's sizes, its data, and where the others start.

/** Issue sizes: a causal language model, every token of which names the next one. */
export const sizes = { layers: 2, heads: 4, width: 64, length: 32, sequences: 32, words: 32 };

/** Floating-point operations of a step as the formulas have them: a forward pass, and twice that backward. */
export function countFlops({ layers, width, length, sequences, words }, feedForward) {
  const tokens = sequences * length;
  const perLayer = tokens * width * (8 * width + 4 * length + (feedForward ? 16 * width : 0));
  return 3 * (layers * perLayer + 4 * tokens * words * width);
}

/** Numbers from 0 to 1 that are the same everywhere (Steele & Vigna 2021, a 32-bit multiplier). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 0x915f77f5) + 0x6b43a9b5) >>> 0) / 2 ** 32;
}

/** Sequences of length + 1 words, one after the other; each repeats a motif of two to nine words. */
export function makeWords({ length, sequences, words }) {
  const random = createRandom(11);
  const all = new Int32Array(sequences * (length + 1));
  for (let s = 0; s < sequences; ++s) {
    const motif = Array.from({ length: 2 + Math.floor(8 * random()) }, () => Math.floor(words * random()));
    for (let i = 0; i <= length; ++i) all[s * (length + 1) + i] = motif[i % motif.length];
  }
  return all;
}

/** The words read, or with shift 1 those to be predicted, as rows with a single 1: the others multiply by these. */
export function oneHot({ length, sequences, words }, all, shift) {
  const rows = new Float32Array(sequences * length * words);
  for (let s = 0; s < sequences; ++s) {
    for (let i = 0; i < length; ++i) rows[(s * length + i) * words + all[s * (length + 1) + i + shift]] = 1;
  }
  return rows;
}

/** Matrices of the others' model by name: { shape, values }. */
export function makeParameters({ layers, width, length, words }, feedForward) {
  const random = createRandom(5);
  const bell = () => Math.sqrt(-2 * Math.log(random() + 2 ** -33)) * Math.cos(2 * Math.PI * random());
  const draw = (rows, columns, deviation) => ({
    shape: [rows, columns],
    values: Float32Array.from({ length: rows * columns }, () => deviation * bell()),
  });
  const made = { embedding: draw(words, width, 0.1), positions: draw(length, width, 0.1), output: draw(width, words, 0.1) };
  for (let layer = 0; layer < layers; ++layer) {
    for (const name of ['query', 'key', 'value', 'mix']) made[name + layer] = draw(width, width, width ** -0.5);
    if (!feedForward) continue;
    made[`up${layer}`] = draw(width, 4 * width, width ** -0.5);
    made[`down${layer}`] = draw(4 * width, width, (4 * width) ** -0.5);
  }
  return made;
}

/** What is added to scores: a large negative number where the key comes after the query. */
export function causalMask({ length }) {
  return Float32Array.from({ length: length * length }, (_, i) => (i % length > Math.floor(i / length) ? -1e9 : 0));
}

export const learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, normEpsilon = 1e-5;
