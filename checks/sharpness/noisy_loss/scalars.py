"""The loss under noise: where its claims speak, and inequalities in numbers that they come from."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import completed, evaluated
from boundaudit.checks.sharpness.proofs import PAIRS, proof
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.averages import a_av, e_av, n_av, q_av, r_av, s_av, v_av, w_av, x_av
from boundaudit.derivations.sharpness.noisy_loss import (
    LESS,
    MORE,
    K_nl,
    d_nl,
    g_nl,
    kappa_nl,
    l_nl,
    m_nl,
    n_nl,
    p_nl,
    x_nl,
    y_nl,
    z_nl,
)
from boundaudit.derivations.sharpness.parameters import D, T, c, k, omega, t, u
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 6", "Theorem 12", "Theorem 17"), expected="proved")

_RANGES: dict[Any, Range] = {
    T: Integers(4, tested_to=4), D: Integers(1, T), omega: SPARSITY, u: BOTH,
    c: Vector(omega, Reals(0, open_low=True, tested_to=1)), sp.Symbol("S"): Subsets(omega, D, T),
    sigma: Reals(0, open_low=True, tested_to=0.01), kappa_nl: Reals(0, tested_to=8), n_nl: Integers(1, tested_to=2),
}  # fmt: skip
NOISY = Domain(_RANGES)
"""Targets of equal degree with any positive coefficients, a size of noise, a κ and a number of draws."""

FLAT = Domain(
    {**_RANGES, n_nl: Integers(1, tested_to=8)}, where=[theory.PLATEAUS, n_nl >= 8, kappa_nl <= 8]
)  # fmt: skip
"""The same where good draws leave active rows on their plateaus and the tail of a normal variable is bounded, with
draws enough for means over them."""


def samples(draws: int) -> dict[str, Point]:
    """Where waterfalls are drawn."""
    return {
        f"T=20, D=2, ω=10, σ={size}": {**PAIRS, "sigma": size, "kappa_nl": 5.5, "n_nl": draws}
        for size in (0.002, 0.0001)
    }


INPUTS = 16
"""How many inputs of a target are looked at: all where there are no more."""


def inputs_of(length: int) -> Tensor:
    """The inputs that are looked at, shape (n, T)."""
    numbers = torch.arange(min(2**length, INPUTS))
    if 2**length > INPUTS:
        numbers = torch.from_numpy(np.random.default_rng(0).integers(0, 2**length, INPUTS))
    return (numbers[:, None] >> torch.arange(length - 1, -1, -1)) & 1 == 1


Values = Callable[[NoisyPass], Tensor]
"""From a pass to one number for each draw and input, or for each of their rows."""


def _with_sizes(p: Point) -> Point:
    """A point with C, the sum of the squared logits and their span."""
    logits = [math.log(x) + 2 * math.log(p["T"]) for x in p["c"]]
    span = max(*logits, 0.0) - min(*logits, 0.0)
    return {**p, "C": sum(p["c"]), "K_nl": sum(x * x for x in logits), "l_nl": span}


def formula(build: Callable[[], sp.Expr]) -> Measure:
    """An expression in the points' parameters, C, the sum of the squared logits and their span."""
    return completed(evaluated(build), _with_sizes)


def node(name: str, latex: str, measure: Measure, *, scale: float = 1e-9) -> Quantity:
    """A number of at least 0 that is measured to rounding."""
    return Quantity(name, measure, latex, rounding=1e-9, scale=scale, nonnegative=True)


# --- the scalar inequalities behind the loss under noise ------------------------------------------

tail = claim(
    label="sharpness.noisy_loss.tail",
    statement="A normal variable exceeds κ standard deviations in size with probability at most exp(-κ²/2), for κ up "
    "to 8.",
    left=theory.TWO_SIDED_TAIL, right=theory.GAUSSIAN, domain=Domain({kappa_nl: Reals(0, 8)}),
)  # fmt: skip

