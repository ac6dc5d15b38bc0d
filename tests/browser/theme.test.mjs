// Light and dark, moving and still: the learner's choice, else the page's, else the system's, also when they change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatch, lesson, mountIn, openBlank, openShell, running, settled, useBrowser } from './support.mjs';
import { apart, pixels } from './pixels.mjs';

useBrowser();

const paper = { light: [0xfb, 0xfa, 0xf6], dark: [0x16, 0x15, 0x13] };

async function becomes(page, theme) {
  await page.waitForFunction((name) => document.querySelector('.headscope').dataset.theme === name, theme);
  await settled(page);
  const picture = await pixels(page.locator('canvas.canvas').first());
  assert.ok(apart(picture.at(2, 2), paper[theme]) <= 2, `${picture.at(2, 2)} is not the ${theme} page`);
}

test('automatic follows the system, and its changes', async (t) => {
  const page = await openShell(t, '', { colorScheme: 'dark' });
  await becomes(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await becomes(page, 'light');
});

test('the learner’s choice wins over the system', async (t) => {
  const page = await openShell(t, '?theme=light', { colorScheme: 'dark' });
  await becomes(page, 'light');
  await dispatch(page, 'theme:automatic');
  await becomes(page, 'dark');
});

test('a page with one colour scheme wins over the system, also when it changes its mind', async (t) => {
  const page = await openBlank(t, { colorScheme: 'light' });
  await page.evaluate(() => {
    document.head.insertAdjacentHTML('beforeend', '<style>.night { color-scheme: dark } .both { color-scheme: light dark }</style>');
    document.documentElement.className = 'night';
  });
  await mountIn(page);
  await running(page);
  await becomes(page, 'dark');
  await page.evaluate(() => (document.documentElement.className = 'both'));
  await becomes(page, 'light');
});

test('the page may say which: options.theme', async (t) => {
  const page = await openBlank(t, { colorScheme: 'light' });
  await mountIn(page, { options: { theme: 'dark' } });
  await running(page);
  await becomes(page, 'dark');
});

test('reduced motion: a step is there at once, and the player refuses', async (t) => {
  const page = await openShell(t, '?step=scale', { reducedMotion: 'reduce' });
  await settled(page);
  const before = await lesson(page, (it) => it.stats.frames);
  await dispatch(page, 'step:softmax');
  await settled(page);
  const drawn = (await lesson(page, (it) => it.stats.frames)) - before;
  assert.ok(drawn <= 3, `${drawn} frames for a step that does not glide`);
  assert.match(await dispatch(page, 'play'), /motion/i);
});
