// The training benchmark's command; tests/bench/train says what it does and takes. Progress goes to stderr, the table to
// stdout. The exit code is 1 when somebody couldn't run, or didn't learn.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const programs = resolve(process.env.HEADSCOPE_TRAIN_BENCH ?? join(here, '../../build/web/train_bench'));
const log = (line) => process.stderr.write(`${line}\n`);

/** What a step may take at most, as a share of the others' step. Held by the build that most browsers run. */
const targets = { 'jax-js': 0.5, 'tfjs-wasm': 0.12 };

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    'sample-ms': { type: 'string', default: '700' },
    json: { type: 'string' },
  },
});

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run',
  '--js-flags=--no-liftoff', // everything is compiled well at once, see run.mjs
];
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

async function runChromium(task) {
  const folder = mkdtempSync(join(tmpdir(), 'headscope-train-bench-'));
  symlinkSync(here, join(folder, 'bench'));
  symlinkSync(programs, join(folder, 'ours'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta charset="utf-8"><title>train</title><link rel="icon" href="data:,">');
  const server = await serve({ root: folder, headers: isolation });
  let browser = null;
  try {
    browser = await chromium.launch({ executablePath: process.env.HEADSCOPE_CHROMIUM ?? '/usr/bin/chromium', args: flags });
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    page.on('pageerror', (error) => log(`page: ${String(error).slice(0, 300)}`));
    await page.exposeFunction('benchReport', log);
    await page.goto(server.url);
    const results = await page.evaluate(
      async (it) => (await import('/bench/train_page.mjs')).run(it, { report: window.benchReport }),
      task,
    );
    return { version: browser.version(), ...results };
  } finally {
    await browser?.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[numbers.length >> 1];

/** Median over the rounds of the two's ratio in the same round: what slows the machine down slows both. */
const ratio = (a, b) => median(a.samples.map((ms, round) => ms / b.samples[round]));

function table(results) {
  const lines = ['| trains | step, median | best | GFLOP/s | of jax-js | of tfjs-wasm | loss |', '|---|--:|--:|--:|--:|--:|--:|'];
  for (const result of results) {
    const peer = (name) => results.find((other) => other.name === name);
    const share = (name) => (peer(name) && result.name !== name ? ratio(result, peer(name)).toFixed(3) : '');
    lines.push(
      `| ${result.name} | ${median(result.samples).toFixed(2)} ms | ${sorted(result.samples)[0].toFixed(2)} ms ` +
        `| ${(result.flops / median(result.samples) / 1e6).toFixed(1)} | ${share('jax-js')} | ${share('tfjs-wasm')} ` +
        `| ${result.firstLoss.toFixed(3)} → ${result.lastLoss.toFixed(3)} in ${result.steps} |`,
    );
  }
  return lines.join('\n');
}

const task = {
  rounds: Number(options.rounds),
  sampleMs: Number(options['sample-ms']),
  builds: ['scalar', 'simd', 'relaxed'],
  kinds: [false, true],
};
const { version, results, problems } = await runChromium(task);
const packages = ['@jax-js/jax', '@tensorflow/tfjs-backend-wasm'].map((name) => {
  const { version: of } = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name} ${of}`;
});
console.log(`One training step: 2 layers, 4 heads, width 64, 32 sequences of 32 tokens, 32 words, causal. Chromium ${version}, ${cpus()[0].model.trim()}, ${packages.join(', ')}.`);
for (const feedForward of task.kinds) {
  const own = results.filter((result) => result.feedForward === feedForward);
  console.log(`\n**${feedForward ? 'With a feed-forward layer of 256' : 'Attention only'}**\n\n${table(own)}`);
  const roof = (kind) => median(own[0].reached.map((sample) => sample[kind] ?? NaN)).toFixed(1);
  console.log(`\nMultiply-adds on registers alone reach ${roof('mulAdd')} GFLOP/s, fused ${roof('madd')}.`);
  const ours = own.find(({ name }) => name === 'ours simd');
  for (const [name, most] of Object.entries(targets)) {
    const peer = own.find((other) => other.name === name);
    if (!ours || !peer) continue;
    const found = ratio(ours, peer);
    console.log(`\nours simd / ${name}: ${found.toFixed(3)}, wanted at most ${most}: ${found <= most ? 'met' : 'missed'}`);
  }
}
for (const { name, firstLoss, lastLoss } of results) {
  if (!(lastLoss < 0.95 * firstLoss)) problems.push(`${name} didn't learn: loss ${firstLoss} → ${lastLoss}`);
}
for (const problem of problems) log(`FAILED: ${problem}`);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ task, version, results })}\n`);
process.exit(problems.length > 0 ? 1 : 0);
