// What one JavaScript engine does, Node or a page: gathers the participants and measures them.
import { load as loadCandidate } from './candidate.mjs';
import { measure, measureMemory } from './core.mjs';
import { memorySize } from './targets.mjs';
import { create as javascript } from './peers/javascript.mjs';
import { createRoofline } from './roofline.mjs';

const graphs = ['plain', 'mha', 'attention', 'att23'];

/** Participants that load, and why the others don't. */
async function gather(site, litertFolder, scalarFlops) {
  const unvectorised = { flopsLimit: scalarFlops, slowMs: 100 };
  const participants = [];
  const problems = [];
  const add = async (name, load, more = {}) => {
    try {
      participants.push({ name, create: await load(), ...more });
    } catch (error) {
      problems.push(`${name} could not be loaded: ${String(error?.message ?? error).slice(0, 300)}`);
    }
  };
  await add('js', () => javascript, unvectorised); // first: it compiles while nobody else does
  await add('ours', () => loadCandidate(site));
  await add('ours-simd', () => loadCandidate(site, 'simd'));
  await add('ours-scalar', () => loadCandidate(site, 'scalar'), unvectorised);
  for (const kind of graphs) await add(`ort-${kind}`, async () => (await import('./peers/onnxruntime.mjs')).load(kind));
  if (litertFolder) await add('litert', async () => (await import('./peers/litert.mjs')).load(litertFolder));
  return { participants, problems };
}

/**
 * @param {object} task
 * @param {string} task.site URL of the folder with attention.mjs, with a slash at the end
 * @param {string | null} task.litertFolder URL of LiteRT.js' wasm files; null: this engine doesn't run it
 * @param {object} task.settings of core.mjs' measure, and scalarFlops: what isn't vectorised leaves out calls of more FLOPs
 * @param {{gate?: () => Promise<void>, report: (record: object) => void}} callbacks
 * @returns {Promise<{memory: object | null, records: object[], problems: string[]}>}
 */
export async function runEngine({ site, litertFolder, settings }, { gate, report }) {
  const { participants, problems } = await gather(site, litertFolder, settings.scalarFlops);
  const ours = participants.find(({ name }) => name === 'ours');
  let memory = null;
  try {
    if (ours) memory = await measureMemory(ours.create, memorySize, settings.tolerance);
  } catch (error) {
    problems.push(`ours at n = ${memorySize.n}: ${String(error?.message ?? error).slice(0, 300)}`);
  }
  const records = await measure(participants, await createRoofline(), { ...settings, gate }, report);
  return { memory, records, problems };
}
