// Instances side by side, their end, lost contexts, and the quiet when nothing happens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atStep, dispatch, framesIn, lesson, mountIn, openBlank, openShell, placeOf, running, settled, stepOf, tables, useBrowser,
  valueBecomes, valueOf,
} from './support.mjs';
import { colours, difference, pixels } from './pixels.mjs';

useBrowser();

const loseContext = (page) => page.evaluate(() => {
  const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
  window.loser = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
  window.loser.loseContext();
});

test('nothing moves, nothing is drawn; the next input is answered in the next frame', async (t) => {
  const page = await openShell(t, '?step=softmax');
  await settled(page);
  const drawn = await framesIn(page, 3000);
  assert.ok(drawn <= 2, `${drawn} frames in 3 idle seconds`);
  const frames = await page.evaluate(() => new Promise((resolve) => {
    const { lesson: it, shadowRoot } = document.querySelector('.headscope');
    const before = it.stats.frames;
    const canvas = shadowRoot.querySelector('canvas');
    canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(it.stats.frames - before)));
  }));
  assert.ok(frames >= 1);
});

test('a step glides also after a long rest, and comes to rest again', async (t) => {
  const page = await openShell(t, '?step=scale&motion=full');
  await settled(page);
  await page.waitForTimeout(1200); // longer than any glide: its beginning must not lie in the past
  const before = await lesson(page, (it) => it.stats.frames);
  await dispatch(page, 'step:softmax');
  await settled(page);
  const drawn = (await lesson(page, (it) => it.stats.frames)) - before;
  assert.ok(drawn >= 5, `${drawn} frames for a glide of 540 ms`);
  assert.ok((await framesIn(page, 500)) <= 1);
});

test('the player shows each step for its time, also when it starts after a long rest', async (t) => {
  const page = await openShell(t, '?step=scale&motion=full');
  await page.waitForTimeout(2600); // longer than one step of the player
  const started = Date.now();
  assert.equal(await dispatch(page, 'play'), null);
  await atStep(page, 'Mask');
  assert.ok(Date.now() - started > 1800, `the next step came after ${Date.now() - started} ms`);
});

