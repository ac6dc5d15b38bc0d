// Files from the learner and the site's own model: dropped, picked, refused with a sentence; nothing is lost.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lesson, manifest, newPage, openBlank, openShell, running, server, useBrowser } from './support.mjs';
import { act, bert, describe, described, dropFiles, noticeMatches, noticeOf, withoutBert } from './gallery.mjs';

useBrowser();

const withoutModel = () => (manifest().files.model ? false : 'this site has no trained model');

/** A folder of files to drop, gone with the test. */
function folderOf(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'headscope-files-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return (name) => join(folder, name);
}

const withoutNotice = ({ notice, ...rest }) => rest;

/** Nothing but the notice differs from `before`. */
async function nothingElseChanged(page, before) {
  assert.deepEqual(withoutNotice(await describe(page)), withoutNotice(before));
}

test('attention of a real BERT and its parse are dropped together, and shown', { skip: withoutBert }, async (t) => {
  const page = await openShell(t, '?motion=reduced');
  await dropFiles(page, bert);
  await described(page, "it.page === 'gallery' && it.query.includes('gallery')");
  const { notice, tables } = await describe(page);
  assert.equal(notice, '');
  assert.ok(tables.some(({ rows }) => rows.includes('[CLS]') && rows.includes('[SEP]')), 'its tokens are named');
});

test('the weights alone will do', { skip: withoutBert }, async (t) => {
  const page = await openShell(t, '?page=gallery&motion=reduced');
  await dropFiles(page, [bert[0]]);
  await page.waitForFunction(() => {
    const it = document.querySelector('.headscope').lesson.describe();
    return it.tables.length > 0 || it.notice !== '';
  });
});

test('what is no file of ours is refused by name, and nothing changes', async (t) => {
  const page = await openShell(t, '?step=softmax&motion=reduced');
  await act(page, 'set:X.1.1=3');
  const before = await describe(page);
  const path = folderOf(t, {
    'rubbish.safetensors': Buffer.from('this is not a model'),
    'empty.safetensors': Buffer.alloc(0),
    'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47]),
    'nul.safetensors': Buffer.alloc(4096),
    'huge-header.safetensors': Buffer.from([255, 255, 255, 255, 255, 255, 255, 127, 123, 125]),
  });
  for (const name of ['rubbish.safetensors', 'empty.safetensors', 'picture.png', 'nul.safetensors', 'huge-header.safetensors']) {
    await act(page, 'notice:');
    await dropFiles(page, [path(name)]);
    await noticeMatches(page, /\w/);
    await nothingElseChanged(page, before);
  }
});

test('a bad companion is refused, and nothing changes', { skip: withoutBert }, async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const before = await describe(page);
  const path = folderOf(t, { 'bad.json': '{"tokens": ["only", "two"]}' });
  await dropFiles(page, [bert[0], path('bad.json')]);
  await noticeMatches(page, /token/);
  await nothingElseChanged(page, before);
});

test('too many, a companion alone, a folder, a file of more than 256 MB: a sentence each', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const before = await describe(page);
  const path = folderOf(t, { 'a.safetensors': 'a', 'b.safetensors': 'b', 'c.json': '{}', 'large.safetensors': '' });
  truncateSync(path('large.safetensors'), 257 * 1024 * 1024);
  mkdirSync(path('folder'));
  const cases = [
    [['a.safetensors', 'b.safetensors'], /2 files at once/],
    [['c.json'], /goes with a \.safetensors/],
    [['folder'], /folder/],
    [['large.safetensors'], /large\.safetensors is too large: 257 MB; at most 256 MB/],
  ];
  for (const [names, pattern] of cases) {
    await dropFiles(page, names.map(path));
    await noticeMatches(page, pattern);
    await nothingElseChanged(page, before);
  }
});

test('only files are taken: text that is dragged over the lesson stays the page’s', async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const prevented = await page.evaluate(() => {
    const host = document.querySelector('.headscope');
    const canvas = host.shadowRoot.querySelector('canvas');
    const drag = (type, dataTransfer) =>
      !canvas.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    const text = new DataTransfer();
    text.setData('text/plain', 'some words');
    const file = new DataTransfer();
    file.items.add(new File(['x'], 'x.txt'));
    const found = [drag('dragover', text), drag('drop', text), host.hasAttribute('data-dragging'), drag('dragover', file)];
    found.push(host.hasAttribute('data-dragging'));
    drag('dragleave', file);
    return [...found, host.hasAttribute('data-dragging')];
  });
  assert.deepEqual(prevented, [false, false, false, true, true, false]);
  assert.equal(await noticeOf(page), '');
});

