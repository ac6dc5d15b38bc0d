// The page's end of training: sends the program's commands to a studio and brings its reports back. The studio is in a
// worker; where the page may have none (a frame without an origin, a content security policy), on the page's own thread.
import { base, worker as workerFile } from 'virtual:assets';
import { runScript } from './fetched.mjs';
import { createStudio } from './studio.mjs';

const ownSliceMs = 12; // leaves room for a frame
const ownRestMs = 4;
let saidOnce = false;

/**
 * @param start      { kernel, compiled, pages }: what the worker makes its own instance of
 * @param program    the page's own, for a studio on its thread
 * @param from       folder of the site
 * @param signal     its end ends the worker, too
 * @param onreport   (bytes) => void
 * @param onproblem  (sentence) => void, a command was refused
 * @param onlost     (reason) => void, the run is gone; the next command begins anew
 */
export function createTraining({ start, program, from = base, signal, onreport, onproblem, onlost }) {
  let run = null; // { studio, waiting, life }: `studio` once it is found, the commands until then

  function open() {
    const life = new AbortController();
    const mine = (run = { studio: null, waiting: [], life });
    const alive = () => !life.signal.aborted;
    const told = {
      onreport: (bytes) => alive() && onreport(bytes),
      onproblem: (sentence) => alive() && onproblem(sentence),
      onlost(reason) {
        if (!alive()) return;
        end();
        onlost(reason);
      },
    };
    findStudio({ start, program, from, told, signal: life.signal }).then((studio) => {
      if (!alive()) return;
      mine.studio = studio;
      for (const command of mine.waiting) studio.command(command);
    });
  }

  function end() {
    run?.life.abort();
    run = null;
  }
  signal.addEventListener('abort', end);

  return {
    command(text) {
      if (signal.aborted) return;
      if (!run) open();
      if (run.studio) run.studio.command(text);
      else run.waiting.push(text);
    },
    /** Lets go of the worker and all it has; the next command begins anew. */
    end,
  };
}

/** { command(text) } in a worker where one can be had. */
async function findStudio({ start, program, from, told, signal }) {
  const url = new URL(workerFile, from).href;
  return (
    (await openWorker(url, start, told, signal)) ??
    (await openWorker(await blobOf(url, signal), start, told, signal)) ??
    onThisThread(program, told, signal)
  );
}

/** A studio in a worker; null when none may be had from `url`. */
function openWorker(url, start, told, signal) {
  if (!url || signal.aborted) return null;
  return new Promise((resolve) => {
    let worker;
    let running = false;
    const revoke = () => url.startsWith('blob:') && URL.revokeObjectURL(url);
    function lose(reason) {
      worker?.terminate();
      revoke();
      if (running) told.onlost(reason);
      else resolve(null);
    }
    try {
      worker = new Worker(url, { name: 'headscope training' });
      worker.postMessage(start);
    } catch {
      return lose();
    }
    signal.addEventListener('abort', () => lose('ended'));
    worker.onerror = (event) => {
      event.preventDefault(); // handled: no second message on the console
      lose(event.message || 'the worker stopped');
    };
    worker.onmessage = ({ data }) => {
      if (data.report) {
        told.onreport(new Uint8Array(data.report));
        worker.postMessage({ taken: true });
      } else if (data.problem) {
        told.onproblem(data.problem);
      } else if (data.lost) {
        lose(data.lost);
      } else if (data.ready) {
        running = true;
        revoke();
        resolve({ command: (command) => worker.postMessage({ command }) });
      }
    };
  });
}

/** The worker's script under an address of the page's own; '' when it can't be had. */
async function blobOf(url, signal) {
  if (signal.aborted) return '';
  try {
    await runScript(url, 'The script for training'); // which says its own text, where it isn't in a worker
    return URL.createObjectURL(new Blob([globalThis.headscope_worker], { type: 'text/javascript' }));
  } catch {
    return '';
  }
}

function onThisThread(program, told, signal) {
  if (signal.aborted) return null;
  if (!saidOnce) console.warn('headscope: no worker can be had here; training runs between the page’s own frames');
  saidOnce = true;
  let timer = 0;
  const studio = createStudio({
    program,
    sliceMs: ownSliceMs,
    rest: (next) => (timer = setTimeout(next, ownRestMs)),
    onreport(bytes) {
      told.onreport(bytes);
      studio.taken();
    },
    onproblem: told.onproblem,
  });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    studio.end();
  });
  return studio;
}
