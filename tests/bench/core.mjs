// The measuring itself, the same in Node and in a page: data, a float64 reference, interleaved timing.
// Letters: n tokens, d = d_model, h heads, d_k = d / h.
//
// A participant is { name, create, flopsLimit?, slowMs? }: it leaves out sizes above flopsLimit, and where a call takes more
// than slowMs it takes part in three rounds only. create({ n, d, h, attn }) gives, now or as a promise, null when it can't do
// that, or
//   setWeights(wq, wk, wv, wo)   each (d, d), row-major, used as x · W: head i owns columns i·d_k … of the first three
//   run(x) → { out, attn }       x (n, d); out (n, d); attn (h, n, n), or null when it wasn't asked for. Now or as a promise.
//                                Both may be views that are valid until the next run.
//   dispose?()
//   kernel?, memoryBytes?()      ours alone: the name of what runs, the size of its WebAssembly memory

/** Four projections, scores and weighting; softmax isn't counted. */
export const flops = ({ n, d }) => 8 * n * d * d + 4 * n * n * d;

/** Numbers of a normal distribution from a fixed seed: x with variance 1, weights that keep it. */
export function makeData({ n, d }) {
  let state = 2654435761;
  const uniform = () => { // Numerical Recipes' linear congruential generator (Press et al. 2007, 7.1)
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()); // Box and Muller 1958
  const matrix = (length, deviation) => Float32Array.from({ length }, () => normal() * deviation);
  const x = matrix(n * d, 1);
  return { x, weights: Array.from({ length: 4 }, () => matrix(d * d, 1 / Math.sqrt(d))) };
}

/** a (rows, inner) · b (inner, columns) in float64. */
function product(a, b, rows, inner, columns) {
  const c = new Float64Array(rows * columns);
  for (let i = 0; i < rows; ++i) {
    for (let k = 0; k < inner; ++k) {
      const factor = a[i * inner + k];
      for (let j = 0; j < columns; ++j) c[i * columns + j] += factor * b[k * columns + j];
    }
  }
  return c;
}

/**
 * Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V for each head (Vaswani et al. 2017, equation 1), in float64.
 * @param {number[]} queries the rows of x that ask; all of them unless said otherwise
 * @returns {{out: Float64Array, attn: Float64Array}} out (queries, d), attn (h, queries, n)
 */
export function reference({ n, d, h }, x, weights, queries = Array.from({ length: n }, (_, i) => i)) {
  const [wq, wk, wv, wo] = weights.map((matrix) => Float64Array.from(matrix));
  const rows = queries.length;
  const d_k = d / h;
  const asking = Float64Array.from(queries.flatMap((i) => [...x.subarray(i * d, (i + 1) * d)]));
  const q = product(asking, wq, rows, d, d);
  const k = product(Float64Array.from(x), wk, n, d, d);
  const v = product(Float64Array.from(x), wv, n, d, d);
  const z = new Float64Array(rows * d);
  const attn = new Float64Array(h * rows * n);
  for (let head = 0; head < h; ++head) {
    for (let i = 0; i < rows; ++i) {
      const at = i * d + head * d_k;
      const row = attn.subarray((head * rows + i) * n, (head * rows + i + 1) * n);
      let greatest = -Infinity;
      for (let j = 0; j < n; ++j) {
        let score = 0;
        for (let c = 0; c < d_k; ++c) score += q[at + c] * k[j * d + head * d_k + c];
        row[j] = score / Math.sqrt(d_k);
        greatest = Math.max(greatest, row[j]);
      }
      let sum = 0;
      for (let j = 0; j < n; ++j) sum += row[j] = Math.exp(row[j] - greatest);
      for (let j = 0; j < n; ++j) {
        row[j] /= sum;
        for (let c = 0; c < d_k; ++c) z[at + c] += row[j] * v[j * d + head * d_k + c];
      }
    }
  }
  return { out: product(z, wo, rows, d, d), attn };
}

/** The greatest |found - wanted|; NaN when there is none to compare or a value isn't a number. */
function difference(found, wanted) {
  if (found?.length !== wanted.length) return NaN;
  let worst = 0;
  for (let i = 0; i < wanted.length; ++i) {
    const error = Math.abs(found[i] - wanted[i]);
    if (!(error <= worst)) worst = error; // so that NaN gets through
    if (Number.isNaN(worst)) return NaN;
  }
  return worst;
}

const magnitude = (values) => values.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);

/** How far a result is from the reference; `attn` only when weights were asked for. */
function agreement(result, wanted, attn, tolerance) {
  const parts = attn ? ['out', 'attn'] : ['out'];
  const differences = Object.fromEntries(parts.map((part) => [part, difference(result[part], wanted[part])]));
  return { differences, agrees: parts.every((part) => differences[part] <= tolerance * magnitude(wanted[part])) };
}

export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of ours / theirs, round by round: what disturbs a round disturbs both. */
export const pairedRatio = (ours, theirs) =>
  median(Array.from({ length: Math.min(ours.length, theirs.length) }, (_, round) => ours[round] / theirs[round]));

/** Read by nobody: keeps an engine from dropping calls whose result isn't used. */
export let sink = 0;

/** Milliseconds that `calls` calls take. Awaits only what is a promise: to a small call an await is dear. */
async function time(instance, x, calls) {
  const start = performance.now();
  let result;
  for (let i = 0; i < calls; ++i) {
    result = instance.run(x);
    if (typeof result.then === 'function') result = await result;
  }
  const elapsed = performance.now() - start;
  sink += result.out[0];
  return elapsed;
}

