// Multi-head attention as a library, in a page, a worker or Node: the engine of the lesson without its canvas.
// attention.d.mts says what everything takes and gives. This file carries numbers in and out of WebAssembly, and turns
// the engine's words into exceptions.
import { version } from 'virtual:attention';
import { start } from './attention-builds.mjs';
import {
  AttentionError, changedIn, copyInto, known, number, numbersOf, refuse, together, whole, yes,
} from './attention-values.mjs';

export { AttentionError, version };

const roomTypes = { may_attend: Uint8Array, key_lengths: Int32Array };
const createOptions = ['d_model', 'h', 'd_k', 'd_v', 'scale', 'kernel', 'base', 'accept'];
const inputs = ['X_kv', 'may_attend', 'additive_mask', 'key_lengths', 'gates'];
const runOptions = [...inputs, 'batch', 'causal', 'first_query', 'weights'];
const weightNames = ['W_Q', 'W_K', 'W_V', 'W_O', 'b_Q', 'b_K', 'b_V', 'b_O'];
const perHead = ['Q', 'K', 'V', 'scores', 'scaled', 'masked', 'pattern'];
const kAbsent = -(2 ** 31); // what the engine takes for a number that was not given

function textAt(engine, address) {
  const bytes = new Uint8Array(engine.memory.buffer);
  return new TextDecoder().decode(bytes.slice(address >>> 0, bytes.indexOf(0, address >>> 0)));
}

/** Slot and tensor numbers by name, from the engine itself. */
function namesIn(engine, nameAt) {
  const names = {};
  for (let i = 0; ; i++) {
    const name = textAt(engine, nameAt(i));
    if (name === '') return names;
    names[name] = i;
  }
}

/** { X, X_kv, … } as numbersOf() gives them, and everything else checked for kind. */
function read(X, options, memory) {
  known('options', options, runOptions);
  const given = { numbers: {} };
  together(['X', ...inputs, 'batch', 'first_query', 'causal', 'weights'], (name) => {
    const value = name === 'X' ? X : options[name];
    if (name === 'causal' || name === 'weights') given[name] = yes(name, value);
    else if (name === 'batch') given.batch = whole(name, value ?? 1);
    else if (name === 'first_query') given.first_query = whole(name, value ?? 0);
    else if (value != null || name === 'X') given.numbers[name] = numbersOf(name, value, memory);
  });
  return given;
}

export async function create(options = {}) {
  known('options', options, createOptions);
  const sizes = {};
  together(['d_model', 'h', 'd_k', 'd_v', 'scale'], (name) => {
    const value = options[name];
    const may = name === 'd_model' || name === 'h' ? undefined : kAbsent;
    if (value == null && may === kAbsent) sizes[name] = kAbsent;
    else sizes[name] = name === 'scale' ? number(name, value) : whole(name, value);
  });
  const { engine, name } = await start(options);
  return new Attention(engine, name, sizes);
}

/** Are the weights asked for, by options that say nothing else? undefined: they do say something else. */
function weightsAlone(options) {
  if (options === undefined) return false;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return undefined;
  for (const name in options) if (name !== 'weights') return undefined;
  const weights = options.weights ?? false;
  return typeof weights === 'boolean' ? weights : undefined;
}

class Attention {
  #engine;
  #slots;
  #tensors;
  #weights = null; // as given, for the readable engine
  #plain = null; // the last run's views when it had no options but `weights`: the next like it goes straight in

  constructor(engine, kernel, { d_model, h, d_k, d_v, scale }) {
    this.#engine = engine;
    const hasScale = scale !== kAbsent;
    this.#must(engine.create(d_model, h, d_k, d_v, hasScale ? 1 : 0, hasScale ? scale : 0));
    this.#slots = namesIn(engine, engine.slot_name);
    this.#tensors = namesIn(engine, engine.tensor_name);
    Object.assign(this, { kernel, d_model, h, d_k: engine.d_k(), d_v: engine.d_v() });
    Object.freeze(this);
  }

