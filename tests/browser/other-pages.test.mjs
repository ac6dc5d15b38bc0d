// The code of the other pages than the walkthrough: fetched when one is wanted, once, and said when it can't be.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  atStep, dispatch, lesson, manifest, mountIn, newPage, openBlank, openShell, running, server, settled, site, steps, useBrowser,
} from './support.mjs';
import { described, noticeMatches, noticeOf, reachesStep } from './gallery.mjs';

useBrowser();

const pagesFile = () => manifest().files.simdPages.file;
const pageOf = (page) => lesson(page, (it) => it.describe()?.page);

/** Which wasm files a page asks for, in order. */
function wasmOf(page) {
  const asked = [];
  page.on('request', (request) => request.url().endsWith('.wasm') && asked.push(request.url().split('/').pop()));
  return asked;
}

/** The pages' file waits for the returned function. */
async function hold(page) {
  let release;
  const until = new Promise((resolve) => (release = resolve));
  await page.route(`**/${pagesFile()}`, async (route) => {
    await until;
    await route.continue().catch(() => {}); // the page may be gone
  });
  return release;
}

test('the walkthrough alone comes first; a pointer on a tab fetches the rest, a press opens the page', async (t) => {
  const page = await newPage(t);
  const asked = wasmOf(page);
  await page.goto(`${(await server()).url}site/index.html?motion=reduced`);
  await running(page);
  await page.mouse.move(600, 400);
  await page.waitForTimeout(300);
  assert.deepEqual(asked, [manifest().files.simdWasm.file]);
  for (let x = 300; x < 700 && asked.length < 2; x += 20) {
    await page.mouse.move(x, 24);
    await page.waitForTimeout(60);
  }
  assert.deepEqual(asked, [manifest().files.simdWasm.file, pagesFile()]);
  assert.equal(await pageOf(page), 'walkthrough');
  for (const name of ['budget', 'gallery', 'practice', 'walkthrough', 'budget']) {
    assert.equal(await dispatch(page, `page:${name}`), null);
    await described(page, `it.page === '${name}'`);
  }
  assert.equal(asked.filter((file) => file === pagesFile()).length, 1);
});

