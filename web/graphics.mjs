// The canvas's WebGL context: made when it is first needed, let go when others need it more, made anew after a loss.
import { forget, offScreen, take } from './contexts.mjs';

const patience = 3000; // ms that a lost context may take to come back before the learner is told
const lingering = 1000; // ms off screen before the context may be let go: scrolling to and fro costs nothing

/**
 * @param paint    () => void, draws a frame now (for the still)
 * @param onready  () => void, there is a (new) context: everything has to be drawn
 * @param onfail   (reason) => void, there is none and none is coming
 */
export function createGraphics({ canvas, still, program, signal, paint, onready, onfail }) {
  // none → live ⇄ (releasing → released → restoring); live → lost → live
  let state = 'none';
  let wantedBack = false; // needed again while it was still being let go
  let loser = null; // WEBGL_lose_context
  let timer = 0;
  const holder = { visible: false, used: 0, release };

  function create() {
    take(holder);
    const problem = program.text('create_graphics');
    if (problem) {
      state = 'failed';
      forget(holder);
      onfail(problem);
      return false;
    }
    state = 'live';
    loser = canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context') ?? null;
    return true;
  }

  function release() {
    if (state !== 'live' || !loser) return;
    still.width = canvas.width;
    still.height = canvas.height;
    paint();
    still.getContext('2d').drawImage(canvas, 0, 0); // in the same task: later the drawing buffer is empty
    still.hidden = false;
    program.call('destroy_graphics', false);
    state = 'releasing';
    wantedBack = false;
    loser.loseContext();
  }

  function restore() {
    state = 'restoring';
    take(holder);
    loser.restoreContext();
  }

  function lost(event) {
    event.preventDefault(); // else it never comes back
    if (state === 'releasing') {
      state = 'released';
      // Not in here: the browser looks at preventDefault only after the event.
      if (wantedBack) setTimeout(() => state === 'released' && !signal.aborted && restore());
      return;
    }
    forget(holder);
    if (state === 'live') program.call('destroy_graphics', true);
    state = 'lost';
    awaitReturn();
  }

  function awaitReturn() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (state !== 'lost') return;
      if (!holder.visible || document.hidden) awaitReturn();
      else onfail('the browser took the drawing surface away and has not given it back');
    }, patience);
  }

  function restored() {
    clearTimeout(timer);
    state = 'none';
    if (create()) onready();
  }

  canvas.addEventListener('webglcontextlost', lost, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    if (state === 'live') program.call('destroy_graphics', false);
    state = 'failed';
    forget(holder);
    loser?.loseContext(); // at once, in place of when the garbage collector comes by
  });

  return {
    /** Is there a context to draw with? Sees to it that there will be one. */
    want() {
      if (!canvas.width || signal.aborted) return false;
      holder.used = performance.now();
      if (state === 'none') return create();
      if (state === 'releasing') wantedBack = true;
      if (state === 'released') restore();
      return state === 'live';
    },

    /** A frame has been drawn: the still is out of date. */
    drawn() {
      if (still.hidden) return;
      still.hidden = true;
      still.width = still.height = 0; // frees its pixels
    },

    resize(pixelWidth, pixelHeight) {
      if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
      if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
    },

    see(visible) {
      holder.visible = visible;
      if (visible) return;
      setTimeout(() => !holder.visible && !signal.aborted && state === 'live' && offScreen(holder), lingering);
    },

    get state() {
      return state;
    },
  };
}
