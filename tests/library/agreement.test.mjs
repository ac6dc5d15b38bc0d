// The fast kernels against the readable engine, against each other, and the gradients against differences of forward.
import assert from 'node:assert/strict';
import test from 'node:test';
import { close, differenceOf, kernels, layerFor, numbers, randomFrom, same, testEachKernel, weightsFor } from './support.mjs';

const pick = (random, ...choices) => choices[Math.floor(random() * choices.length)];
const upTo = (random, most) => 1 + Math.floor(random() * most);

/** Sizes, weights, inputs and masks of all kinds; the seed decides. */
function caseFrom(seed) {
  const random = randomFrom(seed);
  const h = pick(random, 1, 2, 3, 5);
  const d_k = upTo(random, 9);
  const size = { d_model: upTo(random, 24), h, d_k, d_v: pick(random, d_k, upTo(random, 9)) };
  if (random() < 0.3) size.scale = random() * 2 - 0.5;
  const batch = pick(random, 1, 1, 2, 3);
  const n_q = upTo(random, 33);
  const cross = random() < 0.4;
  const n_k = cross ? upTo(random, 33) : n_q;
  const options = {};
  if (batch > 1) options.batch = batch;
  if (cross) options.X_kv = numbers(random, batch * n_k * size.d_model);
  const pairs = n_q * n_k * (batch > 1 && random() < 0.5 ? batch : 1);
  if (random() < 0.4) options.may_attend = Uint8Array.from({ length: pairs }, () => (random() < 0.7 ? 1 : 0));
  if (random() < 0.4) {
    options.additive_mask = numbers(random, pairs).map((number) => (random() < 0.2 ? -Infinity : number));
  }
  if (random() < 0.3) options.key_lengths = Array.from({ length: batch }, () => Math.floor(random() * (n_k + 1)));
  if (random() < 0.4) options.causal = true;
  if (options.causal && random() < 0.5) options.first_query = Math.floor(random() * 10);
  if (random() < 0.4) options.gates = numbers(random, h).map(Math.abs);
  const weights = weightsFor(random, { ...size, biases: random() < 0.5 });
  return { size, weights, X: numbers(random, batch * n_q * size.d_model), options, n_q, n_k, batch };
}

const describe = ({ size, n_q, n_k, batch, options }) =>
  `${JSON.stringify({ ...size, n_q, n_k, batch })} with ${Object.keys(options).join(', ') || 'nothing else'}`;

const flat = (traces, get) => traces.flatMap((trace) => get(trace));
const wantedOutput = (traces) => flat(traces, (trace) => [...trace.output.data]);
const wantedWeights = (traces) => flat(traces, (trace) => trace.heads.flatMap((head) => [...head.pattern.data]));

/** The definition (Vaswani et al. 2017, eq. 1), without any of the library: the output of one sequence, in doubles. */
function plainOutput({ size, weights, X, options, n_q, n_k }, sequence) {
  const { d_model, h, d_k, d_v, scale = 1 / Math.sqrt(d_k) } = size;
  const table = (rows, cols, cell) =>
    Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_, col) => cell(row, col)));
  const project = (tokens, n, name, width, head) => table(n, width, (row, col) => {
    let sum = weights[`b_${name}`]?.[head * width + col] ?? 0;
    for (let i = 0; i < d_model; i++) {
      sum += tokens[(sequence * n + row) * d_model + i] * weights[`W_${name}`][(i * h + head) * width + col];
    }
    return sum;
  });
  const inMask = (mask, query, key) => mask[(mask.length > n_q * n_k ? sequence * n_q : 0) * n_k + query * n_k + key];
  const mayAttend = (query, key) =>
    !(options.causal && key > query + (options.first_query ?? 0)) &&
    !(options.may_attend && inMask(options.may_attend, query, key) === 0) &&
    !(options.key_lengths && key >= options.key_lengths[sequence]);
  const added = (query, key) => (options.additive_mask ? inMask(options.additive_mask, query, key) : 0);
  const dot = (a, b) => a.reduce((sum, number, i) => sum + number * b[i], 0);
  const output = table(n_q, d_model, (_, col) => weights.b_O?.[col] ?? 0);
  for (let head = 0; head < h; head++) {
    const Q = project(X, n_q, 'Q', d_k, head);
    const K = project(options.X_kv ?? X, n_k, 'K', d_k, head);
    const V = project(options.X_kv ?? X, n_k, 'V', d_v, head);
    output.forEach((row, query) => {
      const raised = K.map((key, j) => (mayAttend(query, j) ? Math.exp(dot(key, Q[query]) * scale + added(query, j)) : 0));
      const total = raised.reduce((sum, number) => sum + number, 0) || 1;
      for (let i = 0; i < d_v; i++) {
        const z = (options.gates?.[head] ?? 1) * V.reduce((sum, value, j) => sum + (raised[j] / total) * value[i], 0);
        for (let col = 0; col < d_model; col++) row[col] += z * weights.W_O[(head * d_v + i) * d_model + col];
      }
    });
  }
  return output.flat();
}