  get memoryBytes() {
    return this.#alive().memory.buffer.byteLength;
  }

  setWeights(weights) {
    const engine = this.#alive();
    known('weights', weights, weightNames);
    const given = {};
    together(weightNames.filter((name) => weights[name] != null), (name) => {
      const { numbers, row } = numbersOf(name, weights[name], engine.memory);
      given[name] = { numbers: numbers.slice(), row };
    });
    this.#plain = null;
    this.#guard(() => {
      engine.begin_weights();
      this.#writeAll(given, engine.room);
      this.#must(engine.set_weights());
    });
    this.#weights = given;
  }

  run(X, options) {
    const plain = this.#plain;
    if (plain !== null && weightsAlone(options) === plain.weights && ArrayBuffer.isView(X) && X.length === plain.X.length) {
      copyInto(plain.X, X);
      try {
        plain.run();
      } catch (error) {
        this.#endAfter(error);
      }
      return plain.result;
    }
    return this.#run(X, options);
  }

  #run(X, options = {}) {
    const engine = this.#alive();
    const given = read(X, options, engine.memory);
    this.#plain = null;
    return this.#guard(() => {
      this.#begin(given, given.weights);
      this.#writeAll(given.numbers, engine.room, roomTypes);
      this.#must(engine.run());
      const n_q = engine.n_q();
      const n_k = engine.n_k();
      const view = (at, count) => new Float32Array(engine.memory.buffer, at >>> 0, count);
      const result = Object.freeze({
        output: view(engine.output(), given.batch * n_q * this.d_model),
        weights: given.weights ? view(engine.attention_weights(), given.batch * this.h * n_q * n_k) : null,
        n_q,
        n_k,
      });
      const { length } = given.numbers.X.numbers;
      const weights = weightsAlone(options);
      if (length > 0 && weights !== undefined) {
        this.#plain = { X: view(engine.room(this.#slots.X, length, 0), length), run: engine.run, result, weights };
      }
      return result;
    });
  }

  forward(X, options = {}) {
    return this.#reference(X, options, ({ batch }) => Array.from({ length: batch }, (_, sequence) => this.#trace(0, sequence)));
  }

  backward(X, d_output, options = {}) {
    const engine = this.#alive();
    const wanted = { d_output: numbersOf('d_output', d_output, engine.memory) };
    return this.#reference(X, options, ({ batch, numbers }) => {
      this.#writeAll(wanted, engine.reference_room, {}, Float64Array);
      this.#must(engine.backward());
      const sequences = Array.from({ length: batch }, (_, i) => i);
      const each = (tensor) => sequences.map((i) => this.#show(engine.result(1, i, this.#tensors[tensor], -1)));
      return {
        d_weights: this.#weightGradients(),
        d_X: each('X'),
        d_X_kv: numbers.X_kv ? each('X_kv') : null,
        d_additive_mask: numbers.additive_mask ? each('additive_mask') : null,
        d_traces: sequences.map((i) => this.#trace(1, i)),
      };
    });
  }

  analyse(X, options = {}) {
    return this.#reference(X, options, ({ batch }) => Array.from({ length: batch }, (_, i) => this.#analysis(i)));
  }

  destroy() {
    this.#engine = null;
    this.#plain = null;
    this.#weights = null;
  }

  // -------------------------------------------------------------- between JavaScript and the engine

  #alive() {
    if (this.#engine === null) refuse('layer', 'destroyed', 'a living one');
    return this.#engine;
  }

  #must(answer) {
    if (answer === 0) throw new AttentionError(textAt(this.#engine, this.#engine.problems()).split('\n'));
    return answer >>> 0; // addresses beyond 2 GB come as negative numbers
  }

  #guard(work) {
    try {
      return work();
    } catch (error) {
      return this.#endAfter(error);
    }
  }

  /** A trap leaves the instance in no good state: the layer ends, and says why. */
  #endAfter(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    this.destroy();
    refuse('memory', `none left (${error.message})`, 'more; the layer is destroyed');
  }

  #begin({ numbers, batch, causal, first_query }, weights) {
    const count = (name) => numbers[name]?.numbers.length ?? -1;
    const largerMask = Math.max(count('may_attend'), count('additive_mask'));
    this.#must(
      this.#engine.begin(batch, count('X'), count('X_kv'), largerMask, causal ? 1 : 0, first_query, weights ? 1 : 0),
    );
  }

  #writeAll(given, roomFor, types = {}, Type = Float32Array) {
    together(Object.keys(given), (name) => {
      const { numbers, row } = given[name];
      const slot = this.#slots[name];
      const at = this.#must(roomFor(slot, numbers.length, row));
      const room = new (types[name] ?? Type)(this.#engine.memory.buffer, at, numbers.length);
      copyInto(room, numbers);
      const changed = changedIn(room, numbers);
      if (changed >= 0) refuse(name, numbers[changed], textAt(this.#engine, this.#engine.slot_wants(slot)));
    });
  }

  /** Forward in double with everything kept, then `work`. */
  #reference(X, options, work) {
    const engine = this.#alive();
    const given = read(X, options, engine.memory);
    this.#plain = null;
    return this.#guard(() => {
      this.#begin(given, true);
      engine.begin_weights();
      this.#writeAll(given.numbers, engine.reference_room, {}, Float64Array);
      this.#writeAll(this.#weights, engine.reference_room, {}, Float64Array);
      this.#must(engine.forward());
      return work(given);
    });
  }

  #show(at) {
    const engine = this.#engine;
    if (at === 0) return null;
    const rows = engine.rows();
    const cols = engine.cols();
    return { rows, cols, data: new Float64Array(engine.memory.buffer, at >>> 0, rows * cols).slice() };
  }

  /** Intermediates of a sequence's forward (what = 0), or the derivatives by them (1). */
  #trace(what, sequence) {
    const get = (tensor, head) => this.#show(this.#engine.result(what, sequence, this.#tensors[tensor], head));
    const heads = Array.from({ length: this.h }, (_, head) => {
      const named = Object.fromEntries(perHead.map((tensor) => [tensor, get(tensor, head)]));
      return { ...named, output: get('head', head) };
    });
    return { heads, concat: get('concat', -1), output: get('output', -1) };
  }

  #weightGradients() {
    const get = (tensor, head) => this.#show(this.#engine.result(2, 0, this.#tensors[tensor], head));
    const heads = Array.from({ length: this.h }, (_, head) => {
      const own = ['W_Q', 'W_K', 'W_V', 'b_Q', 'b_K', 'b_V'].map((tensor) => [tensor, get(tensor, head)]);
      return { ...Object.fromEntries(own), gate: get('gate', head).data[0] };
    });
    return { heads, W_O: get('W_O', -1), b_O: get('b_O', -1) };
  }

  #analysis(sequence) {
    const engine = this.#engine;
    this.#must(engine.analyse(sequence));
    const heads = Array.from({ length: this.h }, (_, head) => {
      const [entropy_bits, effective_tokens, mean_distance, stable_rank_of_pattern, stable_rank_of_output,
        mean_contribution, first_distance] = this.#show(engine.figures(0, head)).data;
      return {
        entropy_bits, effective_tokens, mean_distance, stable_rank_of_pattern, stable_rank_of_output, mean_contribution,
        first_distance,
        mean_weight_at_distance: this.#show(engine.figures(1, head)).data,
        contributions: this.#show(engine.contributions(sequence, head)),
      };
    });
    const [jensen_shannon_bits, cosine_of_outputs] = [2, 3].map((which) => this.#show(engine.figures(which, 0)));
    return { heads, jensen_shannon_bits, cosine_of_outputs };
  }
}