on = claim(
    label="sharpness.noisy_loss.units-on", relation="=",
    statement="At k/D four live hidden units of each even grid point below k and two of k itself, if it is even, are "
    "on: 2(k+1) in all.",
    left=theory.ON, right=2 * (k + 1), domain=Domain({k: Integers(0, tested_to=60)}),
)  # fmt: skip

grid_mean = claim(
    label="sharpness.noisy_loss.grid-mean", relation="=",
    statement="Over the ones k among D independent fair bits the mean of (1 + k²/D²)(k+1) is 5D/8 + 13/8 + 1/(4D).",
    left=theory.GRID_MEAN_BY_MOMENTS, right=theory.GRID_MEAN, domain=Domain({D: Integers(1, tested_to=40)}),
)  # fmt: skip

grid_most = claim(
    label="sharpness.noisy_loss.grid-most", kind="Tight",
    statement="At k/D = y from 0 to 1 the number (1 + k²/D²)(k+1) is at most 2(D+1).",
    left=(D * y_nl + 1) * (1 + y_nl**2), right=theory.GRID_MOST,
    domain=Domain({D: Integers(1, tested_to=40), y_nl: Reals(0, 1)}), equality=({"D": 1, "y_nl": 1},),
)  # fmt: skip

shifted = claim(
    label="sharpness.noisy_loss.shifted",
    statement="1 + (y+z)² is at most (1 + y²)(1 + z + z²) for y from 0 to 1 and z ≥ 0: an average of bits that noise "
    "moves by z.",
    left=theory.MOVED, right=theory.MOVED_BOUND, domain=Domain({y_nl: Reals(0, 1), z_nl: Reals(0)}),
)  # fmt: skip

unit = claim(
    label="sharpness.noisy_loss.unit",
    statement="A hidden unit relu(x) changes by at most |d| where its input x changes by d.",
    left=theory.RAMP_CHANGE, right=sp.Abs(d_nl), domain=Domain({x_nl: Reals(), d_nl: Reals()}),
)  # fmt: skip

_ODDS = Domain(
    {s_av: Reals(0, 1), r_av: Reals(0, 1), g_nl: Reals(0)}, where=[theory.ODDS[0] <= theory.ODDS[1]]
)  # fmt: skip

odds = claim(
    label="sharpness.noisy_loss.odds",
    statement="An average of bits whose odds grow at most (1+g)²-fold grows by at most g/(2+g).",
    left=r_av - s_av, right=theory.FARTHEST, domain=_ODDS,
    derivation=proof(
        "sharpness.noisy_loss.odds", "How far odds move an average", _ODDS,
        Step(r_av - s_av, "what it grows by"),
        Step(theory.MOST_TURNED, "odds that grow most"),
        Step(theory.FARTHEST, "from as far below one half as it comes above"),
        samples={"from 1/4": {"s_av": 0.25, "r_av": 0.375, "g_nl": 1}},
    ),
)  # fmt: skip

growth = claim(
    label="sharpness.noisy_loss.growth",
    statement="(e^(2x) - 1)/(e^(2x) + 1) is at most x for x ≥ 0.",
    left=theory.GROWTH, right=e_av, domain=Domain({e_av: Reals(0)}),
)  # fmt: skip

share = claim(
    label="sharpness.noisy_loss.share",
    statement="A part p a of a number a ≥ 0 that is moved by a part m of e ≥ 0 has a square of at most (a + e)², p and "
    "m from -1 to 1.",
    left=(p_nl * x_av + m_nl * e_av) ** 2, right=(x_av + e_av) ** 2,
    domain=Domain({x_av: Reals(0), e_av: Reals(0), p_nl: Reals(-1, 1), m_nl: Reals(-1, 1)}),
)  # fmt: skip

longer = claim(
    label="sharpness.noisy_loss.longer",
    statement="A vector of n numbers of at least 0 to each of which e ≥ 0 is added grows in length by at most √n e.",
    left=theory.LENGTHENED, right=theory.LENGTHENED_MOST,
    domain=Domain({n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, tested_to=4)), e_av: Reals(0)}),
)  # fmt: skip