test('forward agrees with the definition, written out, over random shapes, masks, gates and batches', async (t) => {
  for (let seed = 1; seed <= 150; seed++) {
    const it = caseFrom(seed);
    const layer = await layerFor(t, it.size, it.weights);
    layer.forward(it.X, it.options).forEach((trace, i) => {
      close(trace.output.data, plainOutput(it, i), 1e-12, `seed ${seed}, sequence ${i + 1}: ${describe(it)}`);
    });
    layer.destroy();
  }
});

testEachKernel('run agrees with forward over random shapes, masks, gates and batches', async (kernel, t) => {
  const met = new Set();
  for (let seed = 1; seed <= 150; seed++) {
    const it = caseFrom(seed);
    for (const name of Object.keys(it.options)) met.add(name);
    const layer = await layerFor(t, { ...it.size, kernel }, it.weights);
    const traces = layer.forward(it.X, it.options);
    assert.equal(traces.length, it.batch);
    const plain = layer.run(it.X, it.options);
    assert.deepEqual([plain.n_q, plain.n_k, plain.weights], [it.n_q, it.n_k, null], describe(it));
    close(plain.output, wantedOutput(traces), 1e-5, `seed ${seed}: ${describe(it)}`);
    const bits = plain.output.slice();
    const { output, weights } = layer.run(it.X, { ...it.options, weights: true });
    same(output, bits, 'asking for the weights changes no output');
    close(weights, wantedWeights(traces), 1e-5, `seed ${seed}, weights: ${describe(it)}`);
    wantedWeights(traces).forEach((weight, i) => weight === 0 && assert.equal(weights[i], 0, 'masked is exactly 0'));
    layer.destroy();
  }
  assert.equal(met.size, 8, `met only ${[...met]}`);
});

test('every length from 1 to 33 agrees, self-attention and cross', async (t) => {
  const random = randomFrom(7);
  const size = { d_model: 12, h: 2, d_k: 7, d_v: 5 };
  const layer = await layerFor(t, size, weightsFor(random, size));
  for (let n = 1; n <= 33; n++) {
    const X = numbers(random, n * 12);
    close(layer.run(X).output.slice(), wantedOutput(layer.forward(X)), 1e-5, `n = ${n}`);
    const X_kv = numbers(random, (34 - n) * 12);
    close(layer.run(X, { X_kv }).output.slice(), wantedOutput(layer.forward(X, { X_kv })), 1e-5, `${n} x ${34 - n}`);
  }
});

test('the kernels agree among each other, and without relaxed SIMD to the bit', async (t) => {
  for (let seed = 1; seed <= 30; seed++) {
    const it = caseFrom(seed);
    const outputs = {};
    for (const kernel of kernels) {
      const layer = await layerFor(t, { ...it.size, kernel }, it.weights);
      outputs[kernel] = layer.run(it.X, it.options).output.slice();
      layer.destroy();
    }
    for (const kernel of kernels) close(outputs[kernel], outputs.scalar, 1e-5, `${kernel}, seed ${seed}: ${describe(it)}`);
    if (outputs.simd) same(outputs.simd, outputs.scalar, `seed ${seed}`);
  }
});

