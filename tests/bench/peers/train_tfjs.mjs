// TensorFlow.js as a participant of the training benchmark: its own optimiser, on its WebAssembly backend, one thread.
import * as model from '../train_model.mjs';

/** @param {object} tf the library, with the wasm backend registered */
export async function create(tf, sizes, feedForward) {
  await tf.setBackend('wasm');
  await tf.ready();
  const { layers, heads, width, length, sequences, words } = sizes;
  const tokens = sequences * length, headWidth = width / heads;
  const parameters = Object.fromEntries(
    Object.entries(model.makeParameters(sizes, feedForward)).map(([name, { shape, values }]) => [name, tf.variable(tf.tensor(values, shape))]),
  );
  const all = model.makeWords(sizes);
  const read = tf.tensor(model.oneHot(sizes, all, 0), [tokens, words]);
  const wanted = tf.tensor(model.oneHot(sizes, all, 1), [tokens, words]);
  const mask = tf.tensor(model.causalMask(sizes), [1, 1, length, length]);
  const optimiser = tf.train.adam(model.learningRate, model.beta1, model.beta2, model.epsilon);

  const normalise = (x) => {
    const apart = x.sub(x.mean(1, true));
    return apart.div(apart.square().mean(1, true).add(model.normEpsilon).sqrt());
  };
  const byHead = (x) => x.reshape([sequences, length, heads, headWidth]).transpose([0, 2, 1, 3]);
  const attend = (x, layer) => {
    const [query, key, value] = ['query', 'key', 'value'].map((name) => byHead(x.matMul(parameters[name + layer])));
    const pattern = query.matMul(key, false, true).mul(headWidth ** -0.5).add(mask).softmax();
    return pattern.matMul(value).transpose([0, 2, 1, 3]).reshape([tokens, width]).matMul(parameters[`mix${layer}`]);
  };
  const lossOf = () => {
    const words3 = read.matMul(parameters.embedding).reshape([sequences, length, width]);
    let stream = words3.add(parameters.positions.reshape([1, length, width])).reshape([tokens, width]);
    for (let layer = 0; layer < layers; ++layer) {
      stream = stream.add(attend(normalise(stream), layer));
      if (!feedForward) continue;
      const hidden = normalise(stream).matMul(parameters[`up${layer}`]).relu();
      stream = stream.add(hidden.matMul(parameters[`down${layer}`]));
    }
    const logits = normalise(stream).matMul(parameters.output);
    const shifted = logits.sub(logits.max(1, true));
    return shifted.exp().sum(1, true).log().sub(shifted).mul(wanted).sum(1).mean();
  };
  return {
    step() {
      const loss = optimiser.minimize(lossOf, true);
      const [value] = loss.dataSync();
      loss.dispose();
      return value;
    },
  };
}