test('a hidden page pauses, and nothing jumps on return', async (t) => {
  const page = await openShell(t, '?step=scale&motion=full');
  await settled(page);
  await dispatch(page, 'play');
  const hide = (hidden) => page.evaluate((yes) => {
    Object.defineProperty(document, 'hidden', { value: yes, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  await hide(true);
  const drawn = await framesIn(page, 3000);
  assert.equal(drawn, 0, 'no frame while hidden');
  assert.equal(await stepOf(page), 'Scale');
  await hide(false);
  await page.waitForTimeout(500);
  assert.equal(await stepOf(page), 'Scale', 'the time away does not count');
  await atStep(page, 'Mask');
});

test('two instances share nothing', async (t) => {
  const page = await openBlank(t, { size: [1300, 1560] });
  for (const step of ['softmax', 'score']) {
    await mountIn(page, { style: 'width:1200px;height:760px', options: { query: `?step=${step}&motion=reduced` } });
  }
  await running(page, 2);
  await dispatch(page, 'set:X.1.1=5', 0);
  await valueBecomes(page, 'X.1.1', '5', 0);
  assert.equal(await valueOf(page, 'X.1.1', 1), '1');
  assert.equal(await stepOf(page, 1), 'Score');
  await page.evaluate(() => document.querySelectorAll('.headscope')[1].shadowRoot.querySelector('canvas').focus());
  await page.keyboard.press('ArrowRight');
  await atStep(page, 'Scale', 1);
  assert.equal(await stepOf(page, 0), 'Softmax', 'keys go to the one with the focus');
  const { x, y } = await placeOf(page, 'X.1.2', 1);
  await page.mouse.move(x, y);
  const sentences = await page.evaluate(() => [...document.querySelectorAll('.headscope')].map((host) => host.lesson.describe().sentence));
  assert.match(sentences[1], /dogs, verb/);
  assert.doesNotMatch(sentences[0], /dogs, verb/);
  const ids = await page.evaluate(() => document.querySelectorAll('[id]').length);
  assert.equal(ids, 0, 'no element ids in the page');
  await lesson(page, (it) => it.destroy(), null, 0);
  assert.equal(await page.locator('.headscope').count(), 1);
  await dispatch(page, 'next', 0);
  await atStep(page, 'Mask', 0);
});

test('mounting and unmounting 20 times leaves listeners, nodes and memory flat', async (t) => {
  const page = await openBlank(t, { size: [1000, 700] });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const cycle = (times) => page.evaluate(async (count) => {
    for (let i = 0; i < count; ++i) {
      const place = document.createElement('div');
      place.style.cssText = 'width:900px;height:600px';
      document.body.append(place);
      const instance = window.mount(place, { query: '?step=softmax&motion=reduced', origin: 'https://example.org' });
      await instance.ready;
      while (instance.stats.frames === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      instance.dispatch('next');
      instance.destroy();
      instance.destroy(); // twice does no harm
      place.remove();
    }
  }, times);
  const measure = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const found = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    const global = [];
    for (const expression of ['window', 'document']) {
      const { result } = await session.send('Runtime.evaluate', { expression });
      const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
      global.push(...listeners.map(({ type }) => `${expression} ${type}`));
    }
    return { global, listeners: found.JSEventListeners, nodes: found.Nodes, heap: found.JSHeapUsedSize };
  };
  // The last instances go when the browser's own tasks have let go of them: collected until `done`, 10 s at most.
  const collect = async (done) => {
    let found = await measure();
    for (let i = 0; i < 50 && !done(found); ++i) {
      await page.waitForTimeout(200);
      found = await measure();
    }
    return found;
  };
  await cycle(3); // the compiled code and the style sheet stay, once
  let least = Infinity;
  let same = 0;
  const before = await collect(({ listeners }) => {
    same = listeners < least ? 0 : same + 1;
    least = Math.min(least, listeners);
    return same >= 5; // it falls no further
  });
  await cycle(20);
  const flat = (it) => it.listeners <= before.listeners && it.nodes <= before.nodes + 20 && it.heap <= before.heap + 1.5e6;
  const after = await collect(flat);
  assert.ok(after.listeners <= before.listeners, `listeners ${before.listeners} -> ${after.listeners}`);
  assert.ok(after.nodes <= before.nodes + 20, `nodes ${before.nodes} -> ${after.nodes}`);
  assert.ok(after.heap <= before.heap + 1.5e6, `heap ${before.heap} -> ${after.heap}`);
  assert.deepEqual(after.global, before.global, 'listeners on window and document');
});

test('destroyed while it loads, it leaves nothing behind', async (t) => {
  const page = await openBlank(t);
  const left = await page.evaluate(async () => {
    const instance = window.mount(document.body, {});
    instance.destroy();
    await instance.ready;
    return [document.querySelectorAll('.headscope').length, instance.dispatch('next'), instance.describe()];
  });
  assert.deepEqual([left[0], left[2]], [0, null]);
  assert.match(left[1], /not running/);
});

test('a lost context comes back with everything as it was, edits and undo included', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=full&theme=light');
  await dispatch(page, 'set:X.1.2=3');
  await dispatch(page, 'set:X.2.2=0.25');
  await valueBecomes(page, 'X.2.2', '0.25');
  await page.mouse.move(1, 1);
  await settled(page);
  const [before, numbers] = [await pixels(page), await tables(page)];
  await loseContext(page);
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('canvas').getContext('webgl2').isContextLost());
  await dispatch(page, 'notice:'); // input while there is no context does no harm
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)).then(() => window.loser.restoreContext()));
  await page.waitForFunction(() => !document.querySelector('.headscope').shadowRoot.querySelector('canvas').getContext('webgl2').isContextLost());
  await settled(page);
  assert.ok(difference(before, await pixels(page)) < 0.003, 'the same picture');
  assert.deepEqual(await tables(page), numbers);
  assert.equal(await dispatch(page, 'undo'), null);
  await valueBecomes(page, 'X.2.2', '1');
  await valueBecomes(page, 'X.1.2', '3');
});

