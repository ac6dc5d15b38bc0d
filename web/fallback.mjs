// What stands in the lesson's place when it can't run: the reason, a way to try again, and the lesson as text.
// The numbers are the worked example's; tests/browser/fallback.test.mjs compares them with its JSON.

const tokens = ['dogs', 'bark'];
const features = ['noun', 'verb', 'animal', 'action', 'first', 'second'];

/** Weights after softmax of heads 1, 2, 3 and the output, as the lesson prints them. */
export const numbers = {
  pattern: [
    [['0.330', '0.670'], ['0.944', '0.056']],
    [['0.804', '0.196'], ['0.196', '0.804']],
    [['0.944', '0.056'], ['0.944', '0.056']],
  ],
  output: [
    ['2.744', '3.219', '2.251', '−0.083', '−2.558', '0.140'],
    ['1.531', '3.833', '2.860', '2.357', '−1.944', '0.749'],
  ],
};

const steps = [
  ['Input', 'X has one row for each token: “dogs” and “bark”. Its six columns are features: ' +
    `${features.join(', ')}.`],
  ['Project', 'Each of the three heads makes its own queries, keys and values from all of X: Q = X W^Q, K = X W^K, V = X W^V.'],
  ['Score', 'A query meets every key: the score is their dot product, Q Kᵀ. In head 1, “bark” asks for a noun and scores 4 with “dogs”.'],
  ['Scale', 'Every score is divided by √d_k, here √2, so that wide heads don’t make softmax too sure: 4 ÷ √2 = 2.828.'],
  ['Mask', 'A mask takes away pairs that may not attend. It is off here: both tokens may look at both.'],
  ['Softmax', 'Each row of scores becomes weights that add up to 1. In head 1, “bark” gives 94.4 % of its attention to “dogs”.'],
  ['Weigh V', 'Each token’s result in a head is the mean of the value rows, weighed by its row of weights.'],
  ['Concat', 'The results of the three heads stand side by side: 2 + 2 + 2 = 6 columns for each token.'],
  ['Output', 'W^O mixes the heads: the joined rows times W^O give one new row of six numbers for each token.'],
];

/**
 * @param reason    one sentence for the learner
 * @param onreload  () => void
 */
export function showFallback({ reason, headingLevel, onreload }) {
  const element = make('div', 'fallback');
  const message = make('div', 'reason');
  message.setAttribute('role', 'alert');
  message.append(make('p', '', 'The interactive lesson can’t be shown here.'), make('p', 'why', reason));
  const button = make('button', '', 'Reload');
  button.type = 'button';
  button.addEventListener('click', onreload);
  const list = make('ol');
  for (const [name, text] of steps) {
    const item = make('li');
    item.append(make('b', '', name), ' ', ...withIndices(text));
    if (name === 'Softmax') item.append(...numbers.pattern.map((rows, i) => table(`Weights of head ${i + 1}`, tokens, rows)));
    if (name === 'Output') item.append(table('Output', features, numbers.output));
    list.append(item);
  }
  element.append(message, button, make(`h${headingLevel}`, '', 'Multi-head attention in nine steps'), list);
  return element;
}

// "W^Q", "d_k": one letter raised or lowered.
function withIndices(text) {
  const names = { '^': 'sup', _: 'sub' };
  return text.split(/([\^_]\p{L})/u).map((part) => (names[part[0]] ? make(names[part[0]], '', part[1]) : part));
}

function table(caption, columns, rows) {
  const element = document.createElement('table');
  element.createCaption().textContent = caption;
  element.createTHead().insertRow().append(make('td'), ...columns.map((name) => header(name, 'col')));
  const body = element.createTBody();
  rows.forEach((row, i) => {
    body.insertRow().append(header(tokens[i], 'row'), ...row.map((number) => make('td', '', number)));
  });
  return element;
}

function header(text, scope) {
  const element = make('th', '', text);
  element.scope = scope;
  return element;
}

function make(name, className = '', text = '') {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}
