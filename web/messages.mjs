// A page that holds the lesson in a frame may drive it: { headscope: 1, action: 'next' } → { headscope: 1, refused, query }.
// Only the parent, and only from the one origin that `mount` was told.

export function listenToParent({ instance, origin, signal }) {
  addEventListener('message', (event) => {
    const { data } = event;
    if (event.source !== parent || event.source === self || event.origin !== origin) return;
    if (data?.headscope !== 1 || typeof data.action !== 'string') return;
    const refused = instance.dispatch(data.action);
    event.source.postMessage({ headscope: 1, action: data.action, refused, query: instance.query }, origin);
  }, { signal });
}