test('the walkthrough does all it can do without the other pages', async (t) => {
  const page = await newPage(t, { allow: /ERR_FAILED|headscope-pages/ });
  await page.route(`**/${pagesFile()}`, (route) => route.abort());
  for (const query of ['', '?step=softmax&head=2&cell=pattern.1.2.1&mask=causal&set=X.1.3:0.5&theme=dark', '?utm_source=course&step=99&cell=x&set=y:1']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${(await server()).url}site/index.html${query}`);
    await running(page);
    for (const step of steps) {
      await dispatch(page, `step:${step}`);
      await atStep(page, await lesson(page, (it) => it.describe().step_name));
    }
    for (const action of ['head:2', 'pin:pattern.1.2.1', 'hover:Q.1.1.1', 'focus:X.1.1', 'set:X.1.3=0.25', 'set:W_Q.1.1.1=-3', 'causal:on', 'may:1.2',
      'undo', 'redo', 'reset', 'theme:light', 'motion:full', 'step:input', 'play', 'pause', 'motion:reduced', 'system:reduced', 'notice:well', 'notice:', 'pin:']) {
      await dispatch(page, action);
      await page.waitForTimeout(20);
    }
    for (const action of ['nonsense', 'set:pattern.1.1.1=3', 'set:X.1.1=nan', 'head:9', 'undo:x', 'page:unheard']) assert.notEqual(await dispatch(page, action), null, action);
    for (const [x, y] of [[400, 300], [500, 420], [700, 200], [200, 600]]) await page.mouse.click(x, y);
    await page.keyboard.press('Escape');
    await lesson(page, (it) => it.element.querySelector('.headscope')?.shadowRoot.querySelector('canvas').focus());
    for (const key of [...Array(12).fill('Tab'), 'Escape', 'ArrowRight', 'ArrowDown', 'Home', 'End', 'PageDown']) await page.keyboard.press(key);
    for (const [width, height] of [[390, 844], [900, 600], [320, 480], [1920, 1080]]) {
      await page.setViewportSize({ width, height });
      await settled(page);
    }
    for (const next of ['?step=mask&mask=1.2', '?step=concat', '']) await lesson(page, (it, text) => { it.query = text; }, next);
    await lesson(page, (it) => it.describe());
    const frames = await lesson(page, (it) => it.stats.frames);
    await dispatch(page, 'step:output');
    await page.waitForFunction((n) => document.querySelector('.headscope').lesson.stats.frames > n, frames); // it lives
  }
});

for (const [name, query] of [['budget', '?page=budget&view=rank'], ['gallery', '?page=gallery'], ['practice', '?practice=weight&page=practice&seed=3']]) {
  test(`a link to ${name} fetches both at once and shows nothing else first`, async (t) => {
    const page = await newPage(t);
    const asked = wasmOf(page);
    const firstSeen = page.waitForFunction(() => document.querySelector('.headscope')?.lesson?.describe()?.page);
    await page.goto(`${(await server()).url}site/index.html${query}`);
    assert.equal(await (await firstSeen).jsonValue(), name);
    await running(page);
    assert.deepEqual(asked.sort(), [manifest().files.simdWasm.file, pagesFile()].sort());
  });
}

test('while they are on their way the tab says so, the walkthrough goes on, and the page opens in the end', async (t) => {
  const page = await newPage(t);
  const release = await hold(page);
  await page.goto(`${(await server()).url}site/index.html?motion=reduced`);
  await running(page);
  await dispatch(page, 'page:budget');
  await dispatch(page, 'view:compute');
  await noticeMatches(page, /The other pages are on their way\./);
  assert.equal(await pageOf(page), 'walkthrough');
  await dispatch(page, 'step:softmax');
  await atStep(page, 'Softmax');
  release();
  await described(page, "it.page === 'budget'");
  assert.equal(await noticeOf(page), '');
  assert.match(await lesson(page, (it) => it.query), /view=compute/);
  await dispatch(page, 'page:walkthrough');
  assert.equal(await lesson(page, (it) => it.describe().step_name), 'Softmax');
});

test('who turns back while they are on their way stays', async (t) => {
  const page = await newPage(t);
  const release = await hold(page);
  await page.goto(`${(await server()).url}site/index.html?motion=reduced`);
  await running(page);
  await dispatch(page, 'page:budget');
  await dispatch(page, 'page:walkthrough');
  release();
  await page.waitForTimeout(500);
  assert.equal(await pageOf(page), 'walkthrough');
  assert.equal(await noticeOf(page), '');
});

test('when they can’t be had the reason is said, and asking again tries again', async (t) => {
  const page = await newPage(t, { allow: /ERR_FAILED|headscope-pages|404/ });
  const answers = [(route) => route.abort(), (route) => route.fulfill({ status: 404, body: '' }), (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    (route) => route.fulfill({ contentType: 'application/wasm', body: Buffer.from('\0asm\x01\0\0\0garbage') }),
    (route) => route.fulfill({ contentType: 'application/wasm', path: join(site, manifest().files.scalarPages.file) })];
  const reasons = [/could not be fetched \(headscope-pages.*no network/, /the server answered 404/, /sent something else/, /can't run the other pages’ code: .*compile/, /can't run the other pages’ code: .*instantiate/];
  let answer = null;
  await page.route(`**/${pagesFile()}`, (route) => (answer ? answer(route) : route.continue()));
  await page.goto(`${(await server()).url}site/index.html?step=softmax&motion=reduced`);
  await running(page);
  for (const [i, reason] of reasons.entries()) {
    answer = answers[i];
    assert.equal(await dispatch(page, 'page:budget'), null);
    await noticeMatches(page, reason);
    assert.equal(await pageOf(page), 'walkthrough');
    assert.equal(await lesson(page, (it) => it.describe().step_name), 'Softmax');
  }
  answer = null;
  await dispatch(page, 'page:budget');
  await described(page, "it.page === 'budget'");
  assert.equal(await noticeOf(page), '');
});

test('a link to another page whose code can’t be had says so in place of the lesson', async (t) => {
  const page = await newPage(t, { allow: /ERR_FAILED|headscope-pages/ });
  await page.route(`**/${pagesFile()}`, (route) => route.abort());
  await page.goto(`${(await server()).url}site/index.html?page=budget`);
  await page.getByText(/The other pages’ code could not be fetched/).waitFor();
  await page.unroute(`**/${pagesFile()}`);
  await page.getByRole('button', { name: 'Reload' }).click();
  await running(page);
  assert.equal(await pageOf(page), 'budget');
});

test('every action of another page waits, and is carried out or refused then', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const actions = ['map:2.1', 'map-hover:1', 'at:3.5', 'at-hover:1.1', 'role:verb_subject', 'panel:training', 'source:trained', 'sentence:the dogs bark',
    'example:7', 'example-for:verb_subject', 'asking:visible', 'contributions:on', 'plan:heads=4', 'plan:heads=99', 'scrub:600', 'preset:gpt3', 'size:h=7', 'view:rank',
    'target:first', 'amount:W_Q', 'practice:weight', 'practice-seed:4', 'answer:0.5', 'try-again', 'hint', 'solution', 'question:3', 'next-question', 'show-on-canvas', 'train:pause'];
  for (const action of actions) {
    const fresh = await openBlank(t);
    await mountIn(fresh);
    await running(fresh);
    await dispatch(fresh, action); // null, or a refusal of its wording
    await dispatch(fresh, 'page:budget');
    await described(fresh, "it.page === 'budget'");
    await fresh.context().close();
  }
  await dispatch(page, 'practice:weight');
  await dispatch(page, 'page:practice');
  await dispatch(page, 'answer:0.119');
  await described(page, "it.page === 'practice'");
  assert.match(await lesson(page, (it) => it.query), /practice=weight.*progress=1/);
});

test('an address set on a running lesson waits for them; of two the later one is opened', async (t) => {
  const page = await newPage(t);
  const release = await hold(page);
  await page.goto(`${(await server()).url}site/index.html?motion=reduced`);
  await running(page);
  await lesson(page, (it) => { it.query = '?page=budget&budget=gpt3'; });
  await lesson(page, (it) => { it.query = '?page=practice&practice=score'; });
  assert.equal(await pageOf(page), 'walkthrough');
  release();
  await described(page, "it.page === 'practice'");
  await page.waitForTimeout(300);
  assert.equal(await pageOf(page), 'practice');
});

test('two lessons on a page share what is fetched; one that is destroyed meanwhile leaves nothing behind', async (t) => {
  const page = await openBlank(t, { size: [1300, 1300] });
  const asked = wasmOf(page);
  const release = await hold(page);
  await mountIn(page);
  await mountIn(page);
  await running(page, 2);
  await dispatch(page, 'page:budget', 0);
  await dispatch(page, 'page:practice', 1);
  await page.waitForTimeout(100);
  await lesson(page, (it) => it.destroy(), null, 0);
  release();
  await page.waitForFunction(() => document.querySelector('.headscope').lesson.describe()?.page === 'practice');
  assert.equal(asked.filter((file) => file === pagesFile()).length, 1);
});

test('a worker that trains has them too, when the walkthrough came first', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  for (const action of ['page:gallery', 'panel:training', 'plan:task=copy-previous', 'plan:layers=1', 'train:start']) await dispatch(page, action);
  await reachesStep(page, 5);
});
