"""Kinks: where the finite network of the construction has no derivative, and where active rows stay clear of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, TRAPEZOIDS, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import kinks as theorem
from boundaudit.derivations.sharpness.kinks import kappa, n_z, nu_D, o
from boundaudit.derivations.sharpness.parameters import D, T, u
from boundaudit.numeric.sharpness.kinks import excursion, kink_counts, kinks, nearest_kink
from boundaudit.numeric.sharpness.mlp import Trapezoid

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))
LONGEST = 200
"""The longest input of the exhaustive list."""


def _given(point: Point) -> tuple[int, int]:
    return point["T"], point["D"]


def _tensors(sizes: Iterable[tuple[int, int]], device: str) -> tuple[Tensor, Tensor]:
    length, degree = torch.tensor(list(sizes), device=device).T
    return length, degree


# --- inactive rows --------------------------------------------------------------------------------


def _hits(points: Sequence[Point], device: str) -> Array:
    """How many weights put the inactive rows on a kink."""
    return by_trapezoid(points, lambda chosen, mlp: kink_counts(*_tensors(map(_given, chosen), device), mlp).double())


_SHORT = Domain({T: Integers(2, tested_to=12), D: Integers(1, T), u: BOTH})

none = _claim(
    label="sharpness.kinks.none",
    statement="No input puts a row of the finite network on a kink of its MLP: around the construction the network "
    "stays in a single linear region of its rectifiers.",
    left=Quantity("weights on a kink", _hits, r"\#\{n : 4Dn = (4i+o)(T+1)\}", theorem.HITS),
    relation="=",
    right=sp.Integer(0),
    domain=_SHORT,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The text speaks of a single linear region; that this covers inactive rows at finite length is one reading.",
        "Weights of inputs are counted: every input of such a weight puts all inactive rows on the kink.",
    ),
)


count = _claim(
    label="sharpness.kinks.count",
    statement="Inactive rows sit on a kink for g/2 weights of the input, g = gcd(4D, T+1), and for none where 4D/g is "
    "a multiple of 4 (steep) or of 2 (wide): with ν the power of two in D, kinks occur exactly where 2^(1+ν) (steep) "
    "or 2^(2+ν) (wide) divides T+1, so never at even T.",
    left=none.left,
    relation="=",
    right=theorem.RULE,
    domain=_SHORT,
    expected="certified",
    repairs=("sharpness.kinks.none",),
)


@functools.cache
def _listed(mlp: Trapezoid, device: str) -> Array:
    """The number of kinks at each length up to `LONGEST`, over all degrees, from the exhaustive list."""
    lengths = kinks(LONGEST, mlp, device=device)[:, 0]
    totals: Array = torch.bincount(lengths, minlength=LONGEST + 1).double().cpu().numpy()
    return totals


@functools.cache
def _ruled(length: int, width: int) -> int:
    """The same number by the rule."""
    return sum(theorem.count(length, degree, width) for degree in range(1, length + 1))


exhaustive = _claim(
    label="sharpness.kinks.exhaustive",
    statement=f"Up to T = {LONGEST} the rule gives the number of kinks of inactive rows, summed over all degrees.",
    left=Quantity(
        "kinks at length T, by trying every degree and weight",
        lambda points, device: np.array([_listed(TRAPEZOIDS[p["u"]], device)[p["T"]] for p in points]),
        r"\sum_{D=1}^{T} \#\{n : 4Dn = (4i+o)(T+1)\}",
    ),
    relation="=",
    right=Quantity(
        "kinks at length T by the rule",
        lambda points, device: np.array([float(_ruled(p["T"], p["u"])) for p in points]),
        r"\sum_{D=1}^{T} \tfrac{1}{2} \gcd(4D, T+1)",
    ),
    domain=Domain({T: Integers(2, LONGEST), u: BOTH}),
    expected="supported",
    rests_on=("sharpness.kinks.count",),
    limitations=("On the right only degrees count for which 2^(u+ν) divides T+1.",),
)


def _family(name: str, width: int, offsets: Choices, rule: str) -> Claim:
    length, degree, kink = theorem.family(width)

    def measure(points: Sequence[Point], device: str) -> Array:
        def sizes(p: Point) -> tuple[int, int]:
            odd = (8 * p["kappa"] + p["o"]) // 2 ** (2 - width)
            return 2 ** (width + p["nu_D"]) * p["n_z"] - 1, 2 ** p["nu_D"] * odd

        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            lengths, degrees = _tensors(map(sizes, chosen), device)
            weight = torch.tensor([p["n_z"] for p in chosen], device=device)
            return nearest_kink(weight / (lengths + 1).double(), degrees, mlp)

        return by_trapezoid(points, of)

    return _claim(
        label=f"sharpness.kinks.{name}",
        statement=f"With the {name} trapezoid, wherever {rule} divides T+1 the input of weight n = (T+1)/{rule} puts "
        f"the inactive rows exactly on a kink of a live unit.",
        left=Quantity("live kink nearest to n/(T+1)", measure, r"\frac{8\kappa + o}{4D}", kink),
        relation="=",
        right=n_z / (length + 1),
        domain=Domain(
            {
                u: STEEP if width == 1 else WIDE,
                o: offsets,
                kappa: Integers(-o / 8, tested_to=3),
                nu_D: Integers(0, tested_to=2),
                n_z: Integers(degree / 2 ** (width + nu_D), tested_to=30),
            },
            where=[length >= 2],
        ),
        expected="proved",
        rests_on=("sharpness.mlp.units-live",),
        limitations=(
            f"D = 2^nu_D (8 kappa + o)/{2 ** (2 - width)}, which is every degree once; T + 1 = 2^({width} + nu_D) n.",
        ),
    )


steep = _family("steep", 1, Choices(above=2, below=-2), "2^(1+ν)")
wide = _family("wide", 2, Choices(above=1, far_above=3, far_below=-3, below=-1), "2^(2+ν)")


# --- active rows ----------------------------------------------------------------------------------


def _excursion(which: int) -> Measure:
    """The largest distance (0) or share of the way to the next kink (1), once for each size."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            place = {size: i for i, size in enumerate(sorted(set(map(_given, chosen))))}
            lengths, degrees = _tensors(place, device)
            return excursion(lengths, degrees, mlp)[which][[place[_given(p)] for p in chosen]]

        return by_trapezoid(points, of)

    return measure