test('the text version has a button that opens the browser’s own dialogue', { skip: withoutBert }, async (t) => {
  const page = await openShell(t, '?page=gallery&motion=reduced');
  await page.getByRole('button', { name: 'Text version' }).press('Enter');
  for (const again of [false, true]) {
    const chosen = page.waitForEvent('filechooser');
    await page.locator('.opener').click();
    const chooser = await chosen;
    assert.ok(chooser.isMultiple());
    if (!again) await chooser.setFiles([]); // the learner thinks better of it
    else await chooser.setFiles(bert);
  }
  await described(page, "it.tables.some(({ rows }) => rows.includes('[SEP]'))");
});

test('openFile opens, and says why it doesn’t', { skip: withoutBert }, async (t) => {
  const page = await openShell(t, '?motion=reduced');
  const [weights, parse] = bert.map((path) => readFileSync(path).toString('base64'));
  const answers = await page.evaluate(async ([a, b]) => {
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const { lesson: it } = document.querySelector('.headscope');
    const refused = await it.openFile(new File(['no'], 'no.safetensors'));
    const taken = await it.openFile(new File([bytes(a)], 'mine.safetensors'), new File([bytes(b)], 'mine.json'));
    return [refused, taken, it.describe().page];
  }, [weights, parse]);
  assert.match(answers[0], /\w/);
  assert.deepEqual(answers.slice(1), [null, 'gallery']);
});

test('a file that comes after the end does no harm', async (t) => {
  const page = await openBlank(t);
  const answer = await page.evaluate(async () => {
    const instance = window.mount(document.body, { height: 500 });
    await instance.ready;
    const late = instance.openFile(new File(['x'.repeat(1e6)], 'x.safetensors'));
    instance.destroy();
    return [await late, await instance.openFile(new File(['x'], 'x'))];
  });
  assert.deepEqual(answer, [null, 'the lesson is not running']);
});

test('the model is fetched with the gallery, once, and not before', { skip: withoutModel() }, async (t) => {
  const page = await newPage(t);
  const asked = [];
  page.on('request', (request) => asked.push(request.url().split('/').pop()));
  await page.goto(`${(await server()).url}site/index.html?motion=reduced`);
  await running(page);
  const { file } = manifest().files.model;
  await act(page, 'next');
  assert.ok(!asked.includes(file));
  await act(page, 'page:gallery');
  await described(page, 'it.tables.length > 0');
  await act(page, 'page:walkthrough');
  await act(page, 'page:gallery');
  await page.waitForTimeout(200);
  assert.equal(asked.filter((name) => name === file).length, 1);
});

test('a link to the gallery brings the model by itself', { skip: withoutModel() }, async (t) => {
  const page = await openShell(t, '?page=gallery&motion=reduced');
  await described(page, 'it.tables.length > 0');
});

test('a model that can’t be fetched is a sentence, and is tried again when the gallery is opened again', { skip: withoutModel() }, async (t) => {
  const page = await newPage(t, { allow: /404|Failed to load/ });
  await page.route('**/model-*.safetensors', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${(await server()).url}site/index.html?page=gallery&motion=reduced`);
  await running(page);
  await noticeMatches(page, /trained model could not be fetched.*404/);
  await act(page, 'notice:');
  await page.waitForTimeout(300);
  assert.equal(await noticeOf(page), '', 'it is not tried all the time');
  await page.unroute('**/model-*.safetensors');
  await act(page, 'page:walkthrough');
  await act(page, 'page:gallery');
  await described(page, 'it.tables.length > 0');
});

test('a page in place of the model is refused', { skip: withoutModel() }, async (t) => {
  const page = await newPage(t);
  await page.route('**/model-*.safetensors', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${(await server()).url}site/index.html?page=gallery&motion=reduced`);
  await running(page);
  await noticeMatches(page, /\w/);
  assert.equal(await lesson(page, (it) => it.describe().page), 'gallery');
});

test('the trained model is at most 400 KB over the wire', { skip: withoutModel() }, () => {
  const { model, modelScript } = manifest().files;
  for (const { file, brotli } of [model, modelScript]) assert.ok(brotli <= 400 * 1024, `${file}: ${brotli} bytes`);
});
