"""Noisy networks: where claims about them speak, and how they are measured."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, evaluated
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY, TRAPEZOIDS, batch_of, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 6", "Theorem 12", "Theorem 17"), expected="proved")

_RANGES: dict[Any, Range] = {
    T: Integers(4, tested_to=4), D: Integers(1, T), omega: SPARSITY, u: BOTH,
    c: Vector(omega, Reals(0, open_low=True, tested_to=1)), sp.Symbol("S"): Subsets(omega, D, T),
    sigma: Reals(0, open_low=True, tested_to=0.01), kappa_nl: Reals(0, tested_to=8),
}  # fmt: skip
NOISY = Domain(_RANGES)
"""Targets of equal degree with any positive coefficients, a size of noise and a κ."""

FLAT = Domain(_RANGES, where=[theory.BETA + theory.FLICKER <= theory.MARGIN])
"""The same where good draws leave active rows on their plateaus."""

_PAIRS = tuple((n, n + 1) for n in range(1, 20, 2))
E3: Point = {"T": 20, "D": 2, "omega": 10, "u": 1, "c": (10**-0.5 * (1 - 2**-50),) * 10, "S": _PAIRS}
SAMPLES: dict[str, Point] = {
    "T=20, D=2, ω=10, σ=0.002": {**E3, "sigma": 0.002, "kappa_nl": 5.5},
    "T=20, D=2, ω=10, σ=0.0001": {**E3, "sigma": 0.0001, "kappa_nl": 5.5},
}


class Sampling(NamedTuple):
    """How many inputs of a target are looked at, all where there are fewer, and how many draws for each."""

    inputs: int
    draws: int


FEW, MANY = Sampling(4, 1), Sampling(16, 8)

ARGUED = (
    f"An argument, and no proof: its nodes are means over draws of noise, measured at up to {MANY.inputs} inputs with "
    f"{MANY.draws} draws each, and means over good draws have no closed form. Given layer 1 and the inputs of hidden "
    "units, normal moments give the mean square of what is of first order; of the rest there is no formula to check."
)
"""Why a claim that goes through means over draws is not proved."""

SAMPLING = 0.4
"""Three standard errors of a mean square over 128 draws: the error budget of what is sampled."""


def _inputs(length: int, most: int) -> Tensor:
    numbers = torch.arange(min(2**length, most))
    if 2**length > most:
        numbers = torch.from_numpy(np.random.default_rng(0).integers(0, 2**length, most))
    return (numbers[:, None] >> torch.arange(length - 1, -1, -1)) & 1 == 1


_Points = tuple[tuple[tuple[str, Any], ...], ...]


@functools.lru_cache(maxsize=24)
def _pass(points: _Points, mlp: Trapezoid, device: str, sampling: Sampling) -> NoisyPass:
    """The networks of points that agree in T and D."""
    at = Columns([dict(point) for point in points], device)
    batch, bits = batch_of(at), _inputs(at.points[0]["T"], sampling.inputs).to(device)
    return NoisyPass.drawn(batch, bits, at.real("sigma"), at.real("kappa_nl"), mlp=mlp, draws=sampling.draws)


_AT_ONCE = 2**12
"""Networks held at once."""

Values = Callable[[NoisyPass], Tensor]
"""From a pass to one number for each draw and input."""


def _in_runs(of: Callable[[_Points, Trapezoid, str], Tensor], sampling: Sampling) -> Measure:
    """A number for each point, of so many points at once as are held."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        found, step = [], _AT_ONCE // (sampling.inputs * sampling.draws)
        for start in range(0, len(at), step):
            points = tuple(tuple(point.items()) for point in at.points[start : start + step])
            found.append(of(points, mlp, at.device))
        return torch.cat(found)

    return by_trapezoid(measure, "T", "D")


def over_draws(of: Values, make: Callable[[Tensor], Tensor], sampling: Sampling) -> Measure:
    """A number for each point from those of its draws and inputs, shape (points, draws)."""

    def made(points: _Points, mlp: Trapezoid, device: str) -> Tensor:
        return make(of(_pass(points, mlp, device, sampling)).reshape(len(points), -1))

    return _in_runs(made, sampling)