_SHARE = Quantity(
    "largest share of the way to a kink", _excursion(1), r"\max_{t, x} \frac{|s_t - k_t/D|}{\text{way to a kink}}",
    theorem.SHARE, rounding=1e-10,
)  # fmt: skip
_LENGTHS = Domain({T: Integers(2, tested_to=24), D: Integers(1, T), u: BOTH})

margin = _claim(
    label="sharpness.kinks.margin",
    statement="(5D-1)(T+1-D) is at most D T² from T = 4 on.",
    left=theorem.MARGIN,
    relation="<=",
    right=D * T**2,
    domain=Domain({T: Integers(4, tested_to=24), D: Integers(1, T)}),
    kind="Tight",
    equality=({"T": 4, "D": 1},),
    expected="proved",
)

active_never = _claim(
    label="sharpness.kinks.active-never",
    statement="From T = 4 on, layer 1 moves no active row by more than 4/5 of 1/(4D), the least way to a kink, for any "
    "input and with either trapezoid.",
    left=Quantity(
        "largest shift over 1/(4D)", _excursion(0), r"4D \max_{t, x} |s_t - k_t/D|", theorem.FARTHEST, rounding=1e-10
    ),
    relation="<=",
    right=sp.Rational(4, 5),
    domain=Domain({T: Integers(4, tested_to=24), D: Integers(1, T), u: BOTH}),
    kind="Tight",
    equality=({"T": 4, "D": 1, "u": 1}, {"T": 4, "D": 1, "u": 2}),
    expected="certified",
    rests_on=("sharpness.kinks.margin", "sharpness.mlp.plateau-one", "sharpness.mlp.plateau-zero"),
    repairs=("sharpness.kinks.active-wide",),
)

active_steep = _claim(
    label="sharpness.kinks.active-steep",
    statement="With the steep trapezoid no active row comes closer to a kink than 1/9 of the way, at any length from "
    "T = 2 on.",
    left=_SHARE,
    relation="<=",
    right=sp.Rational(8, 9),
    domain=_LENGTHS.replace(u=STEEP),
    kind="Tight",
    equality=({"T": 2, "D": 2, "u": 1},),
    expected="certified",
    rests_on=("sharpness.mlp.plateau-one", "sharpness.mlp.plateau-zero"),
)

active_wide = _claim(
    label="sharpness.kinks.active-wide",
    statement="With the wide trapezoid, too, no active row goes beyond a kink at any length from T = 2 on.",
    left=_SHARE,
    relation="<=",
    right=sp.Integer(1),
    domain=_LENGTHS.replace(u=WIDE),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.mlp.plateau-one", "sharpness.mlp.plateau-zero"),
    limitations=("At T = 3, D = 1 the row of the full set sits exactly on the kink.",),
)
