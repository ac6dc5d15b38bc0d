// The gallery in the page: its address, its mirror, its controls by mouse, its sentence by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from './axe.mjs';
import { canvasHasFocus, focusCanvas, lesson, openShell, running, settled, useBrowser } from './support.mjs';
import { colours, pixels } from './pixels.mjs';
import { act, describe, described, noticeOf, pause, reachesStep, small, stepsTaken } from './gallery.mjs';

useBrowser();

/** The gallery with a trained model to look at: the small one, some steps old, at rest. */
async function openTrained(t, options = {}) {
  const page = await openShell(t, `?${small}`, options);
  await act(page, 'train:start');
  await reachesStep(page, 60);
  await pause(page);
  await act(page, 'source:trained');
  await settled(page);
  return page;
}

const field = (page) => page.locator('.editor input');

/** Where on the canvas the pointer would type: the first place, in reading order, with a text cursor. */
const textPlace = (page) => page.evaluate(() => {
  const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
  const { width, height } = canvas.getBoundingClientRect();
  for (let y = 4; y < height; y += 8) {
    for (let x = 4; x < width; x += 16) {
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, isPrimary: true, pointerType: 'mouse' }));
      if (canvas.style.cursor === 'text') return { x: x + 12, y: y + 6 };
    }
  }
  return null;
});

async function openSentence(page) {
  const place = await textPlace(page);
  assert.ok(place, 'a field for the sentence is on the canvas');
  await page.mouse.click(place.x, place.y);
  await field(page).waitFor();
  return place;
}

test('the gallery has an address, and the walkthrough is where it was', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced');
  await act(page, 'page:gallery');
  await described(page, "it.page === 'gallery'");
  await page.waitForFunction(() => location.search.includes('page=gallery'));
  assert.ok(colours(await pixels(page.locator('canvas.canvas'))) > 10);
  await page.reload();
  await running(page);
  await described(page, "it.page === 'gallery'");
  await act(page, 'page:walkthrough');
  await page.waitForFunction(() => !location.search.includes('gallery'));
  assert.equal(await lesson(page, (it) => it.describe().step_name), 'Softmax');
});

