// What the library refuses, in which words, and that a refused call changes nothing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AttentionError, close, layerFor, library, numbers, problemsOf, randomFrom, same, weightsFor } from './support.mjs';

const size = { d_model: 6, h: 3 };
const weights = weightsFor(randomFrom(1), size);
const X = numbers(randomFrom(2), 12); // two tokens
const wantedNumbers = 'wanted a typed array or (nested) arrays of numbers';

test('an AttentionError is an Error with one sentence a problem', async () => {
  const problems = await problemsOf(() => library.create({ d_model: 6.5, h: '3' }));
  assert.deepEqual(problems, [
    'd_model: found 6.5, wanted a whole number below 2^31',
    'h: found "3", wanted a whole number below 2^31',
  ]);
  assert.ok(new AttentionError(['a']) instanceof Error);
});

test('create refuses sizes that make no layer', async () => {
  const cases = [
    [{ d_model: 6, h: 4 }, 'd_k: found 6 with h = 4: 1.50 is not whole, wanted a whole d_model / h; h may be 1, 2, 3 or 6'],
    [{ d_model: 6 }, 'h: found nothing, wanted a whole number below 2^31'],
    [{ d_model: -6, h: 3 }, 'd_model: found -6, wanted 1 or more'],
    [{ d_model: 6, h: 0 }, 'h: found 0, wanted 1 or more'],
    [{ d_model: 6, h: 3, d_v: 0 }, 'd_v: found 0, wanted 1 or more'],
    [{ d_model: NaN, h: 3 }, 'd_model: found NaN, wanted a whole number below 2^31'],
    [{ d_model: 2 ** 40, h: 1 }, 'd_model: found 1099511627776, wanted a whole number below 2^31'],
    [{ ...size, scale: NaN }, 'scale: found nan, wanted a finite number, also as a float'],
    [{ ...size, scale: 1e300 }, 'scale: found 1e+300, wanted a finite number, also as a float'],
    [{ ...size, scale: '2' }, 'scale: found "2", wanted a number'],
    [{ ...size, heads: 3 }, 'heads: found in options, wanted only d_model, h, d_k, d_v, scale, kernel, base, accept'],
    [{ ...size, kernel: 'avx' }, 'kernel: found "avx", wanted relaxed, simd, scalar or nothing'],
    [{ ...size, accept: true }, 'accept: found true, wanted a function'],
    [{ ...size, base: 'http://[' }, 'base: found "http://[", wanted the URL of the folder with the .wasm files'],
    [null, 'options: found nothing, wanted an object'],
  ];
  for (const [options, problem] of cases) assert.deepEqual(await problemsOf(() => library.create(options)), [problem]);
  const noKeys = await problemsOf(() => library.create({ d_model: 6, h: 3, d_k: 0 }));
  assert.equal(noKeys[0], 'd_k: found 0, wanted 1 or more');
});

test('absent options may also be null or undefined', async (t) => {
  const layer = await layerFor(t, { ...size, d_k: null, d_v: undefined, scale: null, kernel: undefined, base: undefined }, weights);
  assert.deepEqual([layer.d_k, layer.d_v], [2, 2]);
  const bits = layer.run(X).output.slice();
  const nothing = { X_kv: null, may_attend: null, additive_mask: undefined, key_lengths: null, gates: null };
  same(layer.run(X, { ...nothing, batch: undefined, causal: undefined, first_query: null, weights: null }).output, bits);
  same((await layerFor(t, size, weights)).run(X).output, bits, 'the usual scale');
});

test('without weights nothing is computed', async (t) => {
  const layer = await layerFor(t, size);
  for (const call of [() => layer.run(X), () => layer.forward(X), () => layer.backward(X, X), () => layer.analyse(X)]) {
    assert.deepEqual(problemsOf(call), ['weights: found none, wanted setWeights before']);
  }
});

