// Numbers in and out: every kind of array, how long results live, and memory that neither moves nor grows unasked.
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import test from 'node:test';
import {
  AttentionError, close, layerFor, library, numbers, problemsOf, randomFrom, same, testEachKernel, weightsFor,
} from './support.mjs';

const size = { d_model: 8, h: 2 };
const weights = weightsFor(randomFrom(1), size);
const X = numbers(randomFrom(2), 5 * 8);
const nested = Array.from({ length: 5 }, (_, row) => [...X.slice(row * 8, row * 8 + 8)]);

test('typed arrays, plain arrays and rows of rows all give the same bits', async (t) => {
  const layer = await layerFor(t, size, weights);
  const bits = layer.run(X).output.slice();
  const shared = new Float32Array(new SharedArrayBuffer(X.byteLength));
  shared.set(X);
  for (const given of [Float64Array.from(X), [...X], nested, [nested], shared, Object.freeze(nested)]) {
    same(layer.run(given).output, bits);
    same(layer.run(given, {}).output, bits);
    close(layer.forward(given)[0].output.data, bits, 1e-5, 'forward');
  }
  const small = Array.from(X, (number) => Math.round(number * 100));
  const wanted = layer.run(small).output.slice();
  for (const Type of [Int8Array, Int16Array, Int32Array, Float32Array, Float64Array]) same(layer.run(Type.from(small)).output, wanted);
  const whole = Object.fromEntries(Object.entries(weights).map(([name, all]) => [name, Int32Array.from(all, (number) => number * 9)]));
  layer.setWeights(whole);
  const fromIntegers = layer.run(X).output.slice();
  layer.setWeights(Object.fromEntries(Object.entries(whole).map(([name, all]) => [name, [...all]])));
  same(layer.run(X).output, fromIntegers, 'Int32Array weights');
  same(layer.run(X, { may_attend: Array(25).fill(true) }).output, fromIntegers, 'booleans');
});

test('a repeated run without options gives the same bits as the first, and follows its input', async (t) => {
  const layer = await layerFor(t, size, weights);
  const Y = numbers(randomFrom(3), 5 * 8);
  const first = layer.run(X);
  const bits = first.output.slice();
  const [ofY, ofX] = [layer.run(Y, {}).output.slice(), bits];
  layer.run(X);
  assert.equal(layer.run(Y), layer.run(Y), 'the fast path');
  assert.equal(layer.run(Y, { weights: false }), layer.run(Y), 'the same in other words');
  const asked = layer.run(Y, { weights: true });
  assert.notEqual(asked.weights, null);
  assert.equal(layer.run(X, { weights: true }), asked, 'the fast path with weights');
  same(asked.output, ofX);
  assert.equal(layer.run(Y).weights, null, 'and without them again');
  for (let i = 0; i < 5; i++) {
    same(layer.run(X).output, ofX);
    same(layer.run(Y).output, ofY);
  }
  same(layer.run(X.slice(0, 16)).output, layer.run(X.slice(0, 16), {}).output.slice(), 'another length');
  layer.run(X, { causal: true, weights: true });
  same(layer.run(X).output, ofX, 'after a run with options');
  layer.forward(Y);
  same(layer.run(X).output, ofX, 'after forward');
  layer.setWeights(weightsFor(randomFrom(4), size));
  assert.notDeepEqual([...layer.run(X).output], [...ofX], 'after other weights');
  layer.setWeights(weights);
  same(layer.run(X).output, ofX, 'after the first weights again');
});

test('rows that are as many as numbers were before are no numbers', async (t) => {
  const layer = await layerFor(t, { d_model: 1, h: 1 }, weightsFor(randomFrom(5), { d_model: 1, h: 1 }));
  const rows = [[1], [2], [3]];
  const wanted = layer.run(rows, {}).output.slice();
  layer.run(Float32Array.of(7, 8, 9));
  same(layer.run(rows).output, wanted);
  const two = await layerFor(t, { d_model: 2, h: 1 }, weightsFor(randomFrom(5), { d_model: 2, h: 1 }));
  two.run(Float32Array.of(1, 2, 3, 4));
  assert.equal(two.run([[1, 2], [3, 4], [5, 6], [7, 8]]).output.length, 8);
  assert.throws(() => two.run('1234'), AttentionError);
  assert.throws(() => two.run({ length: 4, 0: 1, 1: 2, 2: 3, 3: 4 }), AttentionError);
});

