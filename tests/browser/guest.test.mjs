// A good guest: wheel, keys, focus and scrolling stay the page's unless the canvas was asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atStep, canvasHasFocus, dispatch, focusCanvas, lesson, mountIn, openBlank, openShell, placeOf, running, stepOf, useBrowser,
} from './support.mjs';

useBrowser();

const tall = '<div style="height:1500px">before</div>';
const button = (name) => `<button id="${name}">${name}</button>`;

/** A page with a lesson below the fold, between two tall blocks and two buttons. */
async function openTall(t, options = {}) {
  const page = await openBlank(t, { size: [1200, 700], ...options });
  await mountIn(page, {
    style: 'width:1150px;height:620px',
    options: { query: '?step=softmax&motion=reduced' },
    around: [tall + button('above'), button('below') + tall],
  });
  return page;
}

const scrollY = (page) => page.evaluate(() => scrollY);

async function scrollTo(page) {
  await page.evaluate(() => document.querySelector('.headscope').scrollIntoView({ block: 'center' }));
  await running(page);
}

test('loading takes no focus and does not scroll the page', async (t) => {
  const page = await openTall(t);
  await page.evaluate(() => document.querySelector('.headscope').lesson.ready.then(() => 1));
  assert.equal(await scrollY(page), 0);
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'body');
});

test('the shell takes no focus', async (t) => {
  const page = await openShell(t);
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'body');
});

test('the wheel scrolls the page, with and without the focus', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  for (const focused of [false, true]) {
    if (focused) await focusCanvas(page);
    assert.equal(await canvasHasFocus(page), focused);
    const { x, y } = await placeOf(page, 'pattern.2.1.1');
    await page.mouse.move(x, y);
    const before = await scrollY(page);
    await page.mouse.wheel(0, 120);
    await page.waitForFunction((from) => scrollY > from, before);
    await page.mouse.wheel(0, -120);
    await page.waitForFunction((from) => scrollY === from, before);
  }
});

test('the wheel scrolls a narrow lesson itself once it has the focus, then the page', async (t) => {
  const page = await openBlank(t, { size: [420, 600] });
  await mountIn(page, { style: 'width:390px;height:560px', options: { query: '?step=softmax&motion=reduced' }, around: ['', tall] });
  await running(page);
  const at = () => lesson(page, (it) => it.rectOf('pattern.1.1.1')?.y ?? null);
  await page.mouse.move(200, 200);
  const [top, y] = [await at(), await scrollY(page)];
  await page.mouse.wheel(0, 60);
  await page.waitForFunction((from) => scrollY > from, y); // no focus: the page's
  assert.equal(await at(), top);
  await page.evaluate(() => scrollTo(0, 0));
  await focusCanvas(page);
  await page.mouse.wheel(0, 60);
  await page.waitForFunction((from) => (document.querySelector('.headscope').lesson.rectOf('pattern.1.1.1')?.y ?? -1e9) < from, top);
  assert.equal(await scrollY(page), 0, 'the page stood still');
  await page.mouse.wheel(0, 3000);
  await page.mouse.wheel(0, 200); // its end is reached: the page's again
  await page.waitForFunction(() => scrollY > 0);
});

test('Ctrl+wheel stays the browser’s', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  await focusCanvas(page);
  const prevented = await page.evaluate(() => {
    const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
    const wheel = (init) => !canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 50, cancelable: true, bubbles: true, ...init }));
    return [wheel({ ctrlKey: true }), wheel({ metaKey: true })];
  });
  assert.deepEqual(prevented, [false, false]);
});

test('without the focus no key is ours', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  await page.evaluate(() => {
    window.keys = [];
    addEventListener('keydown', (event) => window.keys.push([event.key, event.defaultPrevented]));
  });
  const keys = ['ArrowLeft', 'ArrowRight', ' ', 'Home', 'End', 'Backspace', 'Enter', 'Escape', 'a'];
  for (const key of keys) await page.keyboard.press(key === ' ' ? 'Space' : key);
  assert.deepEqual(await page.evaluate(() => window.keys), keys.map((key) => [key, false]));
  assert.equal(await stepOf(page), 'Softmax');
});

test('with the focus, F-keys and the browser’s own combinations still reach it, and ours stay here', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  await focusCanvas(page);
  await page.evaluate(() => {
    window.seen = {};
    addEventListener('keydown', (event) => (window.seen[event.key] = event.defaultPrevented));
    const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
    window.press = (key, init) => !canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...init }));
  });
  const prevented = (key, init) => page.evaluate(([name, more]) => window.press(name, more), [key, init]);
  for (const key of ['F5', 'F11', 'F12', 'F1', 'a', '/', "'", 'Backspace', 'PageDown', 'Meta', 'Control']) {
    assert.equal(await prevented(key), false, key);
  }
  for (const key of ['l', 'f', 'p', 't', 'w', 'r', '+', '-', '0', 'Tab', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', ' ']) {
    assert.equal(await prevented(key, { ctrlKey: true }), false, `Ctrl+${key}`);
    assert.equal(await prevented(key, { metaKey: true }), false, `Cmd+${key}`);
    assert.equal(await prevented(key, { altKey: true }), false, `Alt+${key}`);
  }
  assert.equal(await stepOf(page), 'Softmax');
  assert.equal(await prevented('ArrowRight'), true);
  await atStep(page, 'Weigh V');
  assert.equal('ArrowRight' in (await page.evaluate(() => window.seen)) && (await page.evaluate(() => window.seen.ArrowRight)) !== false,
    false, 'a slide show around the lesson does not hear the key that the lesson used');
});

