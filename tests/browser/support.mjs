// What the browser tests share: one browser a file, a server for the site and the test pages, a lesson in a page,
// and the numbers that its mirror shows.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '../..');
export const site = process.env.HEADSCOPE_SITE ?? join(root, 'build/web/site');
export const manifest = () => JSON.parse(readFileSync(join(site, 'manifest.json'), 'utf8'));
export const example = JSON.parse(readFileSync(join(root, 'tests/data/worked-example.json'), 'utf8'));

// WebGL 2 without a graphics card, text without subpixels, and no calls home.
const flags = [
  '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-lcd-text',
  '--font-render-hinting=none', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--no-first-run', '--disable-quic',
];
export const steps = ['input', 'project', 'score', 'scale', 'mask', 'softmax', 'weigh', 'concat', 'output'];

let browser = null;
let folder = '';
const servers = [];

/** For each test file: a browser, and a folder with `site/`, `pages/` (tests/browser/pages) and `web/` (the sources). */
export function useBrowser() {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headscope-test-'));
    for (const [name, target] of [['site', site], ['pages', join(here, 'pages')], ['web', join(root, 'web')]]) {
      symlinkSync(target, join(folder, name));
    }
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    for (const server of servers.splice(0)) await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

export const launch = () =>
  chromium.launch({ executablePath: process.env.HEADSCOPE_CHROMIUM ?? '/usr/bin/chromium', args: flags });

/** A server for the test folder; closed with the file. Without settings always the same one. */
let plain = null;
export async function server(settings) {
  if (!settings && plain) return plain;
  const started = await serve({ root: folder, ...settings });
  servers.push(started);
  return settings ? started : (plain = started);
}

/**
 * A page of its own context, closed with the test `t`. Errors of page and console fail the test unless `allow` matches.
 * @param options  playwright's context options, with `size` [w, h] and `dpr` for short
 */
export async function newPage(t, { size = [1280, 800], dpr = 1, allow = null, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] }, deviceScaleFactor: dpr, ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  page.problems = [];
  const note = (text) => (allow?.test(text) ? null : page.problems.push(text));
  page.on('pageerror', (error) => note(String(error)));
  page.on('console', (message) => message.type() === 'error' && note(`console: ${message.text()} (${message.location().url})`));
  t.after(async () => {
    await context.close();
    assert.deepEqual(page.problems, [], 'errors in the page');
  });
  return page;
}

/** The shell (index.html) with a query, running: `lesson` below speaks to it. */
export async function openShell(t, query = '', options = {}) {
  const page = await newPage(t, options);
  const { url } = options.server ?? (await server());
  await page.goto(`${url}site/index.html${query}`);
  await running(page);
  return page;
}

/** tests/browser/pages/blank.html, which has `mount` and nothing else. */
export async function openBlank(t, options = {}) {
  const page = await newPage(t, options);
  const { url } = options.server ?? (await server());
  await page.goto(`${url}pages/blank.html`);
  await page.waitForFunction(() => window.mount);
  return page;
}

/** Adds a <div style> to the body of an openBlank page and mounts a lesson in it; `around` is HTML before and after. */
export const mountIn = (frame, { style = 'height:600px', options = {}, around = ['', ''] } = {}) =>
  frame.evaluate(([css, given, [above, below]]) => {
    const place = document.createElement('div');
    place.style.cssText = css;
    document.body.insertAdjacentHTML('beforeend', above);
    document.body.append(place);
    document.body.insertAdjacentHTML('beforeend', below);
    window.mount(place, given);
  }, [style, options, around]);

/** Until the first lesson in `frame` has drawn a frame. */
export async function running(frame, count = 1) {
  await frame.waitForFunction(
    (wanted) => [...document.querySelectorAll('.headscope')].filter((host) => host.lesson?.stats.frames > 0).length >= wanted,
    count,
  );
}

/** Calls `what` with the first lesson (or lesson `index`) inside the page. */
export const lesson = (frame, what, argument, index = 0) =>
  frame.evaluate(
    ([text, value, i]) => (0, eval)(`(${text})`)(document.querySelectorAll('.headscope')[i].lesson, value),
    [what.toString(), argument, index],
  );

