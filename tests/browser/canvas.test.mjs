// The canvas in the page: sharp at every pixel ratio, right under transforms and scrolling, opaque, shown late.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  lesson, mountIn, openBlank, openShell, placeOf, running, settled, useBrowser,
} from './support.mjs';
import { apart, colours, pixels } from './pixels.mjs';

useBrowser();

const backing = (page) => page.evaluate(() => {
  const { width, height } = document.querySelector('.headscope').shadowRoot.querySelector('canvas.canvas');
  return [width, height];
});

const background = [0xfb, 0xfa, 0xf6]; // the page of the light theme
const sunk = [0xf3, 0xf1, 0xea]; // the strip at the bottom

/** The four corners carry what the design draws there, not an undrawn (black or white) edge. */
async function cornersAreDrawn(page, what) {
  const picture = await pixels(page.locator('canvas.canvas'));
  const { width, height } = picture;
  const corners = { 'top left': [0, 0, background], 'top right': [width - 1, 0, background],
    'bottom left': [0, height - 1, sunk], 'bottom right': [width - 1, height - 1, sunk] };
  for (const [name, [x, y, colour]] of Object.entries(corners)) {
    assert.ok(apart(picture.at(x, y), colour) <= 2, `${what}, ${name}: ${picture.at(x, y)}, wanted ${colour}`);
  }
}

for (const dpr of [1, 1.5, 2]) {
  test(`at pixel ratio ${dpr} the backing size is exact, the corners are drawn and text is sharp`, async (t) => {
    const page = await openShell(t, '?step=softmax&motion=reduced&theme=light', { dpr, size: [1180, 790] });
    assert.deepEqual(await backing(page), [Math.round(1180 * dpr), Math.round(790 * dpr)]);
    await cornersAreDrawn(page, `ratio ${dpr}`);
    assert.ok((await sharpness(page)) > 0.3, `sharpness ${await sharpness(page)}`);
  });
}

test('odd sizes at 1.5 are drawn to the last pixel', async (t) => {
  const page = await openBlank(t, { dpr: 1.5, size: [1000, 800] });
  await mountIn(page, { style: 'width:333px;height:701px;background:#f0f', options: { query: '?step=softmax&motion=reduced&theme=light' } });
  await running(page);
  for (const [width, height] of [[333, 701], [335, 703], [901, 607], [733, 601]]) {
    await page.evaluate(([w, h]) => {
      Object.assign(document.querySelector('.headscope').parentElement.style, { width: `${w}px`, height: `${h}px` });
    }, [width, height]);
    const wanted = [Math.round(width * 1.5), Math.round(height * 1.5)];
    await page.waitForFunction(([w]) => {
      const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
      return Math.abs(canvas.width - w) <= 1;
    }, wanted);
    const found = await backing(page);
    assert.ok(Math.abs(found[0] - wanted[0]) <= 1 && Math.abs(found[1] - wanted[1]) <= 1, `${found}, wanted ${wanted}`);
    const picture = await pixels(page, { clip: { x: 0, y: 0, width, height } });
    for (const [x, y] of [[found[0] - 2, 1], [1, found[1] - 2], [found[0] - 2, found[1] - 2]]) {
      const colour = picture.at(x, y);
      assert.ok(apart(colour, background) <= 2 || apart(colour, sunk) <= 2 || apart(colour, [0xdd, 0xd9, 0xce]) <= 2,
        `${width}x${height}: pixel ${x}, ${y} is ${colour}`);
    }
  }
});

test('the pixel ratio may change while running', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced&theme=light', { dpr: 1, size: [1180, 790] });
  const session = await page.context().newCDPSession(page);
  for (const ratio of [2, 1.5, 1]) {
    await session.send('Emulation.setDeviceMetricsOverride', { width: 1180, height: 790, deviceScaleFactor: ratio, mobile: false });
    await page.waitForFunction(([w, h]) => {
      const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
      return canvas.width === w && canvas.height === h;
    }, [Math.round(1180 * ratio), Math.round(790 * ratio)]);
    await settled(page);
    assert.ok((await sharpness(page)) > 0.3, `sharpness at ${ratio}`);
  }
});

/** Share of a digit's pixels that are full ink or full paper: an enlarged picture is mostly in between. */
async function sharpness(page) {
  const rect = await lesson(page, (it) => it.rectOf('pattern.1.1.2'));
  const picture = await pixels(page, { clip: { x: rect.x, y: rect.y, width: rect.w, height: rect.h } });
  const centre = picture.at(3, Math.floor(picture.height / 2));
  let [ink, edge] = [0, 0];
  for (let i = 0; i < picture.data.length; i += 4) {
    const far = apart([...picture.data.subarray(i, i + 3)], centre);
    const most = apart([0, 0, 0], centre);
    if (far > most * 0.85) ++ink;
    else if (far > most * 0.15) ++edge;
  }
  return ink / (ink + edge);
}

/** Hovers the number and says which cell the lesson explains. */
async function hovered(page, frame, cell, offset = { x: 0, y: 0 }) {
  const { x, y } = await placeOf(frame, cell);
  await page.mouse.move(x + offset.x, y + offset.y);
  return lesson(frame, (it) => it.describe().sentence);
}

