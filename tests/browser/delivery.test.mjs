// From any static host, into any frame; and when something is missing, a readable reason and the lesson as text.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { atStep, dispatch, lesson, manifest, mountIn, newPage, openBlank, openShell, running, server, site, stepOf, useBrowser } from './support.mjs';
import { colours, pixels } from './pixels.mjs';

useBrowser();

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:";
const csp = { headers: { 'Content-Security-Policy': policy } };

const drawn = async (page, locator = page.locator('canvas.canvas')) => colours(await pixels(locator)) > 20;

test('it runs under a strict content security policy, editing and text version included', async (t) => {
  const page = await openShell(t, '?motion=reduced', { server: await server(csp) });
  assert.ok(await drawn(page));
  const place = await lesson(page, (it) => it.rectOf('X.1.1'));
  await page.mouse.click(place.x + place.w / 2, place.y + place.h / 2);
  await page.locator('.editor input').fill('2');
  const box = await page.locator('.editor input').boundingBox();
  assert.ok(Math.abs(box.x + box.width / 2 - place.x - place.w / 2) < 40, 'the field lies over its number: styles are applied');
  await page.keyboard.press('Enter');
  assert.match(await lesson(page, (it) => it.query), /X\.1\.1/);
});

test('it needs no other host: every request goes to its own', async (t) => {
  const page = await newPage(t);
  const urls = [];
  page.on('request', (request) => urls.push(request.url()));
  const { url } = await server();
  await page.goto(`${url}site/index.html`);
  await running(page);
  assert.deepEqual(urls.filter((it) => !it.startsWith(url) && !it.startsWith('data:')), []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length), 0);
});

/** An iframe of the shell in a page of another origin. */
async function openFramed(t, attributes, options = {}) {
  const page = await openBlank(t, { size: [1300, 800], ...options.page });
  const { url } = await server(options.server ?? {});
  await page.evaluate(([address, more]) => {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'width:1180px;height:770px;border:0';
    for (const [name, value] of Object.entries(more)) frame.setAttribute(name, value);
    frame.src = `${address}site/index.html?step=softmax&motion=reduced`;
    document.body.append(frame);
  }, [url, attributes]);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  return { page, frame };
}

test('the wasm is fetched once, beside the module that needs it', async (t) => {
  const page = await newPage(t);
  const asked = [];
  page.on('request', (request) => asked.push(request.url().split('/').pop()));
  page.on('console', (message) => message.type() === 'warning' && page.problems.push(message.text())); // "preloaded but not used"
  await page.goto(`${(await server()).url}site/index.html`);
  await running(page);
  const { simdWasm, module } = manifest().files;
  assert.deepEqual(asked.filter((name) => name.endsWith('.wasm')), [simdWasm.file]);
  assert.ok(asked.indexOf(simdWasm.file) <= asked.indexOf(module.file) + 1);
});

test('it runs in a frame of another origin', async (t) => {
  const { page, frame } = await openFramed(t, {});
  await running(frame);
  assert.ok(await drawn(page, page.locator('iframe')));
});

test('it runs in a sandboxed frame without an origin: sandbox="allow-scripts" is enough', async (t) => {
  const { page, frame } = await openFramed(t, { sandbox: 'allow-scripts' });
  await running(frame);
  assert.equal(await frame.evaluate(() => self.origin), 'null');
  assert.ok(await drawn(page, page.locator('iframe')));
  await dispatch(frame, 'next');
  await atStep(frame, 'Weigh V');
});

test('it runs in a sandboxed frame under the content security policy', async (t) => {
  const { page, frame } = await openFramed(t, { sandbox: 'allow-scripts' }, { server: csp });
  await running(frame);
  assert.ok(await drawn(page, page.locator('iframe')));
});

test('it runs when the server sends the wasm as octet-stream', async (t) => {
  const page = await openShell(t, '', { server: await server({ types: { '.wasm': 'application/octet-stream' } }) });
  assert.equal(await lesson(page, (it) => it.stats.kernel), 'simd');
});

