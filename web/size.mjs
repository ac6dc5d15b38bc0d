// How large the canvas is, in CSS pixels and in device pixels, and when that changes.

/**
 * Calls onsize({ width, height, ratio, pixelWidth, pixelHeight }) with the first size that isn't empty, and whenever
 * it changes: also when only the pixel ratio does (browser zoom, a window moved to another screen).
 */
export function watchSize({ canvas, signal, onsize }) {
  let last = '';

  function tell(width, height, pixels) {
    const ratio = devicePixelRatio;
    const pixelWidth = pixels?.inlineSize ?? Math.round(width * ratio);
    const pixelHeight = pixels?.blockSize ?? Math.round(height * ratio);
    if (!pixelWidth || !pixelHeight) return; // display:none
    const now = [width, height, ratio, pixelWidth, pixelHeight].join();
    if (now === last) return;
    last = now;
    onsize({ width, height, ratio, pixelWidth, pixelHeight });
  }

  const observer = new ResizeObserver((entries) => {
    const { contentRect, devicePixelContentBoxSize } = entries.at(-1);
    tell(contentRect.width, contentRect.height, devicePixelContentBoxSize?.[0]);
  });
  try {
    // Exact where an element begins between two device pixels; round(CSS size x ratio) may be one off there.
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(canvas);
  }
  signal.addEventListener('abort', () => observer.disconnect());

  // The first observer has no way to see a new ratio at an unchanged size where that box is unknown.
  function watchRatio() {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    const changed = () => {
      watchRatio();
      const { width, height } = getComputedStyle(canvas);
      tell(parseFloat(width), parseFloat(height));
    };
    query.addEventListener('change', changed, { once: true, signal });
  }
  watchRatio();
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
