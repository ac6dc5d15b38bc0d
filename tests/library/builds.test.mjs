// The library as files: kernels, what is passed over, what is missing, sizes, and types that name what there is.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import {
  folder, kernels, layerFor, library, numbers, problemsOf, randomFrom, root, same, testEachKernel, weightsFor,
} from './support.mjs';

const size = { d_model: 6, h: 3 };
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/** A folder of its own, away with the test. */
function emptyFolder(t) {
  const made = mkdtempSync(join(tmpdir(), 'headscope-library-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Runs `work` and gives what it told the console. */
async function warningsOf(t, work) {
  const warn = t.mock.method(console, 'warn', () => {});
  await work();
  warn.mock.restore();
  return warn.mock.calls.map((call) => call.arguments.join(' '));
}

testEachKernel('the build that was asked for is the one that runs, and passes its self-test', async (kernel, t) => {
  let engine;
  const accept = (exports, name) => {
    assert.equal(name, kernel);
    engine = exports;
    return exports.self_test() === 1;
  };
  assert.equal((await layerFor(t, { ...size, kernel, accept })).kernel, kernel);
  const bytes = new Uint8Array(engine.memory.buffer, engine.kernel());
  const words = new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  assert.equal(words, { relaxed: 'wasm relaxed simd', simd: 'wasm simd128', scalar: 'scalar' }[kernel]);
});

test('without a wish the fastest runs', async (t) => {
  assert.equal((await layerFor(t, size)).kernel, kernels[0]);
});

const withoutRelaxed = !kernels.includes('relaxed');
if (withoutRelaxed) test('a kernel that this engine can’t compile is refused by name', async () => {
  assert.deepEqual(await problemsOf(() => library.create({ ...size, kernel: 'relaxed' })), [
    "kernel: found relaxed, which this engine can't compile, wanted another",
  ]);
});

test('a build that computes wrong or traps is passed over, and the console is told which', async (t) => {
  const [fastest, next] = kernels;
  const bad = [() => false, () => { throw new WebAssembly.RuntimeError('unreachable'); }];
  for (const answer of bad) {
    const accept = (_, name) => (name === fastest ? answer() : true);
    const warnings = await warningsOf(t, async () => assert.equal((await layerFor(t, { ...size, accept })).kernel, next));
    assert.deepEqual(warnings, [`attention: the ${fastest} build computes wrong numbers here and is not used`]);
  }
});

test('when every build computes wrong there is no layer', async (t) => {
  const warnings = await warningsOf(t, async () => {
    assert.deepEqual(await problemsOf(() => library.create({ ...size, accept: () => false })), [
      'kernel: found wrong numbers in every build, wanted one that computes right',
    ]);
  });
  assert.equal(warnings.length, kernels.length);
});

test('the files may lie elsewhere, with or without a slash at the end', async (t) => {
  const elsewhere = emptyFolder(t);
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.wasm'))) cpSync(join(folder, name), join(elsewhere, name));
  const { href } = pathToFileURL(elsewhere);
  for (const base of [href, `${href}/`, new URL(`${href}/`)]) await layerFor(t, { ...size, base });
});

test('files that are missing, or a page in their place, are named; and tried again', async (t) => {
  const base = `${pathToFileURL(emptyFolder(t)).href}/`;
  const file = manifest.files.scalarLibraryWasm.file;
  const create = () => library.create({ ...size, base, kernel: 'scalar' });
  const [missing] = await problemsOf(create);
  assert.match(missing, new RegExp(`^${file}: found ENOENT.*, wanted the engine$`));
  writeFileSync(new URL(file, base), '<!doctype html><title>Not found</title>');
  assert.deepEqual(await problemsOf(create), [`${file}: found something else, such as a page of the server's own, wanted the engine`]);
  writeFileSync(new URL(file, base), readFileSync(join(folder, file)).subarray(0, 5000));
  assert.match((await problemsOf(create))[0], new RegExp(`^${file}: `));
  cpSync(join(folder, file), new URL(file, base));
  (await create()).destroy();
});

test('many layers at once share one build and nothing else', async (t) => {
  const layers = await Promise.all(Array.from({ length: 8 }, () => layerFor(t, size)));
  const X = numbers(randomFrom(2), 12);
  layers.forEach((layer, i) => layer.setWeights(weightsFor(randomFrom(i), size)));
  const outputs = layers.map((layer) => layer.run(X).output);
  const copies = outputs.map((output) => output.slice());
  layers.forEach((layer, i) => same(layer.run(X).output, copies[i]));
  assert.equal(new Set(copies.map(String)).size, 8);
});

test('each engine is at most 60 KB with brotli, and the script 6 KB', () => {
  for (const [key, most] of [['relaxedLibraryWasm', 60], ['simdLibraryWasm', 60], ['scalarLibraryWasm', 60], ['library', 6]]) {
    const bytes = brotliCompressSync(readFileSync(join(folder, manifest.files[key].file))).length;
    assert.ok(bytes <= most * 1024, `${manifest.files[key].file}: found ${bytes} bytes, wanted at most ${most} KB`);
  }
});

test('the types name every key that there is, and no other', async (t) => {
  const types = readFileSync(join(folder, 'attention.d.mts'), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const keysOf = (text) => [...text.matchAll(/(?:^|[;{])\s*(?:readonly )?(\w+)\??(?:\(|:)/gm)].map(([, name]) => name);
  const interfaces = Object.fromEntries(
    [...types.matchAll(/interface (\w+)(?: extends (\w+))? \{([^]*?)\n\}/g)].map(([, name, base, body]) => [name, { base, body }]),
  );
  const named = (name) => {
    const { base, body } = interfaces[name];
    return [...(base ? named(base) : []), ...keysOf(body.replace(/\{[^]*\}(?=\[\]|;)/, 'object'))].sort();
  };
  const layer = await layerFor(t, size, weightsFor(randomFrom(1), size));
  const X = numbers(randomFrom(2), 12);
  const [trace] = layer.forward(X);
  const gradients = layer.backward(X, X, { X_kv: X, additive_mask: [0, 0, 0, 0] });
  const [analysis] = layer.analyse(X);
  const keys = (object) => Object.keys(object).sort();
  assert.deepEqual(keys(trace), named('Trace'));
  assert.deepEqual(keys(trace.heads[0]), named('HeadTrace'));
  assert.deepEqual(keys(trace.output), named('Matrix'));
  assert.deepEqual(keys(layer.run(X)), named('RunResult'));
  assert.deepEqual(keys(analysis), named('Analysis'));
  assert.deepEqual(keys(analysis.heads[0]), named('HeadAnalysis'));
  assert.deepEqual(keys(gradients), named('Gradients'));
  const ofWeights = interfaces.Gradients.body.match(/d_weights: \{([^]*)\n {2}\};/)[1];
  assert.deepEqual([...keys(gradients.d_weights), ...keys(gradients.d_weights.heads[0])].sort(), keysOf(ofWeights).sort());
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(layer)).filter((name) => name !== 'constructor');
  assert.deepEqual([...methods, ...Object.keys(layer)].sort(), named('Attention'));
  const exported = [...types.matchAll(/export (?:class|function|const) (\w+)/g)].map(([, name]) => name);
  assert.deepEqual(keys(library), exported.sort());
  const wanted = async (work) => (await problemsOf(work))[0].match(/only (.*)$/)[1].split(', ').sort();
  assert.deepEqual(await wanted(() => library.create({ none: 1 })), named('CreateOptions'));
  assert.deepEqual(await wanted(() => layer.run(X, { none: 1 })), named('RunOptions'));
  assert.deepEqual(await wanted(() => layer.setWeights({ none: 1 })), named('Weights'));
});

test("the README's HTML file is the one that the browser test opens, and has ten lines at most", () => {
  const file = readFileSync(join(root, 'web/attention-example.html'), 'utf8');
  assert.ok(file.trimEnd().split('\n').length <= 10);
  assert.ok(readFileSync(join(root, 'README.md'), 'utf8').includes(`\n\`\`\`html\n${file}\`\`\`\n`));
});
