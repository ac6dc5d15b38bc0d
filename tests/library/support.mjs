// What the library's tests share: the built library, which kernels run here, random layers, and comparisons.
// HEADSCOPE_LIBRARY: another folder with attention.mjs. Relaxed SIMD in Node 20: node --experimental-wasm-relaxed-simd.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'node:test';
import { hasRelaxedSimd, hasSimd } from '../../web/probes.mjs';

export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
export const folder = resolve(process.env.HEADSCOPE_LIBRARY ?? join(root, 'build/web/library'));
export const library = await import(pathToFileURL(join(folder, 'attention.mjs')).href);
export const { AttentionError } = library;
export const example = JSON.parse(readFileSync(join(root, 'tests/data/worked-example.json'), 'utf8'));

// ---------------------------------------------------------------- kernels

const runs = { relaxed: hasRelaxedSimd(), simd: hasSimd(), scalar: true };
export const kernels = Object.keys(runs).filter((kernel) => runs[kernel]);

/** One test for each kernel; those that don't run here are skipped, and say so. */
export function testEachKernel(name, work) {
  for (const kernel of Object.keys(runs)) {
    const skip = runs[kernel] ? false : `this engine can't compile the ${kernel} build`;
    test(`${kernel}: ${name}`, { skip }, (t) => work(kernel, t));
  }
}

// ---------------------------------------------------------------- layers

/** A layer that ends with the test. */
export async function layerFor(t, options, weights) {
  const layer = await library.create(options);
  t.after(() => layer.destroy());
  if (weights) layer.setWeights(weights);
  return layer;
}

/** Numbers from 0 to 1 that are the same in every run (Steele et al. 2014, SplitMix; the 32-bit variant). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** From -1 to 1, exact as floats, so that both engines read the same numbers. */
export const numbers = (random, count) => Float32Array.from({ length: count }, () => random() * 2 - 1);

export function weightsFor(random, { d_model, h, d_k = d_model / h, d_v = d_k, biases = true }) {
  const weights = {
    W_Q: numbers(random, d_model * h * d_k),
    W_K: numbers(random, d_model * h * d_k),
    W_V: numbers(random, d_model * h * d_v),
    W_O: numbers(random, h * d_v * d_model),
  };
  if (!biases) return weights;
  return {
    ...weights,
    b_Q: numbers(random, h * d_k), b_K: numbers(random, h * d_k), b_V: numbers(random, h * d_v), b_O: numbers(random, d_model),
  };
}

/** The worked example's heads side by side, as the library takes them. */
export const exampleWeights = {
  ...Object.fromEntries(['W_Q', 'W_K', 'W_V'].map((name) => [
    name, example.X[0].map((_, row) => example.heads.flatMap((head) => head[name][row])),
  ])),
  W_O: example.W_O,
};

// ---------------------------------------------------------------- comparisons

export const rowsOf = ({ rows, cols, data }) =>
  Array.from({ length: rows }, (_, row) => Array.from(data.slice(row * cols, (row + 1) * cols)));

/** The largest difference, measured in the largest number of `wanted` (of 1 where that is less); infinite with a NaN. */
export function differenceOf(found, wanted) {
  assert.equal(found.length, wanted.length);
  let largest = 1;
  let worst = 0;
  for (let i = 0; i < wanted.length; i++) {
    largest = Math.max(largest, Math.abs(wanted[i]));
    const difference = Math.abs(found[i] - wanted[i]);
    worst = difference <= worst ? worst : Number.isNaN(difference) ? Infinity : difference;
  }
  return worst / largest;
}

export function close(found, wanted, tolerance, what) {
  const difference = differenceOf(found, wanted);
  assert.ok(difference <= tolerance, `${what}: differs by ${difference}`);
}

/** Same bits: -0 isn't 0, and NaN is NaN. */
export function same(found, wanted, what) {
  assert.deepEqual(new Uint32Array(Float32Array.from(found).buffer), new Uint32Array(Float32Array.from(wanted).buffer), what);
}

/** The problems of what `work` throws, which has to be an AttentionError; awaited when it is a promise. */
export function problemsOf(work) {
  const check = (error) => {
    assert.ok(error instanceof AttentionError, `not an AttentionError but ${error?.stack}`);
    assert.equal(error.name, 'AttentionError');
    assert.equal(error.message, error.problems.join('\n'));
    return error.problems;
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) return assert.fail('nothing was refused');
    return result.then(() => assert.fail('nothing was refused'), check);
  } catch (error) {
    return check(error);
  }
}
