// jax-js as a participant of the training benchmark: the whole step, Adam too, compiled by its jit for WebAssembly.
// Its arrays are used up by what is done to them; `.ref` keeps one for another use.
import * as model from '../train_model.mjs';

/** @param {object} jax the library */
export async function create(jax, sizes, feedForward) {
  const { numpy: np, nn } = jax;
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  const { layers, heads, width, length, sequences, words } = sizes;
  const tokens = sequences * length, headWidth = width / heads;
  const drawn = Object.entries(model.makeParameters(sizes, feedForward));
  const names = drawn.map(([name]) => name);
  const array = (values, shape) => np.array(values).reshape(shape);
  let parameters = drawn.map(([, { shape, values }]) => array(values, shape));
  let means = drawn.map(([, { shape }]) => np.zeros(shape));
  let squares = drawn.map(([, { shape }]) => np.zeros(shape));
  const all = model.makeWords(sizes);
  const read = array(model.oneHot(sizes, all, 0), [tokens, words]);
  const wanted = array(model.oneHot(sizes, all, 1), [tokens, words]);
  const mask = array(model.causalMask(sizes), [1, 1, length, length]);

  const normalise = (x) => {
    const apart = x.ref.sub(x.mean(1, { keepdims: true }));
    const variance = apart.ref.mul(apart.ref).mean(1, { keepdims: true });
    return apart.div(np.sqrt(variance.add(model.normEpsilon)));
  };
  const byHead = (x, order) => np.transpose(x.reshape([sequences, length, heads, headWidth]), order);
  const lossOf = (given, x, y, masked) => {
    const at = Object.fromEntries(names.map((name, i) => [name, given[i]]));
    const attend = (normal, layer) => {
      const query = byHead(np.matmul(normal.ref, at[`query${layer}`]), [0, 2, 1, 3]);
      const key = byHead(np.matmul(normal.ref, at[`key${layer}`]), [0, 2, 3, 1]);
      const value = byHead(np.matmul(normal, at[`value${layer}`]), [0, 2, 1, 3]);
      const scores = np.matmul(query, key).mul(headWidth ** -0.5).add(layer + 1 < layers ? masked.ref : masked);
      const mixed = np.matmul(nn.softmax(scores, -1), value);
      return np.matmul(np.transpose(mixed, [0, 2, 1, 3]).reshape([tokens, width]), at[`mix${layer}`]);
    };
    let stream = np.matmul(x, at.embedding).reshape([sequences, length, width]);
    stream = stream.add(at.positions.reshape([1, length, width])).reshape([tokens, width]);
    for (let layer = 0; layer < layers; ++layer) {
      stream = stream.ref.add(attend(normalise(stream), layer));
      if (!feedForward) continue;
      const hidden = nn.relu(np.matmul(normalise(stream.ref), at[`up${layer}`]));
      stream = stream.add(np.matmul(hidden, at[`down${layer}`]));
    }
    return nn.logSoftmax(np.matmul(normalise(stream), at.output), 1).mul(y).sum().mul(-1 / tokens);
  };
  const update = jax.jit((given, mean, square, x, y, masked, unbias1, unbias2) => {
    const [loss, gradients] = jax.valueAndGrad(lossOf)(given.map((matrix) => matrix.ref), x, y, masked);
    const next = { parameters: [], means: [], squares: [] };
    for (const [i, gradient] of gradients.entries()) {
      const m = mean[i].mul(model.beta1).add(gradient.ref.mul(1 - model.beta1));
      const v = square[i].mul(model.beta2).add(gradient.ref.mul(gradient).mul(1 - model.beta2));
      const deviation = np.sqrt(v.ref.mul(unbias2.ref)).add(model.epsilon);
      next.parameters.push(given[i].sub(m.ref.mul(unbias1.ref).div(deviation).mul(model.learningRate)));
      next.means.push(m);
      next.squares.push(v);
    }
    unbias1.dispose?.();
    unbias2.dispose?.();
    return [loss, next.parameters, next.means, next.squares];
  });
  let steps = 0;
  return {
    step() {
      ++steps;
      const unbias = (beta) => np.array(1 / (1 - beta ** steps));
      const [loss, ...next] = update(parameters, means, squares, read.ref, wanted.ref, mask.ref, unbias(model.beta1), unbias(model.beta2));
      [parameters, means, squares] = next;
      return loss.dataSync()[0];
    },
  };
}
