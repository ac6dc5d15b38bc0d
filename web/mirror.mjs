// The lesson as real DOM: what the canvas shows, from the same description, for screen readers, for tests and as the
// "text version". Knows headings, tables, controls and fields; what they mean, C++ decides. Text is text, never markup.

const quietFor = 5000; // ms between two things that are read out while training goes on by itself

/**
 * @param onaction  (action) => void, a control was pressed
 * @param onfield   (action) => why the text of a field is refused, or null
 * @param onfile    () => void, a file is to be picked
 * @param oncopy    (text) => void, the result is to be copied
 * @param onedit    ({ cell, text, label, element }) => void, a number is to be changed
 */
export function createMirror({ headingLevel, onaction, oncopy, onedit, onfield, onfile }) {
  let walkable = false; // may Tab stop here: only while it can be seen
  const element = make('section', 'mirror');
  element.setAttribute('aria-label', 'The lesson as text');
  const title = make(`h${headingLevel}`, 'title');
  const subtitle = make('p', 'subtitle');
  const sentence = make('p', 'sentence');
  sentence.id = 'sentence'; // in a shadow root: no other instance's
  const question = make('p', 'question');
  const training = make('p', 'training');
  const notes = make('ul', 'notes');
  const notice = make('p', 'notice');
  const controls = make('div', 'controls');
  const fields = createFields(onfield);
  const tables = make('div', 'tables');
  // What a step or a newly chosen number says is read out; the rest is there to be looked up.
  for (const live of [title, sentence]) live.setAttribute('aria-live', 'polite');
  notice.setAttribute('role', 'status');
  const opener = makeButton();
  opener.className = 'opener';
  opener.textContent = 'Open attention or model file …';
  opener.addEventListener('click', onfile);
  const result = make('p', 'result');
  const copier = makeButton();
  copier.className = 'copier';
  copier.textContent = 'Copy result';
  copier.addEventListener('click', () => oncopy(result.textContent));
  element.append(title, subtitle, sentence, question, training, notice, controls, fields.element, result, copier, opener, tables, notes);
  const announced = [announcer(title), announcer(sentence)];

  const groups = new Map(); // name → { element, buttons }
  const shown = new Map(); // id → { element, shape, caption, cells }

  /** `quiet`: nobody did anything, it goes on by itself: then it is read out now and then, and the last always. */
  function update(description, { quiet = false } = {}) {
    [description.title, description.sentence].forEach((text, i) => announced[i].say(text, quiet));
    setText(subtitle, description.subtitle);
    setText(question, description.look_for ?? '');
    setText(training, description.training ?? '');
    setText(notice, description.notice ?? '');
    setText(result, description.paste ?? '');
    result.hidden = copier.hidden = !description.paste;
    updateControls(description.controls);
    fields.update(description.fields ?? []);
    updateTables(description.tables);
    updateNotes(description.notes ?? []);
    element.dataset.step = description.step_name;
  }

  function updateNotes(list) {
    while (notes.children.length > list.length) notes.lastChild.remove();
    while (notes.children.length < list.length) notes.append(make('li'));
    list.forEach((text, i) => setText(notes.children[i], text));
    notes.hidden = list.length === 0;
  }

  // By place in its group: a button whose action changes ("Play", "Pause") stays the element that has the focus.
  function updateControls(list) {
    const used = new Map([...groups.keys()].map((name) => [name, 0]));
    for (const { action, label, enabled, pressed, group: name } of list) {
      if (!groups.has(name)) groups.set(name, makeGroup(name));
      const group = groups.get(name);
      const place = used.get(name) ?? 0;
      used.set(name, place + 1);
      const button = group.buttons[place] ?? addControl(group);
      button.dataset.action = action;
      setText(button, label);
      // Not `disabled`: a button that is disabled while it has the focus loses it to nowhere.
      setAttribute(button, 'aria-disabled', enabled === false ? 'true' : null);
      setAttribute(button, 'aria-pressed', typeof pressed === 'boolean' ? String(pressed) : null);
    }
    for (const [name, count] of used) {
      const group = groups.get(name);
      for (const button of group.buttons.splice(count)) button.remove();
      group.element.hidden = count === 0;
    }
  }

  function makeGroup(name) {
    const group = make('div', 'group');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', name);
    controls.append(group);
    return { element: group, buttons: [] };
  }

  function addControl(group) {
    const button = makeButton();
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') !== 'true') onaction(button.dataset.action);
    });
    group.buttons.push(button);
    group.element.append(button);
    return button;
  }

  function updateTables(list) {
    const present = new Set(list.map((table) => table.id));
    for (const [id, table] of shown) {
      if (present.has(id)) continue;
      table.element.remove();
      shown.delete(id);
    }
    let place = tables.firstChild;
    for (const described of list) {
      const shape = JSON.stringify([described.rows, described.cols]);
      let table = shown.get(described.id);
      if (table?.shape !== shape) {
        if (place && place === table?.element) place = place.nextSibling;
        table?.element.remove();
        table = { ...makeTable(described), shape };
        shown.set(described.id, table);
      }
      if (table.element === place) place = place.nextSibling;
      else tables.insertBefore(table.element, place);
      setText(table.caption, described.caption);
      table.element.dataset.stage = described.stage;
      described.cells.flat().forEach((cell, i) => updateCell(table.cells[i], cell));
    }
  }

  function makeTable({ id, rows, cols }) {
    const table = make('table');
    table.dataset.table = id;
    const caption = table.createCaption();
    const head = table.createTHead().insertRow();
    head.append(make('td'), ...cols.map((name) => makeHeader(name, 'col')));
    const body = table.createTBody();
    const cells = rows.flatMap((name, row) => {
      const line = body.insertRow();
      line.append(makeHeader(name, 'row'));
      return cols.map((column, col) => makeCell(line, () => `${caption.textContent}, ${rows[row]}, ${cols[col]}`));
    });
    return { element: table, caption, cells };
  }

  function makeCell(line, where) {
    const cell = line.insertCell();
    const number = make('span');
    const button = makeButton();
    const note = make('span', 'note');
    cell.append(number, button, note);
    button.addEventListener('click', () =>
      onedit({ cell: cell.dataset.cell, text: cell.dataset.value, label: where(), element: button }));
    return { cell, number, button, note, where };
  }

  function updateCell({ cell, number, button, note, where }, described) {
    const { text, value, editable, edited, masked, operand, pinned } = described;
    Object.assign(cell.dataset, { cell: described.cell, value });
    for (const [name, on] of Object.entries({ edited, masked, operand, pinned })) cell.toggleAttribute(`data-${name}`, !!on);
    number.hidden = !!editable;
    button.hidden = !editable;
    setText(editable ? button : number, text);
    setText(editable ? number : button, '');
    setAttribute(button, 'aria-label', editable ? `change ${text}: ${where()}` : null);
    setText(note, edited ? ' changed' : pinned ? ' pinned' : '');
  }

  function makeButton() {
    const button = make('button');
    button.type = 'button';
    button.tabIndex = walkable ? 0 : -1;
    return button;
  }

  return {
    element,
    sentenceId: sentence.id,
    update,
    stop() {
      for (const each of announced) each.stop();
    },
    /** Seen: Tab walks through it. Hidden: reachable by a screen reader's own keys only, since Tab has the canvas. */
    setWalkable(yes) {
      walkable = yes;
      for (const item of element.querySelectorAll('button, input')) item.tabIndex = yes ? 0 : -1;
      fields.setWalkable(yes);
    },
  };
}

