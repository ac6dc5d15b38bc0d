// A running instance of a compiled program, in a page or in a worker.
import { glueSimd, glueScalar } from 'virtual:glue';

const glue = { simd: glueSimd, scalar: glueScalar };

/**
 * @param kernel    'simd' or 'scalar': which build `compiled` is
 * @param compiled  WebAssembly.Module
 * @param canvas    of a page; a worker has none
 * @returns Emscripten's module, with a memory of its own
 */
export function instantiate({ kernel, compiled, canvas = undefined }) {
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
    glue[kernel](options).then(resolve, reject);
  });
}