/** The shell with a route that spoils something; returns the text that the learner sees. */
async function openSpoiled(t, { routes = [], init, query = '' }) {
  const page = await newPage(t, { allow: /404|Failed to load|net::ERR|MIME|headscope/ });
  for (const [pattern, answer] of routes) await page.route(pattern, (route) => (answer ? route.fulfill(answer) : route.abort()));
  if (init) await page.addInitScript(init);
  const { url } = await server();
  await page.goto(`${url}site/index.html${query}`);
  return page;
}

async function showsTheLessonAsText(page, reason) {
  await page.locator('.fallback').waitFor();
  assert.match(await page.locator('.fallback .reason').textContent(), reason);
  assert.ok(await page.getByRole('button', { name: 'Reload' }).isVisible());
  assert.equal(await page.locator('.fallback li').count(), 9, 'nine steps');
  const text = await page.locator('.fallback').textContent();
  for (const number of ['0.944', '0.056', '2.744', '−1.944']) assert.ok(text.includes(number), number);
  assert.ok(await page.locator('.fallback table').first().isVisible());
  assert.equal(await page.locator('canvas.canvas').isVisible(), false);
  const ready = await page.evaluate(() => document.querySelector('.headscope').lesson.ready.then(() => 'ready', (error) => error.message));
  assert.notEqual(ready, 'ready');
}

const page404 = { status: 404, contentType: 'text/html', body: '<!doctype html><title>Not found</title>' };

test('a wasm that is missing: the reason, the lesson as text, and a Reload that works once it is there', async (t) => {
  const page = await openSpoiled(t, { routes: [['**/*.wasm', page404]], query: '?step=softmax' });
  await showsTheLessonAsText(page, /404/);
  await page.unroute('**/*.wasm');
  await page.getByRole('button', { name: 'Reload' }).click();
  await running(page);
  assert.equal(await page.locator('.fallback').count(), 0);
  assert.equal(await stepOf(page), 'Softmax');
});

test('a page in place of the wasm', async (t) => {
  const page = await openSpoiled(t, { routes: [['**/*.wasm', { status: 200, contentType: 'text/html', body: '<!doctype html><title>Welcome</title>' }]] });
  await showsTheLessonAsText(page, /something else/);
});

test('half a wasm', async (t) => {
  const page = await openSpoiled(t, { routes: [['**/*.wasm', { status: 200, body: Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9]) }]] });
  await showsTheLessonAsText(page, /run the program/);
});

test('no network for the wasm', async (t) => {
  const page = await openSpoiled(t, { routes: [['**/*.wasm', null]] });
  await showsTheLessonAsText(page, /network/);
});

test('no WebGL 2', async (t) => {
  const page = await openSpoiled(t, { init: () => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
    };
  } });
  await page.locator('.fallback').waitFor();
  assert.match(await page.locator('.fallback .reason').textContent(), /WebGL 2/);
  assert.ok((await page.locator('.fallback').textContent()).includes('0.944'));
  assert.equal(await page.locator('canvas.canvas').isVisible(), false);
});

test('no WebAssembly', async (t) => {
  const page = await openSpoiled(t, { init: () => { delete globalThis.WebAssembly; } });
  await showsTheLessonAsText(page, /WebAssembly/);
});

test('a script that is missing gives a sentence', async (t) => {
  const page = await openSpoiled(t, { routes: [['**/headscope-*.mjs', page404], ['**/headscope-classic-*.js', page404]] });
  await page.waitForFunction(() => /could not be fetched/.test(document.body.textContent));
});

test('a module that is missing: the classic script takes its place', async (t) => {
  const page = await openSpoiled(t, { routes: [['**/headscope-*.mjs', page404]] });
  await running(page);
});