/** Texts to type: an <input> for each, whose action is its prefix and the text. */
function createFields(onfield) {
  const element = make('div', 'fields');
  const shown = new Map(); // action → { label, name, input, value }
  let walkable = false;

  function add(action) {
    const label = make('label');
    const name = make('span');
    const input = Object.assign(make('input'), { type: 'text', autocomplete: 'off', spellcheck: false, tabIndex: walkable ? 0 : -1 });
    input.setAttribute('autocapitalize', 'off');
    const field = { label, name, input, described: '', value: null, sent: null };
    input.addEventListener('change', () => {
      field.value = null; // what was made of the text is shown …
      field.sent = input.value; // … unless the learner has typed on by then
      const refused = onfield(action + input.value) !== null;
      input.setAttribute('aria-invalid', String(refused));
      if (refused) field.value = field.described; // the text stays, to be mended
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') input.value = field.described;
    });
    label.append(name, ' ', input);
    return field;
  }

  return {
    element,
    update(list) {
      const present = new Set(list.map(({ action }) => action));
      for (const [action, { label }] of shown) {
        if (present.has(action)) continue;
        label.remove();
        shown.delete(action);
      }
      let place = element.firstChild;
      for (const { action, label, value, enabled } of list) {
        if (!shown.has(action)) shown.set(action, add(action));
        const field = shown.get(action);
        if (field.label === place) place = place.nextSibling;
        else element.insertBefore(field.label, place); // in the list's order: the answer's field comes and goes
        if (field.name.textContent !== label) field.value = undefined; // asks for something else: what was refused goes
        setText(field.name, label);
        field.input.readOnly = enabled === false;
        field.described = value;
        if (field.value === value) continue; // leaves alone what is being typed
        const typedOn = field.value === null && field.sent !== null && field.input.value !== field.sent;
        if (!typedOn) field.input.value = value;
        field.value = value;
        field.sent = null;
        field.input.removeAttribute('aria-invalid');
      }
      element.hidden = list.length === 0;
    },
    setWalkable(yes) {
      walkable = yes;
    },
  };
}

/** Sets the text of a live region: at once, or, when `quiet`, at most once in `quietFor`, the last text always. */
function announcer(element) {
  let timer = 0;
  let last = -Infinity;
  function set(text) {
    clearTimeout(timer);
    timer = 0;
    if (element.textContent === text) return;
    element.textContent = text;
    last = performance.now();
  }
  return {
    say(text, quiet) {
      const wait = quiet ? last + quietFor - performance.now() : 0;
      clearTimeout(timer);
      if (wait <= 0) set(text);
      else timer = setTimeout(set, wait, text);
    },
    stop: () => clearTimeout(timer),
  };
}

function make(name, className) {
  const element = document.createElement(name);
  if (className) element.className = className;
  return element;
}

function makeHeader(text, scope) {
  const header = make('th');
  header.scope = scope;
  header.textContent = text;
  return header;
}

// Only what changed is touched: a live region that is set again is read again.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
