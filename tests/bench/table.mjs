// What the records of core.mjs come to: ratios, verdicts on the targets, and their tables as text and as Markdown.
import { median, pairedRatio } from './core.mjs';
import { sizes as targetSizes, tolerance } from './targets.mjs';

const isOurs = (name) => name.startsWith('ours');
const sizeText = ({ n, d, h }) => `${n}, ${d}, ${h}`;
const where = ({ size, attn }) => `${sizeText(size)}, ${attn ? 'output and weights' : 'output only'}`;
const targetsOf = ({ n, d, h }) => targetSizes.find((it) => it.n === n && it.d === d && it.h === h)?.targets ?? {};
const percent = (part) => `${(100 * part).toFixed(1)} %`; // a digit more than targets have: no missed one looks met
const exponent = (value) => (value === undefined ? '–' : value.toExponential(1));
const least = (list) => Math.min(...list);
const gflops = (record, ms) => record.flops / ms / 1e6;

/** Three digits, without an exponent. */
const figure3 = (value) => (value >= 1000 ? value.toFixed(0) : value.toPrecision(3));
const duration = (ms) => (ms < 1 ? `${figure3(ms * 1e3)} µs` : `${figure3(ms)} ms`);

const ran = (record) => Object.entries(record.participants).filter(([, entry]) => !entry.error);
const samplesOf = (record, name) => record.participants[name]?.samples;

/** The strictest of the paired ratios to the participants that `include` takes: the one to the quickest of them. */
function ratioToBest(record, name, include) {
  const ours = samplesOf(record, name);
  if (!ours) return null;
  const ratios = ran(record)
    .filter(([other]) => include(other))
    .map(([other, { samples }]) => ({ other, ratio: pairedRatio(ours, samples) }));
  return ratios.reduce((worst, it) => (it.ratio > (worst?.ratio ?? 0) ? it : worst), null);
}

/** The roofline of every round, in GFLOP/s: with fused multiply-add where the engine has it. */
const rooflineOf = ({ roofline: { madd, mulAdd } }) => mulAdd.map((value, round) => Math.max(value, madd[round] ?? 0));

/** The part of the roofline that a participant reaches, round by round. */
function shareOfRoofline(record, name) {
  const samples = samplesOf(record, name);
  return samples ? pairedRatio(samples.map((ms) => gflops(record, ms)), rooflineOf(record)) : null;
}

/** What a record says about its size: null where nothing could be measured. */
function figures(record) {
  const isPeer = (name) => !isOurs(name);
  return {
    best: ratioToBest(record, 'ours', isPeer),
    js: ratioToBest(record, 'ours', (name) => name === 'js'),
    simd: ratioToBest(record, 'ours-simd', (name) => name.startsWith('ort-')),
    roofline: shareOfRoofline(record, 'ours'),
  };
}

/** A record's targets: { name, limit, met }. A target without a figure isn't met. */
function verdicts(record) {
  const targets = targetsOf(record.size);
  const found = figures(record);
  const names = record.attn ? { weights: found.best } : { js: found.js, best: found.best, simd: found.simd };
  const atMost = Object.entries(names)
    .filter(([name]) => targets[name] !== undefined)
    .map(([name, figure]) => ({ name, limit: targets[name], met: figure?.ratio <= targets[name] }));
  if (record.attn || targets.roofline === undefined) return atMost;
  return [...atMost, { name: 'roofline', limit: targets.roofline, met: found.roofline >= targets.roofline }];
}

/** Everything that makes a run worthless: what disagrees with float64, didn't run or wasn't there. */
export function disagreements({ name: engine, records, memory, problems }) {
  const list = problems.map((problem) => `${engine}: ${problem}`);
  const limit = `more than ${tolerance.toExponential()} of the greatest value`;
  for (const record of records) {
    for (const [name, { error, agrees, differences }] of Object.entries(record.participants)) {
      const at = `${engine}: ${name} at ${where(record)}`;
      if (error) list.push(`${at} did not run: ${error}`);
      else if (!agrees) {
        const parts = Object.entries(differences).map(([part, value]) => `${part} ${exponent(value)}`);
        list.push(`${at} differs from float64 by ${parts.join(', ')}: ${limit}`);
      }
    }
  }
  if (memory && !memory.agrees) {
    list.push(`${engine}: ours at ${sizeText(memory.size)} differs from float64 by ${exponent(memory.differences.out)}: ${limit}`);
  }
  return list;
}

/** One record as text, quickest participant first. */
export function progress(record) {
  const columns = [14, 11, 11, 9, 9, 10, 9, 9, 12];
  const line = (cells) => cells.map((cell, i) => (i === 0 ? `  ${cell.padEnd(columns[0])}` : cell.padStart(columns[i]))).join('');
  const ours = samplesOf(record, 'ours');
  const { madd, mulAdd } = record.roofline;
  const lines = [
    `\n(${where(record)}) ${(record.flops / 1e6).toPrecision(4)} MFLOP; roofline, GFLOP/s: ` +
      `${madd.length ? `${median(madd).toFixed(1)} relaxed madd, ` : ''}${median(mulAdd).toFixed(1)} mul + add`,
    line(['', 'median', 'least', 'GFLOP/s', 'best', 'roofline', 'd(out)', 'd(attn)', 'ours / it']),
  ];
  const quickestFirst = ran(record).sort(([, a], [, b]) => median(a.samples) - median(b.samples));
  for (const [name, { samples, differences, agrees }] of quickestFirst) {
    lines.push(line([
      name, duration(median(samples)), duration(least(samples)),
      figure3(gflops(record, median(samples))), figure3(gflops(record, least(samples))),
      percent(shareOfRoofline(record, name)), exponent(differences.out), exponent(differences.attn),
      ours ? pairedRatio(ours, samples).toFixed(3) : '–',
    ]) + (agrees ? '' : '  WRONG'));
  }
  for (const [name, { error }] of Object.entries(record.participants)) if (error) lines.push(`  ${name}: ${error}`);
  return lines.join('\n');
}

