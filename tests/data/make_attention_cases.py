#!/usr/bin/env python3
"""Writes attention-cases.json: attention computed by another program, every intermediate, for the tests to compare.

Plain Python, number by number from the formula (Vaswani et al. 2017, eq. 1 and section 3.2.2): sums by math.fsum
(exact, rounded once), exp and sqrt from libm. Nothing is shared with src/attention. Run it again after a change:
    python3 tests/data/make_attention_cases.py
The file doesn't change unless this script does: the seed is fixed. -infinity in `masked` is null.
"""
import json
import math
import pathlib
import random

rng = random.Random(2017)


def matrix(rows, cols, spread=1.0):
    return [[round(rng.gauss(0, spread), 3) for _ in range(cols)] for _ in range(rows)]


def product(a, b, bias=None):
    inner, cols = len(b), len(b[0]) if b else 0
    return [[math.fsum([row[k] * b[k][j] for k in range(inner)] + ([bias[0][j]] if bias else []))
             for j in range(cols)] for row in a]


def softmax(row):
    allowed = [x for x in row if x is not None]
    if not allowed:
        return [0.0] * len(row)
    powers = [0.0 if x is None else math.exp(x - max(allowed)) for x in row]
    return [p / math.fsum(powers) for p in powers]


def case(name, n_q, n_k, d_model, h, d_k, d_v, cross, biases, may_attend):
    made = {"name": name, "n_q": n_q, "n_k": n_k, "d_model": d_model, "h": h, "d_k": d_k, "d_v": d_v,
            "X": matrix(n_q, d_model)}
    if cross:
        made["X_kv"] = matrix(n_k, d_model)
    if may_attend:
        made["may_attend"] = may_attend
    keys_from = made.get("X_kv", made["X"])
    made["heads"] = []
    for _ in range(h):
        head = {"W_Q": matrix(d_model, d_k), "W_K": matrix(d_model, d_k), "W_V": matrix(d_model, d_v)}
        if biases:
            head |= {"b_Q": matrix(1, d_k), "b_K": matrix(1, d_k), "b_V": matrix(1, d_v)}
        head["Q"] = product(made["X"], head["W_Q"], head.get("b_Q"))
        head["K"] = product(keys_from, head["W_K"], head.get("b_K"))
        head["V"] = product(keys_from, head["W_V"], head.get("b_V"))
        head["scores"] = [[math.fsum(q * k for q, k in zip(query, key)) for key in head["K"]] for query in head["Q"]]
        head["scaled"] = [[s / math.sqrt(d_k) for s in row] for row in head["scores"]]
        head["masked"] = [[s if not may_attend or may_attend[i][j] else None for j, s in enumerate(row)]
                          for i, row in enumerate(head["scaled"])]
        head["pattern"] = [softmax(row) for row in head["masked"]]
        head["output"] = product(head["pattern"], head["V"])
        made["heads"].append(head)
    made["W_O"] = matrix(h * d_v, d_model)
    if biases:
        made["b_O"] = matrix(1, d_model)
    made["concat"] = [sum((head["output"][i] for head in made["heads"]), []) for i in range(n_q)]
    made["output"] = product(made["concat"], made["W_O"], made.get("b_O"))
    return made


causal = [[int(key <= query) for key in range(5)] for query in range(5)]
ragged = [[1, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 1, 1]]  # query 2 may attend to nothing
cases = [
    case("self-attention, causal, h d_v = d_model", 5, 5, 8, 2, 4, 4, False, False, causal),
    case("cross-attention, biases, a fully masked row, d_k != d_v", 3, 6, 5, 3, 4, 2, True, True, ragged),
    case("one head wider than the model", 4, 4, 3, 1, 7, 5, False, True, None),
]
lines = ",\n".join(json.dumps(c) for c in cases)
pathlib.Path(__file__).with_name("attention-cases.json").write_text("[\n" + lines + "\n]\n")
