// Fetches the site's own trained model, only when the program wants it.
import { base, model, modelScript } from 'virtual:assets';
import { LoadError, bytesOf } from './fetched.mjs';

/**
 * @param wants      () => boolean, the program shows something that needs the model and has none
 * @param onbytes    (bytes) => why they are refused, or ''
 * @param onproblem  (sentence, before) => void; '': what was said `before` is over
 * @returns () => void, to be called whenever the answer of `wants` may have changed
 */
export function createShipped({ wants, from = base, signal, onbytes, onproblem }) {
  let tried = false; // since it was wanted last: what failed is tried anew when the learner comes back
  let busy = false;
  let said = '';

  async function bring() {
    try {
      if (!model) throw new LoadError('The trained model is not part of this site.');
      const bytes = await bytesOf({ file: model, script: modelScript, from, what: 'The trained model' });
      return signal.aborted ? '' : onbytes(bytes);
    } catch (error) {
      return error instanceof LoadError ? error.message : `The trained model can’t be shown: ${error.message}.`;
    }
  }

  return async () => {
    if (!wants()) {
      tried = false;
      return;
    }
    if (tried || busy) return;
    tried = busy = true;
    const problem = await bring();
    busy = false;
    if (signal.aborted) return;
    if (problem || said) onproblem(problem, said);
    said = problem;
  };
}
