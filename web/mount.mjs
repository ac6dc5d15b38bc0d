// mount(element, options) → instance: the lesson in any element of any page. Types and options: headscope.d.ts.
import { base } from 'virtual:assets';
import { startSession } from './session.mjs';
import { createHost, createStage } from './stage.mjs';
import { showFallback } from './fallback.mjs';
import { followUrl } from './address.mjs';
import { listenToParent } from './messages.mjs';
import { recall, remember } from './progress.mjs';
import { LoadError } from './loader.mjs';

const defaults = {
  query: '', theme: 'auto', updateUrl: false, height: null, headingLevel: 2, kernel: '', origin: null,
  base, onerror: null, accept: undefined, remember: '',
};

export function mount(element, given = {}) {
  if (element?.nodeType !== 1) throw new TypeError(`mount wants an element of the page; found ${element}.`);
  const options = { ...defaults, ...given };
  options.kernel ||= new URLSearchParams(options.query).get('kernel') ?? '';
  if (!['simd', 'scalar'].includes(options.kernel)) options.kernel = '';
  const { host, root } = createHost(options.height);
  element.append(host);

  const life = new AbortController(); // of the instance
  const stats = { frames: 0, firstFrame: 0, kernel: '', pending: () => false };
  const address = options.updateUrl ? followUrl(options.query) : () => {};
  let run = null; // { session, controller }: the present try
  let query = recall(options.query, options.remember);

  async function start() {
    const controller = new AbortController();
    const mine = (run = { session: null, controller });
    const stage = begin(root);
    const asked = query;
    try {
      const session = await startSession({
        stage, element, query, options, stats,
        signal: controller.signal,
        onproblem: (reason, dead) => (reason ? fail(reason, dead) : recover()),
        onchange: changed,
      });
      if (controller.signal.aborted) return session?.stop();
      mine.session = session;
      if (query !== asked) session.open(query); // set while it was loading
      stage.loading.remove();
      changed();
    } catch (error) {
      if (controller.signal.aborted) return;
      if (!(error instanceof LoadError)) console.error('headscope:', error);
      fail(error instanceof LoadError ? error.message : `Something unexpected happened: ${error.message}.`, true);
      throw error;
    }
  }

  function end() {
    const { session, controller } = run;
    controller.abort();
    session?.stop();
    run = { session: null, controller };
  }

  function changed() {
    const now = run.session?.query;
    if (now === undefined || now === query) return;
    query = now;
    address(query);
    remember(query, options.remember);
    instance.onchange?.(instance);
  }

  let fallback = null;
  /** `dead`: nothing of this run can be used any more. Else it may still come back by itself. */
  function fail(reason, dead) {
    if (dead) end();
    recover();
    fallback = showFallback({ reason, headingLevel: options.headingLevel, onreload: reload });
    root.append(fallback);
    host.toggleAttribute('data-failed', true);
    options.onerror?.(reason);
  }

  function recover() {
    fallback?.remove();
    fallback = null;
    host.toggleAttribute('data-failed', false);
  }

  function reload() {
    recover();
    end();
    start().catch(() => {});
  }

  const instance = {
    element,
    stats,
    onchange: null,
    ready: null,
    get query() {
      return run?.session?.query ?? query;
    },
    set query(text) {
      if (run?.session) run.session.open(text);
      else query = text;
    },
    rectOf: (cell) => run?.session?.rectOf(cell) ?? null,
    describe: () => run?.session?.describe() ?? null,
    openFile: async (file, companion) => {
      const files = companion ? [file, companion] : [file];
      return run?.session ? run.session.openFiles(files) : 'the lesson is not running';
    },
    dispatch: (action) => (run?.session ? run.session.dispatch(action) : 'the lesson is not running'),
    destroy() {
      if (life.signal.aborted) return;
      life.abort();
      end();
      host.remove();
    },
  };
  host.lesson = instance; // for whoever only finds the element
  if (options.origin) listenToParent({ instance, origin: options.origin, signal: life.signal });
  instance.ready = start().then(() => instance);
  instance.ready.catch(() => {}); // a page that doesn't ask need not hear of it twice
  return instance;
}

function begin(root) {
  for (const old of [...root.children]) if (old.localName !== 'style') old.remove();
  return createStage(root);
}
