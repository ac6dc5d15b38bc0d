// Remembers how far practice has come from one visit to the next, where the browser allows it. The address holds the same
// and goes before it; without storage nothing is lost but this convenience.

const kept = ['practice', 'seed', 'count', 'hints', 'question', 'progress'];

/** The query with what was remembered under `name`, unless it names a set of questions itself. */
export function recall(query, name) {
  if (!name || new URLSearchParams(query).has('practice')) return query;
  let stored = null;
  try {
    stored = localStorage.getItem(name);
  } catch {
    // No storage in a sandboxed frame, or it is switched off.
  }
  if (!stored || stored.length > 2000) return query;
  // Beside a set of questions `seed` is that one's, and the gallery's is called plan_seed.
  const ours = query.replace(/^\?/, '').replace(/(^|&)seed=/, '$1plan_seed=');
  return `?${[ours, stored].filter(Boolean).join('&')}`;
}

export function remember(query, name) {
  if (!name) return;
  const pairs = query.replace(/^\?/, '').split('&').filter((pair) => kept.includes(pair.split('=')[0]));
  try {
    if (pairs.some((pair) => pair.startsWith('practice='))) localStorage.setItem(name, pairs.join('&'));
    else localStorage.removeItem(name);
  } catch {
    // As above, or it is full.
  }
}
