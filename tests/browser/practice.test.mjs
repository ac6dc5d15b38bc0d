// Practice in the page: asked, missed, explained and solved; its address, its memory, its result line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from './axe.mjs';
import { focusCanvas, lesson, newPage, openShell, running, server, settled, useBrowser } from './support.mjs';
import { colours, pixels } from './pixels.mjs';
import { act, describe, described } from './gallery.mjs';

useBrowser();

const field = (page) => page.locator('.editor input');
const answers = (page) => page.locator('.mirror .fields input').first();

/** The mirror's number in a cell of the walkthrough, exactly. */
const exact = (page, cell) => lesson(page, (it, name) => it.describe().tables
  .flatMap(({ cells }) => cells.flat()).find((found) => found.cell === name)?.value, cell);

/** The first weight question: whose weight is asked, by the place that it shows, and what scaled and raw scores give. */
async function weights(page) {
  await act(page, 'show-on-canvas');
  const { cell } = await lesson(page, (it) => ({ cell: new URLSearchParams(it.query).get('cell') }));
  const [, head, row] = cell.split('.');
  await act(page, 'step:output');
  const right = Number(await exact(page, cell));
  const scores = [Number(await exact(page, `scores.${head}.${row}.1`)), Number(await exact(page, `scores.${head}.${row}.2`))];
  const column = Number(cell.split('.')[3]) - 1;
  const unscaled = Math.exp(scores[column]) / (Math.exp(scores[0]) + Math.exp(scores[1]));
  await act(page, 'page:practice');
  return { cell, right, unscaled };
}

async function openWeight(t, query = '', options = {}) {
  const page = await openShell(t, `?page=practice&practice=weight&seed=1&count=3&motion=reduced${query}`, options);
  for (let place = 1; place <= 3; ++place) { // one whose scores differ, so that the slip has a value of its own
    await act(page, `question:${place}`);
    const asked = await weights(page);
    if (Math.abs(asked.right - asked.unscaled) > 0.002) return { page, ...asked };
  }
  throw new Error('no question whose scores differ');
}

test('a question is missed, the slip is named, and the right answer solves it, by the mirror', async (t) => {
  const { page, right, unscaled } = await openWeight(t);
  await answers(page).fill(unscaled.toFixed(3));
  await answers(page).press('Tab');
  await described(page, "/Not yet: the scale step is missing/.test(it.sentence)");
  await page.waitForFunction(() => /square root/.test(document.querySelector('.headscope').shadowRoot.querySelector('.sentence').textContent));
  assert.ok((await describe(page)).notes.some((note) => note.startsWith('Your way:')), 'the learner’s number is rebuilt');
  await answers(page).fill(right.toFixed(3));
  await answers(page).press('Tab');
  await described(page, "/Right/.test(it.sentence)");
  assert.ok((await describe(page)).notes.some((note) => note.startsWith('Solution:')));
});

test('by keyboard on the canvas: Tab to the field, type, Enter, and the verdict is there', async (t) => {
  const { page, right } = await openWeight(t);
  // The header's tabs and the chip of the set come before it.
  const address = page.url().split('?')[0] + (await lesson(page, (it) => it.query));
  for (let tabs = 5; tabs <= 12 && (await field(page).count()) === 0; ++tabs) {
    await page.goto(address); // whatever was pressed on the way
    await running(page);
    await described(page, "it.page === 'practice'");
    await focusCanvas(page);
    for (let i = 0; i < tabs; ++i) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
  }
  await field(page).waitFor();
  await page.keyboard.type(right.toFixed(3));
  await page.keyboard.press('Enter');
  await described(page, "/Right|That is it/.test(it.sentence)");
});

test('text that is no number is refused in words, costs no try, and stays to be mended', async (t) => {
  const { page } = await openWeight(t);
  await answers(page).fill('many');
  await answers(page).press('Tab');
  await described(page, "/many/.test(it.notice)");
  assert.equal(await answers(page).inputValue(), 'many');
  assert.equal(new URLSearchParams(await lesson(page, (it) => it.query)).get('progress'), null);
});

test('a question about changed numbers follows them: asked, missed and explained', async (t) => {
  const { page, right, unscaled, cell } = await openWeight(t, '&set=X.1.1:1.5,X.2.2:-0.5,W_Q.1.1.1:2');
  assert.match((await describe(page)).sentence, /your own numbers/);
  await act(page, `answer:${unscaled.toFixed(3)}`);
  await described(page, "/scale step is missing/.test(it.sentence)");
  await act(page, 'show-on-canvas');
  const { query, step } = await lesson(page, (it) => ({ query: it.query, step: it.describe().step_name }));
  assert.equal(step, 'Softmax');
  assert.ok(query.includes(cell) && query.includes('set='), 'the walkthrough opens at that number, with the changes');
  await act(page, 'page:practice');
  await act(page, `answer:${right.toFixed(3)}`);
  await described(page, "/Right/.test(it.sentence)");
});

test('the text’s fields stand in their order after questions without one, and a refused text stays with its question', async (t) => {
  const page = await openShell(t, '?page=practice&practice=weight,largest&seed=1&count=4&motion=reduced');
  for (const place of [2, 1, 2, 3]) {
    await act(page, `question:${place}`);
    const wanted = (await describe(page)).fields.map(({ label }) => label);
    await page.waitForFunction((labels) => JSON.stringify([...document.querySelector('.headscope').shadowRoot
      .querySelectorAll('.mirror .fields label span')].map((it) => it.textContent)) === JSON.stringify(labels), wanted);
  }
  const asked = (await describe(page)).fields[0].label;
  await answers(page).fill('many');
  await answers(page).press('Tab');
  await described(page, "/many/.test(it.notice)");
  await act(page, 'practice:score');
  await described(page, `it.fields[0].label !== ${JSON.stringify(asked)}`);
  await page.waitForFunction(() => {
    const input = document.querySelector('.headscope').shadowRoot.querySelector('.mirror .fields input');
    return input.value === '' && input.getAttribute('aria-invalid') !== 'true';
  });
});

