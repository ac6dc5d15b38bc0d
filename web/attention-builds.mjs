// The engines of the attention library: fetched, compiled once for all layers, and the fastest that computes right here.
import { relaxedWasm, simdWasm, scalarWasm } from 'virtual:attention';
import { AttentionError, refuse, said } from './attention-values.mjs';
import { hasRelaxedSimd, hasSimd } from './probes.mjs';

const files = { relaxed: relaxedWasm, simd: simdWasm, scalar: scalarWasm }; // fastest first
const runsHere = { relaxed: hasRelaxedSimd, simd: hasSimd, scalar: () => true };
/** By address; a failure is forgotten, so that the next create() tries again. */
const compiled = new Map();

/** { engine, name } of the first build that compiles here and that `accept` accepts. */
export async function start({ kernel, base, accept = (engine) => engine.self_test() === 1 }) {
  if (kernel != null && !Object.hasOwn(files, kernel)) {
    refuse('kernel', said(kernel), `${Object.keys(files).join(', ')} or nothing`);
  }
  if (typeof accept !== 'function') refuse('accept', said(accept), 'a function');
  if (kernel != null && !runsHere[kernel]()) refuse('kernel', `${kernel}, which this engine can't compile`, 'another');
  const folder = folderOf(base);
  for (const name of kernel == null ? Object.keys(files).filter((each) => runsHere[each]()) : [kernel]) {
    const engine = await instantiate(await compile(new URL(files[name], folder)));
    if (isAccepted(accept, engine, name)) return { engine, name };
    console.warn(`attention: the ${name} build computes wrong numbers here and is not used`);
  }
  return refuse('kernel', 'wrong numbers in every build', 'one that computes right');
}

/** Where the files are: beside this module, or in `base`, which a page gives relative to itself. */
function folderOf(base) {
  if (base == null) return import.meta.url;
  const here = globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url;
  const text = String(base);
  try {
    return new URL(text.endsWith('/') ? text : `${text}/`, here);
  } catch {
    return refuse('base', said(text), 'the URL of the folder with the .wasm files');
  }
}

function isAccepted(accept, engine, name) {
  try {
    return accept(engine, name);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return false;
    throw error;
  }
}

function compile(url) {
  if (!compiled.has(url.href)) {
    const module = bytesOf(url).then((bytes) => WebAssembly.compile(bytes)).catch((error) => {
      compiled.delete(url.href);
      // A page's content security policy without 'wasm-unsafe-eval' ends here, too.
      throw error instanceof AttentionError ? error : new AttentionError([`${nameOf(url)}: ${error.message}`]);
    });
    compiled.set(url.href, module);
  }
  return compiled.get(url.href);
}

const nameOf = (url) => url.href.slice(url.href.lastIndexOf('/') + 1);
const magic = [0, 0x61, 0x73, 0x6d];

async function bytesOf(url) {
  const fromDisk = url.protocol === 'file:' && globalThis.process?.versions?.node !== undefined;
  const bytes = await (fromDisk ? bytesOnDisk(url) : bytesFetched(url));
  if (magic.every((byte, i) => bytes[i] === byte)) return bytes;
  return refuse(nameOf(url), 'something else, such as a page of the server\'s own', 'the engine');
}

async function bytesOnDisk(url) {
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
  try {
    return await readFile(url);
  } catch (error) {
    return refuse(nameOf(url), error.message, 'the engine');
  }
}

async function bytesFetched(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    return refuse(nameOf(url), 'no network, or the server refused', 'the engine');
  }
  if (!response.ok) refuse(nameOf(url), `status ${response.status}`, 'the engine');
  return new Uint8Array(await response.arrayBuffer());
}

const kNoSystem = 52; // ENOSYS of WASI

/** An instance with a memory of its own, so that one layer's growth never moves another's views. */
async function instantiate(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => kNoSystem; // notices of growth; and the C library's output, which would try again at 0
  }
  try {
    const { exports } = await WebAssembly.instantiate(module, imports);
    exports._initialize?.();
    return exports;
  } catch (error) {
    return refuse('memory', error.message, 'room for one more layer');
  }
}
