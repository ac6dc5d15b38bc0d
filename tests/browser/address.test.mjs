// The query string holds the view: it follows what one does, opening it restores it, and no query does harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atStep, dispatch, lesson, mountIn, openBlank, openShell, placeOf, running, stepOf, tables, useBrowser, valueBecomes, valueOf,
} from './support.mjs';

useBrowser();

const search = (page) => page.evaluate(() => location.search);

test('what one does comes into the address, and reloading restores it', async (t) => {
  const page = await openShell(t, '?motion=reduced#part');
  await dispatch(page, 'step:softmax');
  await dispatch(page, 'head:2');
  await dispatch(page, 'set:X.1.3=0.5');
  await dispatch(page, 'set:W_Q.1.2.1=-3');
  await dispatch(page, 'theme:dark');
  const { x, y } = await placeOf(page, 'pattern.2.1.2');
  await page.mouse.click(x, y); // pins it
  await page.waitForFunction(() => /cell=pattern\.2\.1\.2/.test(location.search) && /theme=dark/.test(location.search));
  const query = await lesson(page, (it) => it.query);
  assert.equal(await search(page), query);
  assert.equal(await page.evaluate(() => location.hash), '#part', 'the hash is not ours');
  const [before, sentence] = [await tables(page), await lesson(page, (it) => it.describe().sentence)];
  await page.mouse.move(1, 1);
  await page.reload();
  await running(page);
  assert.equal(await lesson(page, (it) => it.query), query);
  assert.deepEqual(await tables(page), before);
  assert.equal(await lesson(page, (it) => it.describe().sentence), sentence, 'the pinned number is explained again');
  assert.equal(await page.evaluate(() => document.querySelector('.headscope').dataset.theme), 'dark');
});

test('no entry is added to the history', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const length = await page.evaluate(() => history.length);
  for (const action of ['next', 'next', 'next', 'previous']) await dispatch(page, action);
  await page.waitForFunction(() => /step=score/.test(location.search));
  assert.equal(await page.evaluate(() => history.length), length);
});

test('the build that was asked for stays in the address', async (t) => {
  const page = await openShell(t, '?kernel=scalar&motion=reduced');
  await dispatch(page, 'next');
  await page.waitForFunction(() => /step=project/.test(location.search));
  assert.match(await search(page), /kernel=scalar/);
});

test('values out of range are clamped or left out, with a notice', async (t) => {
  const page = await openShell(t, '?step=nonsense&head=99&set=X.9.9:1,X.1.1:nan,X.1.2:4,X.1.3:1e999&motion=reduced');
  assert.equal(await stepOf(page), 'Input');
  const { notice } = await lesson(page, (it) => it.describe());
  assert.match(notice, /nonsense/);
  assert.equal(await page.locator('.mirror .notice').textContent(), notice);
  assert.equal(await valueOf(page, 'X.1.1'), '1');
  assert.equal(await valueOf(page, 'X.1.2'), '4', 'the good part of a bad list is kept');
  assert.ok(Math.abs(Number(await valueOf(page, 'X.1.3'))) <= 1e6, 'no number beyond what one may type');
  assert.match(notice, /X\.9\.9.*nan/s);
});

test('hostile queries and a 100 KB hash do no harm', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced');
  const hostile = [
    '?step=<img onerror=alert(1) src=x>', '?set=%00%ff%fe', '?%', '?=&=&&&', `?set=${'X.1.1:1,'.repeat(3000)}`, '?step=%s%n%x',
    '?head=-1', '?head=4294967297', '?cell=pattern.-1.0.99999999999999999999', '?__proto__=1&constructor=2',
    `?step=${'a'.repeat(100_000)}`, '?step=softmax\u0000&\ud800', '?set=X.1.1:NaN,X.1.1:Infinity,X.1.1:0x10',
  ];
  for (const query of hostile) {
    await lesson(page, (it, text) => { it.query = text; }, query);
    const { step, tables: shown } = await lesson(page, (it) => it.describe());
    assert.ok(step >= 1 && step <= 9, query.slice(0, 40));
    for (const cell of shown.flatMap((table) => table.cells.flat())) {
      assert.ok(Number.isFinite(Number(cell.value)) || cell.masked, `${query.slice(0, 40)}: ${cell.cell} is ${cell.value}`);
    }
  }
  assert.equal(await page.evaluate(() => document.querySelector('.headscope').shadowRoot.querySelector('img')), null);
  await page.goto(`${page.url().split(/[?#]/)[0]}?step=scale#${'x'.repeat(100_000)}`);
  await running(page);
  assert.equal(await stepOf(page), 'Scale');
});

test('an embedded lesson leaves the address alone and tells its page of changes', async (t) => {
  const page = await openBlank(t);
  await mountIn(page, { options: { query: '?step=score&motion=reduced' } });
  await running(page);
  await lesson(page, (it) => {
    window.told = [];
    it.onchange = (instance) => window.told.push(instance.query);
  });
  await dispatch(page, 'next');
  await page.waitForFunction(() => window.told.length > 0);
  assert.match(await page.evaluate(() => window.told.at(-1)), /step=scale/);
  assert.equal(await search(page), '');
  await lesson(page, (it) => { it.query = '?step=output&motion=reduced'; });
  await atStep(page, 'Output');
});

test('a refused action says why and changes nothing', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  for (const action of ['previous', 'set:X.1.1=nan', 'set:pattern.1.1.1=0.5', 'nonsense', '', 'head:9', 'set:X.1.1=1e7']) {
    assert.match((await dispatch(page, action)) ?? '', /\w/, action);
  }
  assert.equal(await dispatch(page, 'set:X.1.1=5'), null);
  await valueBecomes(page, 'X.1.1', '5');
});
