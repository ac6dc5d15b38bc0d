// Changing numbers in the field over a cell: landing, undo and redo, refusals, clipboard, and numbers left alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atStep, canvasHasFocus, dispatch, focusCanvas, lesson, openShell, placeOf, tables, useBrowser, valueBecomes, valueOf,
} from './support.mjs';

useBrowser();

const field = (page) => page.locator('.editor input');

async function openField(page, cell) {
  const { x, y } = await placeOf(page, cell);
  await page.mouse.click(x, y);
  await field(page).waitFor();
}

const refusal = (page) => page.locator('.editor .refusal');

async function refused(page, text, pattern) {
  await field(page).fill(text);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('.refusal')?.textContent);
  assert.match(await refusal(page).textContent(), pattern, `why “${text}” is refused`);
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
}

test('a number is changed by click, everything downstream follows, and undo and redo bring it back and again', async (t) => {
  const page = await openShell(t, '?step=output&motion=reduced');
  const before = await tables(page);
  await openField(page, 'X.1.3');
  assert.equal(await field(page).inputValue(), '1');
  assert.match(await field(page).getAttribute('aria-label'), /dogs.*animal/);
  await page.keyboard.type('2.5'); // the old number is selected: typing replaces it
  await page.keyboard.press('Enter');
  await valueBecomes(page, 'X.1.3', '2.5');
  const after = await tables(page);
  for (const id of ['Q.2', 'K.2', 'V.2', 'pattern.2', 'concat', 'output']) assert.notDeepEqual(after[id], before[id], id);
  assert.equal(await field(page).count(), 0);
  assert.ok(await canvasHasFocus(page), 'the canvas has the keyboard again');
  await page.keyboard.press('Control+z');
  await valueBecomes(page, 'X.1.3', '1');
  assert.deepEqual(await tables(page), before);
  await page.keyboard.press('Control+Shift+Z');
  await valueBecomes(page, 'X.1.3', '2.5');
  await page.keyboard.press('Control+z');
  await valueBecomes(page, 'X.1.3', '1');
  await page.keyboard.press('Control+y');
  await valueBecomes(page, 'X.1.3', '2.5');
  assert.deepEqual(await tables(page), after);
  assert.equal(await dispatch(page, 'reset'), null);
  await valueBecomes(page, 'X.1.3', '1');
});

test('by keyboard alone: Tab to X, arrows to a number, Enter opens it, Escape leaves it, Tab goes on', async (t) => {
  const page = await openShell(t, '?step=score&motion=reduced');
  await focusCanvas(page);
  const sentence = () => lesson(page, (it) => it.describe().sentence);
  for (let i = 0; i < 40 && !/^X[^a-z]+dogs, noun/.test(await sentence()); ++i) await page.keyboard.press('Tab');
  assert.match(await sentence(), /^X[^a-z]+dogs, noun/, 'Tab comes to X');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.match(await sentence(), /^X[^a-z]+bark, verb/);
  await page.keyboard.press('Enter');
  await field(page).waitFor();
  await field(page).fill('8');
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  assert.equal(await valueOf(page, 'X.2.2'), '1');
  assert.match(await sentence(), /^X[^a-z]+bark, verb/, 'the ring is where it was');
  await page.keyboard.press('Enter');
  await field(page).fill('9');
  await page.keyboard.press('Tab');
  await valueBecomes(page, 'X.2.2', '9');
  assert.ok(await canvasHasFocus(page));
  assert.doesNotMatch(await sentence(), /^X[^a-z]/, 'Tab went on to the next matrix');
});

test('an editor that is opened and left unchanged keeps the bits', async (t) => {
  const page = await openShell(t, `?motion=reduced&set=X.1.2:${0.1 + 0.2}`);
  assert.equal(await valueOf(page, 'X.1.2'), String(0.1 + 0.2));
  const query = await lesson(page, (it) => it.query);
  for (const leave of ['Enter', 'Escape', 'Tab']) {
    await openField(page, 'X.1.2');
    await page.keyboard.press(leave);
    await field(page).waitFor({ state: 'detached' });
    assert.equal(await valueOf(page, 'X.1.2'), String(0.1 + 0.2), leave);
  }
  await openField(page, 'X.1.2');
  await page.mouse.click(1000, 12); // blur
  await field(page).waitFor({ state: 'detached' });
  assert.equal(await lesson(page, (it) => it.query), query);
  assert.match(await dispatch(page, 'undo'), /\w/, 'nothing to undo: nothing was changed');
});

