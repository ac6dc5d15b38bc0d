// Cuts a program in two: what the walkthrough needs, and the code of the other pages, which is fetched when one is wanted.
//   node split.mjs --program P.wasm --archives A.a,B.a,… --objects C.o,… --nm NM --wasm-split TOOL --first OUT.wasm --pages OUT.wasm
// P.wasm needs its name section with mangled names (--profiling-funcs, -Wl,--no-demangle); the outputs have none.
//
// Binaryen's wasm-split leaves a placeholder in the table for every function that the first part calls and hasn't:
// the second part puts its own there when it is instantiated (web/instance.mjs). Nothing may call one before, so
// ui::Program keeps back whatever needs another page until it is told that they are there (Program::pages_are_here).
//
// A function goes to the second part when nothing but files of other pages define it: templates that both use stay. Of
// functions that are the same Binaryen keeps one, under any of their names, so what the first part refers to goes only
// if no other file could mean it: it has external linkage and one definition.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values: given } = parseArgs({
  options: { program: text, archives: text, objects: text, nm: text, 'wasm-split': text, first: text, pages: text },
});

// Links and actions of every page are read and written on each of them, so that code is in the first part.
const isOfOtherPages = (library, file) =>
  ['budget', 'heads', 'train'].includes(library)
    ? !/^(sizes|presets|targets|plan|vocabulary)\./.test(file)
    : ['app', 'ui'].includes(library) &&
      /^(budget|gallery|practice)_/.test(file) && !/_(query|text|names|types|plan)\./.test(file);

/** { file: [{ name, isStrong }] } of an archive or an object file. */
function functionsOf(path) {
  const lines = execFileSync(given.nm, ['--defined-only', path], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
  const files = {};
  let file = basename(path);
  for (const line of lines) {
    if (line.endsWith('.o:')) file = line.slice(0, -1);
    const [, kind, name] = line.match(/^[0-9a-f]+ ([TtWw]) (.+)$/) ?? [];
    if (name) (files[file] ??= []).push({ name, isStrong: kind === 'T' });
  }
  return files;
}

/** The names in a module's name section. */
function namesIn(wasm) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  const string = () => {
    const length = number();
    at += length;
    return wasm.toString('utf8', at - length, at);
  };
  const names = [];
  while (at < wasm.length) {
    const section = wasm[at++];
    const end = number() + at;
    if (section === 0 && string() === 'name') {
      while (at < end) {
        const kind = wasm[at++];
        const partEnd = number() + at;
        if (kind === 1) for (let left = number(); left > 0; --left) number(), names.push(string());
        at = partEnd;
      }
    }
    at = end;
  }
  return names;
}

const kept = new Set();
const moved = new Set();
const strong = new Set();
for (const path of [...given.archives.split(','), ...given.objects.split(',')]) {
  const library = basename(path).replace(/^lib|\.a$/g, '');
  for (const [file, functions] of Object.entries(functionsOf(path))) {
    const set = isOfOtherPages(library, file) ? moved : kept;
    for (const { name, isStrong } of functions) {
      set.add(name);
      if (isStrong) strong.add(name);
    }
  }
}
// What runs before anything else (and is given to atexit) is called from the first part.
const isStartup = (name) => /^(__cxx_global|_GLOBAL__)/.test(name);
const chosen = new Set(
  namesIn(readFileSync(given.program)).filter((name) => moved.has(name) && !kept.has(name) && !isStartup(name)),
);
if (chosen.size < 500) {
  console.error(`split.mjs: only ${chosen.size} functions of the other pages were found in ${given.program}; wanted the names that ${given.nm} prints in its name section.`);
  process.exit(1);
}

const features = ['mutable-globals', 'sign-ext', 'bulk-memory', 'nontrapping-float-to-int', 'simd'];
const list = `${given.pages}.functions`;
const placeholders = `${given.first}.placeholders`; // where wasm-split writes them, as "slot:name"

/** Cuts; the functions that the first part refers to. */
function cut() {
  writeFileSync(list, [...chosen].join('\n'));
  execFileSync(given['wasm-split'], [
    given.program, '--mvp-features', ...features.map((name) => `--enable-${name}`), '--split', '--split-funcs', `@${list}`,
    '--export-prefix', '%', '--placeholdermap', '-o1', given.first, '-o2', given.pages,
  ], { stdio: 'inherit' });
  return readFileSync(placeholders, 'utf8').trim().split('\n').map((line) => line.slice(line.indexOf(':') + 1));
}
for (let doubtful = cut(); (doubtful = doubtful.filter((name) => !strong.has(name))).length > 0; doubtful = cut()) {
  for (const name of doubtful) chosen.delete(name);
}