test('each option changes the output, so that none is forgotten', async (t) => {
  const random = randomFrom(11);
  const size = { d_model: 6, h: 2 };
  const layer = await layerFor(t, size, weightsFor(random, size));
  const X = numbers(random, 2 * 5 * 6);
  const batch = 2;
  const bare = layer.run(X, { batch }).output.slice();
  const options = {
    X_kv: numbers(random, 2 * 3 * 6),
    may_attend: Array.from({ length: 25 }, (_, i) => (i % 3 === 0 ? 1 : 0)),
    additive_mask: numbers(random, 25),
    key_lengths: [2, 5],
    causal: true,
    gates: [0.5, 1],
  };
  const seen = [bare];
  for (const [name, value] of Object.entries(options)) {
    const found = layer.run(X, { batch, [name]: value }).output.slice();
    for (const other of seen) assert.ok(differenceOf(found, other) > 1e-3, `${name} changes nothing`);
    seen.push(found);
  }
  const later = layer.run(X, { batch, causal: true, first_query: 1 }).output.slice();
  for (const other of seen) assert.ok(differenceOf(later, other) > 1e-3, 'first_query changes nothing');
  const two = layer.run(X).output.slice();
  assert.ok(differenceOf(two, bare) > 1e-3, 'batch changes nothing');
  const scaled = await layerFor(t, { ...size, scale: 3 }, weightsFor(randomFrom(11), size));
  assert.ok(differenceOf(scaled.run(X, { batch }).output, bare) > 1e-3, 'scale changes nothing');
});

test('a mask for each sequence is that sequence’s own, and one mask is all sequences’', async (t) => {
  const random = randomFrom(12);
  const size = { d_model: 4, h: 2 };
  const layer = await layerFor(t, size, weightsFor(random, size));
  const X = numbers(random, 2 * 3 * 4);
  const masks = [[1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 1, 1, 0, 1, 1, 1, 0, 1]];
  const alone = masks.map((may_attend, i) => [...layer.run(X.slice(i * 12, i * 12 + 12), { may_attend }).output]);
  same(layer.run(X, { batch: 2, may_attend: masks.flat() }).output, alone.flat(), 'two masks');
  const shared = [0, 1].flatMap((i) => [...layer.run(X.slice(i * 12, i * 12 + 12), { may_attend: masks[1] }).output]);
  same(layer.run(X, { batch: 2, may_attend: masks[1] }).output, shared, 'one mask');
});

test('a first query beyond every key, however far, sees them all', async (t) => {
  const random = randomFrom(13);
  const size = { d_model: 4, h: 2 };
  const layer = await layerFor(t, size, weightsFor(random, size));
  const X = numbers(random, 20);
  const all = layer.run(X).output.slice();
  for (const first_query of [4, 5, 1000, 2 ** 31 - 1]) {
    same(layer.run(X, { causal: true, first_query }).output, all, `first_query ${first_query}`);
    close(layer.forward(X, { causal: true, first_query })[0].output.data, all, 1e-5, `first_query ${first_query}`);
  }
});

// ---------------------------------------------------------------- gradients

/** The sum of outputs times `d_output`: its derivative by the output is d_output. */
function lossOf(layer, { X, options, d_output }) {
  return wantedOutput(layer.forward(X, options)).reduce((sum, number, i) => sum + number * d_output[i], 0);
}

test('backward agrees with central differences of forward, for everything that is given', async (t) => {
  const random = randomFrom(21);
  const size = { d_model: 5, h: 2, d_k: 3, d_v: 4 };
  const [batch, n_q, n_k] = [2, 4, 3];
  const doubles = (count) => Float64Array.from(numbers(random, count));
  const weights = Object.fromEntries(Object.entries(weightsFor(random, size)).map(([name, all]) => [name, Float64Array.from(all)]));
  const given = {
    X: doubles(batch * n_q * 5),
    options: {
      batch, X_kv: doubles(batch * n_k * 5), additive_mask: doubles(batch * n_q * n_k), gates: Float64Array.of(0.6, 0.3),
      may_attend: Array.from({ length: n_q * n_k * batch }, (_, i) => (i % 5 === 2 ? 0 : 1)), key_lengths: [3, 2],
    },
    d_output: doubles(batch * n_q * 5),
  };
  const layer = await layerFor(t, size, weights);
  const gradients = layer.backward(given.X, given.d_output, given.options);
  const step = 1e-5;

  /** Checks some entries of `numbers`, which change in place; `derivative` knows where each one's is. */
  function check(what, all, derivative, update = () => {}) {
    const stride = Math.max(1, Math.floor(all.length / 7));
    for (let i = 0; i < all.length; i += stride) {
      const [before, sides] = [all[i], []];
      for (const sign of [1, -1]) {
        all[i] = before + sign * step;
        update();
        sides.push(lossOf(layer, given));
      }
      all[i] = before;
      update();
      const wanted = (sides[0] - sides[1]) / (2 * step);
      const found = derivative(i);
      assert.ok(Math.abs(found - wanted) <= 1e-7 * Math.max(1, Math.abs(wanted)), `${what}[${i}]: found ${found}, wanted ${wanted}`);
    }
  }
  const inSequence = (matrices, length) => (i) => matrices[Math.floor(i / length)].data[i % length];
  check('X', given.X, inSequence(gradients.d_X, n_q * 5));
  check('X_kv', given.options.X_kv, inSequence(gradients.d_X_kv, n_k * 5));
  check('additive_mask', given.options.additive_mask, inSequence(gradients.d_additive_mask, n_q * n_k));
  check('gates', given.options.gates, (i) => gradients.d_weights.heads[i].gate);
  const repack = () => layer.setWeights(weights);
  for (const [name, width] of [['W_Q', 3], ['W_K', 3], ['W_V', 4], ['b_Q', 3], ['b_K', 3], ['b_V', 4]]) {
    const inHead = (i) => {
      const [row, col] = [Math.floor(i / (2 * width)), i % (2 * width)];
      return gradients.d_weights.heads[Math.floor(col / width)][name].data[row * width + (col % width)];
    };
    check(name, weights[name], inHead, repack);
  }
  for (const name of ['W_O', 'b_O']) check(name, weights[name], (i) => gradients.d_weights[name].data[i], repack);
});

