"""A cover of attention heads in two stages: queries first, then values on what each covered query pools."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.covering.head import opposite, pool, within
from boundaudit.numeric.covering.linear import nearest, rows, shrunk_means

_SAMPLES, _D, _K = 6, 2, 2


def _covered(inputs: Tensor, matrix: Tensor, atoms: int) -> tuple[Tensor, Tensor]:
    """The element next to a matrix, in root mean square on inputs, of the cover of row sums at most one.

    Inputs (m, d), matrix (k, d); the element, shape (k, d), and the root mean square of the inputs' lengths.
    """
    lengths = inputs.norm(dim=0).clamp_min(torch.finfo(torch.float64).tiny)
    total = float(inputs.norm())
    elements = shrunk_means(matrix.numel(), atoms).view(-1, *matrix.shape)
    _, index = nearest((matrix * lengths / total)[None], elements, (inputs / lengths).mT)
    return elements[index[0]] * total / lengths, torch.tensor(total / len(inputs) ** 0.5)


def two_stages(tokens: int, atoms: int, noise: float, generator: torch.Generator) -> tuple[float, float]:
    """The root mean square error of a member of the class next to its element, and what is guaranteed.

    The class has W_QK and W_V with row sums of lengths at most one, tokens and queries in the unit ball. The guarantee
    is the values' r/(√K + 1), r the root mean square of what they act on, plus as much for the queries; K are the atoms
    of each stage. Without noise tokens are opposite and the member an atom.
    """
    chance = torch.randn(_SAMPLES, tokens + 1, _D, generator=generator, dtype=torch.float64)
    drawn = within(opposite(tokens + 1, _D) + noise * chance)
    queries, sample = drawn[:, 0], drawn[:, 1:]
    atom = torch.zeros(_K, _D, dtype=torch.float64)
    atom[0, 0] = 1.0
    keys, values = (
        matrix / rows(matrix[None])
        for matrix in atom + noise * torch.randn(2, _K, _D, generator=generator, dtype=torch.float64)
    )
    near_keys, key_length = _covered(queries, keys, atoms)

    def pooled(by: Tensor) -> Tensor:
        return pool(sample, (sample @ (queries @ by.mT)[..., None])[..., 0])

    near = pooled(near_keys)
    near_values, value_length = _covered(near, values, atoms)
    error = (pooled(keys) @ values.mT - near @ near_values.mT).norm() / _SAMPLES**0.5
    return float(error), float((key_length + value_length) / (atoms**0.5 + 1))