test('pages are chosen in the mirror, and the headings say which', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const before = await page.locator('.mirror .title').textContent();
  await page.locator('.mirror [data-action="page:gallery"]').click();
  await page.waitForFunction((title) => document.querySelector('.headscope').shadowRoot.querySelector('.title').textContent !== title, before);
  assert.equal((await describe(page)).page, 'gallery');
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious in the gallery, as picture and as text, ${colorScheme}`, async (t) => {
    const page = await openTrained(t, { colorScheme });
    for (const panel of ['head', 'training', 'layers']) {
      await act(page, `panel:${panel}`);
      await settled(page);
      assert.deepEqual(await findings(page), [], panel);
    }
    await page.locator('.toggle').press('Enter');
    await page.locator('.mirror .fields input').first().waitFor({ state: 'visible' });
    assert.deepEqual(await findings(page), [], 'text version');
  });
}

test('the mirror holds what the description says: tables, controls, fields, the table of roles', async (t) => {
  const page = await openTrained(t);
  const { tables, controls, fields } = await describe(page);
  await page.waitForFunction((n) => document.querySelector('.headscope').shadowRoot.querySelectorAll('.mirror table').length === n, tables.length);
  const dom = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('.headscope');
    return {
      tables: [...shadowRoot.querySelectorAll('.mirror table')].map((it) => it.dataset.table),
      controls: [...shadowRoot.querySelectorAll('.mirror .controls button')].map((it) => it.dataset.action),
      fields: [...shadowRoot.querySelectorAll('.mirror .fields label')].map((it) => [it.querySelector('span').textContent, it.querySelector('input').value]),
    };
  });
  assert.deepEqual(dom.tables, tables.map(({ id }) => id));
  assert.deepEqual(dom.controls.sort(), controls.map(({ action }) => action).sort());
  assert.deepEqual(dom.fields, fields.map(({ label, value }) => [label, value]));
  assert.ok(tables.some(({ id }) => id === 'roles'), 'the table of roles');
});

test('training is driven by the mouse', async (t) => {
  const page = await openShell(t, `?${small}`, { size: [1280, 800] });
  const { x, y } = await placeOfButton(page);
  await page.mouse.click(x, y);
  await reachesStep(page, 3);
  await page.mouse.click(x, y); // it says "Pause" now
  await page.waitForTimeout(300);
  const paused = await stepsTaken(page);
  await page.waitForTimeout(400);
  assert.equal(await stepsTaken(page), paused);
  await page.mouse.click(x, y);
  await reachesStep(page, paused + 3);
});

/** The first place in the card's first row that starts training when it is pressed. */
async function placeOfButton(page) {
  const found = await page.evaluate(() => {
    const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
    for (let x = 700; x < 1240; x += 8) {
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: 192, isPrimary: true, pointerType: 'mouse' }));
      if (canvas.style.cursor === 'pointer') return { x: x + 16, y: 192 };
    }
    return null;
  });
  assert.ok(found, 'a button in the card');
  return found;
}

test('a sentence is typed on the canvas: clipboard, Escape and Enter as everywhere', async (t) => {
  const page = await openTrained(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openSentence(page);
  const input = field(page);
  assert.equal(await input.getAttribute('inputmode'), 'text');
  assert.equal(await input.evaluate((it) => it.spellcheck), false);
  const box = await input.boundingBox();
  assert.ok(box.width > 150, `${box.width} pixels to type in`);
  const shown = await input.inputValue();
  assert.ok(shown.length > 0, 'the example is there to be changed');
  await page.keyboard.press('Control+c');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);
  await page.keyboard.type('nothing of this');
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  assert.ok(await canvasHasFocus(page));
  assert.doesNotMatch((await describe(page)).query, /sentence=/);
  const words = shown.split(/\s+/).reverse().join(' ');
  await openSentence(page);
  await page.evaluate((text) => navigator.clipboard.writeText(text), words);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'detached' });
  await page.waitForFunction(() => location.search.includes('sentence='));
  assert.ok(await canvasHasFocus(page));
  const { fields } = await describe(page);
  assert.equal(fields.find(({ action }) => action === 'sentence:').value, words);
});

test('a sentence is typed in the text version', async (t) => {
  const page = await openTrained(t);
  const words = (await describe(page)).tables.find(({ id }) => id === 'map').cols.filter((word) => !word.startsWith('['));
  await page.locator('.toggle').press('Enter');
  const input = page.getByLabel('Your own sentence');
  await input.fill(words.slice(0, 3).join(' '));
  await input.press('Enter');
  await described(page, "it.query.includes('sentence=')");
  await input.fill('   half typed');
  await act(page, 'panel:layers'); // the mirror is told anew
  await page.locator('.mirror [data-action="panel:layers"][aria-pressed=true]').waitFor();
  assert.equal(await input.inputValue(), '   half typed', 'what is being typed stays');
  await input.press('Escape');
  assert.equal(await input.inputValue(), words.slice(0, 3).join(' '));
});

test('hostile sentences are text', async (t) => {
  const page = await openTrained(t);
  for (const text of ['<img src=x onerror="window.hit=1">', '</p><script>window.hit=1</script>', '%s %n {{x}} ${y}', '<b>\\_{^', 'é\u202ex \u0000']) {
    await lesson(page, (it, words) => it.dispatch(`sentence:${words}`), text); // refused or shown: both are well
    await settled(page);
    const found = await page.evaluate(() => {
      const { shadowRoot } = document.querySelector('.headscope');
      return [window.hit ?? 0, shadowRoot.querySelectorAll('.mirror :is(img, script, b)').length];
    });
    assert.deepEqual(found, [0, 0], text);
  }
});

/** A file of attention, as base64: one layer of two heads, spread evenly over these tokens. */
function attentionOf(tokens) {
  const n = tokens.length;
  const weights = Buffer.from(new Float32Array(2 * n * n).fill(1 / n).buffer);
  const header = Buffer.from(JSON.stringify({
    __metadata__: { tokens: JSON.stringify(tokens) },
    attention: { dtype: 'F32', shape: [1, 2, n, n], data_offsets: [0, weights.length] },
  }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, weights]).toString('base64');
}

test('hostile tokens and names of a file are text', async (t) => {
  const page = await openShell(t, '?page=gallery&motion=reduced');
  const tokens = ['<img src=x onerror="window.hit=1">', '</td><script>window.hit=1</script>', '%s%n', '<b>\\_{^'];
  const answer = await page.evaluate(([text, name]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return document.querySelector('.headscope').lesson.openFile(new File([bytes], name));
  }, [attentionOf(tokens), '<img src=x onerror="window.hit=1">.safetensors']);
  assert.equal(answer, null);
  await page.waitForFunction((n) => document.querySelector('.headscope').shadowRoot.querySelectorAll('[data-table="map"] tbody tr').length === n, tokens.length);
  const found = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('.headscope');
    return [window.hit ?? 0, shadowRoot.querySelectorAll('.mirror :is(img, script, b)').length,
      [...shadowRoot.querySelectorAll('[data-table="map"] th[scope=row]')].map((it) => it.textContent)];
  });
  assert.deepEqual(found, [0, 0, tokens]);
});

test('by keyboard alone: Tab walks through the gallery and leaves it', async (t) => {
  const page = await openTrained(t);
  await focusCanvas(page);
  let stops = 0;
  while (stops < 80 && (await canvasHasFocus(page))) {
    await page.keyboard.press('Tab');
    stops += 1;
  }
  assert.ok(stops > 4 && stops < 80, `${stops} stops`);
  assert.equal(await noticeOf(page), '');
});

for (const [size, touch] of [[[390, 844], true], [[900, 600], false]]) {
  test(`at ${size.join(' x ')} the sentence is typed, too`, async (t) => {
    const page = await openTrained(t, { size, hasTouch: touch, isMobile: touch });
    const place = await textPlace(page);
    if (!place) return t.skip('the field is further down');
    if (touch) await page.touchscreen.tap(place.x, place.y);
    else await page.mouse.click(place.x, place.y);
    await field(page).waitFor();
    const box = await field(page).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= size[0], `${box.x} … ${box.x + box.width}`);
    assert.equal(await page.locator('.editor .sign').count(), 0, 'words have no sign');
    if (touch) assert.ok(box.height >= 44);
  });
}