const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const met = (verdict) => (verdict.met ? 'met' : '**missed**');

function speed(record) {
  const samples = samplesOf(record, 'ours');
  return samples ? `${figure3(gflops(record, median(samples)))} (${figure3(gflops(record, least(samples)))})` : '–';
}

/** '0.532 of litert (≤ 0.60, met)' */
function ratioCell(figure, verdict) {
  if (!figure) return '–';
  const target = verdict ? ` (≤ ${verdict.limit.toFixed(2)}, ${met(verdict)})` : '';
  return `${figure.ratio.toFixed(3)} of ${figure.other}${target}`;
}

/** '87.1 % of 47.3 (≥ 85 %, met)': share, the roofline in GFLOP/s, target. */
function rooflineCell(record, share, verdict) {
  if (share === null) return '–';
  const target = verdict ? ` (≥ ${(100 * verdict.limit).toFixed(0)} %, ${met(verdict)})` : '';
  return `${percent(share)} of ${median(rooflineOf(record)).toFixed(1)}${target}`;
}

const differencesOf = (record, name) => {
  const { differences } = record.participants[name] ?? {};
  return differences ? Object.values(differences).map(exponent).join(', ') : '–';
};

/** Our figures in one mode. Targets hold in Chromium: elsewhere `withTargets` is false and only figures are shown. */
function oursTable(records, withTargets) {
  const attn = records[0].attn;
  const rows = records.map((record) => {
    const found = figures(record);
    const list = withTargets ? verdicts(record) : [];
    const verdict = (...names) => list.find(({ name }) => names.includes(name));
    const best = verdict('js') ? found.js : found.best;
    const cells = [sizeText(record.size), speed(record), rooflineCell(record, found.roofline, verdict('roofline'))];
    cells.push(ratioCell(best, verdict('js', 'best', 'weights')));
    cells.push(ratioCell(found.simd, verdict('simd')));
    cells.push(differencesOf(record, 'ours'));
    return cells;
  });
  return table([
    'n, d_model, h', 'GFLOP/s, median (best)', 'of the roofline, GFLOP/s', 'time ÷ quickest other',
    'without relaxed SIMD ÷ quickest ORT', attn ? 'difference from float64: output, weights' : 'difference from float64',
  ], rows);
}

/** Everybody's time of a call and difference from float64. */
function everybodyTable(records) {
  const names = [...new Set(records.flatMap((record) => Object.keys(record.participants)))];
  const cell = (record, name) => {
    const samples = samplesOf(record, name);
    return samples ? `${duration(median(samples))} (${differencesOf(record, name)})` : '–';
  };
  const rows = records.map((record) => [where(record), ...names.map((name) => cell(record, name))]);
  return table(['n, d_model, h', ...names], rows);
}

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function memoryLine({ size, bytes, pattern }) {
  return `Memory: output only at n = ${size.n}, d_model = ${size.d}, h = ${size.h} takes ${mebibytes(bytes)} of WebAssembly memory, ` +
    `weights and input included; one n × n matrix for each head alone would take ${mebibytes(pattern)}.`;
}

function engineSections({ engine, name, records, memory }) {
  const withTargets = engine === 'chromium';
  const parts = [];
  for (const attn of [false, true]) {
    const chosen = records.filter((record) => record.attn === attn);
    if (chosen.length === 0) continue;
    parts.push(`**${name}, one thread, ${attn ? 'output and weights' : 'output only'}**`, oursTable(chosen, withTargets));
  }
  if (withTargets) {
    const list = records.flatMap(verdicts);
    const missed = list.filter((verdict) => !verdict.met).length;
    if (list.length > 0) parts.push(`Targets: ${list.length - missed} met, ${missed} missed.`);
  }
  parts.push(`**${name}: median time of a call (greatest difference from float64)**`, everybodyTable(records));
  if (memory) parts.push(memoryLine(memory));
  return parts;
}

/** The README's tables, and what they were measured with. */
export function markdown(results, machine) {
  const kernels = results.map(({ name, records }) => `${records[0]?.participants.ours?.kernel ?? 'none'} in ${name}`);
  const browser = results.find(({ engine }) => engine === 'chromium');
  const programs = [`Node.js ${machine.node}`, ...(browser ? [`Chromium ${browser.version}`] : [])];
  const packages = Object.entries(machine.packages).map(([name, version]) => `${name} ${version}`);
  const invalid = results.flatMap(disagreements).length > 0 ? ['**Not valid: somebody was wrong or did not run.**'] : [];
  return [
    ...invalid,
    ...results.flatMap(engineSections),
    'Ratios are medians over rounds of times measured side by side; FLOPs are 8 n d_model² + 4 n² d_model; the roofline is the ' +
      'best loop of multiply-adds on SIMD registers alone, measured in the same rounds. `ours` is the kernel that the engine ' +
      `runs best (${kernels.join(', ')}), \`ort-…\` ONNX Runtime Web with four ways to write the graph, \`litert\` LiteRT.js, ` +
      '`js` plain JavaScript. All WebAssembly is compiled by the optimising compiler from the start.',
    `${machine.cores} × ${machine.cpu}, ${machine.platform}; ${[...programs, ...packages].join(', ')}.`,
  ].join('\n\n');
}
