// From a URL to a running wasm module: picks the build with or without SIMD, fetches, checks, compiles, tests itself.
import { simdWasm, scalarWasm, simdWasmScript, scalarWasmScript, base } from 'virtual:assets';
import { LoadError, bytesOf } from './fetched.mjs';
import { instantiate } from './instance.mjs';
import { hasSimd } from './probes.mjs';

export { LoadError };

const builds = {
  simd: { file: simdWasm, script: simdWasmScript },
  scalar: { file: scalarWasm, script: scalarWasmScript },
};

/**
 * A running module of the build that works here.
 * @param kernel 'simd', 'scalar' or '' (probe)
 * @param accept says whether a module's self-test is passed; tests refuse one on purpose
 * @returns {{ module, kernel, compiled }} `compiled` gives a worker an instance of its own
 */
export async function load({ canvas, kernel = '', from = base, accept = (module) => module._hs_self_test() === 1 }) {
  if (typeof WebAssembly !== 'object') throw new LoadError('This browser has no WebAssembly, or it is switched off.');
  const first = await start(kernel || (hasSimd() ? 'simd' : 'scalar'), from, canvas);
  if (accept(first.module, first.kernel)) return first;
  if (first.kernel === 'scalar') throw new LoadError('The program computes wrong numbers in this browser.');
  console.warn('headscope: the SIMD build failed its self-test in this browser; the scalar build is used');
  const second = await start('scalar', from, canvas);
  if (!accept(second.module, 'scalar')) throw new LoadError('The program computes wrong numbers in this browser.');
  return second;
}

async function start(kernel, from, canvas) {
  const compiled = await compile(builds[kernel], from);
  return { module: await instantiate({ kernel, compiled, canvas }), kernel, compiled };
}

// Compiled code is shared by all instances on the page. A failure is forgotten, so that "Reload" tries again.
const compiledModules = new Map();

function compile(build, from) {
  const key = new URL(build.file, from).href;
  if (!compiledModules.has(key)) {
    const promise = bytesOf({ ...build, from, what: 'The program' }).then(compileBytes);
    promise.catch(() => compiledModules.delete(key));
    compiledModules.set(key, promise);
  }
  return compiledModules.get(key);
}

async function compileBytes(bytes) {
  const isWasm = bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
  if (!isWasm) throw new LoadError('The server sent something else in place of the program, such as a page of its own.');
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new LoadError(`This browser can't run the program: ${error.message}`);
  }
}
