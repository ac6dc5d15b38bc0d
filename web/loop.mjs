// When frames are drawn: only when the program wants one, and never while nobody can see them.

/**
 * @param program  the C++ program
 * @param canDraw  () => boolean, false while there is no size or no context (asked before each frame)
 * @param draw     (now) => void
 * @param after    () => void, runs after each frame and after each input that needed none; off the frame's own path
 */
export function createLoop({ program, canDraw, draw, after }) {
  let frame = 0;
  let timer = 0;
  let later = 0;
  let pausedAt = null; // clock time at which the program's clock stood still
  let lag = 0; // how much the program's clock is behind
  let stopped = false;

  // The program's clock stands still while it is paused: on return nothing jumps.
  const now = () => (pausedAt ?? performance.now()) - lag;

  function run() {
    frame = 0;
    if (stopped || pausedAt !== null) return;
    if (canDraw()) draw(now());
    soon();
    wake();
  }

  /** Something may have changed: asks the program what it wants. */
  function wake() {
    if (stopped || frame) return;
    clearTimeout(timer);
    const wants = pausedAt === null && program.call('wants_frame', now()) === 1;
    if (wants && canDraw()) {
      frame = requestAnimationFrame(run);
      return;
    }
    soon();
    if (wants || pausedAt !== null) return;
    const wait = program.call('next_frame_in', now());
    if (wait >= 0) timer = setTimeout(wake, Math.max(1, Math.ceil(wait)));
  }

  function soon() {
    later ||= setTimeout(runAfter);
  }

  function runAfter() {
    later = 0;
    if (!stopped) after();
  }

  return {
    now,
    wake,
    pending: () => frame !== 0,
    /** Draws at once, in place of waiting for the next frame: a resized canvas is blank until then. */
    drawNow() {
      if (stopped || pausedAt !== null || !canDraw()) return;
      draw(now());
      soon();
      wake();
    },
    pause(yes) {
      if (yes === (pausedAt !== null)) return;
      if (yes) {
        pausedAt = performance.now();
        cancelAnimationFrame(frame);
        clearTimeout(timer);
        frame = 0;
        soon();
      } else {
        lag += performance.now() - pausedAt;
        pausedAt = null;
        wake();
      }
    },
    stop() {
      stopped = true;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      clearTimeout(later);
    },
  };
}
