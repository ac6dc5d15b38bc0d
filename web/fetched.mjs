// Brings a file of the site as bytes, or says in a sentence why it can't.
import { classic } from 'virtual:assets';

/** An error whose message is written for the learner. */
export class LoadError extends Error {}

/**
 * @param file    its name; `script` is the name of the script that holds the same bytes, for the classic build
 * @param from    the folder's URL
 * @param what    what the learner knows it as: 'The program'
 */
export function bytesOf({ file, script, from, what }) {
  return classic ? bytesOfScript(new URL(script, from).href, file, what) : bytesOfFile(new URL(file, from).href, what);
}

// Not compileStreaming or its like: they insist on a type that many static hosts don't send.
async function bytesOfFile(url, what) {
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch {
    throw new LoadError(`${what} could not be fetched (${nameOf(url)}): no network, or the server refused.`);
  }
  if (!response.ok) {
    throw new LoadError(`${what} could not be fetched (${nameOf(url)}): the server answered ${response.status}.`);
  }
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new LoadError(`${what} could not be fetched (${nameOf(url)}): the network failed half-way.`);
  }
}

async function bytesOfScript(url, file, what) {
  await runScript(url, what);
  const text = globalThis.headscope_files?.[file];
  if (!text) throw new LoadError(`The server sent something else in place of ${lower(what)} (${nameOf(url)}).`);
  delete globalThis.headscope_files[file];
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Runs a classic script: all that a frame with an opaque origin may load from its own server. */
export async function runScript(url, what) {
  const script = document.createElement('script');
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new LoadError(`${what} could not be fetched (${nameOf(url)}).`));
    script.src = url;
    document.head.append(script);
  }).finally(() => script.remove());
}

const nameOf = (url) => url.slice(url.lastIndexOf('/') + 1);
export const lower = (what) => what[0].toLowerCase() + what.slice(1);
