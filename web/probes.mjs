// What this engine can compile, asked with WebAssembly.validate of the smallest module that holds one such instruction.

const module = (...instructions) => {
  const body = [0, ...instructions, 11]; // no locals … end
  const header = [0, 97, 115, 109, 1, 0, 0, 0];
  const type = [1, 5, 1, 96, 0, 1, 123]; // () -> v128
  const functions = [3, 2, 1, 0];
  return new Uint8Array([...header, ...type, ...functions, 10, body.length + 2, 1, body.length, ...body]);
};
const splat = [65, 0, 253, 15]; // i32.const 0, i8x16.splat

const simd = module(...splat, 253, 98); // i8x16.popcnt
const relaxed = module(...splat, ...splat, ...splat, 253, 133, 2); // f32x4.relaxed_madd

export const hasSimd = () => WebAssembly.validate(simd);
export const hasRelaxedSimd = () => WebAssembly.validate(relaxed);
