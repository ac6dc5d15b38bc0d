// From a URL to a running wasm module: picks the build with or without SIMD, fetches, checks, compiles, tests itself.
import { simdWasm, scalarWasm, simdWasmScript, scalarWasmScript, base, classic } from 'virtual:assets';
import { glueSimd, glueScalar } from 'virtual:glue';
import { hasSimd } from './probes.mjs';

const builds = {
  simd: { wasm: simdWasm, script: simdWasmScript, glue: glueSimd },
  scalar: { wasm: scalarWasm, script: scalarWasmScript, glue: glueScalar },
};

/** An error whose message is written for the learner. */
export class LoadError extends Error {}

/**
 * A running module of the build that works here.
 * @param kernel 'simd', 'scalar' or '' (probe)
 * @param accept says whether a module's self-test is passed; tests refuse one on purpose
 * @returns {{ module, kernel }}
 */
export async function load({ canvas, kernel = '', from = base, accept = (module) => module._hs_self_test() === 1 }) {
  if (typeof WebAssembly !== 'object') throw new LoadError('This browser has no WebAssembly, or it is switched off.');
  const first = kernel || (hasSimd() ? 'simd' : 'scalar');
  const module = await start(first, from, canvas);
  if (accept(module, first)) return { module, kernel: first };
  if (first === 'scalar') throw new LoadError('The program computes wrong numbers in this browser.');
  console.warn('headscope: the SIMD build failed its self-test in this browser; the scalar build is used');
  const second = await start('scalar', from, canvas);
  if (!accept(second, 'scalar')) throw new LoadError('The program computes wrong numbers in this browser.');
  return { module: second, kernel: 'scalar' };
}

async function start(name, from, canvas) {
  const build = builds[name];
  const compiled = await compile(build, from);
  return new Promise((resolve, reject) => {
    const options = {
      canvas,
      print: (text) => console.log(`headscope: ${text}`),
      printErr: (text) => console.error(`headscope: ${text}`),
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled), reject);
        return {};
      },
    };
    build.glue(options).then(resolve, reject);
  });
}

// Compiled code is shared by all instances on the page. A failure is forgotten, so that "Reload" tries again.
const compiledModules = new Map();

function compile(build, from) {
  const url = new URL(classic ? build.script : build.wasm, from).href;
  if (!compiledModules.has(url)) {
    const promise = (classic ? bytesOfScript(url, build.wasm) : bytesOfFile(url)).then(compileBytes);
    promise.catch(() => compiledModules.delete(url));
    compiledModules.set(url, promise);
  }
  return compiledModules.get(url);
}

// Not compileStreaming: it insists on the type application/wasm, which many static hosts don't send.
async function bytesOfFile(url) {
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch {
    throw new LoadError(`The program could not be fetched (${nameOf(url)}): no network, or the server refused.`);
  }
  if (!response.ok) {
    throw new LoadError(`The program could not be fetched (${nameOf(url)}): the server answered ${response.status}.`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

// A frame with an opaque origin can't fetch from its own server; a classic script is all that it may load.
async function bytesOfScript(url, wasm) {
  const script = document.createElement('script');
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new LoadError(`The program could not be fetched (${nameOf(url)}).`));
    script.src = url;
    document.head.append(script);
  });
  script.remove();
  const text = globalThis.headscope_wasm?.[wasm];
  if (!text) throw new LoadError(`The server sent something else in place of the program (${nameOf(url)}).`);
  delete globalThis.headscope_wasm[wasm];
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
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

function nameOf(url) {
  return url.slice(url.lastIndexOf('/') + 1);
}