/** Milliseconds of one call, after `warmMs` of them, from a stretch that is long enough to be timed. */
async function warmUp(instance, x, { sampleMs, warmMs }) {
  const start = performance.now();
  for (let calls = 1; ; ) {
    const elapsed = await time(instance, x, calls);
    if (performance.now() - start > warmMs && elapsed > sampleMs * 0.4) return elapsed / calls;
    if (elapsed < sampleMs) calls *= 2;
  }
}

/** Makes one participant ready for the rounds, and checks it; null when it doesn't do what is asked for. */
async function prepare({ name, create, slowMs = Infinity }, size, attn, data, settings) {
  const instance = await create({ ...size, attn });
  if (!instance) return null;
  await instance.setWeights(...data.weights);
  const check = async () => agreement(await instance.run(data.x), data.wanted, attn, settings.tolerance);
  const entry = { kernel: instance.kernel, samples: [], ...(await check()) };
  const callMs = await warmUp(instance, data.x, settings);
  const sample = async (calls) => (await time(instance, data.x, calls)) / calls;
  return { name, instance, entry, check, sample, callMs, slow: callMs > slowMs };
}

/**
 * Rounds that aren't counted, until none has made anybody a tenth quicker for `calmMs`: engines compile twice, in the
 * background, and a participant that waits for its second compiler would be measured in its first. Afterwards everybody
 * knows how many calls make a sample.
 */
async function settle(running, { sampleMs, calmMs, settleMs }) {
  const callsOf = ({ callMs }) => Math.max(1, Math.round(sampleMs / callMs));
  const start = performance.now();
  let calmSince = start;
  while (performance.now() - calmSince < calmMs && performance.now() - start < settleMs) {
    for (const participant of running.filter(({ slow }) => !slow)) {
      const ms = await participant.sample(callsOf(participant));
      if (ms < participant.callMs * 0.9) calmSince = performance.now();
      participant.callMs = Math.min(participant.callMs, ms);
    }
  }
  for (const participant of running) participant.calls = callsOf(participant);
}

/**
 * One size in one mode: every round runs each participant and the roofline once, from a start that moves on.
 * @param {{n: number, d: number, h: number}} size
 * @param {boolean} attn whether the weights are asked for as well
 * @param {object} data of makeData, with `wanted` of reference
 * @returns {Promise<object>} a record: size, attn, flops, roofline and participants; of each participant that took part
 *   samples (ms per call, one a round), differences and agrees; { error } of one that failed
 */
async function measureMode(size, attn, data, participants, roofline, settings) {
  const record = { size, attn, flops: flops(size), roofline: { madd: [], mulAdd: [] }, participants: {} };
  const fail = (name, error) => (record.participants[name] = { error: String(error?.message ?? error).slice(0, 300) });
  const running = [];
  for (const participant of participants) {
    if (record.flops > (participant.flopsLimit ?? Infinity)) continue;
    try {
      const ready = await prepare(participant, size, attn, data, settings);
      if (!ready) continue;
      running.push(ready);
      record.participants[ready.name] = ready.entry;
    } catch (error) {
      fail(participant.name, error);
    }
  }
  await settle(running, settings);

  const turns = running.map(({ entry, sample, calls, slow }) => ({
    rounds: slow ? 3 : settings.rounds,
    take: async () => entry.samples.push(await sample(calls)),
  }));
  const takeRoofline = () => Object.entries(roofline.sample()).forEach(([kind, gflops]) => record.roofline[kind].push(gflops));
  turns.push({ rounds: settings.rounds, take: takeRoofline });
  for (let round = 0; round < settings.rounds; ++round) {
    await settings.gate?.();
    for (let i = 0; i < turns.length; ++i) {
      const { rounds, take } = turns[(i + round) % turns.length];
      if (round < rounds) await take();
    }
  }

  for (const { name, instance, entry, check, slow } of running) {
    try {
      const last = slow ? entry : await check();
      if (!last.agrees) Object.assign(entry, last); // the first result was right, a later one isn't
      await instance.dispose?.();
    } catch (error) {
      fail(name, error);
    }
  }
  return record;
}

/**
 * @param {object[]} participants
 * @param {object} settings
 * @param {object[]} settings.sizes
 * @param {boolean[]} settings.modes the values of attn
 * @param {number} settings.rounds
 * @param {number} settings.sampleMs how long one sample should be
 * @param {number} settings.warmMs how long everybody runs alone before anything counts
 * @param {number} settings.calmMs
 * @param {number} settings.settleMs see settle: at most this long
 * @param {number} settings.tolerance
 * @param {() => Promise<void>} [settings.gate] waited for before every round
 * @param {(record: object) => void} report told each record as soon as there is one
 */
export async function measure(participants, roofline, settings, report) {
  const records = [];
  for (const { n, d, h } of settings.sizes) {
    const size = { n, d, h };
    const data = makeData(size);
    data.wanted = reference(size, data.x, data.weights);
    for (const attn of settings.modes) {
      const record = await measureMode(size, attn, data, participants, roofline, settings);
      records.push(record);
      report(record);
    }
  }
  return records;
}

/**
 * The WebAssembly memory that one output-only run needs; some of its rows are compared with the reference.
 * A memory never shrinks, so this comes before everything else that the library does.
 */
export async function measureMemory(create, size, tolerance) {
  const { x, weights } = makeData(size);
  const instance = await create({ ...size, attn: false });
  await instance.setWeights(...weights);
  const { out } = await instance.run(x);
  const bytes = instance.memoryBytes();
  const rows = [0, 1, size.n >> 1, size.n - 1];
  const found = { out: Float32Array.from(rows.flatMap((i) => [...out.subarray(i * size.d, (i + 1) * size.d)])) };
  await instance.dispose?.();
  const pattern = size.h * size.n * size.n * Float32Array.BYTES_PER_ELEMENT;
  return { size, bytes, pattern, ...agreement(found, reference(size, x, weights, rows), false, tolerance) };
}
