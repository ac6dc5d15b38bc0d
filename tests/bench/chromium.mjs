// Runs engine.mjs in a page of headless Chromium. The page is cross-origin isolated, for a clock that ticks in microseconds.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--no-first-run', '--disable-quic',
  '--js-flags=--no-liftoff', // see run.mjs
];
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const imports = {
  'onnxruntime-web': '/bench/node_modules/onnxruntime-web/dist/ort.wasm.min.mjs',
  '@litertjs/core': '/bench/node_modules/@litertjs/core/dist/index.js',
  '@litertjs/wasm-utils': '/bench/node_modules/@litertjs/wasm-utils/dist/index.js',
  flatbuffers: '/bench/node_modules/flatbuffers/mjs/flatbuffers.js',
};

/**
 * @param {string} site folder with attention.mjs
 * @param {object} settings of core.mjs' measure
 * @param {{gate?: () => Promise<void>, report: (record: object) => void, log: (line: string) => void}} callbacks
 * @returns what runEngine gives, with the browser's `version`
 */
export async function runChromium(site, settings, { gate, report, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'headscope-bench-'));
  symlinkSync(here, join(folder, 'bench'));
  symlinkSync(site, join(folder, 'site'));
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>`,
  );
  const server = await serve({ root: folder, headers: isolation });
  let browser = null;
  try {
    browser = await chromium.launch({ executablePath: process.env.HEADSCOPE_CHROMIUM ?? '/usr/bin/chromium', args: flags });
    const page = await browser.newPage();
    page.on('pageerror', (error) => log(`page: ${String(error).slice(0, 300)}`));
    page.on('console', (message) => {
      const isChatter = /^(INFO|WARNING): /.test(message.text()); // LiteRT.js says everything as an error
      if (message.type() === 'error' && !isChatter) log(`page: ${message.text().slice(0, 300)}`);
    });
    const died = new Promise((_, fail) => page.on('crash', () => fail(new Error('the page has crashed'))));
    await page.exposeFunction('benchReport', report);
    if (gate) await page.exposeFunction('benchGate', gate);
    await page.goto(server.url);
    const work = page.evaluate(
      async (task) => {
        if (!crossOriginIsolated) throw new Error('the page is not cross-origin isolated');
        const { runEngine } = await import('/bench/engine.mjs');
        const absolute = (path) => new URL(path, location.href).href;
        return runEngine(
          { site: absolute('/site/'), litertFolder: absolute('/bench/node_modules/@litertjs/core/wasm/'), settings: task },
          { gate: window.benchGate, report: window.benchReport },
        );
      },
      settings,
    );
    return { version: browser.version(), ...(await Promise.race([work, died])) };
  } finally {
    await browser?.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