test('Tab enters, walks through and leaves; Shift+Tab comes back; Escape gives the keys back', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  const where = () => page.evaluate(() => {
    const { activeElement } = document;
    return activeElement.id || activeElement.shadowRoot?.activeElement?.className || activeElement.localName;
  });
  await page.locator('#above').focus();
  await page.keyboard.press('Tab');
  assert.equal(await where(), 'toggle', 'first the button to the text version');
  await page.keyboard.press('Tab');
  assert.equal(await where(), 'canvas');
  const ring = () => page.evaluate(() => document.querySelector('.headscope').shadowRoot.querySelector('canvas').hasAttribute('data-ring'));
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('canvas').hasAttribute('data-ring'));
  let inside = 1;
  for (; inside < 80; ++inside) {
    await page.keyboard.press('Tab');
    if ((await where()) !== 'canvas') break;
  }
  assert.ok(inside > 4 && inside < 80, `${inside} stops inside`);
  assert.equal(await where(), 'below');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await where(), 'canvas');
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('canvas').hasAttribute('data-ring'));
  let back = 1;
  for (; back < 80; ++back) {
    await page.keyboard.press('Shift+Tab');
    if ((await where()) !== 'canvas') break;
  }
  assert.equal(await where(), 'toggle');
  assert.equal(back, inside, 'as many stops back as forth');
  await page.keyboard.press('Tab');
  assert.equal(await where(), 'canvas');
  await page.keyboard.press('Escape'); // leaves the item
  await page.waitForFunction(() => !document.querySelector('.headscope').shadowRoot.querySelector('canvas').hasAttribute('data-ring'));
  assert.equal(await ring(), false);
  await page.keyboard.press('Escape'); // leaves the canvas
  assert.equal(await where(), 'body');
});

test('a click gives the canvas the keyboard and does not scroll the page', async (t) => {
  const page = await openBlank(t, { size: [1200, 500] });
  await mountIn(page, { style: 'width:1150px;height:760px', options: { query: '?step=softmax&motion=reduced' }, around: ['', tall] });
  await running(page);
  await page.evaluate(() => scrollTo(0, 180));
  const { x, y } = await placeOf(page, 'pattern.2.1.1');
  await page.mouse.click(x, y);
  assert.ok(await canvasHasFocus(page));
  assert.equal(await scrollY(page), 180);
  assert.match(await lesson(page, (it) => it.query), /cell=pattern\.2\.1\.1/);
});

test('a press that ends outside of the canvas has ended, and does nothing', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  const { x, y } = await placeOf(page, 'pattern.2.1.1');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(5, 5, { steps: 4 }); // above the lesson
  await page.mouse.up();
  assert.doesNotMatch(await lesson(page, (it) => it.query), /cell=/);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
  assert.match(await lesson(page, (it) => it.query), /cell=pattern\.2\.1\.1/, 'the next click is a click');
});

test('a press whose release nobody told is over when the pointer comes back without a button', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  const { x, y } = await placeOf(page, 'pattern.2.1.1');
  const query = await page.evaluate(([px, py]) => {
    const host = document.querySelector('.headscope');
    const canvas = host.shadowRoot.querySelector('canvas');
    canvas.setPointerCapture = () => {};
    const send = (type, buttons) => canvas.dispatchEvent(new PointerEvent(type, {
      clientX: px, clientY: py, buttons, button: type === 'pointermove' ? -1 : 0, isPrimary: true, pointerType: 'mouse', bubbles: true,
    }));
    send('pointerdown', 1);
    send('pointermove', 0); // let go outside of the window
    send('pointerup', 0);
    return host.lesson.query;
  }, [x, y]);
  assert.doesNotMatch(query, /cell=/);
});

test('the right button is left to the page', async (t) => {
  const page = await openTall(t);
  await scrollTo(page);
  const { x, y } = await placeOf(page, 'pattern.2.1.1');
  await page.evaluate(() => addEventListener('contextmenu', (event) => (window.menu = !event.defaultPrevented)));
  await page.mouse.click(x, y, { button: 'right' });
  assert.equal(await page.evaluate(() => window.menu), true);
  assert.doesNotMatch(await lesson(page, (it) => it.query), /cell=/);
});

test('only the parent page of the origin that was named may drive the lesson by messages', async (t) => {
  const page = await openBlank(t);
  const drive = (origin) => page.evaluate(async (allowed) => {
    const frame = document.createElement('iframe');
    frame.src = 'blank.html';
    document.body.replaceChildren(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    const inner = frame.contentWindow;
    while (!inner.mount) await new Promise((resolve) => setTimeout(resolve, 20));
    const lesson_ = inner.mount(inner.document.body, { query: '?motion=reduced', origin: allowed });
    await lesson_.ready;
    const answer = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
    inner.postMessage({ headscope: 1, action: 'next' }, '*');
    inner.postMessage('next', '*');
    const told = await Promise.race([answer, new Promise((resolve) => setTimeout(() => resolve(null), 300))]);
    return { step: lesson_.describe().step, told };
  }, origin);
  const own = new URL(page.url()).origin;
  const allowed = await drive(own);
  assert.equal(allowed.step, 2);
  assert.deepEqual({ ...allowed.told, query: '' }, { headscope: 1, action: 'next', refused: null, query: '' });
  assert.deepEqual(await drive('https://example.org'), { step: 1, told: null });
  assert.deepEqual(await drive(undefined), { step: 1, told: null });
  await dispatch(page, 'next').catch(() => {});
});
