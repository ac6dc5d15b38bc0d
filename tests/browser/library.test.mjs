// The library in Chromium: in a page, in a module worker, under a strict content security policy, and wherever its files lie.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { example, manifest, newPage, server, site, useBrowser } from './support.mjs';
import { serve } from '../../web/server.mjs';

useBrowser();

const weightsOf = (heads) => ({
  ...Object.fromEntries(['W_Q', 'W_K', 'W_V'].map((name) => [
    name, heads[0][name].map((_, row) => heads.flatMap((head) => head[name][row])),
  ])),
  W_O: example.W_O,
});
const given = { X: example.X, d_model: example.d_model, h: example.h, weights: weightsOf(example.heads) };

/** What a page and a worker both do: the worked example through the library at `url`. */
const work = `async ({ url, options, X, d_model, h, weights }) => {
  const { create, version } = await import(url);
  const layer = await create({ d_model, h, ...options });
  layer.setWeights(weights);
  const result = layer.run(X, { weights: true });
  const found = { output: [...result.output], weights: [...result.weights] };
  const [trace] = layer.forward(X);
  return { ...found, exact: [...trace.output.data], kernel: layer.kernel, version };
}`;

function check({ output, weights, exact, kernel, version }) {
  const near = (found, wanted, tolerance) => {
    assert.equal(found.length, wanted.length);
    wanted.forEach((number, i) => assert.ok(Math.abs(found[i] - number) <= tolerance, `[${i}]: found ${found[i]}, wanted ${number}`));
  };
  near(output, example.output.flat(), 1e-6);
  near(weights, example.heads.flatMap((head) => head.pattern.flat()), 1e-6);
  near(exact, example.output.flat(), 1e-12);
  assert.ok(['relaxed', 'simd'].includes(kernel), kernel);
  assert.equal(version, manifest().version);
}

/** The library's files, alone in a folder with `pages` (name: text), served as `settings` say; away with the test. */
async function serveLibrary(t, settings = {}, pages = { 'empty.html': '<!doctype html><title>empty</title>' }) {
  const root = mkdtempSync(join(tmpdir(), 'headscope-library-'));
  mkdirSync(join(root, 'lib'));
  for (const name of readdirSync(site).filter((each) => each.startsWith('attention'))) cpSync(join(site, name), join(root, 'lib', name));
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(root, name), text);
  const started = await serve({ root, ...settings });
  t.after(async () => {
    await started.close();
    rmSync(root, { recursive: true, force: true });
  });
  return started;
}

const inPage = (page, options = {}) => page.evaluate(`(${work})(${JSON.stringify({ url: '/lib/attention.mjs', options, ...given })})`);

/** The same in a module worker, whose script is served, since a strict policy allows no other. */
const worker = { 'worker.mjs': `onmessage = async ({ data }) => {
  try { postMessage(await (${work})(data)); } catch (error) { postMessage({ error: String(error) }); }
};` };
const inWorker = (page, options = {}) => page.evaluate((data) => new Promise((done, failed) => {
  const it = new Worker('/worker.mjs', { type: 'module' });
  it.onmessage = (message) => (message.data.error ? failed(new Error(message.data.error)) : done(message.data));
  it.onerror = (event) => failed(new Error(event.message));
  it.postMessage(data);
}), { url: '/lib/attention.mjs', options, ...given });

const empty = { 'empty.html': '<!doctype html><title>empty</title><link rel="icon" href="data:,">', ...worker };

async function openEmpty(t, settings, options) {
  const { url } = await serveLibrary(t, settings, empty);
  const page = await newPage(t, options);
  await page.goto(`${url}empty.html`);
  return page;
}

test('the library computes the worked example in a page and in a module worker, without isolation', async (t) => {
  const page = await openEmpty(t);
  assert.equal(await page.evaluate(() => crossOriginIsolated), false);
  check(await inPage(page));
  check(await inWorker(page));
});

test('every build that compiles here computes it', async (t) => {
  const page = await openEmpty(t);
  for (const kernel of ['simd', 'scalar']) {
    const found = await inPage(page, { kernel });
    assert.equal(found.kernel, kernel);
    check({ ...found, kernel: 'simd' });
  }
});

