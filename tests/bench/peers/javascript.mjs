// Plain JavaScript on Float32Arrays, as one would write it with care: sums over contiguous rows, nothing allocated in a run.

/** a (rows, inner) · b (inner, columns) → c (rows, columns). */
function multiply(a, b, c, rows, inner, columns) {
  c.fill(0, 0, rows * columns);
  for (let i = 0; i < rows; ++i) {
    const to = i * columns;
    for (let k = 0; k < inner; ++k) {
      const factor = a[i * inner + k];
      const from = k * columns;
      for (let j = 0; j < columns; ++j) c[to + j] += factor * b[from + j];
    }
  }
}

export function create({ n, d, h, attn }) {
  const d_k = d / h;
  const scale = 1 / Math.sqrt(d_k);
  const [q, k, v, z, out] = Array.from({ length: 5 }, () => new Float32Array(n * d));
  const pattern = new Float32Array(attn ? h * n * n : n); // one row is enough when nobody asks for it
  let weights = [];

  function head(index) {
    const first = index * d_k;
    for (let i = 0; i < n; ++i) {
      const row = attn ? (index * n + i) * n : 0;
      const at = i * d + first;
      let greatest = -Infinity;
      for (let j = 0; j < n; ++j) {
        const other = j * d + first;
        let score = 0;
        for (let c = 0; c < d_k; ++c) score += q[at + c] * k[other + c];
        score *= scale;
        pattern[row + j] = score;
        if (score > greatest) greatest = score;
      }
      let sum = 0;
      for (let j = 0; j < n; ++j) {
        const value = Math.exp(pattern[row + j] - greatest);
        pattern[row + j] = value;
        sum += value;
      }
      const inverse = 1 / sum;
      z.fill(0, at, at + d_k);
      for (let j = 0; j < n; ++j) {
        const weight = pattern[row + j] * inverse;
        const other = j * d + first;
        pattern[row + j] = weight;
        for (let c = 0; c < d_k; ++c) z[at + c] += weight * v[other + c];
      }
    }
  }

  return {
    setWeights(...matrices) {
      weights = matrices;
    },
    run(x) {
      const [wq, wk, wv, wo] = weights;
      multiply(x, wq, q, n, d, d);
      multiply(x, wk, k, n, d, d);
      multiply(x, wv, v, n, d, d);
      for (let index = 0; index < h; ++index) head(index);
      multiply(z, wo, out, n, d, d);
      return { out, attn: attn ? pattern : null };
    },
  };
}
