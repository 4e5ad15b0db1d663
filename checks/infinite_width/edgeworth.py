"""Finite width to first order: the constant c of a distance c/n to the limit, and the term that it bounds."""

from __future__ import annotations

import functools
import math
from typing import Literal

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.batch import DEVIATIONS
from boundaudit.checks.infinite_width import OUTPUTS, PAPER
from boundaudit.checks.infinite_width.measured import at_width, orthogonal
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import at_points, estimated
from boundaudit.derivations.infinite_width import edgeworth as theory
from boundaudit.derivations.infinite_width.scores import x_iw
from boundaudit.derivations.infinite_width.symbols import H_iw, b_iw, n_iw
from boundaudit.numeric.infinite_width.edgeworth import largest_correction, width_correction
from boundaudit.numeric.infinite_width.mixture import PointEstimate
from boundaudit.numeric.infinite_width.one_output import Inputs
from boundaudit.numeric.infinite_width.radial import radial_distances

_claim = functools.partial(Claim, paper=PAPER, place=("Figure 1", OUTPUTS))
_TERM = (
    "The term is an expectation over the limit's scores, by integration; that the rest is of order 1/n² is measured at "
    "these widths, and argued at every width for given inputs and one head; no bound of it is proved."
)


@functools.cache
def _constant(inputs: Inputs, heads: int) -> PointEstimate:
    law, nodes, _ = orthogonal(4, heads)
    return largest_correction(law, nodes, inputs)


@functools.cache
def _term(inputs: Inputs, heads: int) -> tuple[Tensor, Tensor]:
    """Points up to six standard deviations, and the first correction there in each replicate."""
    law, nodes, limit = orthogonal(4, heads)
    at = torch.linspace(0, 6, 31, dtype=torch.float64)[1:] * limit.scale
    return at, width_correction(law, nodes, inputs, at)


@functools.cache
def _rest_at(inputs: Inputs, heads: int, width: int) -> tuple[float, float]:
    """N |n (F_n - F) - D| where three standard errors above it are highest, with one of them."""
    places, term = _term(inputs, heads)
    change = at_width(4, heads, width, inputs).cdf(places) - orthogonal(4, heads)[2].cdf(places)
    rest = width * (width * change - term)
    value, error = rest.mean(0).abs(), rest.std(0) / math.sqrt(len(rest))
    where = int((value + DEVIATIONS * error).argmax())
    return float(value[where]), float(error[where])


def _rest(inputs: Inputs, heads: int) -> Quantity:
    return estimated(
        f"n times the rest of the first correction, {inputs}, H = {heads}",
        lambda point: _rest_at(inputs, heads, 2 ** int(point["b_iw"])), r"n \sup_y |n (F_n - F) - D|",
    )  # fmt: skip


distance = _claim(
    label="infinite_width.edgeworth.distance",
    statement="At width n the distribution function of an output of four tokens is the limit's plus D(y)/n, by which "
    "the width's fluctuations bend it, up to r/n². The Kolmogorov-Smirnov distance is therefore c/n up to r/n², "
    "with c = sup |D|. For random features r is at most 5/2 with one head and 9/4 with two, for given inputs 1/4 and "
    "1/5. Measured at n = 16, 32, 64 and thirty y up to six standard deviations.",
    domain=Domain({b_iw: Integers(4, 6)}),
    kind="Rate",
    limitations=(_TERM,),
    improves="infinite_width.width.converges[one-head]",
    cases=(
        Case("features,1", left=_rest("features", 1), right=sp.Rational(5, 2)),
        Case("features,2", left=_rest("features", 2), right=sp.Rational(9, 4)),
        Case("fixed,1", left=_rest("fixed", 1), right=sp.Rational(1, 4)),
        Case("fixed,2", left=_rest("fixed", 2), right=sp.Rational(1, 5)),
    ),
)


_CONSTANT = estimated(
    "constant of the distance, random features", lambda point: _constant("features", int(point["H_iw"])),
    "c",
)  # fmt: skip
_TWO_HEADS = Domain({H_iw: Integers(2, 2)})

