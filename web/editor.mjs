// The text field over a number, or over words of the canvas: a real <input>, so that phones show their keyboard, and clipboard, input methods and
// screen readers work. What is edited, and whether the text will do, C++ decides.

const gap = 4; // CSS pixels kept free at the canvas's edges

/**
 * @param layer    the element that lies exactly over the canvas
 * @param onended  () => void, a number may have changed
 */
export function createEditor({ layer, canvas, program, now, isTouch, onended }) {
  let open = null; // { what, box, input, refusal, commit, cancel, back }

  /**
   * @param request  { cell or field, decimal, rect, text, label, font_px }
   * @param commit   (text, leaving) => why the text is refused, or ''
   * @param back     the element that gets the focus back
   */
  function start({ cell, field, decimal = true, rect, text, label, font_px }, { commit, cancel, back }) {
    close();
    const box = document.createElement('div');
    box.className = decimal ? 'editor' : 'editor words';
    const input = document.createElement('input');
    Object.assign(input, {
      type: 'text', inputMode: decimal ? 'decimal' : 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: false,
      enterKeyHint: 'done', value: text,
    });
    input.setAttribute('aria-label', label);
    input.style.fontSize = `${Math.max(font_px, isTouch() ? 16 : 0)}px`; // below 16 px, iOS zooms the page
    const refusal = document.createElement('p');
    refusal.className = 'refusal';
    refusal.id = 'refusal'; // in a shadow root: no other instance's
    refusal.setAttribute('role', 'alert');
    input.setAttribute('aria-describedby', refusal.id);
    box.append(input, refusal);
    const sign = isTouch() && decimal;
    if (sign) box.insertBefore(signButton(input), refusal);
    layer.append(box);
    open = { what: cell ?? field, sign, box, input, refusal, commit, cancel, back };
    move(rect);
    input.focus({ preventScroll: true });
    input.select();

    input.addEventListener('input', () => refuse(''));
    input.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      event.stopPropagation();
      if (event.key === 'Enter') end(true);
      else if (event.key === 'Escape') end(false);
      else if (event.key === 'Tab' && !end(true)) event.preventDefault();
      else if (event.key === 'Tab') walkOn(event);
      else return;
      if (event.key !== 'Tab') event.preventDefault();
    });
    input.addEventListener('blur', () => {
      // Still the active element: the window lost the keyboard, and editing goes on when it comes back.
      if (open?.input !== input || input.getRootNode().activeElement === input) return;
      open.commit(input.value, true);
      close();
      onended();
    });
  }

  // Tab commits, and goes on from the canvas to the next matrix.
  function walkOn(event) {
    if (canvas.getRootNode().activeElement !== canvas) return;
    event.preventDefault();
    program.call('key', 'Tab', event.shiftKey, false, false, now());
    onended();
  }

  /** True when editing is over. */
  function end(keep) {
    const { input, commit, cancel, back } = open;
    const reason = keep ? commit(input.value, false) : (cancel(), '');
    if (reason) {
      refuse(reason);
      input.select();
      return false;
    }
    close();
    back.focus({ preventScroll: true });
    onended();
    return true;
  }

  function refuse(reason) {
    open.refusal.textContent = reason;
    open.input.setAttribute('aria-invalid', String(reason !== ''));
  }

  function close() {
    const box = open?.box;
    open = null; // first: removing a focused field fires blur
    box?.remove();
  }

  function move(rect) {
    const { clientWidth, clientHeight } = layer;
    const width = Math.min(Math.max(rect.w, isTouch() ? 88 : 64), clientWidth - 2 * gap);
    const height = Math.max(rect.h, isTouch() ? 44 : 28);
    const inside = (at, length, room) => Math.max(gap, Math.min(at, room - length - gap));
    const top = inside(rect.y + (rect.h - height) / 2, height, clientHeight);
    const { style } = open.box;
    const sign = open.sign ? 50 : 0; // its button stands at the right
    const left = inside(rect.x + (rect.w - width) / 2, width + sign, clientWidth);
    style.left = `${left}px`;
    const bubble = Math.min(240, clientWidth - 2 * gap);
    open.refusal.style.width = `${bubble}px`;
    open.refusal.style.left = `${inside(left + (width - bubble) / 2, bubble, clientWidth) - left}px`;
    style.top = `${top}px`;
    style.width = `${width}px`;
    style.height = `${height}px`;
    open.box.classList.toggle('low', top > clientHeight / 2); // the refusal stands above then
  }

  return {
    start,

    /** Opens the field that the program asks for; keeps an open one in its place. */
    sync() {
      const request = program.json('edit_request');
      if (request && open?.what !== (request.cell ?? request.field)) {
        start(request, {
          commit(text, leaving) {
            program.call('set_clock', now());
            return program.text('commit_edit', text, leaving);
          },
          cancel: () => program.call('cancel_edit'),
          back: canvas,
        });
      } else if (request) {
        move(request.rect);
      } else if (open?.back === canvas) {
        close(); // the program has gone on without it: another step, or a layout without this number
        canvas.focus({ preventScroll: true });
      }
    },

    close,
  };
}

// The decimal keyboard of iOS has no minus.
function signButton(input) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'sign';
  button.tabIndex = -1;
  button.textContent = '±';
  button.setAttribute('aria-label', 'change the sign');
  button.addEventListener('pointerdown', (event) => event.preventDefault()); // the field keeps the focus
  button.addEventListener('click', () => {
    input.value = /^[-−]/.test(input.value) ? input.value.slice(1) : `-${input.value}`;
  });
  return button;
}
