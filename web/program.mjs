// The C++ program behind its hs_… functions: passes text both ways, and notices when the program has died.

export class Program {
  #module;
  #onbroken;

  /** @param onbroken called once with the error when a call traps; every later call answers 0 or ''. */
  constructor(module, onbroken) {
    this.#module = module;
    this.#onbroken = onbroken;
  }

  /** hs_`name` with numbers, booleans and strings; its number. */
  call(name, ...args) {
    const module = this.#module;
    if (!module) return 0;
    const held = [];
    try {
      const passed = args.map((value) => {
        if (typeof value !== 'string') return Number(value);
        const bytes = module.lengthBytesUTF8(value) + 1;
        const pointer = module._malloc(bytes);
        module.stringToUTF8(value, pointer, bytes);
        held.push(pointer);
        return pointer;
      });
      return module[`_hs_${name}`](...passed);
    } catch (error) {
      // A trapped program is in no known state: nothing may call it again, not even to free.
      this.#module = null;
      this.#onbroken(error);
      return 0;
    } finally {
      if (this.#module) for (const pointer of held) module._free(pointer);
    }
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

  /** Ends the program and lets go of its memory. */
  end() {
    this.call('destroy');
    this.#module = null;
  }
}