constant = _claim(
    label="infinite_width.edgeworth.constant",
    statement="For four tokens, one head and random features c is between 0.4495 and 0.4505, and between 0.3445 and "
    "0.3455 with two heads: one token has 0.1377 (2 + 1/H), 0.413 and 0.344.",
    limitations=("By integration; it holds by more than three standard errors.",),
    left=_CONSTANT,
    domain=Domain({H_iw: Integers(1, 1)}),
    cases=(
        Case("1,high", right=sp.Rational("0.4505")),
        Case("1,low", relation=">=", kind="Lower", right=sp.Rational("0.4495")),
        Case("2,high", right=sp.Rational("0.3455"), domain=_TWO_HEADS),
        Case("2,low", relation=">=", kind="Lower", right=sp.Rational("0.3445"), domain=_TWO_HEADS),
    ),
)


# --- a bound of what is left, given the inputs ----------------------------------------------------

_WIDTHS = Domain({n_iw: Integers(16, tested_to=64)})
_DOUBLED = Domain({b_iw: Integers(4, 12)})


@functools.cache
def _apart(width: int) -> tuple[float, float]:
    """N and n² times the distances of score differences of four tokens, of dimension three."""
    first, second = radial_distances(width, 3)
    return width * first, width**2 * second


def _of_differences(place: Literal[0, 1], end: str, latex: str) -> Quantity:
    words = f"L1 distance of score differences {end}, by its rate"
    return Quantity(words, at_points(lambda point: _apart(2 ** int(point["b_iw"]))[place]), latex, rounding=1e-4)


_LEFT = estimated(
    "n² times the rest of the law of an output, given inputs", lambda point: _rest_at("fixed", 1, int(point["n_iw"])),
    r"n^2 \sup_y |F_n - F - D/n|",
)  # fmt: skip
_HALVES = {"near": Reals(0, 2), "far": Reals(2, tested_to=8)}

oscillation = _claim(
    label="infinite_width.edgeworth.oscillation",
    statement="Φ(2y) - Φ(y) is at most 0.1616 for y ≥ 0.",
    left=theory.OSCILLATION,
    right=theory.RANGE,
    expected="proved",
    cases=tuple(Case(name, domain=Domain({x_iw: part})) for name, part in _HALVES.items()),
)

differences = _claim(
    label="infinite_width.edgeworth.differences",
    statement="The differences of four tokens' scores are normal in three dimensions, with a variance that fluctuates "
    "as χ²_n/n. Their density is at most 1.76/n from the limit's in L1, and at most 6.3/n² from its first order, at "
    "the widths n = 16, 32, …, 4096.",
    domain=_DOUBLED,
    limitations=("By one integral over the length; the numbers rise with the width, to 1.751 and 6.275.",),
    cases=(
        Case("limit", left=_of_differences(0, "to the limit", r"n \|p_n - p\|_1"), right=theory.DIFFERENCES),
        Case(
            "first-order",
            left=_of_differences(1, "to their first order", r"n^2 \|p_n - p - p'/n\|_1"),
            right=theory.BEYOND,
        ),
    ),
)

together = _claim(
    label="infinite_width.edgeworth.together",
    statement="From n = 16 on n² times a score's remainder, 0.0808 · 6.3 and 0.1378 · 1.76 add up to at most 18/5.",
    left=theory.REST,
    right=sp.Rational(18, 5),
    domain=_WIDTHS,
    rests_on=("infinite_width.scores.remainder-simple",),
    expected="proved",
)

given_inputs = _claim(
    label="infinite_width.edgeworth.given-inputs",
    statement="At every width n ≥ 16 the law of an output of four orthonormal tokens, with one head and given inputs, "
    "is within 18/(5n²) of the limit's plus its first correction D/n, so that its Kolmogorov-Smirnov distance to the "
    "limit is c/n, c = sup |D|, up to 18/(5n²). Given attention an output has a score's law, scaled by a g from 1/4 to "
    "1: values add a score's remainder; queries, half of what Φ(y/√g) varies by times an L1 distance of densities; "
    "both together, 0.1378 times another.",
    left=_LEFT,
    right=theory.REST,
    domain=_WIDTHS,
    improves="infinite_width.width.given-inputs",
    rests_on=(
        together.label, f"{differences.label}[limit]", f"{differences.label}[first-order]",
        "infinite_width.scores.remainder-bound", *(f"{oscillation.label}[{name}]" for name in _HALVES),
        *(f"infinite_width.scores.steep[{name}]" for name in _HALVES),
    ),
    limitations=(
        "An argument, and no proof: nothing certifies the L1 distances, and no checker has seen the three parts.",
        "Measured at thirty y up to six standard deviations, where n² times it is at most 1/4.",
    ),
)  # fmt: skip