test('setWeights refuses what is no set of weights, and the layer keeps the one it had', async (t) => {
  const layer = await layerFor(t, size, weights);
  const bits = layer.run(X).output.slice();
  const exact = layer.forward(X)[0].output.data;
  const cases = [
    [undefined, ['weights: found nothing, wanted an object']],
    [{}, ['W_Q', 'W_K', 'W_V', 'W_O'].map((name) => `${name}: found nothing, wanted a matrix`)],
    [{ ...weights, W_q: X }, ['W_q: found in weights, wanted only W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O']],
    [{ ...weights, W_Q: X, b_O: [1] }, [
      'W_Q: found 12 numbers, wanted 36 numbers (d_model x h*d_k)', 'b_O: found 1 number, wanted 6 numbers (d_model)',
    ]],
    [{ ...weights, W_V: 'abc', W_K: 5 }, [`W_K: found 5, ${wantedNumbers}`, `W_V: found "abc", ${wantedNumbers}`]],
    [{ ...weights, W_Q: new DataView(new ArrayBuffer(288)) }, [`W_Q: found a value of type DataView, ${wantedNumbers}`]],
    [{ ...weights, W_Q: new BigInt64Array(36) }, [`W_Q: found a value of type BigInt64Array, ${wantedNumbers}`]],
    [{ ...weights, W_Q: Array(36) }, ['W_Q, number 1: found nothing, wanted a number']],
    [{ ...weights, W_Q: [1, [2, 3]] }, ['W_Q: found 1 among rows, wanted rows of one length']],
    [{ ...weights, W_Q: [[1, 2, 3], [4, 5]] }, ['W_Q: found rows of 3 and of 2, wanted rows of one length']],
  ];
  for (const [given, problems] of cases) {
    assert.deepEqual(problemsOf(() => layer.setWeights(given)), problems);
    same(layer.run(X).output, bits, problems[0]);
    assert.deepEqual(layer.forward(X)[0].output.data, exact);
  }
});

test('nothing of refused weights is left: neither a matrix for the next ones, nor a bias', async (t) => {
  const { W_Q, W_K, W_V, W_O } = weights;
  const layer = await layerFor(t, size, { W_Q, W_K, W_V, W_O });
  const bits = layer.run(X).output.slice();
  const exact = layer.forward(X)[0].output.data;
  const refused = () => assert.equal(problemsOf(() => layer.setWeights({ ...weights, W_Q: X })).length, 1);
  refused();
  assert.equal(problemsOf(() => layer.setWeights({ W_Q })).length, 3);
  refused();
  same(layer.run(X).output, bits);
  assert.deepEqual(layer.forward(X)[0].output.data, exact);
  assert.equal(layer.backward(X, X).d_weights.b_O, null);
  refused();
  layer.setWeights({ W_Q, W_K, W_V, W_O });
  same(layer.run(X).output, bits);
});

test('a matrix that comes transposed in rows is refused, though it has as many numbers', async (t) => {
  const wide = { d_model: 6, h: 3, d_k: 4 };
  const layer = await layerFor(t, wide);
  const rows = (many, long) => Array.from({ length: many }, () => Array(long).fill(1));
  const good = weightsFor(randomFrom(1), wide);
  assert.deepEqual(problemsOf(() => layer.setWeights({ ...good, W_Q: rows(12, 6), W_O: rows(6, 12) })), [
    'W_Q: found rows of 6 numbers, wanted rows of 12 numbers (d_model x h*d_k)',
    'W_O: found rows of 12 numbers, wanted rows of 6 numbers (h*d_v x d_model)',
  ]);
  layer.setWeights({ ...good, W_Q: rows(6, 12), W_O: rows(12, 6), b_Q: rows(3, 4) });
  assert.deepEqual(problemsOf(() => layer.run(rows(4, 3))), ['X: found rows of 3 numbers, wanted rows of 6 numbers (batch x n_q x d_model)']);
});

