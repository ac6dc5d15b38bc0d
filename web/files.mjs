// Files that the learner drops or picks, as bytes with their names. What is in them, the program decides.

const most = 256 * 1024 * 1024; // bytes of one file
const isCompanion = ({ name }) => /\.json$/i.test(name);

/**
 * Brings up to two files, one of them a companion (.json), into memory.
 * @returns { name, bytes, companion } or { refused: sentence }
 */
export async function readFiles(files) {
  const companions = files.filter(isCompanion);
  const others = files.filter((file) => !isCompanion(file));
  if (files.length > 2 || others.length > 1) {
    return { refused: `${files.length} files at once: open one .safetensors file, alone or with its .json companion.` };
  }
  if (others.length === 0) return { refused: 'A .json file goes with a .safetensors file: open both together.' };
  const large = files.find(({ size }) => size > most);
  if (large) return { refused: `${large.name} is too large: ${inMegabytes(large.size)} MB; at most ${inMegabytes(most)} MB can be opened.` };
  try {
    const [bytes, companion] = await Promise.all([...others, ...companions].map(async (file) => new Uint8Array(await file.arrayBuffer())));
    return { name: others[0].name, bytes, companion: companion ?? new Uint8Array(0) };
  } catch {
    return { refused: `${others[0].name} could not be read: it may have been moved, changed, or be a folder.` };
  }
}

const inMegabytes = (bytes) => Math.ceil(bytes / (1024 * 1024));

/**
 * Takes files that are dropped on `target`, and nothing else that is dragged.
 * @param onfiles    (files) => void
 * @param onrefused  (sentence) => void
 * @param ondrag     (over) => void, files are held over it
 */
export function listenToDrops({ target, signal, onfiles, onrefused, ondrag }) {
  const on = (type, handle) => target.addEventListener(type, handle, { signal });
  const holdsFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files') === true;
  on('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault(); // else the browser would leave the page and open the file itself
    event.dataTransfer.dropEffect = 'copy';
    ondrag(true);
  });
  on('dragleave', (event) => {
    if (!target.contains(event.relatedTarget)) ondrag(false);
  });
  on('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    ondrag(false);
    const folder = [...event.dataTransfer.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
    if (folder) onrefused('A folder can’t be opened: drop the .safetensors file in it, alone or with its .json companion.');
    else if (event.dataTransfer.files.length > 0) onfiles([...event.dataTransfer.files]);
  });
}

/** The browser's own dialogue. To be called within a click or a key press, else the browser refuses. */
export function pickFiles({ place, onfiles }) {
  const input = Object.assign(document.createElement('input'), {
    type: 'file', multiple: true, hidden: true, accept: '.safetensors,.json',
  });
  input.addEventListener('change', () => {
    if (input.files.length > 0) onfiles([...input.files]);
    input.remove();
  });
  input.addEventListener('cancel', () => input.remove());
  place.querySelector(':scope > input[type=file]')?.remove(); // of a dialogue whose end nobody told
  place.append(input);
  input.click();
}
