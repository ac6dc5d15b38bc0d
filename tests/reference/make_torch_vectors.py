#!/usr/bin/env python3
"""Writes torch-*.json: what torch.nn.MultiheadAttention computes in float64, for attention_torch_test.cpp to compare.

Made with PyTorch 1.13 (Debian 12: apt-get install python3-torch, and Debian's own python3) by
    python3 tests/reference/make_torch_vectors.py
The seed is fixed, and inputs are rounded to 3 decimals, so that a second run gives the same files.

A file holds one module and a batch of sequences that it was run on:
    parameters   under torch's own names, in torch's shapes: `in_proj_weight` is W_Q, W_K, W_V over each other, each
                 (embed_dim, embed_dim) and applied as x W^T, heads in blocks of rows; `q_proj_weight` and so on where
                 keys and values have widths of their own (kdim, vdim). A bias is one row
    attn_mask    true: this query may NOT attend to this key (torch's meaning); or numbers, added to the scaled scores
    batch        each sequence: `query`; `key` unless it is the query; `value` unless it is the key; `key_padding_mask`
                 (true: padding, may NOT be attended to); every intermediate of each head, `concat`, `output`;
                 `average_pattern`, what torch returns by default: the mean over heads; `d_query`, `d_key` and `d_value`,
                 dL / d of what was given; and `d_trace`, dL / d every intermediate under the intermediates' own names,
                 of which `output` is where the gradient comes in. A forbidden cell of d_trace's `pattern` is 0: torch
                 has what would flow there if the mask let it, and it goes no further
    gradients    dL / d every parameter, and the additive mask's, over the whole batch
-infinity is null. torch returns output, patterns and gradients of what was given or learned; the intermediates and
their gradients (by torch's autograd) come from the formula, written out here, and the script stops unless the formula's
outputs, patterns and gradients agree with the module's.

Left out: fully masked rows, which torch answers with NaN; a scale other than 1 / sqrt(d_k), add_bias_kv and
add_zero_attn, which one side or the other doesn't have; masks of one head alone, which the engine doesn't have.
"""
import json
import math
import pathlib

import torch

torch.manual_seed(2017)
torch.set_default_dtype(torch.float64)
TOLERANCE = 1e-13  # of a relative and absolute difference between the module and the formula


def numbers(*shape, spread=1.0):
    return torch.round(torch.randn(*shape) * spread * 1000) / 1000


def causal(n):
    return torch.ones(n, n).triu(1).bool()


def padding(lengths, n_k):
    return torch.arange(n_k).expand(len(lengths), n_k) >= torch.tensor(lengths)[:, None]


def additive(n_q, n_k, forbidden):
    """Numbers, and -infinity at the cells that are forbidden."""
    mask = numbers(n_q, n_k)
    for query, key in forbidden:
        mask[query, key] = -math.inf
    return mask.requires_grad_()


