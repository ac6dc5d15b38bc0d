// One run of the program in one place on the page, from loading to its end: joins the parts.
import { load } from './loader.mjs';
import { Program } from './program.mjs';
import { copyText } from './clipboard.mjs';
import { createLoop } from './loop.mjs';
import { createGraphics } from './graphics.mjs';
import { createEditor } from './editor.mjs';
import { listenToDrops, pickFiles, readFiles } from './files.mjs';
import { createMirror } from './mirror.mjs';
import { listen } from './input.mjs';
import { createPages } from './pages.mjs';
import { createShipped } from './shipped.mjs';
import { watchPreferences } from './theme.mjs';
import { watchSize, watchView } from './size.mjs';
import { createTraining } from './training.mjs';

const label = 'Multi-head attention, step by step. Arrow keys change the step or the number, Tab goes on, Escape leaves.';

const quietMs = 500; // the mirror is told of training this seldom: describing all that is shown takes a frame's time

/**
 * @param stage     createStage(): the elements
 * @param stats     { frames, firstFrame, kernel, pending }: counted for tests and measurements
 * @param onproblem (reason) => void, nothing can be shown; '' when it can again
 * @param onchange  () => void, state has changed
 * @returns the running session; throws a LoadError when there can be none
 */
export async function startSession({ stage, element, query, options, stats, signal, onproblem, onchange }) {
  const { root, layer, canvas, still } = stage;
  let resize = () => showTheme(preferences.dark); // until the program is there
  let pause = () => {};
  const showTheme = (dark) => (root.host.dataset.theme = dark ? 'dark' : 'light');
  const preferences = watchPreferences({ element, theme: options.theme, signal, onchange: () => resize() });
  showTheme(preferences.dark);

  // Measured while the program is being fetched, so that the first frame waits for nothing.
  let size = { width: 1280, height: 800, ratio: 1, pixelWidth: 0, pixelHeight: 0 };
  let seen = false;
  watchSize({ canvas, signal, onsize(next) {
    size = next;
    resize();
  } });
  watchView({ element: layer, signal, onchange(onScreen) {
    seen = onScreen;
    pause();
  } });

  const { module, start, bringPages } = await load({
    canvas, kernel: options.kernel, from: options.base, accept: options.accept,
    pages: /[?&](page|practice|budget)=/.test(query), // a guess: the program knows
  });
  if (signal.aborted) return null;
  stats.kernel = start.kernel;
  module.specialHTMLTargets['!canvas'] = canvas;

  const program = new Program(module, (error) => onproblem(`The program has stopped: ${error.message}`, true));
  let revision = -1;
  let description = null;

  // The program's size is what the device pixels stand for, so that no column of them is left undrawn.
  const viewport = () => [
    (size.pixelWidth || 1280) / size.ratio, (size.pixelHeight || 800) / size.ratio, size.ratio,
    preferences.dark, preferences.reduced, preferences.touch,
  ];
  const hasPages = program.call('needs_pages', query) === 1;
  if (hasPages) await bringPages();
  if (signal.aborted) return null;
  program.call('create', ...viewport());
  if (!hasPages) program.call('expect_pages');
  program.call('open', query);

  const loop = createLoop({ program, canDraw: () => graphics.want(), draw, after });
  stats.pending = loop.pending;
  const graphics = createGraphics({
    canvas, still, program, signal,
    paint: () => program.call('frame', loop.now()),
    onready() {
      onproblem('');
      loop.drawNow();
    },
    onfail: onproblem,
  });
  const editor = createEditor({
    layer, canvas, program, now: loop.now, isTouch: () => preferences.touch, onended: react,
  });
  const mirror = createMirror({
    headingLevel: options.headingLevel,
    onaction: dispatch,
    onfield(action) {
      const reason = dispatch(action);
      if (reason) notify(reason);
      return reason;
    },
    onfile: () => pickFiles({ place: root, onfiles: openFiles }),
    oncopy: copy,
    onedit({ cell, text, label: name, element: button }) {
      editor.start({ cell, text, label: name, font_px: 14, rect: placeOf(cell, button) }, {
        commit(typed, leaving) {
          const reason = typed === text ? null : dispatch(`set:${cell}=${typed}`);
          if (!reason || !leaving) return reason ?? '';
          return notify(reason) ?? '';
        },
        cancel() {},
        back: button,
      });
    },
  });
  root.append(mirror.element);
  canvas.setAttribute('aria-label', label);
  canvas.setAttribute('aria-describedby', mirror.sentenceId);
  stage.onTextVersion((on) => mirror.setWalkable(on));

  const training = createTraining({
    start, program, from: options.base, signal,
    onreport(bytes) {
      program.text('take_report', bytes); // refused when its run has been let go meanwhile: nothing to tell
      onlyTold ??= true;
      serve();
    },
    onproblem: notify,
    onlost(reason) {
      program.call('lose_studio', reason);
      react();
    },
  });
  const bringShipped = createShipped({
    wants: () => program.call('wants_shipped_model') === 1,
    from: options.base, signal,
    onbytes(bytes) {
      const reason = program.text('open_shipped', bytes);
      react();
      return reason;
    },
    onproblem: (sentence, before) => (sentence || description?.notice === before) && notify(sentence),
  });
  const pages = createPages({
    program, here: hasPages, bring: bringPages, signal,
    onhere: react,
    onproblem: (sentence, before) => (sentence || description?.notice === before) && notify(sentence),
  });
  listenToDrops({
    target: root, signal,
    onfiles: openFiles,
    onrefused: notify,
    ondrag: (over) => root.host.toggleAttribute('data-dragging', over),
  });

  function draw(now) {
    program.call('frame', now);
    graphics.drawn();
    stats.frames += 1;
    stats.firstFrame ||= performance.now();
  }

  let onlyTold = null; // since the mirror was last told: nothing but reports of training came (true), or more (false)
  let told = -Infinity;
  let later = 0;
  signal.addEventListener('abort', () => clearTimeout(later));

  // After every frame and every input: what follows the state outside of the canvas.
  function after() {
    canvas.style.cursor = program.text('cursor');
    canvas.toggleAttribute('data-ring', program.call('has_ring') === 1);
    editor.sync();
    pages.look();
    const now = program.call('revision');
    if (now === revision) {
      onlyTold = null;
      return;
    }
    const quiet = onlyTold === true;
    if (quiet && performance.now() - told < quietMs) {
      clearTimeout(later);
      later = setTimeout(after, quietMs);
      return;
    }
    onlyTold = null;
    told = performance.now();
    revision = now;
    description = program.json('description');
    if (!description) return; // stopped
    mirror.update(description, { quiet });
    showTheme(program.call('is_dark'));
    onchange();
  }

  function react() {
    onlyTold = false;
    serve();
  }

  // What the program asks of the page, at once: a phone shows its keyboard, and a browser its file dialogue, only for a
  // call within the tap.
  function serve() {
    editor.sync();
    for (let command; (command = program.text('take_studio_command')); ) training.command(command);
    if (program.call('take_file_request')) pickFiles({ place: root, onfiles: openFiles }); // within the press
    const text = program.text('take_copy_request');
    if (text) copy(text);
    bringShipped();
    pages.look();
    loop.wake();
  }

  async function copy(text) {
    const link = text.startsWith('?') || text.includes(' ?');
    const whole = link ? text.replace(/\?\S*$/, (query) => linkTo(query)) : text;
    const back = stage.isTextVersion() ? root.activeElement : canvas;
    if (await copyText(whole, { place: stage.isTextVersion() ? root : layer, back }) && !signal.aborted) notify('Copied.');
  }

  // An address that opens what `query` says: this page's own where it keeps the query, else the query alone.
  function linkTo(query) {
    return options.updateUrl ? `${location.origin === 'null' ? '' : location.origin}${location.pathname}${query}` : query;
  }

  function dispatch(action) {
    program.call('set_clock', loop.now());
    const reason = program.text('dispatch', action);
    react();
    return reason || null;
  }

  function notify(sentence) {
    return dispatch(`notice:${sentence}`);
  }

  let opened = 0; // of two files one soon after the other, the later one stays
  async function openFiles(files) {
    const mine = ++opened;
    const { name, bytes, companion, refused } = await readFiles(files);
    if (signal.aborted || mine !== opened) return null;
    let reason = refused ?? (pages.here ? null : (await pages.have()) || null);
    if (signal.aborted || mine !== opened) return null;
    try {
      reason ??= program.text('open_file', name, bytes, companion); // says its own refusals to the learner
    } catch (error) {
      reason = `${name} can’t be opened: ${error.message}.`;
      notify(reason);
    }
    if (refused) notify(refused);
    react();
    return reason || null;
  }

  // Over the number on the canvas, or over the button when the text version is what one sees.
  function placeOf(cell, button) {
    const onCanvas = program.json('rect_of', cell);
    if (onCanvas && !stage.isTextVersion()) return onCanvas;
    const [outer, inner] = [layer.getBoundingClientRect(), button.getBoundingClientRect()];
    return { x: inner.left - outer.left, y: inner.top - outer.top, w: inner.width, h: inner.height };
  }

  listen({
    canvas, program, signal, now: loop.now, onused: react,
    size: () => size, hasFocus: () => root.activeElement === canvas,
  });

  pause = () => {
    graphics.see(seen);
    loop.pause(!seen || document.hidden);
  };
  resize = () => {
    graphics.resize(size.pixelWidth, size.pixelHeight);
    program.call('resize', ...viewport());
    showTheme(program.call('is_dark'));
    loop.drawNow();
  };
  document.addEventListener('visibilitychange', () => pause(), { signal });
  resize();
  pause();
  after();
  serve();

  let asked = null; // of two addresses one soon after the other, the later one is opened
  return {
    dispatch,
    async open(text) {
      const mine = (asked = {});
      if (!pages.here && program.call('needs_pages', text) === 1 && (await pages.have())) return; // why not has been said
      if (signal.aborted || mine !== asked) return;
      program.call('open', text);
      training.end(); // a new view knows nothing of the old one's run
      react();
    },
    openFiles,
    describe: () => program.json('description'),
    get query() {
      return program.text('query');
    },
    rectOf: (cell) => program.json('rect_of', cell),
    stop() {
      loop.stop();
      mirror.stop();
      editor.close();
      program.end();
    },
  };
}
