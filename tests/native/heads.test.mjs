// headscope train and headscope roles, as somebody in a terminal uses them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { environment, folder, program, run, said } from './support.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const shipped = join(root, 'src/heads/shipped.safetensors');
const bert = resolve(root, '../shared/real/bert-sst2-sentence.safetensors');
const small = ['train', '--task', 'copy_previous', '--layers', '1', '--heads', '2', '--d-model', '32', '--batch', '16',
  '--learning-rate', '0.01', '--warm-up', '10', '--steps', '90', '--sentences', '100'];

test('the same command makes the same model, another seed another one, and says what its heads do', (t) => {
  const where = folder(t);
  const files = ['a', 'b', 'c'].map((name) => join(where, `${name}.safetensors`));
  const answers = [1, 1, 2].map((seed, i) => run(...small, '--seed', String(seed), '--out', files[i], '--json'));
  for (const { status, err } of answers) assert.equal(status, 0, err);
  assert.deepEqual(readFileSync(files[0]), readFileSync(files[1]));
  assert.notDeepEqual(readFileSync(files[0]), readFileSync(files[2]));
  const table = JSON.parse(answers[0].out);
  assert.equal(table.layers, 1);
  assert.equal(table.heads, 2);
  assert.ok(table.subjects.some(({ id }) => id === 'previous_word'));
  assert.deepEqual(answers[0].out, run('roles', files[0], '--json', '--sentences', '100').out);
});

test('a person gets sentences and shares', (t) => {
  const file = join(folder(t), 'model.safetensors');
  const { status, out } = run(...small, '--out', file);
  assert.equal(status, 0);
  assert.match(out.toString(), /layer 1 head \d {2}\d\.\d{3} {2}\(95 %: /);
  assert.match(run('roles', file).out.toString(), /layer 1 head \d/);
});

test('Ctrl-C leaves a model that opens, and ends with 130', async (t) => {
  const file = join(folder(t), 'model.safetensors');
  const endless = small.map((word, i) => (small[i - 1] === '--steps' ? '100000' : word));
  const child = spawn(program, [...endless, '--out', file], { env: environment() });
  let err = '';
  child.stderr.on('data', (data) => (err += data));
  for (let i = 0; i < 200 && !existsSync(file); ++i) await new Promise((done) => setTimeout(done, 50));
  await new Promise((done) => setTimeout(done, 300));
  child.kill('SIGINT');
  const status = await new Promise((done) => child.on('close', done));
  assert.equal(status, 130, err);
  assert.match(said(err), /stopped at step \d+; the model is in "/);
  assert.equal(run('roles', file, '--sentences', '20').status, 0);
});

test('what can\'t be read or written is said by name', (t) => {
  const where = folder(t);
  const rubbish = join(where, 'rubbish.safetensors');
  writeFileSync(rubbish, 'this is no such file at all');
  const cut = join(where, 'cut.safetensors');
  if (existsSync(shipped)) writeFileSync(cut, readFileSync(shipped).subarray(0, 5000));
  const cases = [
    [['roles', join(where, 'none')], 1, /can't read ".*none": there is no such file/],
    [['roles', where], 1, /it is a folder/],
    [['roles', rubbish], 1, /header/],
    [['roles', cut], 1, /./],
    [[...small, '--out', join(where, 'missing', 'x')], 1, /there is no folder/],
    [['train'], 2, /--out: found nothing/],
    [['roles', '--heads', '2'], 2, /option: found "--heads"/],
  ];
  for (const [args, code, sentence] of cases) {
    const { status, err, out } = run(...args);
    assert.equal(status, code, `${args.join(' ')}: ${err}`);
    assert.match(said(err), sentence);
    assert.equal(out.length, 0);
  }
  assert.deepEqual(readdirSync(where).sort(), ['cut.safetensors', 'rubbish.safetensors']);
});

test('a full standard output is noticed', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"$0" roles "$1" --sentences 20 >/dev/full`, program, shipped], { env: environment() });
  assert.equal(status, 1);
  assert.match(said(stderr.toString()), /can't write to standard output/);
});

test('the shipped model does what its card says', () => {
  const { status, out, err } = run('roles', shipped, '--json');
  assert.equal(status, 0, err);
  const bytes = readFileSync(shipped);
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString());
  assert.deepEqual(JSON.parse(out), JSON.parse(header.__metadata__.table));
});

test('attention from a file: a real BERT', { skip: existsSync(bert) ? false : '../shared is missing' }, () => {
  const { status, out, err } = run('roles', bert, '--json');
  assert.equal(status, 0, err);
  const table = JSON.parse(out);
  assert.deepEqual([table.layers, table.heads], [12, 12]);
});
