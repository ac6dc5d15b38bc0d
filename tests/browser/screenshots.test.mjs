// All nine steps, the budget's views and practice (asked, missed, solved) at three sizes in both themes, kept in
// build/artefacts/screenshots; softmax, output, the bill and a missed question are compared with tests/browser/reference. Tolerance: pixelmatch threshold 0.1; at most 0.3 % of all pixels may differ, and at most
// 5 % in any tile of 32 x 32. That leaves room for another driver's rounding at edges, not for a moved or missing number;
// one changed digit would pass, and is what the comparison of the mirror with the worked example is for.
// UPDATE_REFERENCE=1 writes the references anew: look at them before they are committed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { atStep, dispatch, lesson, openShell, root, settled, steps, useBrowser } from './support.mjs';

useBrowser();

const sizes = [[1280, 800], [900, 600], [390, 844]];
const compared = ['softmax', 'output'];
const allowed = 0.003;
const options = { threshold: 0.1, includeAA: true, diffMask: true }; // small text is all anti-aliased edges
const tile = 32;
const allowedInTile = 0.05;
const kept = join(root, 'build/artefacts/screenshots');
const references = join(root, 'tests/browser/reference');

const read = (name) => PNG.sync.read(readFileSync(join(references, name)));

/** What is wrong with `found`, or null; writes the difference beside the screenshot. */
function compare(name, found, wanted) {
  const { width, height } = wanted;
  if (found.width !== width || found.height !== height) return `${name}: ${found.width}x${found.height}, wanted ${width}x${height}`;
  const difference = new PNG({ width, height });
  const count = pixelmatch(found.data, wanted.data, difference.data, width, height, options);
  const tiles = new Map();
  for (let i = 3; i < difference.data.length; i += 4) {
    if (difference.data[i] === 0) continue;
    const pixel = (i - 3) / 4;
    const key = `${Math.floor((pixel % width) / tile) * tile}, ${Math.floor(pixel / width / tile) * tile}`;
    tiles.set(key, (tiles.get(key) ?? 0) + 1);
  }
  const [place, most] = [...tiles].sort((x, y) => y[1] - x[1])[0] ?? ['', 0];
  const share = count / (width * height);
  if (share <= allowed && most <= allowedInTile * tile * tile) return null;
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, name.replace('.png', '-difference.png')), PNG.sync.write(difference));
  return `${name}: ${(share * 100).toFixed(2)} % of the pixels differ, ${((most * 100) / tile ** 2).toFixed(0)} % in the tile at ${place}`;
}

test('the comparison notices a number that is missing, and nothing in the same picture', () => {
  const name = 'softmax-light-1280x800.png';
  const wanted = read(name);
  assert.equal(compare(name, wanted, wanted), null);
  const found = read(name);
  for (let y = 318; y < 333; ++y) {
    for (let x = 716; x < 758; ++x) found.data.copy(found.data, (y * 1280 + x) * 4, (312 * 1280 + 716) * 4, (312 * 1280 + 717) * 4);
  }
  assert.match(compare('erased.png', found, wanted), /in the tile at (704|736), 320|in the tile at (704|736), 288/);
});

/** What is wrong with a picture, in a list; or it becomes the reference. */
function asStored(name, png) {
  if (process.env.UPDATE_REFERENCE) {
    writeFileSync(join(references, name), png);
    return [];
  }
  if (!existsSync(join(references, name))) return [`${name}: there is no reference; UPDATE_REFERENCE=1 makes one`];
  const problem = compare(name, PNG.sync.read(png), read(name));
  return problem ? [problem] : [];
}

// What is done before each picture of the other pages.
const pages = {
  budget: { query: 'page=budget', pictures: { bill: [], compute: ['view:compute'], rank: ['view:rank'], code: ['view:code'] } },
  practice: {
    query: 'page=practice&practice=weight&seed=1',
    pictures: { asked: [], missed: ['answer:0.119'], solved: ['solution'] },
  },
};
const comparedPictures = ['bill', 'missed'];

for (const [width, height] of sizes) {
  for (const theme of ['light', 'dark']) {
    for (const [page, { query, pictures }] of Object.entries(pages)) {
      test(`${width}x${height}, ${theme}: ${page}, ${Object.keys(pictures).join(', ')}`, async (t) => {
        mkdirSync(kept, { recursive: true });
        const opened = await openShell(t, `?${query}&theme=${theme}&motion=reduced`, { size: [width, height] });
        const problems = [];
        for (const [picture, actions] of Object.entries(pictures)) {
          for (const action of actions) assert.equal(await dispatch(opened, action), null, action);
          await settled(opened);
          const png = await opened.screenshot();
          const name = `${page}-${picture}-${theme}-${width}x${height}.png`;
          writeFileSync(join(kept, name), png);
          if (comparedPictures.includes(picture)) problems.push(...asStored(name, png));
        }
        assert.deepEqual(problems, []);
      });
    }
    test(`${width}x${height}, ${theme}: nine steps are kept, ${compared.join(' and ')} are as stored`, async (t) => {
      mkdirSync(kept, { recursive: true });
      const page = await openShell(t, `?theme=${theme}&motion=reduced`, { size: [width, height] });
      const problems = [];
      for (const [index, step] of steps.entries()) {
        if (index > 0) assert.equal(await dispatch(page, `step:${step}`), null);
        await atStep(page, await lesson(page, (it) => it.describe().step_name));
        await settled(page);
        const png = await page.screenshot();
        const name = `${step}-${theme}-${width}x${height}.png`;
        writeFileSync(join(kept, `${index + 1}-${name}`), png);
        if (compared.includes(step)) problems.push(...asStored(name, png));
      }
      assert.deepEqual(problems, []);
    });
  }
}
