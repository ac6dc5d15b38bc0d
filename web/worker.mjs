// Training beside the page: the same program in a worker, with a memory of its own.
//   in:  { kernel, compiled, pages } first, then { command: text } and { taken: true }
//   out: { ready: true }, { report: ArrayBuffer }, { problem: text }, and { lost: text } when nothing more will come
import { instantiate } from './instance.mjs';
import { Program } from './program.mjs';
import { createStudio } from './studio.mjs';

const sliceMs = 40; // so that "pause" is heard soon

const lose = (error) => postMessage({ lost: error?.message ?? String(error) });

// A timer would rest for 4 ms, and for a second in a hidden tab.
function restByMessage() {
  const { port1, port2 } = new MessageChannel();
  let next = null;
  port1.onmessage = () => next();
  return (then) => {
    next = then;
    port2.postMessage(0);
  };
}

async function start(given) {
  const { module } = await instantiate(given);
  const studio = createStudio({
    program: new Program(module, lose),
    sliceMs,
    rest: restByMessage(),
    onreport: ({ buffer }) => postMessage({ report: buffer }, [buffer]),
    onproblem: (problem) => postMessage({ problem }),
  });
  postMessage({ ready: true });
  return studio;
}

let studio = null; // a promise: commands that come before the program runs wait for it, in order
onmessage = ({ data }) => {
  if (!studio) {
    studio = start(data);
    studio.catch(lose);
  } else if (data.command !== undefined) {
    studio.then((it) => it.command(data.command), () => {}); // lost: said already
  } else if (data.taken) {
    studio.then((it) => it.taken(), () => {});
  }
};
onmessageerror = () => lose('the program could not be handed to the worker');
