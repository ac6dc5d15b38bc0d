// Reading what a canvas shows, through screenshots (a WebGL canvas's own buffer is empty after the frame).
import { PNG } from 'pngjs';

/** A screenshot of `locator` or page: { width, height, at(x, y) → [r, g, b], device pixels }. */
export async function pixels(target, options) {
  const { width, height, data } = PNG.sync.read(await target.screenshot(options));
  return { width, height, data, at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)] };
}

/** How far two colours are apart, in the channel that differs most. */
export const apart = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

/** Number of different colours: a blank or a flat picture has one or a few. */
export function colours({ data }) {
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
}

/** Both pictures' share of pixels that differ by more than `tolerance`, 0..1. */
export function difference(a, b, tolerance = 8) {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const far = Math.max(...[0, 1, 2].map((k) => Math.abs(a.data[i + k] - b.data[i + k])));
    if (far > tolerance) ++count;
  }
  return count / (a.width * a.height);
}
