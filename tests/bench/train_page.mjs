// The training benchmark inside the page: gathers who trains, and times them in turns.
import * as model from './train_model.mjs';
import { create as createTfjs } from './peers/train_tfjs.mjs';
import { create as createJax } from './peers/train_jax.mjs';
import { createRoofline } from './roofline.mjs';

/** Ours, with one build of the engine. A new instance each: its memory is its own. */
async function createOurs(build, sizes, feedForward) {
  const { default: start } = await import(`/ours/train_bench_${build}.mjs`);
  const program = await start();
  const { words, length, layers, heads, width, sequences } = sizes;
  const address = program._create(words, length, layers, heads, width, feedForward ? 1 : 0, sequences);
  if (address === 0) throw new Error('the sizes were refused');
  program.HEAP32.set(model.makeWords(sizes), address / 4);
  return { step: () => program._step() };
}

async function loadScript(source) {
  const script = document.createElement('script');
  script.src = source;
  const loaded = new Promise((done, fail) => Object.assign(script, { onload: done, onerror: () => fail(new Error(`no ${source}`)) }));
  document.head.append(script);
  await loaded;
}

async function loadTfjs() {
  const packages = '/bench/node_modules/@tensorflow';
  await loadScript(`${packages}/tfjs/dist/tf.min.js`);
  await loadScript(`${packages}/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  tf.wasm.setWasmPaths(`${packages}/tfjs-backend-wasm/dist/`);
  tf.wasm.setThreadsCount(1); // one thread, as all the others
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  return tf;
}

/**
 * @param {{rounds: number, sampleMs: number, builds: string[], kinds: boolean[], sizes?: object}} task
 * @param {{report: (line: string) => void}} callbacks
 * @returns every participant's milliseconds a step in each round, its losses, and who couldn't run
 */
export async function run({ rounds, sampleMs, builds, kinds, sizes = model.sizes }, { report }) {
  const tfjs = await loadTfjs();
  const jax = await import('/bench/node_modules/@jax-js/jax/dist/index.js');
  const makers = [
    ...builds.map((build) => [`ours ${build}`, (feedForward) => createOurs(build, sizes, feedForward)]),
    ['jax-js', (feedForward) => createJax(jax, sizes, feedForward)],
    ['tfjs-wasm', (feedForward) => createTfjs(tfjs, sizes, feedForward)],
  ];
  const roofline = await createRoofline();
  const results = [], problems = [];
  for (const feedForward of kinds) {
    const runners = [], reached = [];
    for (const [name, make] of makers) {
      try {
        const trainer = await make(feedForward);
        const firstLoss = trainer.step();
        trainer.step(); // whatever is made on the first step is there now
        runners.push({ name, feedForward, trainer, firstLoss, lastLoss: NaN, steps: 2, samples: [] });
      } catch (error) {
        problems.push(`${name} could not run: ${String(error?.stack ?? error).slice(0, 400)}`);
      }
    }
    for (let round = 0; round < rounds; ++round) {
      reached.push(roofline.sample());
      for (const runner of runners) {
        const start = performance.now();
        let steps = 0, elapsed = 0;
        while (elapsed < sampleMs) {
          runner.lastLoss = runner.trainer.step();
          ++steps;
          elapsed = performance.now() - start;
        }
        runner.steps += steps;
        runner.samples.push(elapsed / steps);
      }
      report(`${feedForward ? 'with feed-forward' : 'attention only'}, round ${round + 1} of ${rounds}: ` +
        runners.map(({ name, samples }) => `${name} ${samples.at(-1).toFixed(1)}`).join(', '));
    }
    for (const { trainer, ...result } of runners) results.push({ ...result, reached, flops: model.countFlops(sizes, feedForward) });
  }
  return { results, problems };
}
