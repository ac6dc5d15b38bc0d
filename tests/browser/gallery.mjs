// What the tests of the gallery share: the page opened on it, training followed by what is described, files dropped.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dispatch, lesson, openShell, root } from './support.mjs';

/** A large reference file beside the project; tests skip without it. */
const shared = (name) => resolve(root, '../shared/real', name);
export const bert = [shared('bert-sst2-sentence.safetensors'), shared('bert-sst2-sentence.json')];
export const withoutBert = bert.every(existsSync) ? false : '../shared is missing';

/** The smallest model: some hundred steps a second, and 2,000 of them, so that no test outlasts its run. */
export const small = 'page=gallery&motion=reduced&theme=light&panel=training&layers=1&heads=2&d_model=16';
/** One whose run is over soon. */
export const quick = `${small}&task=copy-previous`;
export const openSmall = (t, options) => openShell(t, `?${small}`, options);

export const describe = (frame, index) => lesson(frame, (it) => it.describe(), null, index);

/** Waits until the description has `wanted`: an expression of `it`. Asks from here: a page may forbid eval in its own tasks. */
export async function described(frame, wanted, index = 0, { timeout = 30000 } = {}) {
  const end = Date.now() + timeout;
  while (!(await lesson(frame, `(lesson) => ((it) => ${wanted})(lesson.describe() ?? {})`, null, index))) {
    if (Date.now() > end) throw new Error(`in ${timeout} ms the description did not come to: ${wanted}`);
    await frame.waitForTimeout(50);
  }
}

/** Carries out an action that may not be refused. */
export async function act(frame, action, index) {
  const refused = await dispatch(frame, action, index);
  if (refused) throw new Error(`${action}: ${refused}`);
}

/** How many steps the run has taken, by what is described. */
export const stepsTaken = async (frame, index) => stepIn((await describe(frame, index)).training);
export const stepIn = (training) => Number(/(?:step|after) (\d+)/.exec(training)?.[1] ?? 0);
export const reachesStep = (frame, step, index) =>
  described(frame, `Number(/(?:step|after) (\\d+)/.exec(it.training)?.[1] ?? 0) >= ${step}`, index);

const canPause = "it.controls.some(({ action, enabled }) => action === 'train:pause' && enabled)";
export const isRunning = (frame, index) => described(frame, canPause, index);
export const isPaused = (frame, index) => described(frame, `!${canPause}`, index);

/** Until training stands still: what is on its way has come, and the mirror knows. Returns how long steps still came, in ms. */
export async function pause(frame, index) {
  await act(frame, 'train:pause', index);
  await isPaused(frame, index);
  const begin = Date.now();
  let [last, step] = [begin, await stepsTaken(frame, index)];
  while (Date.now() - last < 1000) {
    await frame.waitForTimeout(20);
    const now = await stepsTaken(frame, index);
    if (now !== step) [last, step] = [Date.now(), now];
  }
  return last - begin;
}

export const noticeOf = async (frame, index) => (await describe(frame, index)).notice;
export const noticeMatches = (frame, pattern, index) => described(frame, `${pattern}.test(it.notice)`, index);

/** Drops files from disk on the page's canvas, as the browser itself does it. */
export async function dropFiles(page, paths, { x = 640, y = 400 } = {}) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}