export const dispatch = (frame, action, index) => lesson(frame, (it, text) => it.dispatch(text), action, index);

/** Every table of the mirror: { 'pattern.1': [[0.33, …], …] }, from the DOM alone. */
export const tables = (frame, index = 0) =>
  frame.evaluate((i) => {
    const all = document.querySelectorAll('.headscope')[i].shadowRoot.querySelectorAll('.mirror table');
    const number = (cell) => ({ inf: Infinity, '-inf': -Infinity })[cell.dataset.value] ?? Number(cell.dataset.value);
    return Object.fromEntries([...all].map((table) => [
      table.dataset.table,
      [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll('td[data-cell]')].map(number)),
    ]));
  }, index);

/** The step that the mirror names. */
export const stepOf = (frame, index = 0) =>
  frame.evaluate((i) => document.querySelectorAll('.headscope')[i].shadowRoot.querySelector('.mirror').dataset.step, index);

/** Waits for the mirror to name `step`. */
export const atStep = (frame, step, index = 0) =>
  frame.waitForFunction(
    ([name, i]) => document.querySelectorAll('.headscope')[i].shadowRoot.querySelector('.mirror').dataset.step.toLowerCase() === name,
    [step.toLowerCase(), index],
  );

/** Waits until the number in `cell` of the mirror is `value` (text of the exact number). */
export const valueBecomes = (frame, cell, value, index = 0) =>
  frame.waitForFunction(
    ([name, text, i]) =>
      document.querySelectorAll('.headscope')[i].shadowRoot.querySelector(`[data-cell="${name}"]`)?.dataset.value === text,
    [cell, value, index],
  );

export const valueOf = (frame, cell, index = 0) =>
  frame.evaluate(
    ([name, i]) => document.querySelectorAll('.headscope')[i].shadowRoot.querySelector(`[data-cell="${name}"]`)?.dataset.value,
    [cell, index],
  );

/** The middle of a number on the canvas once it is drawn, in the coordinates of the frame's viewport. */
export async function placeOf(frame, cell, index = 0) {
  const found = await frame.waitForFunction(([name, i]) => {
    const host = document.querySelectorAll('.headscope')[i];
    const element = host.shadowRoot.querySelector('canvas');
    const rect = host.lesson.rectOf(name);
    if (!rect) return null;
    const canvas = element.getBoundingClientRect();
    const scale = canvas.width / element.offsetWidth;
    return { x: canvas.x + (rect.x + rect.w / 2) * scale, y: canvas.y + (rect.y + rect.h / 2) * scale };
  }, [cell, index]);
  return found.jsonValue();
}

/** Frames that the lesson draws in `ms` without any input. */
export async function framesIn(frame, ms, index = 0) {
  const count = () => lesson(frame, (it) => it.stats.frames, null, index);
  const before_ = await count();
  await frame.waitForTimeout(ms);
  return (await count()) - before_;
}

/** Until nothing moves any more. */
export const settled = (frame, index = 0) =>
  frame.waitForFunction(
    (i) => {
      const { lesson: it } = document.querySelectorAll('.headscope')[i];
      const still = it.stats.frames === it.seenFrames && !it.stats.pending();
      it.seenFrames = it.stats.frames;
      return still;
    },
    index,
    { polling: 120 },
  );

/** Gives the canvas the keyboard, as Tab would. */
export const focusCanvas = (frame, index = 0) => frame.locator('.headscope canvas.canvas').nth(index).focus();

export const canvasHasFocus = (frame, index = 0) =>
  frame.evaluate(
    (i) => document.querySelectorAll('.headscope')[i].shadowRoot.activeElement?.className === 'canvas',
    index,
  );

export function near(actual, expected, tolerance, what) {
  assert.equal(actual.length, expected.length, `${what}: rows`);
  expected.forEach((row, i) => {
    assert.equal(actual[i].length, row.length, `${what}: columns of row ${i + 1}`);
    row.forEach((value, j) => {
      const found = actual[i][j];
      assert.ok(Math.abs(found - value) <= tolerance, `${what}[${i + 1}, ${j + 1}]: found ${found}, wanted ${value}`);
    });
  });
}
