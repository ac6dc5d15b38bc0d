// The lesson as text prints the worked example's own numbers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { numbers } from '../../web/fallback.mjs';

const example = JSON.parse(readFileSync(new URL('../data/worked-example.json', import.meta.url), 'utf8'));
const print = (value) => value.toFixed(3).replace('-', '−');

test('the weights after softmax', () => {
  assert.deepEqual(numbers.pattern, example.heads.map((head) => head.pattern.map((row) => row.map(print))));
});

test('the output', () => {
  assert.deepEqual(numbers.output, example.output.map((row) => row.map(print)));
});
