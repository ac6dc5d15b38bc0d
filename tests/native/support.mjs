// What the tests of the native program share: running it, its pictures, and a display of their own.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const program = process.env.HEADSCOPE_PROGRAM ?? join(root, 'build/native/headscope');
export const examplePath = join(root, 'tests/data/worked-example.json');

/** The environment of a machine without a display, or with the one that is given. */
export function environment(display) {
  const { DISPLAY, WAYLAND_DISPLAY, SDL_VIDEODRIVER, ...rest } = process.env;
  return display ? { ...rest, DISPLAY: display, SDL_VIDEODRIVER: 'x11' } : rest;
}

/** Runs the program to its end: { status, out, err }, `out` as bytes. There is no display. */
export function run(...args) {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    env: environment(), timeout: 60_000, maxBuffer: 64 << 20,
  });
  if (error) throw error;
  return { status: status ?? signal, out: stdout, err: stderr.toString() };
}

/** What the program itself said on standard error, without its drivers' remarks. */
export const said = (err) => err.split('\n').filter((line) => line.startsWith('headscope: ')).join('\n');

/** A folder for one test, removed with it. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'headscope-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Draws a picture: { width, height, data } with four bytes a pixel. */
export function screenshot(...args) {
  const { status, out, err } = run('--screenshot', '-', ...args);
  if (status !== 0) throw new Error(`headscope ended with ${status}: ${err}`);
  return PNG.sync.read(out);
}

export function pixel(picture, x, y) {
  const at = (y * picture.width + x) * 4;
  return [...picture.data.subarray(at, at + 3)];
}

/** How many different colours there are. */
export function countColours(picture) {
  const colours = new Set();
  for (let at = 0; at < picture.data.length; at += 4) colours.add(picture.data.readUIntBE(at, 3));
  return colours.size;
}

/** The share of pixels that differ by more than `tolerance` in some channel; the sizes must agree. */
export function difference(a, b, tolerance = 0) {
  if (a.width !== b.width || a.height !== b.height)
    throw new Error(`${a.width}x${a.height} can't be compared with ${b.width}x${b.height}`);
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4)
    if ([0, 1, 2].some((i) => Math.abs(a.data[at + i] - b.data[at + i]) > tolerance)) ++different;
  return different / (a.width * a.height);
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Asks until the answer is true; fails when it isn't after `ms`. */
export async function eventually(what, ask, ms = 15_000) {
  const end = Date.now() + ms;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await pause(50);
  }
}

/** An X server without a screen, whose pixels are in a file. Ends with the test. */
export async function startDisplay(t) {
  const memory = folder(t);
  const server = spawn('Xvfb',  // -noreset: it would start anew whenever the last program leaves
    ['-displayfd', '3', '-screen', '0', '1400x900x24', '-nolisten', 'tcp', '-noreset', '-fbdir', memory],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  t.after(() => server.kill());
  const number = await new Promise((done, failed) => {
    let text = '';
    server.on('error', failed);
    server.on('exit', (code) => failed(new Error(`Xvfb ended with ${code}`)));
    server.stdio[3].on('data', (chunk) => { if ((text += chunk).includes('\n')) done(text.trim()); });
  });
  return { name: `:${number}`, pixels: join(memory, 'Xvfb_screen0') };
}

/** The program in a window on `display`. */
export class Window {
  constructor(t, display, ...args) {
    this.display = display;
    this.err = '';
    this.child = spawn(program, args, { env: environment(display.name), stdio: ['ignore', 'ignore', 'pipe'] });
    this.child.stderr.on('data', (chunk) => { this.err += chunk; });
    this.ended = new Promise((done) => this.child.on('exit', (code, signal) => done(code ?? signal)));
    t.after(() => this.child.kill('SIGKILL'));
  }

  /** One xdotool command: `do('key', 'Right')`. */
  do(...args) {
    const { status, stdout, stderr, error } = spawnSync('xdotool', args, { env: environment(this.display.name) });
    if (error) throw error;
    if (status !== 0) throw new Error(`xdotool ${args.join(' ')}: ${stderr}`);
    return stdout.toString();
  }

  /** Waits for the window and gives it the keyboard, as a window manager would. */
  async appear() {
    await eventually('the window appears', () => {
      if (this.child.exitCode !== null) throw new Error(`headscope ended with ${this.child.exitCode}: ${this.err}`);
      return spawnSync('xdotool', ['search', '--onlyvisible', '--pid', this.child.pid],
        { env: environment(this.display.name) }).status === 0;
    });
    this.id = this.do('search', '--onlyvisible', '--pid', String(this.child.pid)).trim().split('\n')[0];
    this.do('windowfocus', '--sync', this.id);
  }

  place() {
    const text = this.do('getwindowgeometry', '--shell', this.id);
    const [x, y, width, height] = ['X', 'Y', 'WIDTH', 'HEIGHT'].map((name) => +text.match(`\\b${name}=(-?\\d+)`)[1]);
    return { x, y, width, height };
  }

  pointAt(x, y) {
    const place = this.place();
    this.do('mousemove', String(place.x + x), String(place.y + y));
  }

  pointAway() { this.do('mousemove', '0', '0'); }

  /** What the screen shows where the window is. */
  picture() {
    const { x, y, width, height } = this.place();
    const file = readFileSync(this.display.pixels);  // an X window dump: header, colour map, rows of BGRX
    const line = file.readUInt32BE(12 * 4);
    const start = file.readUInt32BE(0) + file.readUInt32BE(19 * 4) * 12;
    const data = Buffer.alloc(width * height * 4, 255);
    for (let row = 0; row < height; ++row)
      for (let column = 0; column < width; ++column) {
        const from = start + (y + row) * line + (x + column) * 4, to = (row * width + column) * 4;
        data[to] = file[from + 2];
        data[to + 1] = file[from + 1];
        data[to + 2] = file[from];
      }
    return { width, height, data };
  }

  /** Waits until the picture stands still, and gives it. */
  async rest() {
    let last = this.picture();
    await eventually('the picture stands still', async () => {
      await pause(250);
      const now = this.picture();
      const still = countColours(now) > 1 && now.data.equals(last.data);
      last = now;
      return still;
    });
    return last;
  }

  /** Processor time used so far, in milliseconds. */
  processorTime_ms() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;  // Linux counts in hundredths of a second
  }
}

if (!existsSync(program))
  throw new Error(`${program} isn't there: build it with cmake --preset native && cmake --build --preset native`);