const refusedInputs = [
  [null, {}, `X: found nothing, ${wantedNumbers}`],
  ['abc', {}, `X: found "abc", ${wantedNumbers}`],
  [{ length: 12 }, {}, `X: found a value of type Object, ${wantedNumbers}`],
  [[1, 2, '3', 4, 5, 6], {}, 'X, number 3: found "3", wanted a number'],
  [X.slice(1), {}, 'X: found 11 numbers, wanted a multiple of 1 x 6 (batch x d_model)'],
  [numbers(randomFrom(3), 18), { batch: 2 }, 'X: found 18 numbers, wanted a multiple of 2 x 6 (batch x d_model)'],
  [X, { batch: 0 }, 'X: found 12 numbers, wanted 0 numbers (batch x n_q x d_model)'],
  [X, { batch: -1 }, 'batch: found -1, wanted 0 or more'],
  [X, { batch: 1.5 }, 'batch: found 1.5, wanted a whole number below 2^31'],
  [X, { X_kv: X.slice(5) }, 'X_kv: found 7 numbers, wanted a multiple of 1 x 6 (batch x d_model)'],
  [X, { causal: 1 }, 'causal: found 1, wanted true or false'],
  [X, { causal: true, first_query: -1 }, 'first_query: found -1, wanted 0 or more'],
  [X, { first_query: 2 ** 33 }, 'first_query: found 8589934592, wanted a whole number below 2^31'],
  [X, { weights: 'yes' }, 'weights: found "yes", wanted true or false'],
  [X, { may_attend: [1, 1, 1] }, 'may_attend: found 3 numbers, wanted 4 numbers (n_q x n_k)'],
  [X, { batch: 2, may_attend: [1, 1, 1] }, 'may_attend: found 3 numbers, wanted 2 numbers (batch x n_q x n_k)'],
  [X, { may_attend: [1, 256, 0, 1] }, 'may_attend: found 256, wanted 0 (masked) or 1 (may attend)'],
  [X, { may_attend: Uint8Array.of(1, 1, 7, 1) }, 'may_attend: found 7, wanted 0 (masked) or 1 (may attend)'],
  [X, { may_attend: [[0, -Infinity], [0, 0]] }, 'may_attend: found -Infinity, wanted 0 (masked) or 1 (may attend)'],
  [X, { additive_mask: [[0, 0, 0, 0]] }, 'additive_mask: found rows of 4 numbers, wanted rows of 2 numbers (n_q x n_k)'],
  [X, { key_lengths: [3] }, 'key_lengths: found 3 for sequence 1, wanted 0 to 2 (n_k)'],
  [X, { key_lengths: [1, 2] }, 'key_lengths: found 2 numbers, wanted 1 number (batch)'],
  [X, { key_lengths: [0.5] }, /^key_lengths: found 0\.5/],
  [X, { key_lengths: [NaN] }, /^key_lengths: found nan/i],
  [X, { key_lengths: 2 }, `key_lengths: found 2, ${wantedNumbers}`],
  [X, { gates: [1, 1] }, 'gates: found 2 numbers, wanted 3 numbers (h)'],
  [X, { gates: [1, 2, 1] }, 'head 2 gate: found 2, wanted a number from 0 to 1'],
  [X, { gates: [1, 1, NaN] }, 'head 3 gate: found nan, wanted a number from 0 to 1'],
  [X, { mask: [1, 1, 1, 1] }, 'mask: found in options, wanted only X_kv, may_attend, additive_mask, key_lengths, gates, batch, '
    + 'causal, first_query, weights'],
  [X, 5, 'options: found 5, wanted an object'],
];

test('every call refuses the same inputs, in these words, and the next good run has the same bits', async (t) => {
  const layer = await layerFor(t, size, weights);
  const bits = layer.run(X).output.slice();
  for (const [given, options, problem] of refusedInputs) {
    const calls = {
      run: () => layer.run(given, options), forward: () => layer.forward(given, options),
      backward: () => layer.backward(given, X, options), analyse: () => layer.analyse(given, options),
    };
    for (const [name, call] of Object.entries(calls)) {
      const [found, ...more] = problemsOf(call);
      const text = `${name}: ${found.replace('-inf,', '-Infinity,')}`;
      if (problem instanceof RegExp) assert.match(found, problem);
      else assert.equal(text, `${name}: ${problem}`);
      assert.deepEqual(more, []);
      same(layer.run(X).output, bits, `a run after ${problem}`);
    }
  }
});