test('a result can be the next input, also while memory grows', async (t) => {
  const layer = await layerFor(t, { d_model: 64, h: 4 }, weightsFor(randomFrom(6), { d_model: 64, h: 4 }));
  const long = numbers(randomFrom(7), 500 * 64);
  const once = layer.run(long).output.slice();
  const twice = layer.run(once).output.slice();
  const again = () => layer.run(long).output;
  same(layer.run(again()).output, twice, 'X, repeated');
  same(layer.run(again(), {}).output, twice, 'X');
  close(layer.forward(again())[0].output.data, layer.forward(once)[0].output.data, 0, 'forward');
  const longer = numbers(randomFrom(8), 4000 * 64);
  const wanted = (await layerFor(t, { d_model: 64, h: 4 }, weightsFor(randomFrom(6), { d_model: 64, h: 4 }))).run(longer, { X_kv: once });
  same(layer.run(longer, { X_kv: again() }).output, wanted.output, 'X_kv, and X makes memory grow');
  layer.setWeights({ ...weightsFor(randomFrom(6), { d_model: 64, h: 4 }), W_Q: again().subarray(0, 4096) });
  assert.ok(layer.run(long).output.every(Number.isFinite));
});

test('a result outlives calls and growth of other layers', async (t) => {
  const [one, two] = [await layerFor(t, size, weights), await layerFor(t, size, weightsFor(randomFrom(9), size))];
  const { output } = one.run(X);
  const bits = output.slice();
  const before = two.memoryBytes;
  two.run(numbers(randomFrom(10), 100000 * 8), { X_kv: X });
  two.forward(X);
  assert.ok(two.memoryBytes > before);
  same(output, bits);
  for (let i = 0; i < 3; i++) {
    two.run(X);
    same(one.run(X).output, bits, 'two layers in turn');
  }
  two.destroy();
  same(one.run(X).output, bits);
});

test('a result whose memory moved is refused as input, not taken for nothing', async (t) => {
  const layer = await layerFor(t, size, weights);
  const old = layer.run(X).output;
  layer.run(numbers(randomFrom(10), 100000 * 8), { X_kv: X });
  assert.equal(old.length, 0, 'the memory grew');
  const problem = 'X: found a view whose memory is gone, wanted living numbers (copy what you keep of a result: .slice())';
  assert.deepEqual(problemsOf(() => layer.run(old)), [problem]);
  const given = X.slice();
  structuredClone(given, { transfer: [given.buffer] });
  assert.deepEqual(problemsOf(() => layer.forward(given)), [problem]);
});

test('what was handed in is neither kept nor changed', async (t) => {
  const own = Object.fromEntries(Object.entries(weights).map(([name, all]) => [name, all.slice()]));
  const layer = await layerFor(t, size, own);
  const exact = layer.forward(X)[0].output.data;
  const bits = layer.run(X).output.slice();
  for (const all of Object.values(own)) all.fill(0);
  same(layer.run(X).output, bits);
  const trace = layer.forward(X)[0];
  assert.deepEqual(trace.output.data, exact);
  layer.forward(numbers(randomFrom(11), 40));
  assert.deepEqual(trace.output.data, exact, 'a trace is yours to keep');
  same(X, numbers(randomFrom(2), 5 * 8), 'X');
  assert.throws(() => { layer.d_model = 4; }, TypeError);
});

test('a layer that is used while its options are read isn’t disturbed', async (t) => {
  const layer = await layerFor(t, size, weights);
  const bits = layer.run(X, { causal: true }).output.slice();
  const meddling = { get causal() { layer.run(X.slice(0, 8)); layer.forward(X); return true; } };
  same(layer.run(X, meddling).output, bits);
});

// ---------------------------------------------------------------- memory

