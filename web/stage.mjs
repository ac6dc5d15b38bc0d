// The elements of one instance, in a shadow root of its own: the page's styles and ids don't reach in, ours not out.
import css from './panel.css';

let sheet = null; // one for all instances

/** A <div> for the mount element, with a shadow root. */
export function createHost(height) {
  const host = document.createElement('div');
  host.className = 'headscope';
  host.lang = 'en'; // whatever language the page around speaks
  if (height) host.style.height = typeof height === 'number' ? `${height}px` : height;
  const root = host.attachShadow({ mode: 'open' });
  if (root.adoptedStyleSheets) {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    root.adoptedStyleSheets = [sheet];
  } else {
    const style = document.createElement('style');
    style.textContent = css;
    root.append(style);
  }
  return { host, root };
}

/** Canvas, still and the button to the text version, in place of what `root` showed before. */
export function createStage(root) {
  const layer = make('div', 'layer');
  const canvas = make('canvas', 'canvas');
  // `application`: a screen reader hands the arrow keys on. What they change is read out by the mirror's live regions.
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'Multi-head attention');
  canvas.tabIndex = 0;
  const still = make('canvas', 'still');
  still.hidden = true;
  still.setAttribute('aria-hidden', 'true');
  const loading = make('p', 'loading');
  loading.textContent = 'Loading the lesson …';
  layer.append(canvas, still, loading);

  let tell = () => {};
  const toggle = make('button', 'toggle');
  toggle.type = 'button';
  const label = () => (toggle.textContent = isTextVersion() ? 'Picture version' : 'Text version');
  const isTextVersion = () => root.host.dataset.view === 'text';
  toggle.addEventListener('click', () => {
    root.host.dataset.view = isTextVersion() ? 'picture' : 'text';
    label();
    tell(isTextVersion());
  });
  label();
  root.append(make('div', 'spacer'), toggle, layer);

  return {
    root, layer, canvas, still, loading,
    isTextVersion,
    onTextVersion(listener) {
      tell = listener;
      tell(isTextVersion());
    },
  };
}

function make(name, className) {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
