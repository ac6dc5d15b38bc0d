// Attention as ONNX models, written in protobuf's wire format by hand: four ways of saying the same in operators.
// Field numbers are those of onnx.proto3 (ONNX 1.18); operators of ONNX opset 17 and 23 and of com.microsoft 1.
//   plain      MatMul, Transpose, Softmax …: what an exporter makes of the formula
//   mha        com.microsoft.MultiHeadAttention after three projections
//   attention  com.microsoft.Attention, which projects as well
//   att23      ONNX's own Attention (opset 23) after three projections

const utf8 = new TextEncoder();

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value)); // negative numbers: ten bytes of two's complement
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

function concatenate(...parts) {
  const flat = parts.flat(Infinity);
  const bytes = new Uint8Array(flat.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of flat) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** A field: a number as a varint; a string, bytes or parts of a message with their length before them. */
function field(number, content) {
  if (typeof content === 'number') return concatenate(varint(number << 3), varint(content));
  const bytes = typeof content === 'string' ? utf8.encode(content) : concatenate(content);
  return concatenate(varint((number << 3) | 2), varint(bytes.length), bytes);
}
const fields = (number, list) => list.map((content) => field(number, content));

const elementFloat = 1, elementInt64 = 7; // TensorProto.DataType
const attributeInt = 2, attributeInts = 7; // AttributeProto.AttributeType

const attribute = ([name, value]) =>
  field(5, Array.isArray(value)
    ? [field(1, name), fields(8, value), field(20, attributeInts)]
    : [field(1, name), field(3, value), field(20, attributeInt)]);

/** NodeProto, as a field of the graph. An input or output named '' is one that is left out. */
const node = (operator, inputs, outputs, attributes = {}, domain = '') =>
  field(1, [
    fields(1, inputs), fields(2, outputs), field(3, `make ${outputs[0]}`), field(4, operator),
    Object.entries(attributes).map(attribute), domain ? field(7, domain) : [],
  ]);
const matMul = (a, b, c) => node('MatMul', [a, b], [c]);

/** TensorProto, as an initializer of the graph. */
const tensor = (name, shape, type, values) =>
  field(5, [fields(1, shape), field(2, type), field(8, name), field(9, bytesOf(values))]);
const floats = (name, shape, values) => tensor(name, shape, elementFloat, values);
const shape = (name, values) => tensor(name, [values.length], elementInt64, new BigInt64Array(values.map(BigInt)));

/** ValueInfoProto of float32: number 11 for an input of the graph, 12 for an output. */
function value(number, name, dimensions) {
  const type = field(1, [field(1, elementFloat), field(2, dimensions.map((size) => field(1, field(1, size))))]);
  return field(number, [field(1, name), field(2, type)]);
}

/** W_Q, W_K and W_V beside each other, (d, 3d), as com.microsoft.Attention wants them. */
function sideBySide(matrices, d) {
  const joined = new Float32Array(3 * d * d);
  for (let row = 0; row < d; ++row) {
    matrices.forEach((matrix, i) => joined.set(matrix.subarray(row * d, (row + 1) * d), (3 * row + i) * d));
  }
  return joined;
}

function plain({ n, d, h }) {
  const split = (name, perm) => [
    node('Reshape', [name, 'split'], [`${name}3`]),
    node('Transpose', [`${name}3`], [`${name}h`], { perm }),
  ];
  return {
    nodes: [
      matMul('x', 'wq', 'q'), matMul('x', 'wk', 'k'), matMul('x', 'wv', 'v'),
      split('q', [1, 0, 2]), split('k', [1, 2, 0]), split('v', [1, 0, 2]), // (h, n, d_k); keys (h, d_k, n)
      matMul('qh', 'kh', 'scores'),
      node('Mul', ['scores', 'scale'], ['scaled']),
      node('Softmax', ['scaled'], ['attn'], { axis: -1 }),
      matMul('attn', 'vh', 'zh'),
      node('Transpose', ['zh'], ['z3'], { perm: [1, 0, 2] }),
      node('Reshape', ['z3', 'flat'], ['z']),
      matMul('z', 'wo', 'out'),
    ],
    constants: [shape('split', [n, h, d / h]), floats('scale', [1], new Float32Array([1 / Math.sqrt(d / h)]))],
    attnShape: [h, n, n],
  };
}

/** The kinds with an attention operator, which wants a batch of one around everything. */
function fused(kind, { n, d, h, attn }, [wq, wk, wv]) {
  const projections = [matMul('xb', 'wq', 'q'), matMul('xb', 'wk', 'k'), matMul('xb', 'wv', 'v')];
  const middle = {
    mha: () => [...projections, node('MultiHeadAttention', ['q', 'k', 'v'], ['z'], { num_heads: h }, 'com.microsoft')],
    att23: () => [
      ...projections,
      node('Attention', ['q', 'k', 'v'], attn ? ['z', '', '', 'attn'] : ['z'],
        { q_num_heads: h, kv_num_heads: h, qk_matmul_output_mode: 3 }), // 3: the fourth output is taken after softmax
    ],
    attention: () => [node('Attention', ['xb', 'wqkv', 'bias'], ['z'], { num_heads: h }, 'com.microsoft')],
  };
  const constants = [shape('batch', [1, n, d])];
  if (kind === 'attention') {
    constants.push(floats('wqkv', [d, 3 * d], sideBySide([wq, wk, wv], d)), floats('bias', [3 * d], new Float32Array(3 * d)));
  }
  return {
    nodes: [
      node('Reshape', ['x', 'batch'], ['xb']),
      middle[kind](),
      matMul('z', 'wo', 'outb'),
      node('Reshape', ['outb', 'flat'], ['out']),
    ],
    constants,
    attnShape: [1, h, n, n],
  };
}

/**
 * @param {'plain' | 'mha' | 'attention' | 'att23'} kind
 * @param {{n: number, d: number, h: number, attn: boolean}} size attn: the weights are an output as well
 * @param {Float32Array[]} weights W_Q, W_K, W_V, W_O, each (d, d)
 * @returns {Uint8Array} a ModelProto: x (n, d) → out (n, d), attn
 */
export function buildGraph(kind, size, weights) {
  const { n, d, attn } = size;
  const { nodes, constants, attnShape } = kind === 'plain' ? plain(size) : fused(kind, size, weights);
  const names = kind === 'attention' ? ['wo'] : ['wq', 'wk', 'wv', 'wo'];
  const matrices = names.map((name, i) => floats(name, [d, d], weights[weights.length - names.length + i]));
  const graph = [
    nodes,
    field(2, 'multi-head attention'),
    matrices, constants, shape('flat', [n, d]),
    value(11, 'x', [n, d]),
    value(12, 'out', [n, d]),
    attn ? value(12, 'attn', attnShape) : [],
  ];
  const operators = (domain, version) => field(8, [field(1, domain), field(2, version)]);
  return concatenate(
    field(1, 10), // IR version
    field(2, 'headscope'), field(7, graph),
    operators('', kind === 'att23' ? 23 : 17), operators('com.microsoft', 1),
  );
}