hypotenuse = claim(
    label="sharpness.noisy_loss.hypotenuse",
    statement="A vector of two numbers of at least 0 is at most as long as one of two that are at least as large.",
    left=sp.sqrt(e_av**2 + v_av**2), right=sp.sqrt(r_av**2 + x_av**2),
    domain=Domain({e_av: Reals(0), r_av: Reals(e_av), v_av: Reals(0), x_av: Reals(v_av)}),
)  # fmt: skip

apart = claim(
    label="sharpness.noisy_loss.apart",
    statement="For e from 0 to 1 the average (1-e) s + e r of two numbers lies at least |s + x| - e |r - s| from -x.",
    left=theory.APART, right=theory.AVERAGE_APART,
    domain=Domain({s_av: Reals(0, 1), r_av: Reals(0, 1), x_av: Reals(), e_av: Reals(0, 1)}),
)  # fmt: skip

turning = claim(
    label="sharpness.noisy_loss.turning",
    statement="How far logits move apart, 2q (η l/2 + √K ρ (1 + qη) + x²), grows with η, ρ and x, all of at least 0.",
    left=theory.turned(e_av, v_av, s_av, K_nl, l_nl, m_nl), right=theory.turned(r_av, x_av, w_av, K_nl, l_nl, m_nl),
    domain=Domain(
        dict.fromkeys((e_av, v_av, s_av, K_nl, l_nl, m_nl), Reals(0)) | dict.fromkeys((r_av, x_av, w_av), Reals()),
        where=[e_av <= r_av, v_av <= x_av, s_av <= w_av],
    ),
)  # fmt: skip

squares = claim(
    label="sharpness.noisy_loss.squares",
    statement="Two squares add up to a number of at least 0.",
    left=sp.S.Zero, right=e_av**2 + v_av**2, domain=Domain({e_av: Reals(), v_av: Reals()}),
)  # fmt: skip


# --- the four parts -------------------------------------------------------------------------------


def _larger(*pairs: tuple[sp.Symbol, sp.Symbol], others: tuple[sp.Symbol, ...] = ()) -> Domain:
    """Numbers of at least zero, each with one that is at least as large."""
    low = dict.fromkeys((*others, *(less for less, _ in pairs)), Reals(0))
    return Domain(low | {more: Reals(less) for less, more in pairs})


_NOISE = {sigma: Reals(0, open_low=True)}

blocks = claim(
    label="sharpness.noisy_loss.blocks",
    statement="The first-order part grows with each of its blocks, for a sum g of coefficients.",
    left=theory.first_order(*LESS, total=g_nl), right=theory.first_order(*MORE, total=g_nl),
    domain=Domain(_NOISE | _larger(*zip(LESS, MORE, strict=True), others=(g_nl,)).ranges),
)  # fmt: skip

_MOMENT = (e_av, v_av, s_av, w_av)

fourth = claim(
    label="sharpness.noisy_loss.fourth",
    statement="The fourth moment of a o + b q (1 + g o) + c w, with independent standard normal o, q and w, is at most "
    "3 (a + b (1 + 3^¼ g) + c)⁴.",
    left=theory.fourth_moment(*_MOMENT), right=theory.fourth_root(*_MOMENT) ** 4,
    domain=Domain(dict.fromkeys(_MOMENT, Reals(0))),
)  # fmt: skip

squares_apart = claim(
    label="sharpness.noisy_loss.squares-apart",
    statement="For numbers of at least 0, g² (y² + h²) + x² is at most (g y + g h + x)².",
    left=g_nl**2 * (e_av**2 + v_av**2) + s_av**2, right=(g_nl * e_av + g_nl * v_av + s_av) ** 2,
    domain=Domain(dict.fromkeys((g_nl, e_av, v_av, s_av), Reals(0))),
)  # fmt: skip

