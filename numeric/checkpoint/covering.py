"""The gap of a whole transformer by the (1,1) norms of its matrices: Maurey's cover of each, at the best split.

Of the matrices with ‖W‖_{1,1} ≤ M, at most (2dk)^{(M/ε)²} are a cover at ε, in Frobenius norm and hence for all tokens
at once. An error ε_a in each matrix of the network moves its output by Σ s_a ε_a at most, with sensitivities s_a of
which only the covered network's norms are part, so that elements of the cover need no norm of their own. The cheapest
split of ε has log N(ε) ≤ (Σ_a (s_a M_a)^{2/3} ln(2 d_a k_a)^{1/3})³/ε². The network is that of
`boundaudit.numeric.schatten.bounds`; constants are derived here, in the structure of Trauger & Tewari's bounds (arXiv
2310.13088).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence

from boundaudit import InputError
from boundaudit.numeric.covering import dudley
from boundaudit.numeric.logarithms import exp, log, log_sum
from boundaudit.numeric.schatten.bounds import MOST_COMPLEX, log_sensitivities, matrices_of, rounded_up, weight_price
from boundaudit.numeric.schatten.proxy import Block


def covering_curve(
    blocks: Sequence[Block], delta: float, lipschitz: float = 1.0, activation: float = 1.13
) -> Callable[[int], float]:
    """How far the risk can be above that on n samples, but with probability δ, for norms seen after training.

    The price is that of a union over grids: (1,1) norms are rounded up to powers of 2, operator norms to powers of
    e^{1/L}. The loss takes values in [0, 1] and has a Lipschitz constant in the network's output, the MLP's activation
    another. From n, a whole number from 1 to 10^18, to the gap; 1 or more says nothing.

    Raises:
        InputError: where δ is not between 0 and 1.
    """
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", str(delta), "say how often the bound may fail")
    matrices = [matrices_of(block) for block in blocks]
    operators = [[rounded_up(matrix.operator, 1 / len(blocks)) for matrix in block] for block in matrices]
    entries = [rounded_up(matrix.entries, math.log(2)) for block in matrices for matrix in block]
    steps = [step for block in operators for _, step in block] + [exponent for _, exponent in entries]
    confidence = math.fsum(map(weight_price, steps)) - math.log(delta)
    sensitivities = log_sensitivities([[norm for norm, _ in block] for block in operators], activation)
    counts = [2 * matrix.shape[0] * matrix.shape[1] for block in matrices for matrix in block]
    parts = [
        (2 * (sensitivity + log(norm)) + math.log(math.log(count))) / 3
        for sensitivity, (norm, _), count in zip(sensitivities, entries, counts, strict=True)
    ]
    capacity = max(exp(3 * log_sum(parts) + 2 * math.log(lipschitz)), sys.float_info.min)

    def gap(samples: int) -> float:
        return 2 * min(dudley(capacity, samples), MOST_COMPLEX) + math.sqrt(confidence / (2 * samples))

    return gap
