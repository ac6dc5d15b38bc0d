// What a program hands to the attention library: numbers, whole numbers, yes or no. Here is looked at what kind of thing
// each is; how many and which numbers fit is the engine's to say (src/library).

/** What is refused. `problems` holds one sentence each: the field, what was found and what was wanted. */
export class AttentionError extends Error {
  constructor(problems) {
    super(problems.join('\n'));
    this.name = 'AttentionError';
    this.problems = problems;
  }
}

export function refuse(field, found, wanted) {
  throw new AttentionError([`${field}: found ${found}, wanted ${wanted}`]);
}

/** Does all the work before it throws, so that every problem is named at once. */
export function together(items, work) {
  const problems = [];
  for (const item of items) {
    try {
      work(item);
    } catch (error) {
      if (!(error instanceof AttentionError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new AttentionError(problems);
}

/** Any value in the words of a message. */
export function said(value) {
  if (value == null) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object') return `a value of type ${value.constructor?.name ?? 'Object'}`;
  return typeof value === 'function' ? 'a function' : String(value);
}

/** An object with no other keys than `names`: a misspelt option would be silently without effect. */
export function known(field, given, names) {
  if (typeof given !== 'object' || given === null) refuse(field, said(given), 'an object');
  together(Object.keys(given), (name) => {
    if (!names.includes(name)) refuse(name, `in ${field}`, `only ${names.join(', ')}`);
  });
}

export function whole(field, value) {
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 31) refuse(field, said(value), 'a whole number below 2^31');
  return value;
}

export function number(field, value) {
  if (typeof value !== 'number') refuse(field, said(value), 'a number');
  return value;
}

export function yes(field, value) {
  if (value != null && typeof value !== 'boolean') refuse(field, said(value), 'true or false');
  return value === true;
}

// ---------------------------------------------------------------- many numbers

const kinds = 'a typed array or (nested) arrays of numbers';

/**
 * { numbers, row }: a list, and how long the rows were that it came in (0: it came as a list).
 * Views into `memory` are copied, because it may move while they are read.
 */
export function numbersOf(field, given, memory) {
  if (ArrayBuffer.isView(given)) return { numbers: living(field, given, memory), row: 0 };
  if (!Array.isArray(given)) refuse(field, said(given), kinds);
  const numbers = [];
  const shape = flatten(field, given, numbers);
  return { numbers, row: shape.length > 1 ? shape.at(-1) : 0 };
}

function living(field, view, memory) {
  if (view.length === undefined || typeof view[0] === 'bigint') refuse(field, said(view), kinds);
  if (view.length === 0 && isDead(view)) {
    refuse(field, 'a view whose memory is gone', 'living numbers (copy what you keep of a result: .slice())');
  }
  return view.buffer === memory.buffer ? view.slice() : view;
}

function isDead(view) {
  try {
    return new Uint8Array(view.buffer) === null;
  } catch {
    return true;
  }
}

/** Appends the numbers of `rows` to `out`, and gives the shape: how many, of how many, … */
function flatten(field, rows, out) {
  if (!rows.some(Array.isArray)) {
    for (const item of rows) {
      const isNumber = typeof item === 'number' || typeof item === 'boolean';
      if (!isNumber) refuse(`${field}, number ${out.length + 1}`, said(item), 'a number');
      out.push(Number(item));
    }
    return [rows.length];
  }
  let inner = null;
  for (const row of rows) {
    if (!Array.isArray(row)) refuse(field, `${said(row)} among rows`, 'rows of one length');
    const shape = flatten(field, row, out);
    inner ??= shape;
    const [found, before] = [shape.join(' x '), inner.join(' x ')];
    if (found !== before) refuse(field, `rows of ${before} and of ${found}`, 'rows of one length');
  }
  return [rows.length, ...inner];
}

const kFewNumbers = 64; // up to here a loop is faster than TypedArray.set

export function copyInto(room, numbers) {
  if (numbers.length > kFewNumbers) {
    room.set(numbers);
    return;
  }
  for (let i = 0; i < numbers.length; i++) room[i] = numbers[i];
}

/** The first place whose number the room couldn't take as it is, or -1: a byte makes 0 of 256 and of 0.5. */
export function changedIn(room, numbers) {
  if (room instanceof Float32Array || room instanceof Float64Array || numbers.constructor === room.constructor) return -1;
  return room.findIndex((found, i) => found !== Number(numbers[i]));
}
