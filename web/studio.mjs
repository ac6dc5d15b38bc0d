// Drives the program's studio (hs_studio_…) in slices: commands in as text, reports out as bytes. Used by the worker, and
// by the page itself where no worker can be had. Looks into neither.

const between = 100; // ms from one report to the next, except before the last one

/**
 * @param program    Program
 * @param sliceMs    how long to work without a break
 * @param rest       (next) => void, calls `next` after a break
 * @param onreport   (bytes) => void; the next report comes after `taken()`, so that a slow reader is not flooded
 * @param onproblem  (sentence) => void, a command was refused
 */
export function createStudio({ program, sliceMs, rest, onreport, onproblem }) {
  let going = false; // a slice is to come
  let ended = false;
  let owed = false; // a report was given and not yet taken
  let told = -Infinity;

  const isBusy = () => program.call('studio_busy') === 1;

  function tell() {
    if (owed || ended) return;
    const bytes = program.bytes('studio_report');
    if (!bytes) return;
    owed = true;
    told = performance.now();
    onreport(bytes);
  }

  // Stops early where the next piece of work would not fit any more.
  function slice() {
    const begin = performance.now();
    let last = begin;
    let longest = 0;
    do {
      program.call('studio_work');
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    } while (isBusy() && last - begin + longest <= sliceMs);
  }

  function run() {
    going = false;
    if (ended) return;
    if (isBusy()) slice();
    if (!isBusy() || performance.now() - told >= between) tell();
    wake();
  }

  function wake() {
    if (going || ended || !isBusy()) return;
    going = true;
    rest(run);
  }

  return {
    command(text) {
      const problem = program.text('studio_command', text);
      if (problem) onproblem(problem);
      if (!isBusy()) tell();
      wake();
    },
    taken() {
      owed = false;
      if (!isBusy()) tell();
    },
    end() {
      ended = true;
    },
  };
}
