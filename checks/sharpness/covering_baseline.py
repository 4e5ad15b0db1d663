"""Appendix E.3: the covering baseline's curve as a shape, where it crosses the bound, and the norms that enter it."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Relation
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import covering_baseline as theorem
from boundaudit.derivations.sharpness.covering_baseline import n_w, w_n
from boundaudit.derivations.sharpness.parameters import D, omega
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",), expected="certified")
SHAPE = "A shape through the one printed value: the constants of the covering baseline's bound are not printed."

# --- what the statement leaves open ---------------------------------------------------------------

constants = claim(
    label="sharpness.covering_baseline.constants",
    statement="At T = 20, D = 2, ω = 10 and m = 10⁶ the covering-number bound of earlier work, with the "
    "construction's norms, is 1.01.",
    left=theorem.WITH_LOG,
    relation="<=",
    right=theorem.PRINTED,
    domain=Domain({m: Integers(10**6, 10**6)}),
    place=("Appendix E", "Equation 12", "Equation 13"),
    expected="not testable",
    missing="the constants and the product of norms in the covering baseline's bound; many combinations of the norms "
    "come within a part in a hundred of the aggregate that 1.01 needs",
    limitations=(
        "A faithful instance carries products of spectral norms to the power of the depth and larger constants.",
    ),
)

needed = claim(
    label="sharpness.covering_baseline.aggregate",
    statement="For C √(ln(d m T)/m) to be 1.01 at m = 10⁶, d = 22 and T = 20, C is 226.4.",
    left=sp.Abs(theorem.PRINTED / sp.sqrt(theorem.LOG / m) - sp.Rational("226.4")),
    relation="<=",
    right=sp.Rational("0.05"),
    domain=Domain({m: Integers(10**6, 10**6)}),
    limitations=(SHAPE,),
)

# --- crossings ------------------------------------------------------------------------------------


def _crossing(name: str, curve: sp.Expr, bound: sp.Expr, words: str, at: int, until: int) -> tuple[Claim, Claim]:
    def one(side: str, relation: Relation, which: str, samples: Integers) -> Claim:
        return claim(
            label=f"sharpness.covering_baseline.{name}.{side}",
            statement=f"{which} m = {at if side == 'before' else until:.4g} the covering baseline's curve is "
            f"{side_of[side]} "
            f"{words}.",
            left=curve,
            relation=relation,
            right=bound,
            domain=Domain({m: samples}),
            limitations=(SHAPE, "The bound with the prior's variance tied to the posterior's."),
        )

    side_of = {"before": "at least", "after": "at most"}
    return (
        one("before", ">=", "Up to", Integers(1, at)),
        one("after", "<=", "From", Integers(until, tested_to=10**14)),
    )


_OPTIMUM, _SCALED = "the optimum of the published bound", "0.327 (10⁶/m)^(1/3)"
crossings = (
    *_crossing("plain", theorem.PLAIN, theorem.TIED, _OPTIMUM + ", read without growth of its logarithm",
               5_685_000_000, 5_688_000_000),
    *_crossing("with-log", theorem.WITH_LOG, theorem.TIED, _OPTIMUM, 18_990_000_000, 19_010_000_000),
    *_crossing("plain-scaled", theorem.PLAIN, theorem.SCALED, _SCALED + ", read without growth of its logarithm",
               867_500_000, 868_500_000),
    *_crossing("with-log-scaled", theorem.WITH_LOG, theorem.SCALED, _SCALED, 2_325_000_000, 2_335_000_000),
)  # fmt: skip

# --- norms ----------------------------------------------------------------------------------------

_COLUMNS = Domain({n_w: Integers(1, tested_to=6), w_n: Vector(n_w, Reals(0))})

conversion = claim(
    label="sharpness.covering_baseline.conversion",
    statement="The (2,1) norm of a matrix, the sum of its columns' norms, is at most √n times its Frobenius norm, with "
    "equality for n columns of one norm.",
    left=theorem.BY_COLUMNS,
    relation="<=",
    right=theorem.BY_FROBENIUS,
    domain=_COLUMNS,
    kind="Tight",
    equality=({"n_w": 3, "w_n": (2, 2, 2)},),
)


@functools.cache
def _first_of(size: int, count: int) -> float:
    """W1 of components side by side: the sum of its columns' norms, one column for each component."""
    sets = tuple(tuple(range(n * size + 1, (n + 1) * size + 1)) for n in range(count))
    blocks = build(TargetBatch.stack([Target(size * count, sets, (count**-0.5,) * count)]))
    return float(blocks.W1[0].norm(dim=0).sum())


def _first_columns(points: Sequence[Point], device: str) -> Array:
    found = [_first_of(point["D"], point["omega"]) for point in points]
    return torch.tensor(found, dtype=torch.float64).numpy()


_FIRST = Quantity(
    "(2,1) norm of W1 of components side by side", _first_columns, r"\|W_1\|_{2,1}", theorem.FIRST_BY_ENTRIES
)
_TILINGS = Domain({D: Integers(1, tested_to=4), omega: Integers(2, tested_to=10)})

first = claim(
    label="sharpness.covering_baseline.W1",
    statement="Where components fill all positions side by side, the (2,1) norm of W1 is 2 ω √D log T: 84.73 at E.3.",
    left=_FIRST,
    relation="=",
    right=theorem.FIRST,
    domain=_TILINGS,
)

first_converted = claim(
    label="sharpness.covering_baseline.W1-converted",
    statement="The conversion through the Frobenius norm, √(T+2) ‖W1‖_F, overstates it by at least √D: most columns "
    "are zero.",
    left=sp.sqrt(D) * theorem.FIRST,
    relation="<=",
    right=theorem.FIRST_CONVERTED,
    domain=_TILINGS,
    rests_on=("sharpness.covering_baseline.W1", "sharpness.covering_baseline.conversion"),
)
