// The benchmark's command: reads the options, runs the engines, prints the tables. tests/bench/run says what they mean.
// Progress goes to stderr, Markdown to stdout. The exit code is 1 when anything disagrees with float64 or didn't run.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runEngine } from './engine.mjs';
import { disagreements, markdown, progress } from './table.mjs';
import { sizes as targetSizes, tolerance } from './targets.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const site = resolve(process.env.HEADSCOPE_SITE ?? join(here, '../../build/web/library'));

// V8 compiles WebAssembly twice: quickly, and what runs often again, in the background. On a busy machine the second time
// may not come within minutes, and then a library is measured several times too slow. So everything is compiled well at once.
setFlagsFromString('--no-liftoff');

const log = (line) => process.stderr.write(`${line}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      node: { type: 'boolean' },
      chromium: { type: 'boolean' },
      sizes: { type: 'string' },
      modes: { type: 'string', default: 'out,attn' },
      rounds: { type: 'string' },
      quick: { type: 'boolean' },
      quiet: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const whole = (name, text) => {
    if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} wants a whole number above 0, not '${text}'.`);
    return Number(text);
  };
  const sizes = values.sizes?.split(/[: ]+/).map((size) => {
    const [n, d, h, ...rest] = size.split(',').map((number) => whole('sizes', number));
    if (!h || rest.length || d % h) throw new Error(`--sizes wants n,d_model,h, with d_model a multiple of h, not '${size}'.`);
    return { n, d, h };
  });
  const modes = values.modes.split(',');
  const unknown = modes.find((mode) => !['out', 'attn'].includes(mode));
  if (unknown !== undefined) throw new Error(`--modes knows out and attn, not '${unknown}'.`);
  const pace = values.quick
    ? { sizes: targetSizes.slice(0, 4), rounds: 3, sampleMs: 10, warmMs: 100, calmMs: 200, settleMs: 1000, scalarFlops: 1e8 }
    : { sizes: targetSizes, rounds: 15, sampleMs: 25, warmMs: 300, calmMs: 1000, settleMs: 8000, scalarFlops: 1.7e9 };
  return {
    engines: ['node', 'chromium'].filter((engine) => values[engine] || (!values.node && !values.chromium)),
    quietSeconds: values.quiet ? whole('quiet', values.quiet) : 0,
    json: values.json,
    settings: {
      ...pace,
      ...(sizes && { sizes }),
      ...(values.rounds && { rounds: whole('rounds', values.rounds) }),
      modes: modes.map((mode) => mode === 'attn'),
      tolerance,
    },
  };
}

/** Waits before a round until about one core is free; for `seconds` in all, then it only counts. Linux. */
function createGate(seconds) {
  const stats = { rounds: 0, noisyRounds: 0 };
  if (!seconds) return { stats };
  if (process.platform !== 'linux') throw new Error('--quiet reads /proc/stat, which only Linux has.');
  const cores = availableParallelism();
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const ticks = () => { // "cpu user nice system idle iowait …" (proc(5))
    const numbers = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
    return { idle: numbers[3] + numbers[4], all: numbers.reduce((sum, value) => sum + value, 0) };
  };
  let leftMs = seconds * 1000;
  return {
    stats,
    async gate() {
      ++stats.rounds;
      for (;;) {
        const before = ticks();
        await sleep(150);
        const after = ticks();
        if (((after.idle - before.idle) / Math.max(1, after.all - before.all)) * cores >= 0.85) return;
        if (leftMs <= 0) {
          ++stats.noisyRounds;
          return;
        }
        await sleep(500);
        leftMs -= 650;
      }
    },
  };
}

const packageVersion = (name) => JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;

async function runOne(engine, settings, gate) {
  log(`\n== ${engine} ==`);
  const report = (record) => log(progress(record));
  if (engine === 'chromium') {
    const { runChromium } = await import('./chromium.mjs'); // Node alone does without a browser's driver
    return { engine, name: 'Chromium', ...(await runChromium(site, settings, { gate, report, log })) };
  }
  const task = { site: `${pathToFileURL(site).href}/`, litertFolder: null, settings };
  return { engine, name: 'Node.js', version: process.version.slice(1), ...(await runEngine(task, { gate, report })) };
}

let options;
let quiet;
try {
  options = readOptions();
  quiet = createGate(options.quietSeconds);
} catch (error) {
  log(`${error.message}\ntests/bench/run --help says what there is.`);
  process.exit(2);
}
const { gate, stats } = quiet;
const results = [];
for (const engine of options.engines) results.push(await runOne(engine, options.settings, gate));

const machine = {
  cpu: cpus()[0].model.trim(),
  cores: cpus().length,
  platform: `${process.platform} ${process.arch}`,
  node: process.version.slice(1),
  packages: Object.fromEntries(['onnxruntime-web', '@litertjs/core'].map((name) => [name, packageVersion(name)])),
};
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, settings: options.settings, results })}\n`);
console.log(markdown(results, machine));
if (stats.rounds) log(`\n${stats.noisyRounds} of ${stats.rounds} rounds began while the machine was busy`);

const problems = results.flatMap(disagreements);
for (const problem of problems) log(`FAILED: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0); // the runtimes' workers would keep Node alive