test('progress is in the address: reloading restores it, and a link of a set without hints has none', async (t) => {
  const { page, right } = await openWeight(t, '&hints=off');
  await act(page, `answer:${right.toFixed(3)}`);
  await page.waitForFunction(() => /progress=[^&]*1s/.test(location.search));
  const before = (await describe(page)).paste;
  await page.reload();
  await running(page);
  await described(page, "it.page === 'practice'");
  assert.equal((await describe(page)).paste, before);
  assert.match(await lesson(page, (it) => it.dispatch('hint')), /without hints/);
});

test('a later visit goes on where the last one ended; a link goes before what is remembered', async (t) => {
  const { page, right } = await openWeight(t);
  await act(page, `answer:${right.toFixed(3)}`);
  await page.waitForFunction(() => /progress=/.test(localStorage.getItem('headscope-practice') ?? ''));
  const paste = (await describe(page)).paste;
  await page.goto(`${(await server()).url}site/index.html?page=practice`);
  await running(page);
  await described(page, "it.page === 'practice'");
  assert.equal((await describe(page)).paste.split(' ?')[0], paste.split(' ?')[0]);
  await page.goto(`${(await server()).url}site/index.html?page=gallery&seed=9`);
  await running(page);
  const both = new URLSearchParams(await lesson(page, (it) => it.query));
  assert.equal(both.get('plan_seed'), '9', 'a link’s seed of training is not taken for the questions’');
  assert.equal(both.get('practice'), 'weight');
  await page.goto(`${(await server()).url}site/index.html?page=practice&practice=mixed&seed=5`);
  await running(page);
  assert.match((await describe(page)).paste, /mixed, seed 5: 0 of/);
});

test('in a frame without storage it works as well', async (t) => {
  const page = await newPage(t);
  const { url } = await server();
  await page.goto(`${url}pages/blank.html`);
  await page.evaluate((address) => {
    document.body.innerHTML = `<iframe sandbox="allow-scripts" width="900" height="600" src="${address}"></iframe>`;
  }, `${url}site/index.html?page=practice&practice=weight&seed=1&count=3`);
  let frame;
  await page.waitForTimeout(200);
  for (let i = 0; i < 100 && !(frame = page.frames().find((it) => it.url().includes('site/index.html'))); ++i) await page.waitForTimeout(50);
  await running(frame);
  await act(frame, 'answer:0.123');
  await described(frame, "/Not yet/.test(it.sentence)");
});

test('the result line is copied, and where the browser refuses it is offered selected, and not called copied', async (t) => {
  const { page, right } = await openWeight(t, '', { permissions: ['clipboard-read', 'clipboard-write'] });
  await act(page, `answer:${right.toFixed(3)}`);
  await page.locator('.toggle').press('Enter');
  const copier = page.locator('.mirror .copier');
  await copier.click();
  await described(page, "it.notice === 'Copied.'");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /weight, seed 1: 1 of 3 solved/);
  const link = new URL(text.slice(text.indexOf('http')));
  assert.match(link.search, /practice=weight/);
  await act(page, 'notice:');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } }));
  await copier.click();
  const box = page.locator('.copy-box textarea');
  await box.waitFor();
  assert.equal(await box.inputValue(), text);
  assert.equal(await box.evaluate((it) => it.value.slice(it.selectionStart, it.selectionEnd)), text);
  assert.equal((await describe(page)).notice, '');
  await page.keyboard.press('Escape');
  assert.equal(await box.count(), 0);
});

test('the lesson’s ten and every kind of question are there, each with something to answer by', async (t) => {
  const page = await openShell(t, '?page=practice&motion=reduced');
  const tags = (await describe(page)).controls.filter(({ group, action }) => group === 'questions' && action.startsWith('question:'));
  for (let i = 1; i <= 10; ++i) assert.ok(tags.some(({ label }) => label.includes(`Q${i}`)), `Q${i}`);
  const sets = (await describe(page)).controls.filter(({ group, action }) => group === 'sets' && action.startsWith('practice:'));
  assert.ok(sets.length > 12, 'the lesson, mixed, and each type');
  for (const { action } of sets) {
    await act(page, action);
    await described(page, "it.title.startsWith('Practice: ') && !/isn’t here yet/.test(it.sentence)"); // the trained model comes
    const { fields, controls, sentence } = await describe(page);
    const typed = fields.some((it) => it.action === 'answer:');
    const pressed = controls.filter(({ group }) => group === 'answers').length;
    assert.ok(typed || pressed >= 2, `${action}: ${sentence}`);
    await settled(page);
    assert.ok(colours(await pixels(page.locator('canvas.canvas'))) > 8, action);
  }
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious in practice and in the budget, as picture and as text, ${colorScheme}`, async (t) => {
    const page = await openShell(t, '?page=practice&practice=weight&motion=reduced', { colorScheme });
    await act(page, 'answer:0.123');
    await settled(page);
    assert.deepEqual(await findings(page), [], 'practice');
    await page.locator('.toggle').press('Enter');
    await answers(page).waitFor({ state: 'visible' });
    assert.deepEqual(await findings(page), [], 'practice as text');
    await act(page, 'page:budget');
    await settled(page);
    assert.deepEqual(await findings(page), [], 'budget as text');
  });
}
