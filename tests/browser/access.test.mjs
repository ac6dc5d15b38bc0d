// What a screen reader gets: axe finds nothing serious, changes are announced, text is text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from './axe.mjs';
import { atStep, dispatch, lesson, newPage, openBlank, openShell, running, server, steps, useBrowser } from './support.mjs';

useBrowser();

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing serious in the shell and the mirror, ${colorScheme}`, async (t) => {
    const page = await openShell(t, '?motion=reduced', { colorScheme });
    for (const step of ['input', 'mask', 'output']) {
      await dispatch(page, `step:${step}`);
      await atStep(page, await lesson(page, (it) => it.describe().step_name));
      assert.deepEqual(await findings(page), [], step);
    }
  });

  test(`axe finds nothing serious in the text version, ${colorScheme}`, async (t) => {
    const page = await openShell(t, '?step=output&motion=reduced&set=X.1.1:2', { colorScheme });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.mirror table').first().waitFor({ state: 'visible' });
    assert.deepEqual(await findings(page), []);
  });

  test(`axe finds nothing serious in the failure page, ${colorScheme}`, async (t) => {
    const page = await newPage(t, { colorScheme, allow: /404|Failed to load/ });
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${(await server()).url}site/index.html`);
    await page.locator('.fallback').waitFor();
    assert.deepEqual(await findings(page), []);
  });
}

test('axe finds nothing serious while a number is edited and refused', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const place = await lesson(page, (it) => it.rectOf('X.1.1'));
  await page.mouse.click(place.x + 10, place.y + 10);
  await page.locator('.editor input').fill('x');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.headscope').shadowRoot.querySelector('.refusal').textContent);
  assert.deepEqual(await findings(page), []);
});

test('what a step says is announced, and only what changed', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const found = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('.headscope');
    const canvas = shadowRoot.querySelector('canvas');
    const description = shadowRoot.getElementById(canvas.getAttribute('aria-describedby'));
    window.said = [];
    new MutationObserver((list) => {
      for (const { target } of list) if (target.closest?.('[aria-live]')) window.said.push(target.textContent);
    }).observe(shadowRoot.querySelector('.mirror'), { subtree: true, childList: true, characterData: true });
    return { role: canvas.getAttribute('role'), label: canvas.getAttribute('aria-label'), described: description?.textContent };
  });
  assert.equal(found.role, 'application');
  assert.match(found.label, /attention/i);
  assert.match(found.described, /\w/);
  await dispatch(page, 'step:softmax');
  await atStep(page, 'Softmax');
  const { title, sentence } = await lesson(page, (it) => it.describe());
  assert.deepEqual(await page.evaluate(() => window.said), [title, sentence]);
  await page.evaluate(() => (window.said = []));
  await dispatch(page, 'theme:dark');
  await page.waitForFunction(() => document.querySelector('.headscope').dataset.theme === 'dark');
  assert.deepEqual(await page.evaluate(() => window.said), [], 'what did not change is not read again');
});

test('every matrix is a table with a caption and headers, every control a button', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  for (const step of steps) {
    await dispatch(page, `step:${step}`);
    await atStep(page, await lesson(page, (it) => it.describe().step_name));
    const { tables, controls } = await lesson(page, (it) => it.describe());
    const dom = await page.evaluate(() => {
      const { shadowRoot } = document.querySelector('.headscope');
      return {
        tables: [...shadowRoot.querySelectorAll('.mirror table')].map((table) => ({
          caption: table.caption.textContent,
          cols: [...table.querySelectorAll('th[scope=col]')].map((it) => it.textContent),
          rows: [...table.querySelectorAll('th[scope=row]')].map((it) => it.textContent),
          values: [...table.querySelectorAll('td[data-cell]')].map((it) => it.dataset.value),
          texts: [...table.querySelectorAll('td[data-cell]')].map((it) => it.querySelector('button:not([hidden]), span:not([hidden])').textContent),
        })),
        controls: [...shadowRoot.querySelectorAll('.mirror .controls button')].map((it) => it.dataset.action),
      };
    });
    const cells = (table, key) => table.cells.flat().map((cell) => cell[key]);
    assert.deepEqual(dom.tables, tables.map((table) => ({
      caption: table.caption, cols: table.cols, rows: table.rows, values: cells(table, 'value'), texts: cells(table, 'text'),
    })), step);
    assert.deepEqual(dom.controls.sort(), controls.map((control) => control.action).sort(), step);
  }
});

test('a control that changes its meaning keeps the focus', async (t) => {
  const page = await openShell(t, '?step=scale&motion=full');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const pause = page.getByRole('button', { name: 'Pause', exact: true });
  await pause.waitFor();
  assert.ok(await pause.evaluate((it) => it.getRootNode().activeElement === it));
});

test('tokens are text, never markup', async (t) => {
  const page = await openBlank(t);
  const hostile = ['<img src=x onerror="window.hit=1">', '%s%n', '</td><script>window.hit=1</script>', '&lt;b&gt;', 'é‮x'];
  const shown = await page.evaluate(async (names) => {
    const { createMirror } = await import('/web/mirror.mjs');
    const mirror = createMirror({ headingLevel: 2, onaction() {}, onedit() {} });
    document.body.append(mirror.element);
    const cell = (row, col) => ({ cell: `X.${row}.${col}`, text: names[col], value: '1', editable: row === 0, edited: true });
    mirror.update({
      title: names[0], subtitle: names[1], sentence: names[2], look_for: names[3], notice: names[4], step_name: 'Input',
      controls: names.map((name) => ({ action: `go:${name}`, label: name, enabled: true, group: names[0] })),
      tables: [{ id: 'X', caption: names[0], stage: 'past', rows: names, cols: names, cells: names.map((_, row) => names.map((__, col) => cell(row, col))) }],
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { element } = mirror;
    return {
      hit: window.hit ?? 0,
      strange: element.querySelectorAll('img, script, b').length,
      title: element.querySelector('h2').textContent,
      rows: [...element.querySelectorAll('th[scope=row]')].map((it) => it.textContent),
      buttons: [...element.querySelectorAll('.controls button')].map((it) => it.textContent),
    };
  }, hostile);
  assert.deepEqual(shown, { hit: 0, strange: 0, title: hostile[0], rows: hostile, buttons: hostile });
});

test('high contrast colours and 200 % text keep the text version readable', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced', { forcedColors: 'active', size: [640, 480] });
  await running(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const table = page.locator('.mirror table[data-table="pattern.1"]');
  await table.scrollIntoViewIfNeeded();
  assert.ok(await table.isVisible());
  const box = await table.boundingBox();
  assert.ok(box.x >= 0 && box.width <= 640, 'no sideways scrolling for a table');
});
