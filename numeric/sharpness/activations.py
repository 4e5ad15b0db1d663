"""Theorem 11: the sizes of everything that a forward pass holds, measured on the pass itself.

A row norm is the largest over real rows (padding is left out), a column norm the largest over channels.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**21
"""Hidden units (inputs x targets x rows) and weights per pass: 16 MiB of float64, a few of which live at once."""


def sizes(batch: TargetBatch, bits: Tensor, *, mlp: Trapezoid = "steep") -> dict[str, Tensor]:
    """The size of each intermediate at λ = 2 by name, (B, N), at (N, T_max) for all alike or (B, N, T_max), 0 beyond T.

    Largest row norms: ``token`` (X), ``stream`` (X2), ``units`` (hidden units), ``W1 x`` and ``x W1`` (tokens times W1
    from either side); norms: ``output`` (the output position's row of X2), ``values`` (X2 V2), ``W2 x`` (W2 times that
    row); the largest column norm ``column`` of X2; the largest entries ``entry`` (X), ``unit`` and ``value``; the
    larger of row norm and entry: ``bit`` (X V1) and ``averaged`` (A1 X V1).
    """
    bits = bits.expand(len(batch), *bits.shape[-2:])
    return _in_parts(batch, bits.shape[1], lambda part: _sizes(batch[part], bits[part], mlp))


def largest_sizes(batch: TargetBatch, *, mlp: Trapezoid = "steep") -> dict[str, Tensor]:
    """The same over all inputs, by name, (B,), of targets of one length, short enough to enumerate its inputs."""
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)

    def largest(part: slice) -> dict[str, Tensor]:
        alike = bits.expand(len(batch[part]), -1, -1)
        return {name: size.amax(-1) for name, size in _sizes(batch[part], alike, mlp).items()}

    return _in_parts(batch, len(bits), largest)


def operator_norms(batch: TargetBatch) -> dict[str, Tensor]:
    """The largest singular values of W1, V1 and W2, by name, (B,)."""

    def of(part: slice) -> dict[str, Tensor]:
        blocks = build(batch[part])
        return {name: torch.linalg.matrix_norm(getattr(blocks, name), ord=2) for name in ("W1", "V1", "W2")}

    return _in_parts(batch, 1, of)


def _in_parts(batch: TargetBatch, inputs: int, measure: Callable[[slice], dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return what is measured on a few targets at a time, one after the other."""
    hidden, rows = 4 * (int(batch.degree.max()) + 1), batch.max_length + 3
    step = max(1, CHUNK // (rows * (inputs + 2) * (hidden + rows)))
    parts = [measure(slice(start, start + step)) for start in range(0, len(batch), step)]
    return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}


def _sizes(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> dict[str, Tensor]:
    """Return all sizes of one pass over bits (B, N, T)."""
    blocks = build(batch, mlp=mlp)
    real = torch.nn.functional.pad(batch.real_positions, (0, 1), value=True)[:, None, :, None].double()
    one = trace(blocks, batch, bits)
    x, averaged, hidden, stream = (real * part for part in (one.tokens, one.averaged, one.hidden, one.stream))
    values = one.values * real[..., 0]
    bit = x @ blocks.V1[:, None]
    output = stream[:, :, -1]
    return _logits(blocks, x, output) | {
        "token": _row(x),
        "entry": _entry(x),
        "bit": torch.maximum(_row(bit), _entry(bit)),
        "averaged": torch.maximum(_row(averaged), _entry(averaged)),
        "unit": _entry(hidden),
        "units": _row(hidden),
        "stream": _row(stream),
        "column": _row(stream.mT),
        "output": output.norm(dim=-1),
        "value": values.abs().amax(-1),
        "values": _norm(values),
    }


def _logits(blocks: Blocks, x: Tensor, output: Tensor) -> dict[str, Tensor]:
    """Return the products with the attention weights, of tokens (B, N, P, E) and output rows (B, N, E)."""
    return {
        "W1 x": _row(x @ blocks.W1.mT[:, None]),
        "x W1": _row(x @ blocks.W1[:, None]),
        "W2 x": (output @ blocks.W2.mT).norm(dim=-1),
    }


def _norm(values: Tensor) -> Tensor:
    """The norm of vectors whose squares may be too small for float64."""
    largest = values.abs().amax(-1)
    unit = torch.where(largest > 0, largest, 1.0)
    norm: Tensor = torch.linalg.vector_norm(values / unit[..., None], dim=-1)
    return unit * norm


def _row(rows: Tensor) -> Tensor:
    """The largest norm among rows."""
    norms: Tensor = torch.linalg.vector_norm(rows, dim=-1)
    return norms.amax(-1)


def _entry(rows: Tensor) -> Tensor:
    """The largest absolute entry."""
    return rows.abs().amax((-2, -1))
