"""Kinks: where the finite network of the construction has no derivative, and where active rows stay clear of them."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import kinks as theorem
from boundaudit.derivations.sharpness.kinks import n_z, nu_D, o
from boundaudit.derivations.sharpness.mlp import kappa
from boundaudit.derivations.sharpness.parameters import D, T, u
from boundaudit.numeric.sharpness.kinks import kink_counts, nearest_kink
from boundaudit.numeric.sharpness.mlp import Trapezoid

_claim = functools.partial(Claim, paper=PAPER)


# --- inactive rows --------------------------------------------------------------------------------


@by_trapezoid
def _hits(at: Columns, mlp: Trapezoid) -> Tensor:
    """How many weights put the inactive rows on a kink."""
    return kink_counts(at.whole("T"), at.whole("D"), mlp).double()


_HITS = Quantity("weights on a kink", _hits, r"\#\{n : 4Dn = (4i+o)(T+1)\}", theorem.hits)
_WEIGHTS = "Counted are numbers of ones in the input: every input with such a number puts all inactive rows on the "
"kink."

none = _claim(
    label="sharpness.kinks.none", relation="=", place=("Theorem 12", "Appendix B"), role="printed", reading="plausible",
    expected="refuted",
    statement="No input puts a row of the finite network on a kink of its MLP. Around the construction the network "
    "stays in a single linear region of its rectifiers, so that its Hessian is well defined.",
    left=_HITS, right=sp.Integer(0), domain=Domain({T: Integers(2, tested_to=12), D: Integers(1, T), u: BOTH}),
    limitations=(
        "The text speaks of a single linear region; that this covers inactive rows at finite length is one reading.",
        _WEIGHTS,
    ),
)  # fmt: skip

count = _claim(
    label="sharpness.kinks.count", relation="=", place=("Theorem 12", "Appendix B"), expected="certified",
    statement="For T ≤ 16 and D ≤ T let g = gcd(4D, T+1). The rows of layer 1 without a component sit on a kink of the "
    "MLP at g/2 of the possible numbers of ones in the input, and at none where 4D/g is a multiple of 4 (steep) or of "
    "2 (wide). With 2^ν the power of two in D, kinks occur exactly where 2^(1+ν) (steep) or 2^(2+ν) (wide) divides "
    "T+1, so never at even T.",
    left=_HITS, right=theorem.rule, domain=Domain({T: Integers(2, 16), D: Integers(1, T), u: BOTH}),
    rests_on=("sharpness.attention.first.weights[inactive]", "sharpness.mlp.units-live"),
    repairs=("sharpness.kinks.none",),
    limitations=("The rule holds at every length; its derivation stands beside the formula.", _WEIGHTS),
)  # fmt: skip


def _family(name: str, width: int, offsets: Choices) -> Case:
    """The kinks of one trapezoid by κ of the even grid point 2κ/D, the offset o, the power ν of two in D, and n."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        index, offset, power, weight = map(at.whole, ("kappa", "o", "nu_D", "n_z"))
        lengths, degrees = 2 ** (width + power) * weight - 1, (8 * index + offset) * 2 ** (width + power) // 4
        return nearest_kink(weight / (lengths + 1).double(), degrees, mlp)

    def domain() -> Domain:
        length, degree, _ = theorem.family(width)
        ranges: dict[Any, Range] = {
            u: STEEP if width == 1 else WIDE,
            o: offsets,
            kappa: Integers(-o / 8, tested_to=3),
            nu_D: Integers(0, tested_to=2),
            n_z: Integers(degree / 2 ** (width + nu_D), tested_to=30),
        }
        return Domain(ranges, where=[length >= 2])

    return Case(
        name,
        left=Quantity(
            "live kink nearest to n/(T+1)",
            by_trapezoid(of),
            r"\frac{8\kappa + o}{4D}",
            lambda: theorem.family(width)[2],
        ),
        right=lambda: n_z / (theorem.family(width)[0] + 1),
        domain=domain,
        limitations=(
            f"D = 2^nu_D (8 kappa + o)/{2 ** (2 - width)}, which is every degree once; T + 1 = 2^({width} + nu_D) n.",
        ),
    )


family = _claim(
    label="sharpness.kinks.family", relation="=", place=("Theorem 12", "Appendix B"), expected="proved",
    statement="With ν the power of two in D, wherever 2^(1+ν) (steep trapezoid) or 2^(2+ν) (wide) divides T+1, say n "
    "times, an input of weight n puts the rows without a component exactly on a kink of a live unit of the MLP.",
    cases=(
        _family("steep", 1, Choices(above=2, below=-2)),
        _family("wide", 2, Choices(above=1, far_above=3, far_below=-3, below=-1)),
    ),
    rests_on=("sharpness.attention.first.weights[inactive]", "sharpness.mlp.units-live"),
)  # fmt: skip
