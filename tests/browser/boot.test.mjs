// The page starts, walks through the nine steps by mouse, by keyboard and by the mirror, and shows the right numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atStep, canvasHasFocus, dispatch, example, focusCanvas, lesson, near, openShell, running, stepOf, steps, tables, useBrowser,
} from './support.mjs';
import { colours, pixels } from './pixels.mjs';

useBrowser();

// What each table of the mirror must hold: the worked example's own matrices.
function wanted(id) {
  const [name, head] = id.split('.');
  if (!head) return example[name];
  const matrices = example.heads[head - 1];
  // Nothing is masked in the example: masked scores are the scaled ones.
  return { ...matrices, masked: matrices.scaled, head: matrices.output }[name];
}

// The first step at which each matrix is seen, in order.
const appears = {
  input: ['X'], project: ['W_Q', 'W_K', 'W_V', 'Q', 'K', 'V'], score: ['scores'], scale: ['scaled'], softmax: ['pattern'],
  weigh: ['head'], concat: ['concat'], output: ['W_O', 'output'],
};

test('the page opens at step 1 with a drawn canvas and no error', async (t) => {
  const page = await openShell(t);
  assert.equal(await stepOf(page), 'Input');
  assert.match(await page.title(), /attention/i);
  assert.equal(await page.locator('h1').count(), 1, 'one h1, the step’s title');
  const kernel = await lesson(page, (it) => it.stats.kernel);
  assert.equal(kernel, 'simd');
  const found = colours(await pixels(page.locator('canvas.canvas')));
  assert.ok(found > 20, `${found} colours on the canvas`);
});

test('the mirror’s numbers are the worked example’s, to 1e-6, at every step', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const seen = new Set();
  for (const step of steps) {
    assert.equal(await dispatch(page, `step:${step}`), null);
    const name = await lesson(page, (it) => it.describe().step_name);
    await atStep(page, name);
    for (const [id, rows] of Object.entries(await tables(page))) {
      assert.ok(wanted(id), `the example has no ${id}`);
      near(rows, wanted(id), 1e-6, `${step}: ${id}`);
      seen.add(id.split('.')[0]);
    }
    for (const table of appears[step] ?? []) assert.ok(seen.has(table), `${table} is shown at ${step}`);
  }
});

test('Next and Previous walk by mouse', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const next = [1214, 72]; // the drawing's places
  const previous = [1062, 72];
  const names = [];
  for (let i = 0; i < 8; ++i) {
    await page.mouse.click(...next);
    await page.waitForFunction((n) => document.querySelector('.headscope').lesson.describe().step === n, i + 2);
    names.push(await lesson(page, (it) => it.describe().step_name));
  }
  await atStep(page, names.at(-1));
  assert.equal(names.at(-1), 'Output');
  await page.mouse.click(...previous);
  await atStep(page, 'Concat');
});

test('arrows, Home and End walk by keyboard, once the canvas has the focus', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await focusCanvas(page);
  for (const name of ['Project', 'Score', 'Scale']) {
    await page.keyboard.press('ArrowRight');
    await atStep(page, name);
  }
  await page.keyboard.press('ArrowLeft');
  await atStep(page, 'Score');
  await page.keyboard.press('End');
  await atStep(page, 'Output');
  await page.keyboard.press('Home');
  await atStep(page, 'Input');
  assert.ok(await canvasHasFocus(page));
});

test('the mirror’s controls do what the canvas’s do', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const press = (action) => page.locator(`.mirror button[data-action="${action}"]`).evaluate((button) => button.click());
  await press('step:softmax');
  await atStep(page, 'Softmax');
  await press('next');
  await atStep(page, 'Weigh V');
  await press('theme:dark');
  await page.waitForFunction(() => document.querySelector('.headscope').dataset.theme === 'dark');
  await press('theme:light');
  await page.waitForFunction(() => document.querySelector('.headscope').dataset.theme === 'light');
});

test('playing goes from step to step by itself, and stops at the end', async (t) => {
  const page = await openShell(t, '?step=concat&motion=full');
  assert.equal(await dispatch(page, 'play'), null);
  await atStep(page, 'Output');
  await page.waitForFunction(() => !document.querySelector('.headscope').lesson.describe().playing);
});

test('the text version shows the mirror and hides the canvas', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced');
  await running(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const table = page.locator('.mirror table[data-table="pattern.1"]');
  await table.waitFor({ state: 'visible' });
  assert.ok((await table.boundingBox()).width > 50);
  assert.equal(await page.locator('canvas.canvas').isVisible(), false);
  await page.getByRole('button', { name: 'Next: Weigh V' }).click();
  await atStep(page, 'Weigh V');
  await page.getByRole('button', { name: 'Picture version' }).click();
  assert.equal(await page.locator('canvas.canvas').isVisible(), true);
});
