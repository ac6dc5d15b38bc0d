// The measured table: what the first load costs, how soon there is a picture, how quiet it is and how quick.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { serve } from '../../web/server.mjs';
import { launch, manifest, root, running, site } from './support.mjs';

const limit = 400; // KB over the wire, all together

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const wire = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;

const { url, close } = await serve({ root: site });
const browser = await launch();
const rows = [];

async function inPage(work, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  try {
    return await work(page);
  } finally {
    await context.close();
  }
}

/** What the browser asks for on a first load, compressed as a static host with brotli would send it. */
async function bytes() {
  const names = await inPage(async (page) => {
    const asked = new Set();
    page.on('request', (request) => request.url().startsWith(url) && asked.add(request.url().slice(url.length) || 'index.html'));
    await page.goto(url);
    await running(page);
    return [...asked];
  });
  const { files } = manifest();
  const kinds = { 'index.html': 'HTML', [files.boot.file]: 'boot script', [files.module.file]: 'JavaScript', [files.css.file]: 'CSS', [files.simdWasm.file]: 'wasm (SIMD)' };
  let total = 0;
  for (const name of names) {
    const size = wire(readFileSync(join(site, name)));
    total += size;
    rows.push([`Over the wire: ${kinds[name] ?? name}`, kilobytes(size)]);
    if (name === files.simdWasm.file) rows.push(['… of which fonts, about', fontBytes()]);
  }
  rows.push([`**Over the wire, first load, brotli 11** (limit ${limit} KB)`, `**${kilobytes(total)}**${total > limit * 1000 ? ' — too much' : ''}`]);
  rows.push(['Later, when another page is wanted: its wasm (SIMD)', kilobytes(wire(readFileSync(join(site, files.simdPages.file))))]);
}

/** The embedded subsets, compressed by themselves. */
function fontBytes() {
  try {
    const source = readFileSync(join(site, '../generated/embedded/fonts.cpp'), 'utf8');
    const arrays = [...source.matchAll(/_data\[\] = \{([\d,\s]*)\}/g)].map(([, numbers]) => numbers.split(',').map(Number));
    return kilobytes(wire(Buffer.from(arrays.flat())));
  } catch {
    return 'not known: no build folder beside the site';
  }
}

/** From navigation to the frame after the first drawn one, a new browser context each time: nothing is cached. */
async function firstFrame() {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    times.push(await inPage(async (page) => {
      await page.addInitScript(() => {
        const look = () => {
          if (document.querySelector('.headscope')?.lesson.stats.frames > 0) requestAnimationFrame(() => (window.complete = performance.now()));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.goto(url);
      return (await page.waitForFunction(() => window.complete)).jsonValue();
    }));
  }
  rows.push(['Navigation to the first complete frame (median of 5, uncached, browser running)', `${median(times).toFixed(0)} ms`]);
}

async function idleFrames() {
  const drawn = await inPage(async (page) => {
    await page.goto(`${url}?step=softmax`);
    await running(page);
    await page.waitForTimeout(2500); // the opening is over
    const count = () => page.evaluate(() => document.querySelector('.headscope').lesson.stats.frames);
    const before = await count();
    await page.waitForTimeout(10000);
    return (await count()) - before;
  });
  rows.push(['Frames drawn in 10 idle seconds', String(drawn)]);
}

/** From the key event's own time stamp until the frame that answers it has been drawn, both ways through all steps. */
async function keyToFrame() {
  const times = await inPage(async (page) => {
    await page.goto(url);
    await running(page);
    await page.evaluate(() => {
      const host = document.querySelector('.headscope');
      const channel = new MessageChannel();
      window.times = [];
      let pressed = null;
      channel.port1.onmessage = () => { // after all callbacks of this frame
        if (host.lesson.stats.frames > pressed.frames) window.times.push(performance.now() - pressed.at);
        else requestAnimationFrame(() => channel.port2.postMessage(0));
      };
      addEventListener('keydown', (event) => {
        pressed = { at: event.timeStamp, frames: host.lesson.stats.frames };
        requestAnimationFrame(() => channel.port2.postMessage(0));
      }, { capture: true });
      host.shadowRoot.querySelector('canvas').focus();
    });
    for (let i = 0; i < 20; ++i) {
      await page.keyboard.press(i % 16 < 8 ? 'ArrowRight' : 'ArrowLeft');
      await page.waitForFunction((count) => window.times.length >= count, i + 1);
      await page.waitForTimeout(700); // the glide is over
    }
    return page.evaluate(() => window.times);
  });
  rows.push(['Key press to the changed frame (median of 20)', `${median(times).toFixed(1)} ms`]);
}

async function forward(kernel) {
  const { micros, name } = await inPage(async (page) => {
    await page.goto(`${url}LICENSES.txt`); // a page of the same origin, with nothing on it
    await page.setContent('<div id="place" style="height:600px"></div>');
    return page.evaluate(async ([module, build]) => {
      const { mount } = await import(module);
      let raw = null;
      const instance = mount(document.querySelector('#place'), { kernel: build, accept: (it) => ((raw = it), it._hs_self_test() === 1) });
      await instance.ready;
      const batches = [];
      for (let i = 0; i < 300; ++i) {
        const start = performance.now();
        for (let j = 0; j < 500; ++j) raw._hs_forward(1);
        batches.push(((performance.now() - start) * 1000) / 500);
      }
      return { micros: batches, name: raw.UTF8ToString(raw._hs_kernel()) };
    }, [`${url}${manifest().files.module.file}`, kernel]);
  });
  rows.push([`One forward of the worked example, called from JavaScript (${name}, median of 300 × 500)`, `${median(micros).toFixed(2)} µs`]);
}

try {
  await bytes();
  await firstFrame();
  await idleFrames();
  await keyToFrame();
  await forward('simd');
  await forward('scalar');
  console.log('| measured | figure |\n|---|---|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  const machine = cpus();
  console.log(`\nheadscope ${manifest().version}, ${machine.length} × ${machine[0].model.trim()}, ${process.platform}, ` +
    `Chromium ${browser.version()} with software WebGL (SwiftShader), Node.js ${process.version.slice(1)}.`);
} finally {
  await browser.close();
  await close();
}