def _size(one: NoisyPass, values: Tensor, count: int) -> Tensor:
    """A root mean square for each of so many points, bad draws counted as zero."""
    return (values.square() * one.good).reshape(count, -1).mean(1).sqrt()


def rms(of: Values) -> Measure:
    """A root mean square over draws and inputs, bad draws counted as zero."""
    return _in_runs(lambda points, *how: _size(one := _pass(points, *how, MANY), of(one), len(points)), MANY)


PARTS = ("change", "first", "unused", "bend", "cross")


@functools.lru_cache(maxsize=256)
def _parts(points: _Points, mlp: Trapezoid, device: str) -> dict[str, Tensor]:
    """The size of each part of the change, all at once: claims ask for one after the other at the same points."""
    one = _pass(points, mlp, device, MANY)
    return {name: _size(one, getattr(one, name), len(points)) for name in PARTS}


def part(name: str) -> Measure:
    """The root mean square of one of the `PARTS`, as `rms` has it."""
    return _in_runs(lambda points, mlp, device: _parts(points, mlp, device)[name], MANY)


def mean(of: Values) -> Measure:
    """A mean over draws and inputs."""
    return over_draws(of, lambda values: values.mean(1), MANY)


def most(of: Values) -> Measure:
    """The largest over good draws."""
    return over_draws(lambda one: of(one) * one.good, lambda values: values.amax(1), FEW)


def _with_sizes(p: Point) -> Point:
    """A point with C, the sum of the squared logits and their span."""
    logits = [math.log(x) + 2 * math.log(p["T"]) for x in p["c"]]
    span = max(*logits, 0.0) - min(*logits, 0.0)
    return {**p, "C": sum(p["c"]), "K_nl": sum(x * x for x in logits), "l_nl": span}


def formula(build: Callable[[], sp.Expr]) -> Measure:
    """An expression in the points' parameters, C, the sum of the squared logits and their span."""
    return completed(evaluated(build), _with_sizes)


def sampled(name: str, latex: str, measure: Measure) -> Quantity:
    """A node that is a mean over few draws."""
    return Quantity(name, measure, latex, rounding=SAMPLING, scale=1e-9)


def node(name: str, latex: str, measure: Measure, *, scale: float = 1e-9, nonnegative: bool = False) -> Quantity:
    """A node of a chain that is measured to rounding."""
    return Quantity(name, measure, latex, rounding=1e-9, scale=scale, nonnegative=nonnegative)


def largest_row(of: Values) -> Measure:
    """The largest over rows and good draws of a number a row."""
    return most(lambda one: of(one).amax(-1))


def largest_in(
    rank: Values, of: Callable[[NoisyPass], Tensor], points: Sequence[Point], device: str
) -> Iterator[Array]:
    """Numbers of the row in which another is largest.

    Args:
        rank: What is to be largest, a number a row.
        of: Numbers of each row, shape (B, n, P, k).
        points: Points that agree in the trapezoid, in T and in D.
        device: Where to measure.

    Yields:
        The numbers of each point, shape (k,); zero where none is above zero.
    """
    mlp, step = TRAPEZOIDS[points[0]["u"]], _AT_ONCE // (FEW.inputs * FEW.draws)
    for start in range(0, len(points), step):
        some = tuple(tuple(point.items()) for point in points[start : start + step])
        one = _pass(some, mlp, device, FEW)
        ranks = rank(one).reshape(len(some), -1)
        best, where = ranks.max(-1)
        found = of(one)
        values = found.reshape(len(some), -1, found.shape[-1])
        yield from (values[torch.arange(len(some), device=values.device), where] * (best > 0)[:, None]).cpu().numpy()


BETA, FLICKER = formula(lambda: theory.BETA), formula(lambda: theory.FLICKER)
ETA, RHO, STREAM = formula(lambda: theory.ETA), formula(lambda: theory.RHO), formula(lambda: theory.STREAM)
