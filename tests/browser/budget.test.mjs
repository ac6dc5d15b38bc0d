// The budget in the page: its address, its fields and sliders, its refusals, its four views.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focusCanvas, lesson, openShell, running, settled, useBrowser } from './support.mjs';
import { colours, pixels } from './pixels.mjs';
import { act, describe, described } from './gallery.mjs';

useBrowser();

/** A field of the mirror by its action, through the description's order. */
async function fieldOf(page, action) {
  const { fields } = await describe(page);
  const place = fields.findIndex((it) => it.action === action);
  assert.ok(place >= 0, `${action} is a field`);
  return page.locator('.mirror .fields input').nth(place);
}
const valueOf = async (page, action) => (await describe(page)).fields.find((it) => it.action === action).value;

test('a preset has an address, and reloading restores it', async (t) => {
  const page = await openShell(t, '?page=budget&motion=reduced');
  await act(page, 'preset:gpt3');
  await act(page, 'size:n=2048');
  await page.waitForFunction(() => /budget=gpt3,n:2048/.test(decodeURIComponent(location.search)));
  await page.reload();
  await running(page);
  await described(page, "it.page === 'budget'");
  assert.equal(await valueOf(page, 'size:d_model='), '12288');
  assert.equal(await valueOf(page, 'size:n='), '2048');
  const text = JSON.stringify(await describe(page)).replaceAll('\u2009', '').replaceAll(/(\d)[, ](?=\d{3})/g, '$1');
  assert.ok(text.includes('603979776'), '604 M in each layer');
  assert.ok(text.includes('57982058496'), '58.0 B in 96 layers');
});

test('512 with 12 heads is refused in the right words, and nothing changes', async (t) => {
  const page = await openShell(t, '?page=budget&motion=reduced');
  const before = await describe(page);
  const heads = await fieldOf(page, 'size:h=');
  await heads.fill('12');
  await heads.press('Tab');
  await described(page, "/512/.test(it.notice) && /12/.test(it.notice)");
  const { notice } = await describe(page);
  assert.match(notice, /42\.67/);
  assert.match(notice, /\b8\b/, 'the heads that do divide are named');
  assert.equal(await valueOf(page, 'size:h='), '8');
  assert.deepEqual((await describe(page)).tables, before.tables);
  await act(page, 'notice:');
  await heads.fill('16');
  await heads.press('Tab');
  await described(page, "it.fields.find((f) => f.action === 'size:d_k=').value === '32'");
});

test('every view draws, at each size and in both themes', async (t) => {
  for (const size of [[1280, 800], [900, 600], [390, 844]]) {
    for (const theme of ['light', 'dark']) {
      const page = await openShell(t, `?page=budget&motion=reduced&theme=${theme}`, { size });
      for (const view of ['parameters', 'compute', 'rank', 'code']) {
        await act(page, `view:${view}`);
        await settled(page);
        assert.ok(colours(await pixels(page.locator('canvas.canvas'))) > 8, `${view} ${size} ${theme}`);
      }
    }
  }
});

test('a slider is moved by keys, and a number is typed on the canvas', async (t) => {
  const page = await openShell(t, '?page=budget&motion=reduced');
  await focusCanvas(page);
  const h = () => valueOf(page, 'size:h=');
  const before = await h();
  for (let i = 0; i < 40 && (await h()) === before; ++i) {
    await page.keyboard.press('Tab');
    const now = await describe(page);
    assert.equal(now.page, 'budget');
    const d_model = await valueOf(page, 'size:d_model=');
    await page.keyboard.press('ArrowRight');
    if ((await valueOf(page, 'size:d_model=')) !== d_model) await act(page, `size:d_model=${d_model}`);
  }
  assert.notEqual(await h(), before, 'the slider of h answers to an arrow key');

  const place = await page.evaluate(() => {
    const canvas = document.querySelector('.headscope').shadowRoot.querySelector('canvas');
    for (let y = 4; y < 800; y += 6) {
      for (let x = 4; x < 400; x += 12) {
        canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, isPrimary: true, pointerType: 'mouse' }));
        if (canvas.style.cursor === 'text') return { x: x + 8, y: y + 4 };
      }
    }
    return null;
  });
  assert.ok(place, 'a field is on the canvas');
  await page.mouse.click(place.x, place.y);
  const input = page.locator('.editor input');
  await input.waitFor();
  await input.fill('1024');
  await page.keyboard.press('Enter');
  await described(page, "it.fields.find((f) => f.action === 'size:d_model=').value === '1024'");
});

test('the lesson’s page and its text say the same sizes', async (t) => {
  const page = await openShell(t, '?page=budget&budget=lesson&motion=reduced');
  const { tables, sentence } = await describe(page);
  assert.ok(tables.length >= 2);
  assert.ok(sentence.length > 10);
  assert.equal(await lesson(page, (it) => it.dispatch('size:h=4')) === null, false, 'h = 4 does not divide 6');
});