async function hoverAgrees(page, frame, offset) {
  const sentences = new Set();
  for (const [cell, pattern] of [['pattern.1.1.1', /head 1.*dogs/], ['pattern.2.2.1', /head 2.*bark/], ['X.1.1', /dogs, noun/], ['X.2.6', /bark, second/]]) {
    const sentence = await hovered(page, frame, cell, offset);
    assert.match(sentence, pattern, cell);
    sentences.add(sentence);
  }
  assert.equal(sentences.size, 4);
}

test('the cell under the pointer reacts, under CSS transforms', async (t) => {
  const page = await openBlank(t, { size: [1300, 900] });
  for (const css of ['transform:scale(0.5);transform-origin:0 0', 'transform:scale(0.8) translate(40px,30px)', 'zoom:0.75', 'margin:17.5px 0 0 23.25px;border:3px solid;padding:5px']) {
    await page.evaluate(() => document.body.replaceChildren());
    await mountIn(page, { style: `width:1180px;height:780px;${css}`, options: { query: '?step=softmax&motion=reduced' } });
    await running(page);
    await hoverAgrees(page, page);
  }
});

test('the cell under the pointer reacts, on a scrolled page', async (t) => {
  const page = await openBlank(t, { size: [1300, 800] });
  const block = '<div style="height:1234px;width:2000px"></div>';
  await mountIn(page, { style: 'width:1180px;height:760px;margin-left:300px', options: { query: '?step=softmax&motion=reduced' }, around: [block, block] });
  await page.evaluate(() => scrollTo(280, 1230));
  await running(page);
  await hoverAgrees(page, page);
});

test('the cell under the pointer reacts, in an iframe on a scrolled page', async (t) => {
  const page = await openBlank(t, { size: [1300, 800] });
  await page.evaluate(() => {
    document.body.innerHTML = '<div style="height:900px"></div><iframe style="width:1150px;height:770px;border:7px solid;margin-left:50px"></iframe><div style="height:900px"></div>';
    document.querySelector('iframe').src = '../site/index.html?step=softmax&motion=reduced';
    scrollTo(0, 880);
  });
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForFunction(() => document.querySelector('.headscope')?.lesson.stats.frames > 0);
  const box = await page.locator('iframe').boundingBox();
  await hoverAgrees(page, frame, { x: box.x + 7, y: box.y + 7 });
});

test('nothing of the page shines through the canvas', async (t) => {
  const page = await openBlank(t, { size: [1180, 790] });
  await page.evaluate(() => (document.body.style.background = '#ff00ff'));
  await mountIn(page, { style: 'width:1180px;height:790px', options: { query: '?step=softmax&motion=reduced' } });
  await running(page);
  const alpha = await page.evaluate(() =>
    document.querySelector('.headscope').shadowRoot.querySelector('canvas').getContext('webgl2').getContextAttributes().alpha);
  assert.equal(alpha, false);
  const { data } = await pixels(page.locator('canvas.canvas'));
  let pink = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] > 200 && data[i + 1] < 120 && data[i + 2] > 200) ++pink;
  assert.equal(pink, 0);
});

test('started hidden, it has the right size when it is shown', async (t) => {
  const page = await openBlank(t, { size: [1180, 790] });
  await mountIn(page, { style: 'width:1000px;height:640px;display:none', options: { query: '?step=softmax&motion=reduced&theme=light' } });
  await page.evaluate(() => document.querySelector('.headscope').lesson.ready.then(() => 1));
  assert.equal(await lesson(page, (it) => it.stats.frames), 0, 'nothing is drawn while nothing is seen');
  assert.equal(await lesson(page, (it) => it.describe().step), 6, 'and yet it runs');
  await page.evaluate(() => (document.querySelector('.headscope').parentElement.style.display = ''));
  await running(page);
  assert.deepEqual(await backing(page), [1000, 640]);
  await cornersAreDrawn(page, 'shown late');
});

test('an element without a height gets one; an element with one keeps it', async (t) => {
  const page = await openBlank(t, { size: [1280, 1000] });
  await mountIn(page, { style: 'width:1200px', options: { query: '?motion=reduced' } });
  await running(page);
  const height = (await backing(page))[1];
  assert.ok(height >= 600 && height <= 900, `${height} CSS pixels`);
  await page.evaluate(() => document.body.replaceChildren());
  await mountIn(page, { style: 'width:1200px;height:300px', options: { query: '?motion=reduced' } });
  await running(page);
  assert.deepEqual(await backing(page), [1200, 300]);
  await page.evaluate(() => document.body.replaceChildren());
  await mountIn(page, { style: 'width:800px', options: { query: '?motion=reduced', height: '512px' } });
  await running(page);
  assert.deepEqual(await backing(page), [800, 512]);
});

test('a window that is dragged smaller and larger is never blank', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced', { size: [1280, 800] });
  for (const [width, height] of [[1000, 700], [700, 800], [390, 844], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction(([w, h]) => {
      const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
      return canvas.width === w && canvas.height === h;
    }, [width, height]);
    assert.ok(colours(await pixels(page.locator('canvas.canvas'))) > 20, `${width}x${height}`);
  }
});
