// headscope --trace: the worked example with every intermediate.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { examplePath, folder, run, said } from './support.mjs';

const example = JSON.parse(readFileSync(examplePath, 'utf8'));

/** Every number and text of `wanted` is in `found`, at the same place; returns the worst difference and its place. */
function compare(found, wanted, path = '') {
  if (typeof wanted === 'number') return { worst: Math.abs(found - wanted), path };
  // The program names a head with one word, the example explains it: "syntax: a verb looks for its subject".
  if (typeof wanted === 'string') {
    assert.equal(found, /^heads\.\d\.name$/.test(path) ? wanted.split(':')[0] : wanted, path);
    return { worst: 0, path };
  }
  assert.deepEqual(Object.keys(found), Object.keys(wanted), `the keys of ${path || 'the trace'}`);
  return Object.keys(wanted)
    .map((key) => compare(found[key], wanted[key], path ? `${path}.${key}` : key))
    .reduce((a, b) => (b.worst > a.worst || Number.isNaN(b.worst) ? b : a), { worst: 0, path });
}

test('the trace on standard output equals the worked example to 1e-12', () => {
  const { status, out, err } = run('--trace', '-');
  assert.equal(status, 0, err);
  assert.equal(err, '');
  const { worst, path } = compare(JSON.parse(out), example);
  assert.ok(worst <= 1e-12, `${path} differs by ${worst}`);
});

test('the trace in a file is the same, byte for byte, with nothing left beside it', (t) => {
  const where = folder(t);
  assert.equal(run('--trace', join(where, 'trace.json')).status, 0);
  assert.deepEqual(readFileSync(join(where, 'trace.json')), run('--trace', '-').out);
  assert.deepEqual(readdirSync(where), ['trace.json']);
});

test('a view with a changed number and a mask is traced as it is', () => {
  const { status, out, err } = run('--trace', '-', '--url', '?mask=causal&set=X.1.3:0.5');
  assert.equal(status, 0, err);
  const trace = JSON.parse(out);
  assert.equal(trace.X[0][2], 0.5);
  for (const head of trace.heads) assert.deepEqual(head.pattern[0], [1, 0]);
  assert.notDeepEqual(trace.output, example.output);
});

test('a view that can\'t be taken as it is says so, and the rest of it is traced', () => {
  const { status, out, err } = run('--trace', '-', '--url', '?step=dance&set=X.1.3:0.5');
  assert.equal(status, 0);
  assert.match(said(err), /dance/);
  assert.equal(JSON.parse(out).X[0][2], 0.5);
});
