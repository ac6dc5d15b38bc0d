// Fingers: a tap is a click, a swipe scrolls, nothing hovers when no finger is there, and numbers bring up a keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atStep, lesson, mountIn, openBlank, openShell, placeOf, running, settled, useBrowser, valueBecomes } from './support.mjs';

useBrowser();

const phone = { size: [390, 844], dpr: 2, hasTouch: true, isMobile: true };

/** A swipe with one finger from `from` by `by`, in `count` moves. */
async function swipe(page, from, by, count = 8) {
  const session = await page.context().newCDPSession(page);
  const point = (share) => ({ x: from.x + by.x * share, y: from.y + by.y * share });
  const send = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [point(0)]);
  for (let i = 1; i <= count; ++i) await send('touchMove', [point(i / count)]);
  await send('touchEnd', []);
}

test('a tap is a click', async (t) => {
  const page = await openShell(t, '?step=score&motion=reduced', phone);
  await page.touchscreen.tap(270, 808); // the drawing’s Next button
  await atStep(page, 'Scale');
  const { x, y } = await placeOf(page, 'scaled.1.2.1');
  await page.touchscreen.tap(x, y);
  await page.waitForFunction(() => /cell=scaled\.1\.2\.1/.test(document.querySelector('.headscope').lesson.query));
});

test('a swipe over the lesson scrolls the page, and is no tap', async (t) => {
  const page = await openBlank(t, phone);
  const tall = '<div style="height:900px"></div>';
  await mountIn(page, { style: 'height:844px', options: { query: '?step=softmax&motion=reduced' }, around: ['', tall] });
  await running(page);
  const place = await placeOf(page, 'pattern.1.1.1');
  await swipe(page, place, { x: 0, y: -200 });
  await page.waitForFunction(() => scrollY > 60);
  assert.doesNotMatch(await lesson(page, (it) => it.query), /cell=/);
});

test('where the lesson itself can scroll, a swipe scrolls it, and then the page', async (t) => {
  const page = await openBlank(t, phone);
  const tall = '<div style="height:900px"></div>';
  await mountIn(page, { style: 'height:600px', options: { query: '?step=softmax&motion=reduced' }, around: ['', tall] });
  await running(page);
  const y = () => lesson(page, (it) => it.rectOf('pattern.1.1.1').y);
  const before = await y();
  await swipe(page, { x: 200, y: 330 }, { x: 0, y: -60 });
  await page.waitForFunction((from) => document.querySelector('.headscope').lesson.rectOf('pattern.1.1.1').y < from, before);
  assert.equal(await page.evaluate(() => scrollY), 0, 'the page stood still');
  assert.doesNotMatch(await lesson(page, (it) => it.query), /cell=/);
  for (let i = 0; i < 6; ++i) await swipe(page, { x: 200, y: 350 }, { x: 0, y: -250 });
  await page.waitForFunction(() => scrollY > 0);
});

test('nothing hovers once the finger is gone', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced', phone);
  const at = await placeOf(page, 'pattern.1.1.1');
  const sentence = () => lesson(page, (it) => it.describe().sentence);
  const before = await sentence();
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  await page.waitForFunction((old) => document.querySelector('.headscope').lesson.describe().sentence !== old, before);
  await session.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] });
  await page.waitForFunction((old) => document.querySelector('.headscope').lesson.describe().sentence === old, before);
});

test('the page can still be pinched: the canvas leaves that to the browser', async (t) => {
  const page = await openShell(t, '', phone);
  const action = await page.evaluate(() => getComputedStyle(document.querySelector('.headscope').shadowRoot.querySelector('canvas')).touchAction);
  assert.equal(action, 'pan-y pinch-zoom');
});

test('a tap on a number opens a field that brings up the number keyboard, with a sign key beside it', async (t) => {
  const page = await openShell(t, '?step=input&motion=reduced', phone);
  await settled(page);
  const { x, y } = await placeOf(page, 'X.1.1');
  await page.touchscreen.tap(x, y);
  const field = page.locator('.editor input');
  await field.waitFor();
  assert.equal(await field.getAttribute('inputmode'), 'decimal');
  assert.ok(parseFloat(await field.evaluate((it) => getComputedStyle(it).fontSize)) >= 16, 'iOS would zoom the page');
  const box = await field.boundingBox();
  assert.ok(box.height >= 44, `${box.height} px high`);
  assert.ok(box.x >= 0 && box.x + box.width <= 390, 'inside the canvas');
  await field.fill('2');
  await page.touchscreen.tap(...(await middle(page.locator('.editor .sign'))));
  assert.equal(await field.inputValue(), '-2');
  await page.keyboard.press('Enter');
  await valueBecomes(page, 'X.1.1', '-2');
});

test('the small numbers of a large screen get a field of a finger’s size too', async (t) => {
  const page = await openShell(t, '?motion=reduced', { ...phone, size: [1280, 800], dpr: 1 });
  const { x, y } = await placeOf(page, 'X.1.1');
  await page.touchscreen.tap(x, y);
  const field = page.locator('.editor input');
  await field.waitFor();
  assert.ok(parseFloat(await field.evaluate((it) => getComputedStyle(it).fontSize)) >= 16);
  assert.ok((await field.boundingBox()).height >= 44);
});

async function middle(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
}
