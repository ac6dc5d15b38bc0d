// A running instance of a compiled program, in a page or in a worker.
import { glueSimd, glueScalar } from 'virtual:glue';

const glue = { simd: glueSimd, scalar: glueScalar };

/**
 * @param kernel    'simd' or 'scalar': which build `compiled` is
 * @param compiled  WebAssembly.Module with the walkthrough's code
 * @param pages     WebAssembly.Module with the other pages' code, where it is here already
 * @param canvas    of a page; a worker has none
 * @returns {{ module, addPages }} Emscripten's module, with a memory of its own; `addPages(compiled)` completes it
 */
export async function instantiate({ kernel, compiled, pages, canvas = undefined }) {
  let exports = null;
  const module = await new Promise((resolve, reject) => {
    const options = {
      canvas,
      print: (text) => console.log(`headscope: ${text}`),
      printErr: (text) => console.error(`headscope: ${text}`),
      instantiateWasm(imports, done) {
        const all = { ...imports, placeholder: placeholders };
        WebAssembly.instantiate(compiled, all).then((instance) => {
          exports = instance.exports;
          done(instance, compiled);
        }, reject);
        return {};
      },
    };
    glue[kernel](options).then(resolve, reject);
  });
  // It puts its functions where the placeholders are, in the table that both share.
  const addPages = (code) => WebAssembly.instantiate(code, { primary: exports });
  if (pages) await addPages(pages);
  return { module, addPages };
}

// What the first part imports in place of the functions that it hasn't (web/split.mjs).
const placeholders = new Proxy({}, {
  get: (_, slot) => () => {
    throw new Error(`function ${String(slot)} of another page was called before that page was there`);
  },
});
