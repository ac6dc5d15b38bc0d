// The lesson as real DOM: what the canvas shows, from the same description, for screen readers, for tests and as the
// "text version". Knows headings, tables and controls; what they mean, C++ decides. Text is text, never markup.

/**
 * @param onaction  (action) => void, a control was pressed
 * @param onedit    ({ cell, text, label, element }) => void, a number is to be changed
 */
export function createMirror({ headingLevel, onaction, onedit }) {
  const element = make('section', 'mirror');
  element.setAttribute('aria-label', 'The lesson as text');
  const title = make(`h${headingLevel}`, 'title');
  const subtitle = make('p', 'subtitle');
  const sentence = make('p', 'sentence');
  sentence.id = 'sentence'; // in a shadow root: no other instance's
  const question = make('p', 'question');
  const notice = make('p', 'notice');
  const controls = make('div', 'controls');
  const tables = make('div', 'tables');
  // What a step or a newly chosen number says is read out; the rest is there to be looked up.
  for (const live of [title, sentence]) live.setAttribute('aria-live', 'polite');
  notice.setAttribute('role', 'status');
  element.append(title, subtitle, sentence, question, notice, controls, tables);

  let walkable = false; // may Tab stop here: only while it can be seen
  const groups = new Map(); // name → { element, buttons }
  const shown = new Map(); // id → { element, shape, caption, cells }

  function update(description) {
    setText(title, description.title);
    setText(subtitle, description.subtitle);
    setText(sentence, description.sentence);
    setText(question, description.look_for ?? '');
    setText(notice, description.notice ?? '');
    updateControls(description.controls);
    updateTables(description.tables);
    element.dataset.step = description.step_name;
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
    /** Seen: Tab walks through it. Hidden: reachable by a screen reader's own keys only, since Tab has the canvas. */
    setWalkable(yes) {
      walkable = yes;
      for (const button of element.querySelectorAll('button')) button.tabIndex = yes ? 0 : -1;
    },
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
