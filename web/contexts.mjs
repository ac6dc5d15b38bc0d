// Who on this page holds a WebGL context. Browsers allow 16 of them (8 on phones) and take the oldest away without
// asking; so the instances share out fewer than that among themselves, and one that goes without shows a still.

const most = 6;
// In a frame, other frames may hold contexts that can't be counted from here: there, off screen means let go.
const embedded = globalThis.parent !== globalThis;
const holders = new Set();

/** `holder` has { visible, used, release() }: release lets its context go. */
export function take(holder) {
  holders.add(holder);
  const others = [...holders].filter((other) => other !== holder);
  // Off screen first, then whatever was used longest ago.
  others.sort((a, b) => a.visible - b.visible || a.used - b.used);
  while (holders.size > most && others.length > 0) give(others.shift());
}

/** The holder's context goes: by its own wish, or since another needs it. */
export function give(holder) {
  if (holders.delete(holder)) holder.release();
}

/** The holder's context is gone already. */
export function forget(holder) {
  holders.delete(holder);
}

/** Nobody sees the holder any more. */
export function offScreen(holder) {
  if (embedded || holders.size > most) give(holder);
}
