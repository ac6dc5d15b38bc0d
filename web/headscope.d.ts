// Types of headscope's browser module.
//
//   import { mount } from './headscope.mjs';
//   const lesson = mount(document.querySelector('#lesson'), { query: '?step=softmax' });
//   await lesson.ready;
//   lesson.dispatch('next');
//   lesson.destroy();

export interface MountOptions {
  /** The view to open, as `Instance.query` gives it. Default: the first step. `kernel=scalar|simd` picks a build. */
  query?: string;
  /** Default 'auto': the page's colour scheme if it has only one, else the system's. The learner's choice wins. */
  theme?: 'auto' | 'light' | 'dark';
  /** Keeps the page's address in step with the lesson (history.replaceState). Default false. */
  updateUrl?: boolean;
  /** CSS pixels or a CSS length. Default: the element's height, or one that fits when it has none. */
  height?: number | string;
  /** Level of the lesson's heading in the page's outline. Default 2. */
  headingLevel?: 1 | 2 | 3 | 4 | 5 | 6;
  /** Folder of the wasm files, with a slash at the end. Default: where the module came from. */
  base?: string;
  /** The build to use. Default: what the browser can run. */
  kernel?: '' | 'simd' | 'scalar';
  /** Origin of the one parent page that may drive the lesson by postMessage. Default: none. */
  origin?: string | null;
  /**
   * A name under which localStorage keeps how far practice has come, from one visit to the next; '' (the default): nothing
   * is kept but what the query says. Where storage is not allowed, the same as ''.
   */
  remember?: string;
  /** Told when the lesson can't be shown; the learner sees the reason, the lesson as text and a Reload button. */
  onerror?: ((reason: string) => void) | null;
  /** For tests: decides whether a build passes its self-test. */
  accept?: (module: object, kernel: 'simd' | 'scalar') => boolean;
}

export interface Instance {
  /** The element that the lesson was mounted in. The <div class="headscope"> inside has this instance as `.lesson`. */
  readonly element: Element;
  /** Settles when the lesson runs; rejects with the reason when it can't. */
  readonly ready: Promise<Instance>;
  /** The whole view as a query string, '' at the start. Setting it opens that view; bad values are said in the lesson. */
  query: string;
  /** Carries out an action: 'next', 'previous', 'step:softmax', 'head:2', 'set:X.1.3=0.5', 'undo', 'theme:dark', …
   *  of the gallery 'page:gallery', 'map:2.1', 'role:verb_subject', 'sentence:the dogs bark', 'train:start', …
   *  of the budget 'page:budget', 'preset:gpt3', 'size:h=16', 'view:compute', … of practice 'page:practice',
   *  'practice:mixed', 'answer:0.881', 'hint', 'next-question', …
   *  Returns why it was refused, else null. The code of the other pages than the walkthrough is fetched when it is wanted
   *  for the first time: until it is there, what needs it waits (null), and a refusal is said in the notice. */
  dispatch(action: string): string | null;
  /** Opens a model or attention from a .safetensors file, as if it had been dropped on the lesson. `companion`: a .json
   *  file with its words and parse. Returns why it was refused, else null; a refusal changes nothing. */
  openFile(file: File, companion?: File): Promise<string | null>;
  /** Everything that is shown, as data: title, sentence, tables and controls. Null while nothing runs. */
  describe(): Description | null;
  /** Where a number ('pattern.1.2.1') is on the canvas, in CSS pixels from its top left; null when it isn't drawn. */
  rectOf(cell: string): { x: number; y: number; w: number; h: number } | null;
  /** Called when `query` has changed. */
  onchange: ((instance: Instance) => void) | null;
  /** Frames drawn so far, when the first was drawn (performance.now()), the build that runs, and whether a frame is due. */
  readonly stats: { frames: number; firstFrame: number; kernel: '' | 'simd' | 'scalar'; pending: () => boolean };
  /** Ends the lesson and leaves nothing behind. */
  destroy(): void;
}

export interface Description {
  title: string;
  subtitle: string;
  sentence: string;
  look_for: string;
  notice: string;
  step: number;
  steps: number;
  step_name: string;
  query: string;
  theme: string;
  motion: string;
  playing: boolean;
  page: 'walkthrough' | 'gallery' | 'budget' | 'practice';
  /** How far training is, in words; '' on other pages. */
  training: string;
  /** Practice: the result in one line, with a link, to hand in; '' on other pages. */
  paste: string;
  /** What else there is to know, a sentence each. */
  notes: string[];
  tables: DescribedTable[];
  controls: DescribedControl[];
  /** Texts that can be typed. */
  fields: DescribedField[];
  /** The table of roles with every count, while the gallery shows a model or a file that was measured. */
  roles?: object;
}

export interface DescribedTable {
  id: string;
  caption: string;
  stage: 'past' | 'present' | 'future';
  rows: string[];
  cols: string[];
  /** Before a cell's name: the action that pins it ('pin:', 'at:'); '': its cells can't be pinned. */
  pin: string;
  cells: DescribedCell[][];
}

export interface DescribedCell {
  /** 'X.1.3', 'pattern.1.2.1': tensor, head where it has one, row, column, from 1. */
  cell: string;
  /** As the canvas shows it. */
  text: string;
  /** The exact number. */
  value: string;
  editable: boolean;
  edited: boolean;
  masked: boolean;
  operand: boolean;
  pinned: boolean;
}

export interface DescribedControl {
  action: string;
  label: string;
  enabled: boolean;
  pressed?: boolean;
  group: string;
}

export interface DescribedField {
  /** The action is this and the text: 'sentence:', 'plan:heads='. */
  action: string;
  label: string;
  value: string;
  enabled: boolean;
}

export function mount(element: Element, options?: MountOptions): Instance;
export const version: string;
