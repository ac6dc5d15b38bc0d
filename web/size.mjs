// How large the canvas is, in CSS pixels and in device pixels, and when that changes.

/**
 * Calls onsize({ width, height, ratio, pixelWidth, pixelHeight }) with the first size that isn't empty, and whenever
 * it changes: also when only the pixel ratio does (browser zoom, a window moved to another screen).
 */
export function watchSize({ canvas, signal, onsize }) {
  let last = '';
  let box = { width: 0, height: 0 }; // CSS pixels

  function tell(width, height, pixels) {
    const ratio = devicePixelRatio;
    const pixelWidth = exact(pixels?.inlineSize, width * ratio);
    const pixelHeight = exact(pixels?.blockSize, height * ratio);
    if (!pixelWidth || !pixelHeight) return; // display:none
    const now = [width, height, ratio, pixelWidth, pixelHeight].join();
    if (now === last) return;
    last = now;
    onsize({ width, height, ratio, pixelWidth, pixelHeight });
  }

  // An emulated ratio (developer tools) is not in the browser's own figure: it counts only where it agrees.
  const exact = (found, computed) => (Math.abs(found - computed) < 1 ? found : Math.round(computed));

  const observer = new ResizeObserver((entries) => {
    const { contentRect, devicePixelContentBoxSize } = entries.at(-1);
    box = contentRect;
    tell(box.width, box.height, devicePixelContentBoxSize?.[0]);
  });
  try {
    // Exact where an element begins between two device pixels; round(CSS size x ratio) may be one off there.
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(canvas);
  }
  signal.addEventListener('abort', () => observer.disconnect());

  // The observer needs a new size; a new ratio alone is told by the media query, and by nobody in Chromium's device
  // emulation: so it is looked at once a second as well.
  function lookAtRatio() {
    if (devicePixelRatio === ratioSeen) return;
    tell(box.width, box.height);
    watchRatio();
  }
  let ratioSeen = 0;
  function watchRatio() {
    ratioSeen = devicePixelRatio;
    const query = matchMedia(`(resolution: ${ratioSeen}dppx)`);
    query.addEventListener('change', lookAtRatio, { once: true, signal });
  }
  watchRatio();
  const clock = setInterval(lookAtRatio, 1000);
  signal.addEventListener('abort', () => clearInterval(clock));
}

/** Calls onchange(onScreen) at first and whenever the element comes into view or leaves it. */
export function watchView({ element, signal, onchange }) {
  if (typeof IntersectionObserver !== 'function') {
    onchange(true);
    return;
  }
  const observer = new IntersectionObserver((entries) => onchange(entries.at(-1).isIntersecting));
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
}
