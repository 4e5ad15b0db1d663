"""One network without noise: fixed beforehand, chosen on another sample, or chosen among finitely many (Occam).

For a loss in [0, M] and one network fixed before the sample, Chernoff's bound says R ≤ M kl⁻¹(r/M, ln(1/δ)/m) with
probability at least 1-δ. Of H networks each gets δ/H, so that ln H is paid for the choice: whatever rule chooses on the
sample. The constructions of a class number C(C(T, D), ω) for known coefficients. With every coefficient rounded to the
middle of one of n cells of [0, 1] there are n^ω times as many; rounding moves the target by at most ω/(2n), and the
network is within the leak of the rounded target.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.certified import certified_inverse, log_over
from boundaudit.numeric.sharpness.bound.setting import check_distinct, check_setting
from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.oracle import odd
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_AT_ONCE = 2**18
"""Inputs looked at at once."""


def one_network(loss: float, *, samples: int, delta: float, nats: float = 0.0, clip: float = 1.0) -> float:
    """M kl⁻¹(r/M, (ln H + ln(1/δ))/m), rounded up: a bound on a network's E min(loss, M) with probability at least 1-δ.

    r is its loss on m inputs that are independent of it but for the choice for which ln H nats are paid, 0 where it was
    fixed beforehand.

    Raises:
        InputError: for a number out of range.
    """
    check_setting(samples, delta, clip=clip)
    if not 0 <= loss <= clip:
        raise InputError("loss", f"a number from 0 to {clip:g}", loss, "a loss above the clip is its clip")
    if not 0 <= nats < math.inf:
        raise InputError("nats", "a number that is at least 0", nats, "give the logarithm of the number of networks")
    share = certified_inverse(min(1.0, rounded_up(loss / clip)), rounded_up(nats / samples) + log_over(delta, samples))
    return min(clip, rounded_up(clip * share)) if share < 1 else clip


def rounded_up(value: float) -> float:
    """The next float after the result of one operation on floats of at least 0, which may be too low; zero stays."""
    return math.nextafter(value, math.inf) if value else value


def family_nats(length: int, degree: int, sparsity: int) -> float:
    """Ln C(C(T, D), ω), for which sets of positions, in nats, rounded up."""
    check_distinct(length, degree, sparsity)
    return rounded_up(math.log(math.comb(math.comb(length, degree), sparsity)))


def coefficient_cells(length: int, samples: float) -> int:
    """How many cells of [0, 1] the coefficients are rounded to: n = √(m/6), before the sample is seen.

    The mean loss by rounding, ω/(12n²) and less, and the price, ω ln n over m, are then least together. The middle of
    the lowest cell is at least T⁻⁴.
    """
    return max(1, min(math.ceil(math.sqrt(samples / 6)), length**4 // 2))


def rounded_coefficients(coefficients: Sequence[float], cells: int) -> tuple[float, ...]:
    """Each coefficient of (0, 1] at the middle of its cell, the nearest of 1/(2n), 3/(2n), …, 1 - 1/(2n)."""
    return tuple((min(cells, math.ceil(c * cells)) - 0.5) / cells for c in coefficients)


def rounding_error(length: int, sparsity: int, cells: int) -> float:
    """What the network is off at most for every target of the class, T ≥ 4, with coefficients rounded to n cells.

    C N/(C T² + N) + ω/(2n) with N = T+1-ω and C = √ω + ω/(2n); n is infinite for the coefficients themselves.
    """
    moved, idle = sparsity / (2 * cells), length + 1 - sparsity
    total = math.sqrt(sparsity) + moved
    return total * idle / (total * length**2 + idle) + moved


def training_set(length: int, samples: int, seed: int) -> Tensor:
    """The numbers of m uniform inputs, those that a certificate with this seed is made on, int64, shape (m,)."""
    own = np.random.SeedSequence(seed).generate_state(2, np.uint64)[0] >> np.uint64(1)
    return torch.randint(2**length, (samples,), generator=torch.Generator().manual_seed(int(own)))


def construction_loss(
    target: Target, numbers: Tensor, *, coefficients: Sequence[float] | None = None, clip: float = 1.0,
    mlp: Trapezoid = "steep",
) -> float:  # fmt: skip
    """The mean of min(loss, M) of the construction without noise over numbered inputs (m,), in closed form; T ≥ 4.

    With C the sum of the network's own coefficients, the target's unless given, f its own target, N = T+1-ω unused rows
    and g the MLP at the share of ones in the input, the output is C (T² f + N g)/(C T² + N): active rows rest on
    plateaus.
    """
    length, idle = target.length, target.length + 1 - target.sparsity
    own = target.coefficients if coefficients is None else coefficients
    total, shares = math.fsum(own), torch.arange(length + 1, dtype=torch.float64) / (length + 1)
    unused = response(shares[None], torch.tensor([target.degree]), mlp)[0]
    both = torch.tensor([own, target.coefficients], dtype=torch.float64).T
    members = TargetBatch.stack([target]).members[0]
    shifts, sums = torch.arange(length - 1, -1, -1), []
    for some in torch.split(numbers, _AT_ONCE):
        bits = (some[:, None] >> shifts) & 1
        ours, wanted = ((~odd(members, bits)).double().T @ both).unbind(-1)
        output = total * (length**2 * ours + idle * unused[bits.sum(-1)]) / (total * length**2 + idle)
        sums.append(float((output - wanted).square().clamp_max(clip).sum()))
    return math.fsum(sums) / len(numbers)