test('without JavaScript the page says what is needed', async (t) => {
  const page = await newPage(t, { javaScriptEnabled: false });
  await page.goto(`${(await server()).url}site/index.html`);
  assert.match(await page.locator('noscript').textContent(), /JavaScript/);
});

test('a failure is told to the page that embeds', async (t) => {
  const page = await openBlank(t, { allow: /404|Failed to load/ });
  await page.route('**/*.wasm', (route) => route.fulfill(page404));
  const reason = await page.evaluate(() => new Promise((resolve) => {
    window.mount(document.body, { onerror: resolve, height: 500 });
  }));
  assert.match(reason, /404/);
});

for (const kernel of ['scalar', 'simd']) {
  test(`the ${kernel} build can be asked for, and both show the same numbers`, async (t) => {
    const page = await openShell(t, `?kernel=${kernel}&step=output&motion=reduced`);
    assert.equal(await lesson(page, (it) => it.stats.kernel), kernel);
    const output = await lesson(page, (it) => it.describe().tables.find((table) => table.id === 'output').cells.flat().map((cell) => cell.value));
    assert.equal(output[0], '2.7435274981942137');
  });
}

test('a browser without SIMD gets the scalar build', async (t) => {
  const page = await newPage(t);
  const asked = [];
  page.on('request', (request) => asked.push(request.url().split('/').pop()));
  await page.addInitScript(() => {
    const { validate } = WebAssembly;
    WebAssembly.validate = (bytes) => (bytes.length < 100 ? false : validate(bytes));
  });
  await page.goto(`${(await server()).url}site/index.html`);
  await running(page);
  assert.equal(await lesson(page, (it) => it.stats.kernel), 'scalar');
  assert.ok(asked.includes(manifest().files.scalarWasm.file));
});

test('SIMD that computes wrong is found out: the scalar build runs, with one warning', async (t) => {
  const page = await openBlank(t);
  const warnings = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await page.evaluate(() => {
    window.mount(document.body, { height: 600, query: '?motion=reduced',
      accept: (module, kernel) => kernel === 'scalar' && module._hs_self_test() === 1 });
  });
  await running(page);
  assert.equal(await lesson(page, (it) => it.stats.kernel), 'scalar');
  assert.equal(warnings.filter((text) => /self-test/.test(text)).length, 1);
});

test('when both builds compute wrong, no wrong number is shown', async (t) => {
  const page = await openBlank(t, { allow: /headscope/ });
  await page.evaluate(() => { window.mount(document.body, { height: 600, accept: () => false }); });
  await page.locator('.fallback').waitFor();
  assert.match(await page.locator('.fallback .reason').textContent(), /wrong numbers/);
});

test('a program that traps gives a message, and Reload brings the view back', async (t) => {
  const page = await openBlank(t);
  await page.evaluate(() => {
    window.mount(document.body, { height: 600, query: '?step=score&motion=reduced', accept(module) {
      // A call that traps once, as running out of memory would.
      if (!window.trapped) module._hs_pointer_leave = () => { window.trapped = true; throw new WebAssembly.RuntimeError('unreachable'); };
      return true;
    } });
  });
  await running(page);
  await dispatch(page, 'next');
  await atStep(page, 'Scale');
  await page.locator('canvas.canvas').dispatchEvent('pointerleave');
  await page.locator('.fallback').waitFor();
  assert.match(await page.locator('.fallback .reason').textContent(), /stopped.*unreachable/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.locator('.fallback').waitFor({ state: 'detached' });
  await atStep(page, 'Scale');
});

test('names carry a hash, and the folder can be moved', async (t) => {
  const names = readdirSync(site).filter((name) => /\.(wasm|m?js|css)$/.test(name) && !['headscope.mjs', 'attention.mjs'].includes(name));
  for (const name of names) assert.match(name, /-[0-9a-f]{8}\.\w+$/);
  // The test folder serves the site below /site/, not at the root: addresses are relative.
  const page = await openBlank(t);
  await mountIn(page);
  await running(page);
});