// ---------------------------------------------------------------- analysis

test('an even spread has full entropy, and a single choice has none', async (t) => {
  const layer = await layerFor(t, { d_model: 4, h: 2, scale: 0 }, weightsFor(randomFrom(31), { d_model: 4, h: 2 }));
  const X = numbers(randomFrom(32), 2 * 8 * 4);
  for (const { heads, jensen_shannon_bits } of layer.analyse(X, { batch: 2 })) {
    for (const head of heads) {
      assert.ok(Math.abs(head.entropy_bits - 3) < 1e-12, `found ${head.entropy_bits}, wanted 3 = log2 8`);
      assert.ok(Math.abs(head.effective_tokens - 8) < 1e-10);
      assert.ok(Math.abs(head.stable_rank_of_pattern - 1) < 1e-9);
    }
    assert.deepEqual([...jensen_shannon_bits.data].map((bits) => Math.abs(bits) < 1e-12), [true, true, true, true]);
  }
  const itself = Array.from({ length: 64 }, (_, i) => (i % 9 === 0 ? 1 : 0));
  const [{ heads }] = layer.analyse(X.slice(0, 32), { may_attend: itself });
  for (const head of heads) {
    assert.deepEqual([head.entropy_bits, head.effective_tokens, head.mean_distance], [0, 1, 0]);
    assert.equal(head.first_distance, -7);
    assert.deepEqual([...head.mean_weight_at_distance], Array.from({ length: 15 }, (_, i) => (i === 7 ? 1 : 0)));
    assert.ok(head.contributions.data.every((number, i) => number === 0 || itself[i] === 1));
  }
});

test('contributions are the norms of weight times value times W_O', async (t) => {
  const size = { d_model: 4, h: 2, d_k: 3, d_v: 2 };
  const weights = weightsFor(randomFrom(33), size);
  const layer = await layerFor(t, size, weights);
  const X = numbers(randomFrom(34), 12);
  const [trace] = layer.forward(X);
  const [{ heads, cosine_of_outputs }] = layer.analyse(X);
  heads.forEach(({ contributions, mean_contribution }, head) => {
    const { pattern, V } = trace.heads[head];
    let sum = 0;
    contributions.data.forEach((found, i) => {
      const key = i % 3;
      const moved = [0, 1, 2, 3].map((col) =>
        pattern.data[i] * [0, 1].reduce((all, j) => all + V.data[key * 2 + j] * weights.W_O[(head * 2 + j) * 4 + col], 0));
      const wanted = Math.hypot(...moved);
      sum += wanted;
      assert.ok(Math.abs(found - wanted) < 1e-12, `head ${head + 1} [${i}]: found ${found}, wanted ${wanted}`);
    });
    assert.ok(Math.abs(mean_contribution - sum / 3) < 1e-12);
  });
  assert.deepEqual([cosine_of_outputs.rows, cosine_of_outputs.cols], [2, 2]);
  assert.ok(Math.abs(cosine_of_outputs.data[0] - 1) < 1e-12);
});