fourth_power = claim(
    label="sharpness.noisy_loss.fourth-power",
    statement="Of two numbers of at least 0 the one with the smaller fourth power is the smaller.",
    left=e_av, right=x_av, domain=Domain(dict.fromkeys((e_av, x_av), Reals(0)), where=[e_av**4 <= x_av**4]),
)  # fmt: skip

logits = claim(
    label="sharpness.noisy_loss.logits",
    statement="The bound on what noise adds to a logit grows with the lengths of hidden units and rows.",
    left=theory.logit(e_av, v_av, s_av), right=theory.logit(r_av, x_av, w_av),
    domain=Domain(_NOISE | _larger((e_av, r_av), (v_av, x_av), (s_av, w_av), others=(K_nl, l_nl)).ranges),
)  # fmt: skip

at_once = claim(
    label="sharpness.noisy_loss.at-once",
    statement="e^Ω a b grows with Ω and with a and b of at least 0.",
    left=theory.at_once(e_av, v_av, s_av), right=theory.at_once(r_av, x_av, w_av),
    domain=_larger((e_av, r_av), (v_av, x_av), (s_av, w_av)),
)  # fmt: skip

components = claim(
    label="sharpness.noisy_loss.components",
    statement="There are at most as many components as bits: some row is unused.",
    left=omega, right=T, domain=Domain({T: Integers(2, tested_to=24), D: Integers(1, T), omega: SPARSITY}),
)  # fmt: skip

# --- means over draws -----------------------------------------------------------------------------


def mean(body: sp.Expr, count: sp.Expr = n_av) -> sp.Expr:
    """A mean over draws."""
    return sp.Sum(body, (t, 1, count)) / count


def rms(body: sp.Expr, count: sp.Expr = n_av) -> sp.Expr:
    """A root mean square over draws."""
    return sp.sqrt(mean(body**2, count))


_VECTORS = Domain({n_av: Integers(1, tested_to=6), **dict.fromkeys((a_av, q_av), Vector(n_av, Reals(tested_to=4)))})

cauchy = claim(
    label="sharpness.noisy_loss.cauchy",
    statement="The mean of a product is at most the product of the root mean squares.",
    left=mean(a_av[t] * q_av[t]), right=rms(a_av[t]) * rms(q_av[t]), domain=_VECTORS,
)  # fmt: skip

at_most = claim(
    label="sharpness.noisy_loss.at-most",
    statement="A number is at most any that is no smaller: what one step takes from several others.",
    left=v_av, right=x_av, domain=Domain({v_av: Reals(), x_av: Reals(v_av)}),
)  # fmt: skip


def _grows(name: str, says: str, *others: sp.Symbol, scale: sp.Symbol | None = None, summed: bool = False) -> Case:
    """A bound with each part, or with their sum, and the share of bad draws as large as can be."""
    beside = others if scale is None else (*others, scale)
    whole = {d_nl: Reals(sp.Add(*MORE[:4], evaluate=False))} if summed else {}
    return Case(
        f"{name},summed" if summed else name, statement=says,
        left=theory.all_parts((*others, *LESS[:4]), LESS[4], scale),
        right=theory.all_parts((*others, *(whole or MORE[:4])), MORE[4], scale),
        domain=Domain(_larger(*zip(LESS[:5], MORE[:5], strict=True), others=beside).ranges | whole),
    )  # fmt: skip


_LOSS, _MOVE = (
    "The bound on the clipped loss grows with",
    "The bound on how far an output moves over a margin grows with",
)

together = claim(
    label="sharpness.noisy_loss.together",
    statement="A bound from four parts of the change grows with them, with their sum, and with the share of bad draws.",
    cases=(
        _grows("loss", f"{_LOSS} each part.", LESS[5]),
        _grows("loss", f"{_LOSS} their sum.", LESS[5], summed=True),
        _grows("move", f"{_MOVE} each part.", scale=LESS[6]),
        _grows("move", f"{_MOVE} their sum.", scale=LESS[6], summed=True),
    ),
)
