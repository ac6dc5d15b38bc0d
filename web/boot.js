// Starts the lesson in the page's [data-headscope] element: as a module, or as a classic script where a module can't
// be loaded (a sandboxed frame without an origin of its own, a file opened from disk).
(() => {
  const { module, classic, wasm } = document.currentScript.dataset;
  const start = ({ mount }) => {
    const place = document.querySelector('[data-headscope]');
    place.replaceChildren();
    mount(place, { query: location.search, updateUrl: true, headingLevel: 1, remember: 'headscope-practice' });
  };
  const startClassic = () => {
    const script = document.createElement('script');
    script.src = classic;
    script.onload = () => start(globalThis.headscope);
    script.onerror = () => {
      document.querySelector('[data-headscope]').textContent =
        'The lesson could not be fetched: its script is missing on the server, or the network failed. Reload the page to try again.';
    };
    document.head.append(script);
  };
  // The wasm comes down beside the module that will ask for it, not after it.
  const fetchAhead = () => {
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: wasm });
    document.head.append(link);
  };
  if (self.origin === 'null') {
    startClassic();
  } else {
    if (!/[?&]kernel=/.test(location.search)) fetchAhead();
    import(new URL(module, document.baseURI).href).then(start, startClassic);
  }
})();
