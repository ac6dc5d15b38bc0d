// All nine steps at three sizes in both themes, kept in build/artefacts/screenshots; softmax and output are compared
// with tests/browser/reference. Tolerance: pixelmatch threshold 0.1, at most 0.3 % of the pixels may differ, which
// leaves room for another driver's rounding at edges but not for a moved or missing number.
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
const kept = join(root, 'build/artefacts/screenshots');
const references = join(root, 'tests/browser/reference');

/** Share of pixels that differ; writes the difference beside the screenshot when it is too large. */
function compare(name, png) {
  const found = PNG.sync.read(png);
  const wanted = PNG.sync.read(readFileSync(join(references, name)));
  assert.deepEqual([found.width, found.height], [wanted.width, wanted.height], `${name}: size`);
  const difference = new PNG({ width: found.width, height: found.height });
  const count = pixelmatch(found.data, wanted.data, difference.data, found.width, found.height, { threshold: 0.1 });
  const share = count / (found.width * found.height);
  if (share > allowed) writeFileSync(join(kept, name.replace('.png', '-difference.png')), PNG.sync.write(difference));
  return share;
}

for (const [width, height] of sizes) {
  for (const theme of ['light', 'dark']) {
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
        if (!compared.includes(step)) continue;
        if (process.env.UPDATE_REFERENCE) {
          writeFileSync(join(references, name), png);
        } else if (!existsSync(join(references, name))) {
          problems.push(`${name}: there is no reference; UPDATE_REFERENCE=1 makes one`);
        } else {
          const share = compare(name, png);
          if (share > allowed) problems.push(`${name}: ${(share * 100).toFixed(2)} % of the pixels differ`);
        }
      }
      assert.deepEqual(problems, []);
    });
  }
}
