// Text out to the clipboard; where the browser refuses, a selected text box, so that the learner can copy it by hand.

/**
 * To be called within a click or a key press.
 * @param place  the element (over the canvas) that the text box is put into
 * @param back   the element that gets the focus back
 * @returns whether it is on the clipboard; false: the box is open
 */
export async function copyText(text, { place, back }) {
  try {
    await navigator.clipboard.writeText(text); // absent outside of secure contexts, refused in a frame without permission
    return true;
  } catch {
    offer(text, place, back);
    return false;
  }
}

function offer(text, place, back) {
  place.querySelector('.copy-box')?.remove();
  const box = document.createElement('div');
  box.className = 'copy-box';
  const label = document.createElement('label');
  label.textContent = 'Copy this text:';
  const field = Object.assign(document.createElement('textarea'), { readOnly: true, value: text, rows: 3 });
  const close = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Close' });
  const end = () => {
    box.remove();
    back.focus({ preventScroll: true });
  };
  close.addEventListener('click', end);
  box.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') end();
  });
  label.append(field);
  box.append(label, close);
  place.append(box);
  field.focus({ preventScroll: true });
  field.select();
}