test('what is no number is refused by name, and 0,9 is 0.9', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await openField(page, 'X.1.1');
  await refused(page, 'NaN', /nan/i);
  await refused(page, '1e999', /1e999|large|infin|magnitude/i);
  await refused(page, '', /nothing|empty|number/i);
  await refused(page, '1.2.3', /1\.2\.3/);
  await refused(page, '-inf', /inf/i);
  assert.equal(await valueOf(page, 'X.1.1'), '1', 'a refusal changes nothing');
  await field(page).fill('0,9');
  assert.equal(await refusal(page).textContent(), '', 'typing takes the refusal away');
  await page.keyboard.press('Enter');
  await valueBecomes(page, 'X.1.1', '0.9');
});

test('leaving a field with a bad text keeps the old number and says so', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await openField(page, 'X.1.1');
  await field(page).fill('abc');
  await page.mouse.click(1000, 12);
  await field(page).waitFor({ state: 'detached' });
  await page.waitForFunction(() => /abc/.test(document.querySelector('.headscope').shadowRoot.querySelector('.notice').textContent));
  assert.equal(await valueOf(page, 'X.1.1'), '1');
});

test('leaving a field with a good text commits it, into the cell that was edited', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await openField(page, 'X.1.3');
  await field(page).fill('7');
  await openField(page, 'X.2.1'); // a click on another number: that field opens, this one commits
  await valueBecomes(page, 'X.1.3', '7');
  assert.equal(await field(page).inputValue(), '0');
  await field(page).fill('−3');
  await page.keyboard.press('Tab');
  await valueBecomes(page, 'X.2.1', '-3');
  assert.equal(await valueOf(page, 'X.1.3'), '7');
});

test('text is pasted into the field and copied out of it', async (t) => {
  const page = await openShell(t, '?motion=reduced', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.evaluate(() => navigator.clipboard.writeText('1.25'));
  await openField(page, 'X.1.2');
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Enter');
  await valueBecomes(page, 'X.1.2', '1.25');
  await openField(page, 'X.1.2');
  await page.keyboard.press('Control+c');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '1.25');
});

test('a weight can be changed where it is shown', async (t) => {
  const page = await openShell(t, '?step=project&motion=reduced');
  await openField(page, 'W_Q.1.1.1');
  await field(page).fill('3');
  await page.keyboard.press('Enter');
  await valueBecomes(page, 'W_Q.1.1.1', '3');
  await valueBecomes(page, 'Q.1.1.1', '3');
  assert.match(await lesson(page, (it) => it.query), /W_Q\.1\.1\.1/);
});

test('the mirror’s own button changes a number, with the same rules', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const button = page.locator('.mirror [data-cell="X.2.4"] button:not([hidden])');
  assert.match(await button.getAttribute('aria-label'), /change 1: .*bark, action/);
  await button.evaluate((it) => it.click());
  await field(page).fill('inf');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('.refusal')?.textContent);
  await field(page).fill('0.5');
  await page.keyboard.press('Enter');
  await valueBecomes(page, 'X.2.4', '0.5');
  assert.equal(await page.evaluate(() => document.querySelector('.headscope').shadowRoot.activeElement.localName), 'button');
});

test('the field stays over its number when the canvas changes its size', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await openField(page, 'X.2.6');
  await page.setViewportSize({ width: 1000, height: 640 });
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('canvas').width === 1000);
  await page.waitForFunction(() => {
    const { lesson: it, shadowRoot } = document.querySelector('.headscope');
    const input = shadowRoot.querySelector('.editor input')?.getBoundingClientRect();
    const cell = it.rectOf('X.2.6');
    return input && cell && Math.abs(input.x + input.width / 2 - cell.x - cell.w / 2) <= 40 &&
      Math.abs(input.y + input.height / 2 - cell.y - cell.h / 2) <= 12;
  });
});

test('another step ends editing and leaves no field behind', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await openField(page, 'X.1.1');
  assert.equal(await dispatch(page, 'next'), null);
  await atStep(page, 'Project');
  await field(page).waitFor({ state: 'detached' });
  assert.equal(await valueOf(page, 'X.1.1'), '1');
});
