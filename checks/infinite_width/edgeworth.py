"""Finite width to first order: the constant c of a distance c/n to the limit, and the term that it is the largest of."""

from __future__ import annotations

import functools
from typing import Literal

import sympy as sp
import torch

from boundaudit.checks.infinite_width import OUTPUTS, PAPER
from boundaudit.checks.infinite_width.measured import at_width, orthogonal
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.derivations.infinite_width import edgeworth as theory
from boundaudit.derivations.infinite_width.scores import x_iw
from boundaudit.derivations.infinite_width.symbols import H_iw, b_iw
from boundaudit.numeric.infinite_width.distances import Estimate, ks_distance
from boundaudit.numeric.infinite_width.edgeworth import largest_correction, width_correction
from boundaudit.numeric.infinite_width.layer import layer_law
from boundaudit.numeric.infinite_width.one_output import Inputs, draw_nodes

_claim = functools.partial(Claim, paper=PAPER, place=("Figure 1", OUTPUTS))
_ERRORS = 3
_TERM = (
    "The term is an expectation over the limit's scores, by integration; that the rest is of order 1/n² is measured at "
    "these widths, and no bound of it is proved."
)


@functools.cache
def _constant(inputs: Inputs, heads: int) -> Estimate:
    law, nodes, _ = orthogonal(4, heads)
    return largest_correction(law, nodes, inputs)


def _rest(inputs: Inputs, heads: int) -> Quantity:
    """n |n KS - c|, with three standard errors of both."""

    @functools.cache
    def at(logarithm: int) -> float:
        width, expected = 2**logarithm, _constant(inputs, heads)
        found = ks_distance(at_width(4, heads, width, inputs), orthogonal(4, heads)[2])
        reach = _ERRORS * (width * found.error + expected.error)
        return width * (abs(width * found.value - expected.value) + reach)

    return Quantity(
        f"n times the rest of n KS, {inputs}, H = {heads}, high end", at_points(lambda point: at(int(point["b_iw"]))),
        r"n\, |n\, \mathrm{KS}_n - c|", rounding=1e-9,
    )  # fmt: skip


distance = _claim(
    label="infinite_width.edgeworth.distance",
    statement="The Kolmogorov-Smirnov distance of an output of four tokens at width n to the limit is c/n + r/n², c the "
    "largest value of the first correction, by which the width's fluctuations bend the law: |r| is at most 3/4 for "
    "random features and 1/20 for given inputs with one head, 1/2 and 1/10 with two, at n = 16, 32 and 64.",
    domain=Domain({b_iw: Integers(4, 6)}),
    kind="Rate",
    limitations=(_TERM,),
    improves="infinite_width.width.converges[one-head]",
    cases=tuple(
        Case(f"{inputs},{heads}", left=_rest(inputs, heads), right=sp.Rational(most))
        for inputs, heads, most in (
            ("features", 1, "3/4"), ("features", 2, "1/2"), ("fixed", 1, "1/20"), ("fixed", 2, "1/10"),
        )
    ),
)  # fmt: skip


def _end(end: Literal["low", "high"]) -> Quantity:
    def one(point: Point) -> float:
        found = _constant("features", int(point["H_iw"]))
        return found.value + (_ERRORS if end == "high" else -_ERRORS) * found.error

    return Quantity(f"constant of the distance, random features, {end} end", at_points(one), "c", rounding=1e-9)


constant = _claim(
    label="infinite_width.edgeworth.constant",
    statement="For four tokens, one head and random features c is between 0.4485 and 0.45, and between 0.3435 and "
    "0.3445 with two heads: one token has 0.1377 (2 + 1/H), 0.413 and 0.344.",
    limitations=("By integration, three standard errors included.",),
    cases=tuple(
        Case(f"{heads},{end}", left=_end(end), relation=relation, kind=kind, right=sp.Rational(right),
             domain=Domain({H_iw: Integers(heads, heads)}))
        for heads, end, relation, kind, right in (
            (1, "high", "<=", "Upper", "0.45"), (1, "low", ">=", "Lower", "0.4485"),
            (2, "high", "<=", "Upper", "0.3445"), (2, "low", ">=", "Lower", "0.3435"),
        )
    ),
)  # fmt: skip


@functools.cache
def _one_token(heads: int, at: float) -> float:
    law = layer_law(torch.eye(1, dtype=torch.float64), heads)
    nodes = draw_nodes(law, 2, 2, 0, widths=False)
    return float(width_correction(law, nodes, "features", torch.tensor([at], dtype=torch.float64))[0, 0])


one_token = _claim(
    label="infinite_width.edgeworth.one-token",
    statement="For one token the first correction is (2 + 1/H) y(3 - y²)φ(y)/4: the fluctuations 4/n of random "
    "features' squared length and 2/(nH) of H values together.",
    left=Quantity(
        "first correction for one token, by differentiation",
        at_points(lambda point: _one_token(int(point["H_iw"]), float(point["x_iw"]))), "D(y)", rounding=1e-10,
        scale=1.0,
    ),
    relation="=",
    right=lambda: theory.ONE_TOKEN,
    domain=Domain({H_iw: Integers(1, 4), x_iw: Reals(0, tested_to=6)}),
    rests_on=("infinite_width.width.lengths", "infinite_width.width.one-token", "infinite_width.edgeworth.bend"),
)  # fmt: skip

bend = _claim(
    label="infinite_width.edgeworth.bend",
    statement="The second derivative of Φ(y/√v) by v at v = 1 is y(3 - y²)φ(y)/4, so that a fluctuation of V about one "
    "of variance σ²/n changes the law by σ² y(3 - y²)φ(y)/(8n) to first order.",
    left=lambda: theory.BEND,
    relation="=",
    right=lambda: theory.FIRST_ORDER,
    domain=Domain({x_iw: Reals(0, tested_to=6)}),
    expected="proved",
)
