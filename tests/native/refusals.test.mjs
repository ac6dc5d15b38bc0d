// What the native program answers when it can't do what is asked.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { environment, folder, program, run, said } from './support.mjs';

test('the version, the help and the licences are printed', () => {
  assert.match(run('--version').out.toString(), /^headscope \d+\.\d+\.\d+\n$/);
  assert.match(run('--help').out.toString(), /--screenshot FILE/);
  const licences = run('--licenses').out.toString();
  for (const part of ['Dear ImGui', 'Eigen', 'SDL', 'Inter', 'JetBrains Mono', 'stb_image_write'])
    assert.ok(licences.includes(part), part);
  for (const option of ['--version', '--help', '--licenses']) assert.equal(run(option).status, 0);
});

test('a wrong command line says what was found and wanted, and ends with 2', () => {
  const cases = [
    [['--sise', '900x600'], /option: found "--sise", wanted one of --trace, /],
    [['--trace'], /--trace: found nothing, wanted FILE after it/],
    [['--screenshot', 'a.png', '--size', '0x0'], /--size: found "0x0", wanted WIDTHxHEIGHT in pixels, from 320x400 to/],
    [['--size', '99999x1'], /--size: found "99999x1"/],
    [['--size', 'foo'], /--size: found "foo"/],
    [['--trace', '-', '--screenshot', '-'], /--screenshot: found --trace too, wanted one of the two/],
  ];
  for (const [args, sentence] of cases) {
    const { status, out, err } = run(...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(said(err), sentence);
    assert.match(said(err), /--help names the options$/);
    assert.equal(out.length, 0);
  }
});

test('a file that can\'t be written says why, and ends with 1', (t) => {
  const where = folder(t);
  const cases = [
    [join(where, 'missing', 'out'), /there is no folder "/],
    [where, /it is a folder/],
    ['/dev/full', /No space left on device/],
  ];
  for (const [path, sentence] of cases)
    for (const option of ['--trace', '--screenshot']) {
      const { status, err } = run(option, path);
      assert.equal(status, 1, `${option} ${path}`);
      assert.ok(said(err).includes(`can't write "${path}"`), err);
      assert.match(said(err), sentence);
    }
  assert.deepEqual(readdirSync(where), []);
});

test('a full standard output is noticed', () => {
  for (const option of ['--trace -', '--screenshot -', '--help', '--version', '--licenses']) {
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" ${option} >/dev/full`, program], { env: environment() });
    assert.equal(status, 1, option);
    assert.match(said(stderr.toString()), /can't write to standard output: No space left on device/);
  }
});

test('without a display there is a sentence that says so and what works without one', () => {
  const { status, err } = run();
  assert.equal(status, 1);
  assert.match(said(err), /there is no display to open a window on.*--screenshot and --trace work without one/);
});

test('a display that isn\'t there is no display', () => {
  const { status, stderr } = spawnSync(program, [], { env: { ...environment(), DISPLAY: ':4711' }, timeout: 20_000 });
  assert.equal(status, 1);
  assert.match(said(stderr.toString()), /there is no display/);
});
