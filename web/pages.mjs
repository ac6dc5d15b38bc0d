// Brings the code of the other pages when the program wants it: something waits for it, or the learner points at a tab.
import { LoadError } from './fetched.mjs';

const saidAfterMs = 400; // a short wait needs no words
const pointedAt = 1; // what hs_wants_pages answers, besides 0
const waitedFor = 2;

/**
 * @param program   the C++ program, which keeps back whatever needs another page until they are here
 * @param here      true: they came with the program
 * @param bring     () => Promise, from load()
 * @param onhere    () => void, they are here, and what waited has been carried out
 * @param onproblem (sentence, before) => void; '': what was said `before` is over
 * @returns {{ here, look, have }}
 *   look()  to be called whenever the program may have come to want them
 *   have()  a promise of '' once they are here, or of why they can't be, which the learner has been told
 */
export function createPages({ program, here, bring, signal, onhere, onproblem }) {
  let fetching = null;
  let waited = false;
  let pointed = false; // since the pointer came: tried once
  let said = '';

  function say(sentence) {
    if (signal.aborted || sentence === said) return;
    const before = said;
    said = sentence;
    onproblem(sentence, before);
  }

  async function fetchThem() {
    let problem = '';
    try {
      await bring();
    } catch (error) {
      problem = error instanceof LoadError ? error.message : `The other pages can’t be shown: ${error.message}.`;
    }
    fetching = null;
    if (signal.aborted || problem) return problem;
    here = true;
    say('');
    program.call('pages_are_here');
    onhere();
    return '';
  }
  const quietly = () => (here ? Promise.resolve('') : (fetching ??= fetchThem()));

  async function have() {
    const late = setTimeout(say, saidAfterMs, 'The other pages are on their way.');
    const problem = await quietly();
    clearTimeout(late);
    say(problem);
    return problem;
  }

  async function waitFor() {
    waited = true;
    const problem = await have();
    waited = false;
    if (problem && !signal.aborted) program.call('give_up_pages');
  }

  return {
    get here() {
      return here;
    },
    have,
    look() {
      const wants = here ? 0 : program.call('wants_pages');
      if (wants === waitedFor && !waited) waitFor();
      if (wants === pointedAt && !pointed) quietly();
      pointed = wants !== 0;
    },
  };
}