testEachKernel('a thousand runs of every kind need no more memory than the first', async (kernel, t) => {
  const layer = await layerFor(t, { ...size, kernel }, weights);
  const options = { weights: true, causal: true, gates: [1, 0.5], may_attend: Array(25).fill(1), X_kv: X };
  const all = (i) => {
    layer.run(X);
    layer.run(X, options);
    if (i % 10 > 0) return;
    layer.setWeights(weights);
    layer.forward(X, options);
    layer.backward(X, X, options);
    layer.analyse(X, options);
  };
  for (let i = 0; i < 20; i++) all(i);
  const before = layer.memoryBytes;
  for (let i = 0; i < 1000; i++) all(i);
  assert.equal(layer.memoryBytes, before);
});

test('two hundred layers come and go', async () => {
  let wanted = null;
  for (let i = 0; i < 200; i++) {
    const layer = await library.create(size);
    layer.setWeights(weights);
    const { output } = layer.run(X);
    same(output, (wanted ??= output.slice()));
    layer.destroy();
  }
});

test('more than there is memory for is refused, and the layer goes on', async (t) => {
  const layer = await layerFor(t, { d_model: 6, h: 3 }, weightsFor(randomFrom(12), { d_model: 6, h: 3 }));
  const short = numbers(randomFrom(13), 12);
  const bits = layer.run(short).output.slice();
  const most = 'found 3 heads of 60000 x 60000, wanted at most 2147483647 numbers';
  assert.ok(problemsOf(() => layer.run(new Float32Array(6 * 60000), { weights: true })).includes(`pattern: ${most}`));
  assert.deepEqual(problemsOf(() => layer.run(new Float32Array(6 * 20000), { weights: true })), [
    'memory: found no room, wanted 1200000032 numbers for the largest matrix of the run',
  ]);
  // 40000 x 40000 floats are 6.4 GB: in 32 bits 2.1 GB, which there would be.
  const single = await layerFor(t, { d_model: 1, h: 1 }, weightsFor(randomFrom(14), { d_model: 1, h: 1 }));
  assert.match(problemsOf(() => single.run(new Float32Array(40000), { weights: true }))[0], /^memory: found no room/);
  for (const call of ['forward', 'analyse']) {
    assert.match(problemsOf(() => layer[call](new Float32Array(6 * 8000)))[0], /^memory: found no room/);
  }
  same(layer.run(short).output, bits);
  assert.ok(layer.memoryBytes < 1e8);
});

test('numbers that lie beyond 2 GB are found', { skip: totalmem() < 6e9 && 'needs 3 GB of memory' }, async (t) => {
  const thin = { d_model: 1, h: 1 };
  const [large, small] = await Promise.all([0, 1].map(() => layerFor(t, thin, weightsFor(randomFrom(15), thin))));
  const X_kv = numbers(randomFrom(16), 1100);
  const { length } = large.run(new Float32Array(500000), { X_kv, weights: true }).weights;
  assert.equal(length, 550e6);
  assert.ok(large.memoryBytes > 2 ** 31);
  const longer = numbers(randomFrom(17), 900000); // needs other rooms, behind what is there
  const few = { X_kv: X_kv.slice(0, 3) };
  same(large.run(longer, few).output, small.run(longer, few).output);
  assert.deepEqual(large.forward(longer, few)[0].output.data, small.forward(longer, few)[0].output.data);
});

test('an engine that traps ends its layer with a sentence, and a new layer works', async (t) => {
  let engine;
  const accept = (exports) => Boolean((engine = exports));
  const calls = {
    run: (it) => it.run(X, {}), again: (it) => it.run(X), forward: (it) => it.forward(X),
    setWeights: (it) => it.setWeights(weights),
  };
  for (const [name, call] of Object.entries(calls)) {
    const layer = await layerFor(t, { ...size, accept }, weights);
    if (name === 'again') layer.run(X);
    new Uint8Array(engine.memory.buffer).fill(0xff); // no pointer leads anywhere now
    assert.match(problemsOf(() => call(layer))[0], /^memory: found none left \(.*\), wanted more; the layer is destroyed$/, name);
    assert.deepEqual(problemsOf(() => call(layer)), ['layer: found destroyed, wanted a living one']);
  }
  assert.ok((await layerFor(t, size, weights)).run(X).output.every(Number.isFinite));
});
