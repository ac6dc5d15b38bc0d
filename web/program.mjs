// The C++ program behind its hs_… functions: passes text both ways, and notices when the program has died.

export class Program {
  #module;
  #onbroken;

  /** @param onbroken called once with the error when a call traps; every later call answers 0 or ''. */
  constructor(module, onbroken) {
    this.#module = module;
    this.#onbroken = onbroken;
  }

  /**
   * hs_`name` with numbers, booleans, strings and bytes (Uint8Array: a pointer and a length); its number.
   * Throws a RangeError, and nothing has happened, when the arguments don't fit into the program's memory.
   */
  call(name, ...args) {
    if (!this.#module) return 0;
    const held = [];
    try {
      const passed = args.flatMap((value) => this.#pass(value, held));
      return this.#run(name, passed);
    } finally {
      if (this.#module) for (const pointer of held) this.#module._free(pointer);
    }
  }

  #run(name, passed) {
    try {
      return this.#module[`_hs_${name}`](...passed);
    } catch (error) {
      // A trapped program is in no known state: nothing may call it again, not even to free.
      this.#module = null;
      this.#onbroken(error);
      return 0;
    }
  }

  #pass(value, held) {
    const module = this.#module;
    const isBytes = value instanceof Uint8Array;
    if (typeof value !== 'string' && !isBytes) return [Number(value)];
    const length = isBytes ? value.length : module.lengthBytesUTF8(value) + 1;
    const pointer = module._malloc(length || 1);
    if (!pointer) throw new RangeError('there is not enough memory');
    held.push(pointer);
    if (isBytes) module.HEAPU8.set(value, pointer);
    else module.stringToUTF8(value, pointer, length);
    return isBytes ? [pointer, length] : [pointer];
  }

  /** The text that hs_`name` answers with. */
  text(name, ...args) {
    const pointer = this.call(name, ...args);
    return pointer && this.#module ? this.#module.UTF8ToString(pointer) : '';
  }

  /** The value whose JSON hs_`name` answers with, null when it has none. */
  json(name, ...args) {
    const text = this.text(name, ...args);
    return text ? JSON.parse(text) : null;
  }

  /** A copy of the bytes whose length hs_`name` answers with, and which hs_`name`_bytes points to; null for none. */
  bytes(name) {
    const length = this.call(name);
    const pointer = length && this.call(`${name}_bytes`);
    return pointer && this.#module ? this.#module.HEAPU8.slice(pointer, pointer + length) : null;
  }

  /** Ends the program and lets go of its memory. */
  end() {
    this.call('destroy');
    this.#module = null;
  }
}
