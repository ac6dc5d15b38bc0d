// Bundles the page: node build.mjs --build FOLDER --version 0.1.0  ->  FOLDER/site   (FOLDER: where CMake put the wasm)
//
// web/headscope.mjs is the entry; it exports mount(element, options) and may import these two virtual modules:
//
//   import { simdWasm, scalarWasm, simdWasmScript, scalarWasmScript, simdPages, scalarPages, simdPagesScript,
//            scalarPagesScript, model, modelScript, worker, css, base, classic, version } from 'virtual:assets';
//     the first twelve are hashed file names ('' for a css or a model that isn't there); `base` is the absolute URL of the
//     folder that they stand in, closing '/' included; `classic` is true in the classic bundle; so: new URL(simdWasm, base).
//   import { glueSimd, glueScalar } from 'virtual:glue';
//     Emscripten's factories, async (moduleArg) => Module. moduleArg.instantiateWasm is required (the glue never fetches).
//
// What the site holds:
//   headscope.mjs                    stable name, re-exports headscope-HASH.mjs: import { mount } from './headscope.mjs'
//   headscope-classic-HASH.js        the same as a classic script that sets globalThis.headscope: an iframe with
//                                    sandbox="allow-scripts" has an opaque origin, where a module script and fetch()
//                                    would need CORS headers that static hosts don't send
//   headscope-{simd,scalar}-HASH.wasm
//   headscope-pages-{simd,scalar}-HASH.wasm   the code of the other pages than the walkthrough (web/split.mjs)
//   headscope-wasm-{simd,scalar}-HASH.js, headscope-wasm-pages-{simd,scalar}-HASH.js   classic scripts with the same wasm: globalThis.headscope_files[file name] = base64
//   headscope-worker-HASH.js         training: runs in a worker; loaded by a page, it sets globalThis.headscope_worker to
//                                    its own text, for a worker from a blob: where one from an address is refused
//   model-HASH.safetensors           from src/heads/shipped.safetensors, if there is one; fetched when it is wanted
//   headscope-model-HASH.js          a classic script with the same model
//   headscope-HASH.css               from web/headscope.css, if there is one
//   boot-HASH.js                     classic script that starts the page: picks the module or the classic script
//   *.html                           from web/*.html, {{module}} {{classic}} {{boot}} {{css}} {{simdWasm}} {{version}} replaced
//   manifest.json                    which file is which, and its size raw and with brotli
//   attention.mjs, attention.d.mts   the engine as a library: stable names, re-exports attention-HASH.mjs
//   attention-{relaxed,simd,scalar}-HASH.wasm
//   LICENSES.txt
// With --library only the library's files, in FOLDER/library.
// Names carry a hash of the content, so script and wasm of different builds never meet in a cache.

import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const web = fileURLToPath(new URL('.', import.meta.url));
const { values: given } = parseArgs({
  options: { build: { type: 'string' }, version: { type: 'string' }, library: { type: 'boolean' } },
});
const { version } = given;
const build = resolve(given.build);
const shipped = join(web, '../src/heads/shipped.safetensors');
const site = join(build, given.library ? 'library' : 'site');
// Made beside the site and moved into its place at the end: a server that runs meanwhile never shows half a site.
const staging = `${site}.new`;

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 8);
const files = {};

/** Writes `stem-HASH.extension` and notes it in the manifest under `key`. */
async function emit(key, stem, extension, bytes) {
  const file = `${stem}-${hash(bytes)}.${extension}`;
  await writeFile(join(staging, file), bytes);
  files[key] = { file, bytes: Buffer.byteLength(bytes), brotli: brotliCompressSync(bytes).length };
  return file;
}

const options = {
  bundle: true,
  write: false,
  minify: true,
  charset: 'utf8',
  target: 'es2022',
  legalComments: 'none', // LICENSES.txt holds the notices
  loader: { '.txt': 'text', '.html': 'text', '.svg': 'text' },
  logLevel: 'warning',
};

/** `virtual:assets`, `virtual:glue`, and stylesheets as minified text. */
function virtualModules(assets) {
  return {
    name: 'virtual',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      onLoad({ filter: /^virtual:assets$/, namespace: 'virtual' }, () => ({ contents: assets }));
      onLoad({ filter: /^virtual:glue$/, namespace: 'virtual' }, () => ({
        contents: `export { default as glueSimd } from './headscope_simd.mjs';
                   export { default as glueScalar } from './headscope_scalar.mjs';`,
        resolveDir: build,
      }));
      onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: await styles(path), loader: 'text' }));
    },
  };
}

async function styles(path) {
  const { outputFiles } = await esbuild.build({ ...options, entryPoints: [path] });
  return outputFiles[0].text;
}

