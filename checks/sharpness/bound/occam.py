"""One network without noise, chosen among finitely many: what the choice and the rounding of coefficients cost."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY, batch_of, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import delta, m
from boundaudit.derivations.sharpness.bound import occam as theory
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.sharpness.bound.occam import rounded_coefficients, rounding_error
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate, evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))


def _largest_error(at: Columns, mlp: Trapezoid) -> Tensor:
    """The largest |network with rounded coefficients - target| over all inputs, over what it is at most."""
    batch, cells = batch_of(at), at.whole("n_oc").tolist()
    rows = [rounded_coefficients(row, n) for row, n in zip(batch.coefficients.tolist(), cells, strict=True)]
    moved = torch.tensor(rows, dtype=torch.float64, device=at.device).where(batch.coefficients > 0, 0.0)
    rounded, length = replace(batch, coefficients=moved), batch.max_length
    bits = bit_strings(length, 0, 2**length, device=at.device)
    errors = (forward(build(rounded, mlp=mlp), rounded, bits) - evaluate_batch(batch, bits)).abs().amax(-1)
    limits = [rounding_error(length, w, n) for w, n in zip(batch.sparsity.tolist(), cells, strict=True)]
    return errors / errors.new_tensor(limits)


rounding = claim(
    label="sharpness.bound.occam.rounding",
    statement="Let every coefficient be rounded to the middle of one of n ≤ 128 equal cells of [0, 1]. The "
    "construction with these coefficients is then within C N/(C T² + N) + ω/(2n) of the target on every input, C = √ω "
    "+ ω/(2n) and N = T+1-ω. For coefficients from T⁻⁴ to 1 in the unit ball, T from 4 to 6 and D ≤ 2.",
    role="improvement",
    left=Quantity(
        "largest error with rounded coefficients, over its bound", by_trapezoid(_largest_error, "T", "D"),
        r"\max_x |\hat f(x) - f(x)| / (\mathrm{leak} + \omega/(2n))", rounding=1e-9,
    ),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain(
        {
            T: Integers(4, 6),
            D: Integers(1, 2),
            omega: SPARSITY,
            u: BOTH,
            c: Vector(omega, Reals(T**-4, 1), square_sum=1),
            sp.Symbol("S"): Subsets(omega, D, T),
            theory.n: Integers(1, 128),
        }
    ),
    rests_on=("sharpness.exactness.leak.upper",),
    limitations=("Derived here. The leak is that of the rounded target, whose coefficients sum to C at most.",),
)  # fmt: skip

_CLASS = tuple(itertools.combinations(tuple(itertools.combinations(range(1, 6), 2)), 2))


@functools.cache
def _losses() -> Tensor:
    """Losses of all 45 constructions of two pairs of five bits on the 32 inputs, where the first is the target's."""
    bits, half = bit_strings(5, 0, 32), (0.5**0.5,) * 2
    batch = TargetBatch.stack([Target(5, components, half) for components in _CLASS])
    target = Target(5, _CLASS[0], half)
    return (forward(build(batch), batch, bits) - evaluate(target, bits)).square().clamp_max(1.0)


def _missed(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """How often the risk of a construction that the sample chooses is above its bound: of all, the worst choice."""
    losses, stream = _losses(), torch.Generator().manual_seed(seed)
    found = []
    for point in points:
        drawn = torch.randint(losses.shape[-1], (trials, point["m"]), generator=stream)
        means = losses[:, drawn].mean(-1)
        budget = (np.log(len(losses)) + np.log(1 / float(point["delta"]))) / point["m"]
        bounds = inverse_binary_kl(means, torch.tensor(budget, dtype=torch.float64))
        found.append(int((bounds < losses.mean(-1, keepdim=True)).any(0).sum()))
    return np.array(found, dtype=np.int64)


coverage = claim(
    label="sharpness.bound.occam.coverage",
    statement="With probability at least 1-δ over the sample every one of H constructions has an E min(loss, 1) of at "
    "most kl⁻¹(r, (ln H + ln(1/δ))/m), r its loss on the sample; so has one that is chosen by the sample. Counted for "
    "the 45 constructions of two pairs of five bits and 10 to 100 samples.",
    role="improvement",
    left=Probability(
        "probability that some construction's risk is above its bound", _missed,
        r"\mathbb{P}[\exists h: R(h) > \mathrm{kl}^{-1}(r(h), (\ln H + \ln(1/\delta))/m)]",
    ),
    relation="<=",
    right=delta,
    domain=Domain({m: Integers(10, 100), delta: Reals(sp.Rational(1, 20), sp.Rational(1, 3))}),
    mode="with probability at least 1-δ",
    rests_on=("pac_bayes.limits.kl",),
    limitations=("Chernoff's bound for each and the union bound.",),
)  # fmt: skip
