// Attention as a .tflite model (TensorFlow Lite's schema.fbs, version 3), written table by table.
// A table's fields are numbered in the order of the schema; weights of FULLY_CONNECTED are (out, in).

const operators = { // BuiltinOperator, and the number of its options in the union BuiltinOptions
  fullyConnected: { code: 9, options: 8 },
  reshape: { code: 22, options: 17 },
  transpose: { code: 39, options: 26 },
  batchMatMul: { code: 126, options: 101 },
  multiply: { code: 18, options: 21 },
  softmax: { code: 25, options: 9 },
};
const operatorNames = Object.keys(operators);
const float32 = 0, int32 = 2; // TensorType

function transposed(matrix, d) {
  const result = new Float32Array(d * d);
  for (let i = 0; i < d; ++i) for (let j = 0; j < d; ++j) result[j * d + i] = matrix[i * d + j];
  return result;
}

/** The model as lists: tensors { name, shape, type, data? }, steps { operator, inputs, outputs, options } and outputs. */
function describe({ n, d, h, attn }, weights) {
  const d_k = d / h;
  const tensors = [];
  const steps = [];
  const tensor = (name, shape, type = float32, data = null) => tensors.push({ name, shape, type, data }) - 1;
  const constant = (name, values) => tensor(name, [values.length], int32, new Int32Array(values));
  const step = (operator, inputs, name, shape, options = {}) => {
    const output = tensor(name, shape);
    steps.push({ operator, inputs, outputs: [output], options });
    return output;
  };

  const x = tensor('x', [n, d]);
  const [wq, wk, wv, wo] = weights.map((matrix, i) => tensor(`weights ${i}`, [d, d], float32, transposed(matrix, d)));
  const scale = tensor('scale', [1], float32, new Float32Array([1 / Math.sqrt(d_k)]));
  const swap = constant('swap', [1, 0, 2]);
  const split = constant('split', [n, h, d_k]);
  const flat = constant('flat', [n, d]);

  const project = (input, matrix, name) => step('fullyConnected', [input, matrix, -1], name, [n, d]); // -1: no bias
  const heads = (input, name) => {
    const parts = step('reshape', [input, split], `${name} split`, [n, h, d_k], { shape: [n, h, d_k] });
    return step('transpose', [parts, swap], `${name} heads`, [h, n, d_k]);
  };
  const q = heads(project(x, wq, 'q'), 'q');
  const k = heads(project(x, wk, 'k'), 'k');
  const v = heads(project(x, wv, 'v'), 'v');
  const scores = step('batchMatMul', [q, k], 'scores', [h, n, n], { transposeSecond: true });
  const scaled = step('multiply', [scores, scale], 'scaled', [h, n, n]);
  const pattern = step('softmax', [scaled], 'pattern', [h, n, n]);
  const z = step('batchMatMul', [pattern, v], 'z heads', [h, n, d_k], { transposeSecond: false });
  const swapped = step('transpose', [z, swap], 'z split', [n, h, d_k]);
  const joined = step('reshape', [swapped, flat], 'z', [n, d], { shape: [n, d] });
  const out = project(joined, wo, 'out');
  return { tensors, steps, inputs: [x], outputs: attn ? [out, pattern] : [out] };
}

/**
 * @param {object} flatbuffers the package
 * @param {{n: number, d: number, h: number, attn: boolean}} size attn: the weights are an output as well
 * @param {Float32Array[]} weights W_Q, W_K, W_V, W_O, each (d, d)
 * @returns {Uint8Array} x (n, d) → out (n, d), pattern (h, n, n)
 */
export function buildModel(flatbuffers, size, weights) {
  const { tensors, steps, inputs, outputs } = describe(size, weights);
  const builder = new flatbuffers.Builder(16 * size.d * size.d + 65536);
  const vector = (add) => (list) => { // flatbuffers grow downwards: last element first
    builder.startVector(4, list.length, 4);
    for (const element of [...list].reverse()) add(element);
    return builder.endVector();
  };
  const numbers = vector((number) => builder.addInt32(number));
  const tables = vector((offset) => builder.addOffset(offset));
  /** fields: { number: [type, value] } */
  const table = (count, fields) => {
    const add = { int8: 'addFieldInt8', int32: 'addFieldInt32', float: 'addFieldFloat32', offset: 'addFieldOffset' };
    builder.startObject(count);
    for (const [number, [type, value]] of Object.entries(fields)) builder[add[type]](Number(number), value, undefined);
    return builder.endObject();
  };
  const bytes = (array) => { // Buffer.data, whose content must stand at a multiple of 16
    const content = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    builder.startVector(1, content.length, 16);
    builder.prep(16, content.length);
    builder.space -= content.length;
    builder.bb.bytes().set(content, builder.space);
    return builder.endVector();
  };

  const filled = tensors.filter(({ data }) => data);
  const buffers = [table(1, {}), ...filled.map(({ data }) => table(1, { 0: ['offset', bytes(data)] }))]; // 0: the empty one
  const tensorTables = tensors.map((tensor) => {
    const shape = numbers(tensor.shape);
    const name = builder.createString(tensor.name);
    const buffer = filled.indexOf(tensor) + 1;
    return table(4, { 0: ['offset', shape], 1: ['int8', tensor.type], 2: ['int32', buffer], 3: ['offset', name] });
  });

  function optionsOf({ operator, options }) {
    if (operator === 'reshape') {
      const shape = numbers(options.shape);
      return table(1, { 0: ['offset', shape] });
    }
    if (operator === 'batchMatMul') return table(3, { 1: ['int8', Number(options.transposeSecond)] });
    if (operator === 'softmax') return table(1, { 0: ['float', 1] }); // beta
    return table(1, {});
  }
  const stepTables = steps.map((step) => {
    const from = numbers(step.inputs);
    const to = numbers(step.outputs);
    const options = optionsOf(step);
    return table(5, {
      0: ['int32', operatorNames.indexOf(step.operator)], 1: ['offset', from], 2: ['offset', to],
      3: ['int8', operators[step.operator].options], 4: ['offset', options],
    });
  });

  const graphParts = [tables(tensorTables), numbers(inputs), numbers(outputs), tables(stepTables), builder.createString('main')];
  const graph = table(5, Object.fromEntries(graphParts.map((part, i) => [i, ['offset', part]])));
  const codes = operatorNames.map((name) => {
    const { code } = operators[name]; // twice: the old field is one byte
    return table(4, { 0: ['int8', Math.min(code, 127)], 2: ['int32', 1], 3: ['int32', code] });
  });
  const codeTables = tables(codes);
  const graphs = tables([graph]);
  const description = builder.createString('multi-head attention');
  const bufferTables = tables(buffers);
  const model = table(5, {
    0: ['int32', 3], 1: ['offset', codeTables], 2: ['offset', graphs], 3: ['offset', description], 4: ['offset', bufferTables],
  });
  builder.finish(model, 'TFL3');
  return builder.asUint8Array();
}