test('a context that does not come back gives a message and a Reload button that works', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced');
  await dispatch(page, 'set:X.1.2=3');
  await valueBecomes(page, 'X.1.2', '3');
  await loseContext(page);
  const reload = page.getByRole('button', { name: 'Reload' });
  await reload.waitFor();
  assert.match(await page.locator('.fallback .reason').textContent(), /drawing surface/);
  const frames = await lesson(page, (it) => it.stats.frames);
  await reload.click();
  await page.waitForFunction((count) => document.querySelector('.headscope').lesson.stats.frames > count, frames);
  assert.equal(await page.locator('.fallback').count(), 0);
  assert.equal(await valueOf(page, 'X.1.2'), '3', 'the view was kept');
  assert.equal(await stepOf(page), 'Softmax');
  assert.ok(colours(await pixels(page.locator('canvas.canvas'))) > 20);
});

test('a context that comes back late takes the message away', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced');
  await loseContext(page);
  await page.locator('.fallback').waitFor();
  await page.evaluate(() => window.loser.restoreContext());
  await page.locator('.fallback').waitFor({ state: 'detached' });
  await settled(page);
  assert.ok(colours(await pixels(page.locator('canvas.canvas'))) > 20);
});

test('20 instances on a page: all have a picture when they are seen, few hold a context', async (t) => {
  const page = await openBlank(t, { size: [760, 700], allow: /Too many active WebGL contexts/ });
  for (let i = 0; i < 20; ++i) {
    await mountIn(page, { style: 'width:740px;height:600px;margin:20px 0', options: { query: `?step=${(i % 9) + 1}&motion=reduced&theme=light` } });
  }
  const contexts = () => page.evaluate(() => [...document.querySelectorAll('.headscope')].filter((host) => {
    const { shadowRoot } = host;
    return host.lesson.stats.frames > 0 && !shadowRoot.querySelector('canvas').getContext('webgl2').isContextLost();
  }).length);
  let most = 0;
  for (let i = 0; i < 20; ++i) {
    await page.evaluate((n) => document.querySelectorAll('.headscope')[n].scrollIntoView({ block: 'center' }), i);
    await page.waitForFunction((n) => document.querySelectorAll('.headscope')[n].lesson.stats.frames > 0, i);
    most = Math.max(most, await contexts());
  }
  assert.ok(most <= 8, `${most} contexts at once`);
  // Back at the first: it lost its context meanwhile. A still first, then itself, and it still works.
  const still = await page.evaluate(() => {
    const shown = document.querySelectorAll('.headscope')[0].shadowRoot.querySelector('.still');
    return [shown.hidden, shown.width];
  });
  assert.deepEqual(still, [false, 740]);
  const frames = await lesson(page, (it) => it.stats.frames, null, 0);
  await page.evaluate(() => scrollTo(0, 0));
  await dispatch(page, 'step:softmax', 0);
  await page.waitForFunction((count) => document.querySelector('.headscope').lesson.stats.frames > count, frames);
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('.still').hidden);
  await settled(page, 0);
  assert.ok(colours(await pixels(page.locator('canvas.canvas').first())) > 20);
  assert.ok((await contexts()) <= 8);
});

test('more instances in view than contexts: each shows its picture, and comes alive when it is used', async (t) => {
  const page = await openBlank(t, { size: [1200, 1000] });
  await page.evaluate(() => (document.body.style.cssText = 'display:grid;grid-template-columns:repeat(4,1fr)'));
  for (let i = 0; i < 12; ++i) {
    await mountIn(page, { style: 'width:290px;height:320px', options: { query: `?step=${(i % 9) + 1}&motion=reduced&theme=light` } });
  }
  await running(page, 12);
  await page.waitForTimeout(300);
  for (let i = 0; i < 12; ++i) {
    assert.ok(colours(await pixels(page.locator('.headscope').nth(i))) > 12, `instance ${i + 1} shows something`);
  }
  const stills = await page.evaluate(() => [...document.querySelectorAll('.headscope')].filter((host) => !host.shadowRoot.querySelector('.still').hidden).length);
  assert.ok(stills >= 4, `${stills} stills`);
  const first = await lesson(page, (it) => it.stats.frames, null, 0);
  await page.evaluate(() => document.querySelector('.headscope').shadowRoot.querySelector('canvas').focus());
  await page.keyboard.press('End');
  await page.waitForFunction((count) => document.querySelector('.headscope').lesson.stats.frames > count, first);
  await atStep(page, 'Output', 0);
});
