// From a URL to a running wasm module: picks the build with or without SIMD, fetches, checks, compiles, tests itself.
import {
  simdWasm, scalarWasm, simdWasmScript, scalarWasmScript, simdPages, scalarPages, simdPagesScript, scalarPagesScript, base,
} from 'virtual:assets';
import { LoadError, bytesOf, lower } from './fetched.mjs';
import { instantiate } from './instance.mjs';
import { hasSimd } from './probes.mjs';

export { LoadError };

const builds = {
  simd: {
    first: { file: simdWasm, script: simdWasmScript, what: 'The program' },
    pages: { file: simdPages, script: simdPagesScript, what: 'The other pages’ code' },
  },
  scalar: {
    first: { file: scalarWasm, script: scalarWasmScript, what: 'The program' },
    pages: { file: scalarPages, script: scalarPagesScript, what: 'The other pages’ code' },
  },
};

/**
 * A running module of the build that works here.
 * @param kernel 'simd', 'scalar' or '' (probe)
 * @param accept says whether a module's self-test is passed; tests refuse one on purpose
 * @param pages  true: another page than the walkthrough is what is opened, so its code is fetched at the same time
 * @returns {{ module, start, bringPages }} `start` ({ kernel, compiled, pages }) gives a worker an instance of its own;
 *   `bringPages()` brings the other pages' code, once; it throws a LoadError, and can be tried again then
 */
export async function load({ canvas, kernel = '', from = base, pages = false, accept = (module) => module._hs_self_test() === 1 }) {
  if (typeof WebAssembly !== 'object') throw new LoadError('This browser has no WebAssembly, or it is switched off.');
  const first = await run(kernel || (hasSimd() ? 'simd' : 'scalar'), from, canvas, pages);
  if (accept(first.module, first.start.kernel)) return first;
  if (first.start.kernel === 'scalar') throw new LoadError('The program computes wrong numbers in this browser.');
  console.warn('headscope: the SIMD build failed its self-test in this browser; the scalar build is used');
  const second = await run('scalar', from, canvas, pages);
  if (!accept(second.module, 'scalar')) throw new LoadError('The program computes wrong numbers in this browser.');
  return second;
}

async function run(kernel, from, canvas, pages) {
  if (pages) compile(builds[kernel].pages, from).catch(() => {}); // said when it is asked for
  const start = { kernel, compiled: await compile(builds[kernel].first, from), pages: null };
  const { module, addPages } = await instantiate({ ...start, canvas });
  let bringing = null;
  async function bring() {
    const build = builds[kernel].pages;
    const code = await compile(build, from);
    try {
      await addPages(code);
    } catch (error) { // the code of something else
      compiledModules.delete(keyOf(build, from));
      throw new LoadError(`This browser can't run ${lower(build.what)}: ${error.message}`);
    }
    start.pages = code;
  }
  function bringPages() {
    bringing ??= bring().catch((error) => {
      bringing = null;
      throw error;
    });
    return bringing;
  }
  return { module, start, bringPages };
}

// Compiled code is shared by all instances on the page. A failure is forgotten, so that "Reload" tries again.
const compiledModules = new Map();
const keyOf = (build, from) => new URL(build.file, from).href;

function compile(build, from) {
  const key = keyOf(build, from);
  if (!compiledModules.has(key)) {
    const promise = bytesOf({ ...build, from }).then((bytes) => compileBytes(bytes, build.what));
    promise.catch(() => compiledModules.delete(key));
    compiledModules.set(key, promise);
  }
  return compiledModules.get(key);
}

async function compileBytes(bytes, what) {
  const isWasm = bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
  if (!isWasm) throw new LoadError(`The server sent something else in place of ${lower(what)}, such as a page of its own.`);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new LoadError(`This browser can't run ${lower(what)}: ${error.message}`);
  }
}
