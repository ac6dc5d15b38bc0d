// What one thread of this machine can reach in WebAssembly: multiply-adds on SIMD registers alone, no memory.
// The module is written byte by byte (WebAssembly core specification, 5 "Binary format"; relaxed SIMD proposal):
// for each number of chains a function with that many independent accumulators, a = a · x + y.

const chainCounts = [6, 8, 10, 12, 14]; // fewer wait for their own results, more spill out of 16 registers
const unroll = 8;
const flopsPerStep = 8; // four lanes, a multiplication and an addition

const leb = (value) => {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
};
const vector = (items) => [...leb(items.length), ...items.flat()];
const section = (id, content) => [id, ...vector(content)];
const text = (string) => vector([...new TextEncoder().encode(string)]);
const float = (value) => [...new Uint8Array(new Float32Array([value]).buffer)];

const i32 = 0x7f, f32 = 0x7d, v128 = 0x7b;
const end = 0x0b, loop = 0x03, branchIf = 0x0d, empty = 0x40;
const get = (local) => [0x20, ...leb(local)];
const set = (local) => [0x21, ...leb(local)];
const tee = (local) => [0x22, ...leb(local)];
const i32Const = (value) => [0x41, value];
const i32Sub = 0x6b;
const f32Const = (value) => [0x43, ...float(value)];
const simd = (code) => [0xfd, ...leb(code)];
const splat = simd(0x13), extractLane0 = [...simd(0x1f), 0], add = simd(0xe4), multiply = simd(0xe6), relaxedMadd = simd(0x105);

/** (iterations: i32, x: f32, y: f32) → f32: the sum of the first lanes, so that no chain is dead code. */
function body(chains, relaxed) {
  const x = 3, y = 4, first = 5; // locals after the three parameters
  const accumulators = Array.from({ length: chains }, (_, i) => first + i);
  const step = (a) => [
    ...get(a), ...get(x),
    ...(relaxed ? [...get(y), ...relaxedMadd] : [...multiply, ...get(y), ...add]),
    ...set(a),
  ];
  const code = [
    ...get(1), ...splat, ...set(x),
    ...get(2), ...splat, ...set(y),
    ...accumulators.flatMap((a, i) => [...f32Const(1 + i / 16), ...splat, ...set(a)]),
    loop, empty,
    ...Array.from({ length: unroll }, () => accumulators.flatMap(step)).flat(),
    ...get(0), ...i32Const(1), i32Sub, ...tee(0), branchIf, 0,
    end,
    ...accumulators.flatMap((a, i) => [...get(a), ...(i > 0 ? add : [])]),
    ...extractLane0,
    end,
  ];
  return vector([...vector([[...leb(chains + 2), v128]]), ...code]);
}

function module(relaxed) {
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, ...vector([i32, f32, f32]), ...vector([f32])]])),
    ...section(3, vector(chainCounts.map(() => 0))),
    ...section(7, vector(chainCounts.map((chains, i) => [...text(`chains${chains}`), 0, ...leb(i)]))),
    ...section(10, vector(chainCounts.map((chains) => body(chains, relaxed)))),
  ]);
}

/** Builds one kind of loop and finds out how often it must turn to last `ms`; null where the engine hasn't got it. */
async function calibrate(kind, ms) {
  const bytes = module(kind === 'madd');
  if (!WebAssembly.validate(bytes)) return null;
  const { instance } = await WebAssembly.instantiate(bytes);
  return chainCounts.map((chains) => {
    const run = instance.exports[`chains${chains}`];
    const time = (turns) => {
      const start = performance.now();
      run(turns, 0.999, 0.001); // tends to 1: never denormal
      return performance.now() - start;
    };
    for (let i = 0; i < 2000; ++i) run(10, 0.999, 0.001); // the optimising compiler has it now
    let turns = 1000;
    while (time(turns) < ms / 2) turns *= 2;
    turns = Math.ceil((turns * ms) / time(turns));
    return { chains, gflops: () => (turns * unroll * chains * flopsPerStep) / time(turns) / 1e6 };
  });
}

/**
 * The roofline as a participant of the rounds.
 * @param {number} ms that each of the loops lasts
 * @returns {Promise<{sample: () => {madd?: number, mulAdd?: number}}>} sample gives the best of all chain counts in
 *   GFLOP/s: `madd` with relaxed SIMD's fused multiply-add (absent where the engine hasn't got it), `mulAdd` without
 */
export async function createRoofline(ms = 2) {
  const kinds = { madd: await calibrate('madd', ms), mulAdd: await calibrate('mulAdd', ms) };
  const present = Object.entries(kinds).filter(([, loops]) => loops);
  return {
    sample: () => Object.fromEntries(present.map(([kind, loops]) => [kind, Math.max(...loops.map((it) => it.gflops()))])),
  };
}