test('a wasm file with an unknown content type is taken', async (t) => {
  const page = await openEmpty(t, { types: { '.wasm': 'application/octet-stream' } });
  check(await inPage(page));
  check(await inWorker(page));
});

test('a policy that allows scripts of its own and wasm is enough', async (t) => {
  const policy = "default-src 'none'; connect-src 'self'; img-src data:; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
  const page = await openEmpty(t, { headers: { 'Content-Security-Policy': policy } });
  check(await inPage(page));
  check(await inWorker(page));
});

test('a policy without wasm is named in the refusal', async (t) => {
  const policy = "default-src 'none'; connect-src 'self'; img-src data:; script-src 'self'";
  const page = await openEmpty(t, { headers: { 'Content-Security-Policy': policy } }, { allow: /Content Security Policy/ });
  const refusal = await page.evaluate(() => import('/lib/attention.mjs').then(({ create }) => create({ d_model: 6, h: 3 })).catch(String));
  assert.match(refusal, /^AttentionError: attention-\w+-\w+\.wasm: .*Content Security Policy/);
});

test('a file that isn’t there, a page in its place and no network are named', async (t) => {
  const page = await openEmpty(t, {}, { allow: /404|ERR_FAILED|ERR_INTERNET/ });
  const refusal = (base) => page.evaluate((from) =>
    import('/lib/attention.mjs').then(({ create }) => create({ d_model: 6, h: 3, base: from })).catch((error) => error.problems), base);
  const name = 'attention-\\w+-\\w+\\.wasm';
  assert.match((await refusal('elsewhere'))[0], new RegExp(`^${name}: found status 404, wanted the engine$`));
  await page.route('**/pages/*.wasm', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  const another = "found something else, such as a page of the server's own, wanted the engine";
  assert.match((await refusal('/pages/'))[0], new RegExp(`^${name}: ${another}$`));
  await page.route('**/gone/*.wasm', (route) => route.abort());
  assert.match((await refusal('/gone'))[0], new RegExp(`^${name}: found no network, or the server refused, wanted the engine$`));
  check(await inPage(page, { base: 'lib' })); // relative to the page
});

test('more layers than there is room for are refused, and ended ones make room', async (t) => {
  const page = await openEmpty(t);
  const { many, refusal, again } = await page.evaluate(async () => {
    const { create } = await import('/lib/attention.mjs');
    const layers = [];
    const found = { many: 0, refusal: null, again: 0 };
    while (layers.length < 1000 && found.refusal === null) {
      await create({ d_model: 6, h: 3 }).then((layer) => layers.push(layer), (error) => { found.refusal = String(error); });
    }
    found.many = layers.length;
    for (const layer of layers.splice(0)) layer.destroy();
    for (; found.again < 20; found.again++) layers.push(await create({ d_model: 6, h: 3 }));
    return found;
  });
  assert.ok(many >= 50, `${many} layers`);
  if (refusal !== null) assert.match(refusal, /^AttentionError: memory: found .*, wanted room for one more layer$/);
  assert.equal(again, 20);
});

const shown = (page) => page.locator('#out').innerText();
const wanted = [
  '0.670  0.330  0.670  0.330  0.670  0.330  0.330  0.670  0.330  0.670  0.330  0.670',
  '0.670  0.330  0.330  0.670  0.670  0.330  0.330  0.670  0.670  0.330  0.330  0.670',
];

test('the example page shows its numbers, on the site and beside the library’s files anywhere', async (t) => {
  const page = await newPage(t, { allow: /favicon/ });
  const elsewhere = await serveLibrary(t, {}, {});
  for (const url of [`${(await server()).url}site/attention-example.html`, `${elsewhere.url}lib/attention-example.html`]) {
    await page.goto(url);
    await page.waitForFunction(() => document.querySelector('#out').textContent !== '');
    assert.deepEqual((await shown(page)).trim().split('\n'), wanted);
  }
});
