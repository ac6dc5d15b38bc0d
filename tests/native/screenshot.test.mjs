// headscope --screenshot: pictures of exact size, without a display.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { PNG } from 'pngjs';

import { countColours, difference, folder, pixel, run, screenshot } from './support.mjs';

test('a picture of 1280 x 800 is drawn when no size is given', (t) => {
  const where = folder(t);
  const { status, err } = run('--screenshot', join(where, 'page.png'), '--url', '?step=softmax');
  assert.equal(status, 0, err);
  assert.deepEqual(readdirSync(where), ['page.png']);
  const picture = PNG.sync.read(readFileSync(join(where, 'page.png')));
  assert.deepEqual([picture.width, picture.height], [1280, 800]);
  assert.ok(countColours(picture) > 100, 'text and cells have many shades');
});

test('sizes and pixel ratios are exact, and the whole picture is drawn', () => {
  const cases = [['900x600', 1, 900, 600], ['390x844', 2, 780, 1688], ['321x401', 1.5, 482, 602]];
  for (const [size, ratio, width, height] of cases) {
    const picture = screenshot('--size', size, '--pixel-ratio', String(ratio));
    assert.deepEqual([picture.width, picture.height], [width, height]);
    for (const [x, y] of [[0, 0], [width - 1, 0], [0, height - 1], [width - 1, height - 1]])
      assert.notDeepEqual(pixel(picture, x, y), [0, 0, 0], `${size} at ${ratio}: corner ${x}, ${y} was never drawn`);
    assert.ok(countColours(picture) > 50);
  }
});

test('the same view gives the same picture, another step another one', () => {
  const softmax = screenshot('--url', '?step=softmax');
  assert.equal(difference(softmax, screenshot('--url', '?step=softmax')), 0);
  assert.ok(difference(softmax, screenshot('--url', '?step=input')) > 0.01);
});

test('dark is dark, whether the view or the option asks for it', () => {
  const light = screenshot('--url', '?step=softmax');
  const dark = screenshot('--url', '?step=softmax&theme=dark');
  assert.ok(pixel(light, 2, 400).every((channel) => channel > 200));
  assert.ok(pixel(dark, 2, 400).every((channel) => channel < 80));
  assert.equal(difference(dark, screenshot('--url', '?step=softmax', '--theme', 'dark')), 0);
  assert.equal(difference(light, screenshot('--url', '?step=softmax&theme=dark', '--theme', 'light')), 0);
});