test('all problems of a call are named at once', async (t) => {
  const layer = await layerFor(t, size, weights);
  assert.deepEqual(problemsOf(() => layer.run(X, { gates: [1], may_attend: [1], key_lengths: [] })), [
    'may_attend: found 1 number, wanted 4 numbers (n_q x n_k)',
    'key_lengths: found 0 numbers, wanted 1 number (batch)',
    'gates: found 1 number, wanted 3 numbers (h)',
  ]);
  assert.deepEqual(problemsOf(() => layer.run(null, { batch: '2', causal: 'no' })), [
    `X: found nothing, ${wantedNumbers}`,
    'batch: found "2", wanted a whole number below 2^31',
    'causal: found "no", wanted true or false',
  ]);
});

test('NaN stays in its row in run, and is named by the readable engine', async (t) => {
  const layer = await layerFor(t, size, weights);
  const bad = X.slice();
  bad[8] = NaN;
  const X_kv = X;
  const clean = layer.run(X, { X_kv }).output.slice();
  const { output } = layer.run(bad, { X_kv });
  close(output.slice(0, 6), clean.slice(0, 6), 1e-6, 'the first query');
  assert.ok(output.slice(6).every(Number.isNaN));
  for (const call of [() => layer.forward(bad), () => layer.backward(bad, X), () => layer.analyse(bad)]) {
    assert.deepEqual(problemsOf(call), ['X[2, 3]: found nan, wanted a finite number']);
  }
  assert.deepEqual(problemsOf(() => layer.backward(X, X.slice(6))), ['d_output: found 6 numbers, wanted 12 numbers (batch x n_q x d_model)']);
  assert.deepEqual(problemsOf(() => layer.backward(X)), [`d_output: found nothing, ${wantedNumbers}`]);
});

test('no tokens, no keys and no sequences are answered with nothing, or with zeros', async (t) => {
  const layer = await layerFor(t, size, { ...weights, b_O: null });
  assert.deepEqual([...layer.run([]).output], []);
  assert.deepEqual([...layer.run([], { batch: 0, weights: true }).weights], []);
  assert.deepEqual(layer.forward([], { batch: 0 }), []);
  assert.deepEqual(layer.analyse([], { batch: 0 }), []);
  assert.ok(layer.backward([], [], { batch: 0 }).d_weights.W_O.data.every((number) => number === 0));
  assert.deepEqual([...layer.run(X, { X_kv: [] }).output], Array(12).fill(0));
  assert.deepEqual([...layer.forward(X, { X_kv: [] })[0].output.data], Array(12).fill(0));
  const none = layer.backward([], [], { additive_mask: [] });
  for (const head of none.d_traces[0].heads) for (const matrix of Object.values(head)) assert.equal(matrix.rows, 0);
  assert.deepEqual([none.d_X[0].rows, none.d_additive_mask[0].rows], [0, 0]);
  assert.equal(layer.analyse([])[0].heads.length, 3);
  const alone = layer.run(X, { key_lengths: [0], weights: true });
  assert.ok([...alone.weights, ...alone.output].every((number) => number === 0), 'a query without any key gets zeros');
});

test('a destroyed layer refuses every call', async (t) => {
  const layer = await layerFor(t, size, weights);
  layer.run(X);
  layer.destroy();
  layer.destroy();
  const calls = [
    () => layer.run(X), () => layer.run(X, {}), () => layer.forward(X), () => layer.backward(X, X), () => layer.analyse(X),
    () => layer.setWeights(weights), () => layer.memoryBytes,
  ];
  for (const call of calls) assert.deepEqual(problemsOf(call), ['layer: found destroyed, wanted a living one']);
});
