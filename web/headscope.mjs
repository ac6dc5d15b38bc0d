// What an embedding page imports: import { mount } from './headscope.mjs'; mount(element). Types: headscope.d.ts.
export { mount } from './mount.mjs';
export { version } from 'virtual:assets';
