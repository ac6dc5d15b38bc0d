// The native program in its window, on a display of the test's own.
import assert from 'node:assert/strict';
import { test as anywhere } from 'node:test';

import { difference, eventually, pause, screenshot, startDisplay, Window } from './support.mjs';

// Only Linux has an X server for it: Xvfb, which xdotool types into.
const test = (name, run) => anywhere(name, { skip: process.platform !== 'linux' && 'needs Xvfb' }, run);
const nothing = 0.0005;  // a pointer's highlight or a text cursor is more than this share of the pixels

async function open(t, ...args) {
  const window = new Window(t, await startDisplay(t), ...args);
  await window.appear();
  await window.rest();  // before its first frame nothing is there to be clicked
  return window;
}

test('the window shows what the screenshot shows', async (t) => {
  const window = await open(t, '--url', '?step=softmax&theme=dark');
  window.pointAway();
  assert.ok(difference(await window.rest(), screenshot('--url', '?step=softmax&theme=dark'), 2) < nothing);
});

test('arrows step, and the steps look as they do when opened', async (t) => {
  const window = await open(t, '--url', '?step=score&motion=reduced');
  window.pointAway();
  window.do('key', 'Right');
  const scale = screenshot('--url', '?step=scale&motion=reduced');
  await eventually('the next step shows', () => difference(window.picture(), scale, 2) < nothing);
  window.do('key', 'Left');
  const score = screenshot('--url', '?step=score&motion=reduced');
  await eventually('the step before shows', () => difference(window.picture(), score, 2) < nothing);
});

/** The page below its first line, in which undo, redo and reset are or aren't. */
function below(picture) {
  const line = 48;
  return { ...picture, height: picture.height - line, data: picture.data.subarray(line * picture.width * 4) };
}

// The first number of X, where the drawings have it at 1280 x 800.
const firstNumber = [81, 437];

test('a number is clicked, edited, undone and done again', async (t) => {
  const window = await open(t, '--url', '?step=softmax&motion=reduced');
  window.pointAt(...firstNumber);
  window.do('click', '1');
  window.do('type', '9x');
  window.do('key', 'BackSpace', 'Return');
  window.pointAway();
  const [unchanged, edited] = ['', '&set=X.1.1:9'].map((set) =>
    below(screenshot('--url', `?step=softmax&motion=reduced${set}`)));
  const shows = (page) => () => difference(below(window.picture()), page, 2) < nothing;
  await eventually('the number and all that follows from it show', shows(edited));
  window.do('key', 'ctrl+z');
  await eventually('it is undone', shows(unchanged));
  window.do('key', 'ctrl+y');
  await eventually('it is done again', shows(edited));
  window.do('key', 'ctrl+z', 'ctrl+shift+z');
  await eventually('it is undone and done again', shows(edited));
});

test('Escape leaves a number as it was', async (t) => {
  const view = ['--url', '?step=softmax&motion=reduced'];
  const window = await open(t, ...view);
  window.pointAt(...firstNumber);
  window.do('click', '1');
  window.do('type', '123');
  const editing = await window.rest();
  window.do('key', 'Escape');
  window.pointAway();
  const unchanged = screenshot(...view);
  assert.ok(difference(editing, unchanged) > nothing);
  await eventually('nothing is left of it', () => difference(window.picture(), unchanged, 2) < nothing);
});

test('a number is copied from one cell into another', async (t) => {
  const window = await open(t, '--url', '?step=softmax&motion=reduced&set=X.1.1:0.25');
  const [x, y] = firstNumber;
  window.pointAt(x, y);
  window.do('click', '1', 'key', 'ctrl+c', 'Escape');
  window.pointAt(x, y + 38);  // the cell below, in which a 0 is
  window.do('click', '1', 'key', 'ctrl+v', 'Return');
  window.pointAway();
  const pasted = below(screenshot('--url', '?step=softmax&motion=reduced&set=X.1.1:0.25,X.2.1:0.25'));
  await eventually('the number is in both', () => difference(below(window.picture()), pasted, 2) < nothing);
});

test('Tab goes in, round and back, Escape leaves, and no ring is drawn round the window', async (t) => {
  const view = ['--url', '?step=softmax&motion=reduced'];
  const window = await open(t, ...view);
  window.pointAway();
  const plain = await window.rest();
  window.do('key', 'Tab');
  const first = await window.rest();
  assert.ok(difference(first, plain) > 0);
  window.do('key', 'shift+Tab');
  await eventually('it is on the last stop', async () => {
    const last = await window.rest();
    return difference(last, first) > 0 && difference(last, plain) > 0;
  });
  window.do('key', 'Tab');
  await eventually('it is on the first stop again', () => difference(window.picture(), first) === 0);
  window.do('key', 'Escape');
  await eventually('it is on none', () => difference(window.picture(), plain) === 0);
});

test('the page follows the window\'s size', async (t) => {
  const window = await open(t, '--url', '?step=softmax', '--size', '900x600');
  window.pointAway();
  assert.deepEqual([window.place().width, window.place().height], [900, 600]);
  window.do('windowsize', window.id, '500', '700');
  const narrow = screenshot('--url', '?step=softmax', '--size', '500x700');
  await eventually('the layout is the narrow one', () =>
    window.place().width === 500 && difference(window.picture(), narrow, 2) < nothing);
});

test('with a pixel ratio of 1.5 the page keeps its size and the window grows', async (t) => {
  const window = await open(t, '--url', '?step=softmax', '--size', '640x480', '--pixel-ratio', '1.5');
  window.pointAway();
  assert.deepEqual([window.place().width, window.place().height], [960, 720]);
  const picture = screenshot('--url', '?step=softmax', '--size', '640x480', '--pixel-ratio', '1.5');
  assert.ok(difference(await window.rest(), picture, 2) < nothing);
});

test('at rest the window takes no processor time, and the next key is answered', async (t) => {
  const window = await open(t, '--url', '?step=softmax');
  const before = await window.rest();
  const start_ms = window.processorTime_ms();
  await pause(3000);
  const used_ms = window.processorTime_ms() - start_ms;
  assert.ok(used_ms <= 30, `${used_ms} ms of processor time in 3 s`);
  window.do('key', 'Right');
  await eventually('the key is answered', () => difference(window.picture(), before) > 0.01);
});

test('Ctrl+Q and a polite signal close the window with success', async (t) => {
  const window = await open(t);
  window.do('key', 'ctrl+q');
  assert.equal(await window.ended, 0, window.err);
  const second = new Window(t, window.display);
  await second.appear();
  second.child.kill('SIGTERM');
  assert.equal(await second.ended, 0, second.err);
});
