// The worked example, through every call of the library.
import assert from 'node:assert/strict';
import { layerFor, close, differenceOf, example, exampleWeights, rowsOf, testEachKernel } from './support.mjs';

const sizes = { d_model: example.d_model, h: example.h };

testEachKernel('run gives the worked example', async (kernel, t) => {
  const layer = await layerFor(t, { ...sizes, kernel }, exampleWeights);
  const { output, weights, n_q, n_k } = layer.run(example.X, { weights: true });
  assert.deepEqual([n_q, n_k, layer.kernel], [2, 2, kernel]);
  close(output, example.output.flat(), 1e-6, 'output');
  close(weights, example.heads.flatMap((head) => head.pattern.flat()), 1e-6, 'attention weights');
  assert.equal(layer.run(example.X).weights, null);
});

testEachKernel('forward gives every intermediate of the worked example', async (kernel, t) => {
  const layer = await layerFor(t, { ...sizes, kernel }, exampleWeights);
  const [trace, ...others] = layer.forward(example.X);
  assert.deepEqual(others, []);
  assert.deepEqual(Object.keys(trace), ['heads', 'concat', 'output']);
  const compare = (matrix, wanted, what) => {
    assert.deepEqual([matrix.rows, matrix.cols], [wanted.length, wanted[0].length], what);
    assert.ok(matrix.data instanceof Float64Array);
    assert.ok(differenceOf(matrix.data, wanted.flat()) <= 1e-12, `${what}: found ${matrix.data}`);
  };
  compare(trace.concat, example.concat, 'concat');
  compare(trace.output, example.output, 'output');
  trace.heads.forEach((head, i) => {
    for (const name of ['Q', 'K', 'V', 'scores', 'scaled', 'pattern', 'output']) {
      compare(head[name], example.heads[i][name], `head ${i + 1} ${name}`);
    }
    compare(head.masked, example.heads[i].scaled, `head ${i + 1} masked`); // nothing is
  });
});

testEachKernel('backward gives a derivative in the shape of everything that took part', async (kernel, t) => {
  const layer = await layerFor(t, { ...sizes, kernel }, exampleWeights);
  const gradients = layer.backward(example.X, example.output);
  const shape = ({ rows, cols }) => `${rows} x ${cols}`;
  assert.deepEqual(gradients.d_X.map(shape), ['2 x 6']);
  assert.equal(gradients.d_X_kv, null);
  assert.equal(gradients.d_additive_mask, null);
  assert.equal(shape(gradients.d_weights.W_O), '6 x 6');
  assert.equal(gradients.d_weights.b_O, null);
  for (const { W_Q, W_K, W_V, b_Q, b_K, b_V, gate } of gradients.d_weights.heads) {
    assert.deepEqual([W_Q, W_K, W_V].map(shape), ['6 x 2', '6 x 2', '6 x 2']);
    assert.deepEqual([b_Q, b_K, b_V], [null, null, null]);
    assert.equal(typeof gate, 'number');
  }
  const [trace] = layer.forward(example.X);
  const shapes = (tree) => JSON.parse(JSON.stringify(tree, (_, value) => (value?.data ? shape(value) : value)));
  assert.deepEqual(shapes(gradients.d_traces), shapes([trace]));
  assert.deepEqual(rowsOf(gradients.d_traces[0].output), example.output, 'the derivative that was given');
});