def by_formula(module, query, key, value, attn_mask, key_padding_mask):
    """Vaswani et al. 2017, eq. 1 and section 3.2.2, head by head. Nothing of torch's own attention."""
    width, h = module.embed_dim, module.num_heads
    d_k = width // h
    if module._qkv_same_embed_dim:
        weights = module.in_proj_weight.split(width)
    else:
        weights = (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    biases = (0, 0, 0) if module.in_proj_bias is None else module.in_proj_bias.split(width)
    q, k, v = (x @ w.T + b for x, w, b in zip((query, key, value), weights, biases))
    heads = []
    for i in range(h):
        mine = slice(i * d_k, (i + 1) * d_k)
        head = {"Q": q[..., mine], "K": k[..., mine], "V": v[..., mine]}
        head["scores"] = head["Q"] @ head["K"].transpose(1, 2)
        head["scaled"] = head["scores"] / math.sqrt(d_k)
        masked = head["scaled"]
        if attn_mask is not None and attn_mask.dtype == torch.bool:
            masked = masked.masked_fill(attn_mask, -math.inf)
        elif attn_mask is not None:
            masked = masked + attn_mask
        if key_padding_mask is not None:
            masked = masked.masked_fill(key_padding_mask[:, None, :], -math.inf)
        assert (masked > -math.inf).any(-1).all(), "a fully masked row: torch would give NaN"
        head["masked"] = masked
        powers = torch.exp(masked - masked.max(-1, keepdim=True).values)
        head["pattern"] = powers / powers.sum(-1, keepdim=True)
        head["output"] = head["pattern"] @ head["V"]
        heads.append(head)
    concat = torch.cat([head["output"] for head in heads], -1)
    output = concat @ module.out_proj.weight.T
    if module.out_proj.bias is not None:
        output = output + module.out_proj.bias
    return heads, concat, output


def agree(what, mine, torchs):
    assert torch.allclose(mine, torchs, rtol=TOLERANCE, atol=TOLERANCE), f"{what}: {(mine - torchs).abs().max()}"


def plain(tensor):
    """Rows of numbers or of truth values, without -0.0, and with null for -infinity."""
    if tensor.dim() == 1 and tensor.dtype == torch.bool:
        return tensor.tolist()
    if tensor.dim() == 1:
        return [None if x == -math.inf else x + 0.0 for x in tensor.tolist()]
    return [plain(row) for row in tensor]


def rows(tensor):
    return plain(tensor.detach().reshape(-1, tensor.shape[-1]))


def write(name, width, h, batch, n_q, n_k=None, bias=True, kdim=None, vdim=None, attn_mask=None, key_padding_mask=None):
    module = torch.nn.MultiheadAttention(width, h, bias=bias, kdim=kdim, vdim=vdim, batch_first=True)
    parameters = dict(module.named_parameters())
    with torch.no_grad():
        for parameter in parameters.values():
            parameter.copy_(numbers(*parameter.shape, spread=0.7))
    query = numbers(batch, n_q, width).requires_grad_()
    key = query if n_k is None else numbers(batch, n_k, kdim or width).requires_grad_()
    value = key if vdim is None else numbers(batch, n_k, vdim).requires_grad_()
    upstream = numbers(batch, n_q, width)
    given = {"query": query} | ({} if key is query else {"key": key}) | ({} if value is key else {"value": value})
    learned = dict(parameters)
    if attn_mask is not None and attn_mask.requires_grad:
        learned["attn_mask"] = attn_mask

    def run(average):
        return module(query, key, value, attn_mask=attn_mask, key_padding_mask=key_padding_mask,
                      average_attn_weights=average)

    output, patterns = run(average=False)
    average_pattern = run(average=True)[1]
    heads, concat, output_by_formula = by_formula(module, query, key, value, attn_mask, key_padding_mask)
    agree("output", output_by_formula, output)
    agree("average pattern", torch.stack([head["pattern"] for head in heads]).mean(0), average_pattern)
    for i, head in enumerate(heads):
        agree(f"head {i} pattern", head["pattern"], patterns[:, i])
    wanted = list(given.values()) + list(learned.values())
    inner = [tensor for head in heads for tensor in head.values()] + [concat]
    gradients = torch.autograd.grad(output, wanted, upstream)
    names = list(given) + list(learned)
    by_autograd = torch.autograd.grad(output_by_formula, wanted + inner, upstream)
    for what, mine, torchs in zip(names, by_autograd, gradients):
        agree("gradient of " + what, mine, torchs)
    gradient = dict(zip(names, gradients))
    d_inner = iter(by_autograd[len(wanted):])
    d_heads = [{what: next(d_inner) for what in head} for head in heads]
    d_concat = next(d_inner)
    for i, (head, d_head) in enumerate(zip(heads, d_heads)):
        head["pattern"] = patterns[:, i]  # torch's own digits where torch gives them
        d_head["pattern"] = d_head["pattern"].masked_fill(head["masked"] == -math.inf, 0)

    made = {"name": name, "torch": torch.__version__, "embed_dim": width, "num_heads": h,
            "parameters": {key: rows(p) for key, p in parameters.items()}}
    if attn_mask is not None:
        made["attn_mask"] = rows(attn_mask)
    made["batch"] = []
    for n in range(batch):
        one = {what: rows(tensor[n]) for what, tensor in given.items()}
        if key_padding_mask is not None:
            one["key_padding_mask"] = plain(key_padding_mask[n])
        one["heads"] = [{what: rows(tensor[n]) for what, tensor in head.items()} for head in heads]
        one |= {"concat": rows(concat[n]), "output": rows(output[n]), "average_pattern": rows(average_pattern[n])}
        one["d_trace"] = {"heads": [{what: rows(tensor[n]) for what, tensor in d_head.items()} for d_head in d_heads],
                          "concat": rows(d_concat[n]), "output": rows(upstream[n])}
        one |= {"d_" + what: rows(gradient[what][n]) for what in given}
        made["batch"].append(one)
    made["gradients"] = {what: rows(gradient[what]) for what in learned}
    path = pathlib.Path(__file__).with_name(f"torch-{name}.json")
    path.write_text(json.dumps(made, allow_nan=False).replace('"batch": ', '\n"batch": ')
                    .replace('"parameters": ', '\n"parameters": ').replace('"gradients": ', '\n"gradients": ') + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


write("self", 8, 2, batch=1, n_q=5, bias=False)
write("biases", 6, 3, batch=2, n_q=4)
write("narrow-heads", 5, 5, batch=1, n_q=4, bias=False)
write("causal", 8, 4, batch=1, n_q=6, attn_mask=causal(6))
write("additive", 6, 2, batch=2, n_q=4, bias=False, attn_mask=additive(4, 4, [(0, 1), (2, 0), (2, 3)]))
write("causal-padding", 6, 2, batch=3, n_q=5, attn_mask=causal(5), key_padding_mask=padding([5, 3, 1], 5))
write("cross", 6, 3, batch=2, n_q=3, n_k=6)
write("cross-additive-padding", 4, 2, batch=2, n_q=5, n_k=3, attn_mask=additive(5, 3, [(1, 0), (4, 2)]),
      key_padding_mask=padding([2, 3], 3))
write("separate", 8, 2, batch=2, n_q=3, n_k=5, kdim=3, vdim=5, attn_mask=causal(5)[1:4],
      key_padding_mask=padding([5, 3], 5))