/** An entry as one script. `base` is an expression for the URL of the script that runs. */
async function bundle({ entry = 'headscope.mjs', format, classic, scriptUrl = '""', names = {} }) {
  const constants = { ...names, version, classic };
  const assets = Object.entries(constants).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
  assets.push(`export const base = new URL('.', ${scriptUrl}).href;`);
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: [join(web, entry)],
    format,
    globalName: classic ? 'headscope' : undefined,
    plugins: [virtualModules(assets.join('\n'))],
    // Emscripten's glue asks for its own address, to fetch a wasm that we hand over instead; a classic script has none.
    define: classic ? { 'import.meta.url': '""' } : {},
  });
  return outputFiles[0].text;
}

/** The library and its three engines. */
async function emitLibrary() {
  const names = { version };
  for (const kind of ['relaxed', 'simd', 'scalar']) {
    const wasm = await readFile(join(build, `attention_${kind}_library.wasm`));
    names[`${kind}Wasm`] = await emit(`${kind}LibraryWasm`, `attention-${kind}`, 'wasm', wasm);
  }
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: [join(web, 'attention.mjs')],
    format: 'esm',
    external: ['node:*'],
    plugins: [constantsModule(names)],
  });
  const file = await emit('library', 'attention', 'mjs', outputFiles[0].text);
  await writeFile(join(staging, 'attention.mjs'), `export * from './${file}';\n`);
  await cp(join(web, 'attention.d.mts'), join(staging, 'attention.d.mts')); // .d.mts: where TypeScript looks for an .mjs
}

/** `virtual:attention`: file names and version as constants. */
function constantsModule(constants) {
  const contents = Object.entries(constants).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
  return {
    name: 'constants',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:attention$/ }, ({ path }) => ({ path, namespace: 'virtual' }));
      onLoad({ filter: /.*/, namespace: 'virtual' }, () => ({ contents: contents.join('\n') }));
    },
  };
}

/** A classic script that leaves `bytes` under the name `file`. */
const asScript = (file, bytes) => `(globalThis.headscope_files??={})[${JSON.stringify(file)}]="${bytes.toString('base64')}";\n`;

/** The worker's script; in a page it only says its text. */
async function workerScript() {
  const text = await bundle({ entry: 'worker.mjs', format: 'iife', classic: true });
  return `{const run=()=>{${text}};globalThis.document?globalThis.headscope_worker=\`(\${run})()\`:run()}\n`;
}

async function emitPage() {
  const names = { css: '', model: '', modelScript: '' };
  for (const kind of ['simd', 'scalar']) {
    for (const [part, key, stem] of [['first', 'Wasm', kind], ['pages', 'Pages', `pages-${kind}`]]) {
      const wasm = await readFile(join(build, `headscope_${kind}_${part}.wasm`));
      const file = await emit(kind + key, `headscope-${stem}`, 'wasm', wasm);
      names[kind + key] = file;
      names[`${kind}${key}Script`] = await emit(`${kind}${key}Script`, `headscope-wasm-${stem}`, 'js', asScript(file, wasm));
    }
  }
  if (existsSync(shipped)) {
    const bytes = await readFile(shipped);
    names.model = await emit('model', 'model', 'safetensors', bytes);
    names.modelScript = await emit('modelScript', 'headscope-model', 'js', asScript(names.model, bytes));
  }
  names.worker = await emit('worker', 'headscope-worker', 'js', await workerScript());
  if (existsSync(join(web, 'headscope.css'))) {
    names.css = await emit('css', 'headscope', 'css', await styles(join(web, 'headscope.css')));
  }

  const boot = await esbuild.transform(await readFile(join(web, 'boot.js'), 'utf8'), { minify: true, target: 'es2022' });
  const module = await bundle({ format: 'esm', classic: false, scriptUrl: 'import.meta.url', names });
  const classic = await bundle({ format: 'iife', classic: true, scriptUrl: 'document.currentScript.src', names });
  const pages = {
    module: await emit('module', 'headscope', 'mjs', module),
    classic: await emit('classic', 'headscope-classic', 'js', classic),
    boot: await emit('boot', 'boot', 'js', boot.code),
    css: names.css,
    simdWasm: names.simdWasm,
    version,
  };
  await writeFile(join(staging, 'headscope.mjs'), `export * from './${pages.module}';\n`);

  for (const page of (await readdir(web)).filter((name) => name.endsWith('.html'))) {
    const text = await readFile(join(web, page), 'utf8');
    const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name) => {
      if (!(name in pages)) throw new Error(`web/${page} asks for {{${name}}}; there are {{${Object.keys(pages).join('}} {{')}}}`);
      return pages[name];
    });
    await writeFile(join(staging, page), filled);
  }
}

async function main() {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await emitLibrary();
  if (!given.library) await emitPage();
  await cp(join(build, 'licenses.txt'), join(staging, 'LICENSES.txt'));
  await writeFile(join(staging, 'manifest.json'), `${JSON.stringify({ version, files }, null, 2)}\n`);

  await rm(site, { recursive: true, force: true });
  await rename(staging, site);
  for (const { file, bytes, brotli } of Object.values(files)) {
    console.log(`${basename(file).padEnd(36)} ${String(bytes).padStart(8)} bytes ${String(brotli).padStart(8)} with brotli`);
  }
}

await main();
