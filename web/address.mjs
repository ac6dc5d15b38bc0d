// Keeps the page's address in step with the lesson, so that reloading and sharing restore the view.

const kept = ['kernel']; // what the loader, not the lesson, reads from the query

/** @returns (query) => void. Nothing but the query changes; a frame that may not change its address stays as it is. */
export function followUrl(firstQuery) {
  const ours = new URLSearchParams(firstQuery);
  const extra = kept.filter((key) => ours.has(key)).map((key) => `${key}=${encodeURIComponent(ours.get(key))}`);
  return (query) => {
    const whole = [query.replace(/^\?/, ''), ...extra].filter(Boolean).join('&');
    try {
      history.replaceState(history.state, '', `${location.pathname}${whole && `?${whole}`}${location.hash}`);
    } catch {
      // Sandboxed, or too many changes in a short time (Safari: 100 in 10 s).
    }
  };
}
