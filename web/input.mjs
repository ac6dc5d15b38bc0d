// Pointer, touch, wheel, keys and focus of one canvas, handed to the program. What the program doesn't use stays the
// page's: preventDefault is called on nothing else.

/**
 * @param hasFocus  () => boolean, the canvas has the keyboard
 * @param size      () => CSS size of the canvas before any transform
 * @param now       () => the program's clock
 * @param onused    () => void, called after each event that the program saw
 */
export function listen({ canvas, program, signal, hasFocus, size, now, onused }) {
  const on = (type, handle, options = {}) =>
    canvas.addEventListener(type, (event) => {
      program.call('set_clock', now());
      handle(event);
      onused();
    }, { ...options, signal });

  // A CSS transform on the canvas or around it changes its rectangle, not its size.
  function place({ clientX, clientY }) {
    const rect = canvas.getBoundingClientRect();
    const { width, height } = size();
    return [((clientX - rect.left) * width) / rect.width, ((clientY - rect.top) * height) / rect.height];
  }

  const press = { down: false }; // a button or finger is down, and what it does is ours
  listenToPointer({ canvas, program, on, place, press });
  listenToTouch({ program, on, place, press });
  listenToKeys({ canvas, program, on, now });
  listenToFocus({ canvas, program, on });

  on('wheel', (event) => {
    // Ctrl+wheel zooms the page; without the focus the page scrolls.
    if (event.ctrlKey || event.metaKey || !hasFocus()) return;
    const unit = [1, 16, size().height][event.deltaMode]; // pixels, lines or pages
    if (program.call('wheel', ...place(event), event.deltaY * unit)) event.preventDefault();
  }, { passive: false });
}

function listenToPointer({ canvas, program, on, place, press }) {
  const isTouch = (event) => event.pointerType === 'touch';
  function cancel() {
    if (!press.down) return;
    press.down = false;
    program.call('pointer_cancel');
  }

  on('pointermove', (event) => {
    if (!event.isPrimary || (isTouch(event) && !press.down)) return;
    if (press.down && event.buttons === 0) cancel(); // let go where nobody told us
    program.call('pointer_move', ...place(event), isTouch(event));
    canvas.style.cursor = program.text('cursor');
  });
  on('pointerleave', () => program.call('pointer_leave')); // a finger that lifts leaves as well
  on('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    press.down = true;
    // The end of a drag is told to us wherever it happens, also outside the window.
    if (!isTouch(event)) canvas.setPointerCapture(event.pointerId);
    program.call('pointer_down', ...place(event), isTouch(event));
  });
  on('pointerup', (event) => {
    if (!event.isPrimary || event.button !== 0 || !press.down) return;
    press.down = false;
    program.call('pointer_up', ...place(event), isTouch(event));
  });
  on('pointercancel', (event) => event.isPrimary && cancel());
  on('lostpointercapture', cancel);
  on('blur', cancel);
}

// A swipe scrolls the page, unless something in the program under the finger can scroll that way.
function listenToTouch({ program, on, place, press }) {
  let last = null; // where the one finger was
  let ours = false;

  on('touchstart', (event) => {
    last = event.touches.length === 1 ? place(event.touches[0]) : null;
    ours = false;
  }, { passive: true });
  on('touchmove', (event) => {
    if (!last || event.touches.length !== 1 || !event.cancelable) return;
    const [x, y] = place(event.touches[0]);
    const dy = last[1] - y;
    if (!ours) {
      if (Math.abs(dy) <= Math.abs(x - last[0]) || !program.call('can_scroll', x, y, dy)) return;
      ours = true;
      press.down = false; // a swipe, no tap
      program.call('pointer_cancel');
    }
    event.preventDefault();
    program.call('wheel', x, y, dy);
    last = [x, y];
  }, { passive: false });
}

function listenToKeys({ canvas, program, on, now }) {
  on('keydown', (event) => {
    if (event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    if (program.call('key', event.key, event.shiftKey, command, event.altKey, now())) {
      event.preventDefault();
      event.stopPropagation(); // a slide show around us would turn its page as well
    } else if (event.key === 'Escape') {
      canvas.blur(); // gives the keys back
    }
  });
}

const isEditor = (element) => element?.closest('.editor') != null;

function listenToFocus({ canvas, program, on }) {
  on('focus', ({ relatedTarget }) => program.call('focus', directionFrom(relatedTarget)));
  on('blur', ({ relatedTarget }) => {
    // The editor's field is a part of the canvas: the ring stays where it is.
    if (!isEditor(relatedTarget)) program.call('blur');
  });

  // 1: Tab from before the canvas, -1: Shift+Tab from after it, 0: a click, a script, the editor that closed, or from
  // outside of this document, where one can't tell. The canvas itself has the ring then.
  function directionFrom(previous) {
    if (!previous || !canvas.matches(':focus-visible') || isEditor(previous)) return 0;
    const root = canvas.getRootNode();
    const here = previous.getRootNode() === root ? canvas : root.host;
    return previous.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
  }
}
