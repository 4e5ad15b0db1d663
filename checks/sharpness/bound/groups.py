"""A variance for every group of parameters: its best choice, what it gains at E.3, and why no rescaling moves it."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.rescaling.shared import SOME_FACTORS
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS
from boundaudit.derivations.sharpness.bound import groups as theorem
from boundaudit.derivations.sharpness.bound.groups import (
    A_first,
    A_g,
    A_second,
    L_first,
    L_g,
    L_second,
    a_first,
    a_g,
    a_second,
    c_m,
    kappa_first,
    kappa_g,
    kappa_second,
    n_v,
    q_first,
    q_g,
    q_second,
    r_A,
    s_g,
    x_A,
)
from boundaudit.derivations.sharpness.noise import tau_f
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.derivations.sharpness.rescaling import alpha
from boundaudit.numeric.sharpness.autodiff import gradients, repeat
from boundaudit.numeric.sharpness.bound import Budgets, shared_variance, truncated_optimum
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.rescaling import rescale
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
POSITIVE = Reals(0, open_low=True)
AT_E3 = "At T = 20, D = 2, ω = 10 with ten pairs of bits and coefficients 1/√10, S = 0.01, m = 10⁶ and δ = 5 %."
MEASURED = (
    "Norms and mean squared gradients are the construction's own, over all 2^20 inputs; a learner must be dominated by "
    "it group by group.",
    "To second order in the noise: no perturbation term is added.",
    AT_E3,
)

# --- the construction at E.3 ----------------------------------------------------------------------

TARGET = Target(20, tuple((2 * n + 1, 2 * n + 2) for n in range(10)), (10**-0.5,) * 10)
SETTING = {"samples": 1e6, "delta": 0.05, "proxy": 0.01}


def _half() -> list[tuple[list[int], float]]:
    """Five pairs of bits up to their order and that of the bits in them: bits, and the share of inputs like them."""
    return [
        ([0, 0] * zeros + [1, 1] * ones + [0, 1] * (5 - zeros - ones),
         math.comb(5, zeros) * math.comb(5 - zeros, ones) * 2 ** (5 - zeros - ones) / 4**5)
        for zeros in range(6) for ones in range(6 - zeros)
    ]  # fmt: skip


@functools.cache
def _inputs() -> tuple[Tensor, Tensor]:
    """One input of each kind and its share: the rows of the first five pairs are active, those of the others not."""
    kinds = list(itertools.product(_half(), _half()))
    bits = torch.tensor([first + second for (first, _), (second, _) in kinds])
    return bits, torch.tensor([share * other for (_, share), (_, other) in kinds], dtype=torch.float64)


@dataclass(frozen=True)
class Measured:
    """The construction at E.3.

    Attributes:
        budgets: sharpness, squared norm and size by block, and the loss without noise.
        coordinates: A of single coordinates, Σ √a_i |θ_i|; W2's, which pairs share alike, by their mean.
    """

    budgets: Budgets
    coordinates: float

    @property
    def shared(self) -> float:
        """A of the seven blocks."""
        norms = self.budgets.norms_squared
        return math.fsum(math.sqrt(found * norms[block]) for block, found in self.budgets.sharpness.items())

    @property
    def isotropic(self) -> float:
        """A of one variance for all."""
        return math.sqrt(self.budgets.sharpness_total * self.budgets.norm_total)


@functools.cache
def measured(mlp: Trapezoid, factor: float = 1.0) -> Measured:
    """The rescaled construction at E.3: means over all inputs, by automatic differentiation at one of each kind.

    Args:
        mlp: the trapezoid.
        factor: α of the rescaling.

    Returns:
        What a bound needs.
    """
    bits, share = _inputs()
    batch = TargetBatch.stack([TARGET])
    blocks = rescale(build(batch, mlp=mlp), factor)
    found = gradients(repeat(blocks, len(bits)), batch.repeat(len(bits)), bits)
    squares = {name: (weight.flatten(1).square() * share[:, None]).sum(0) for name, weight in found.named()}
    weights = {name: weight[0].flatten() for name, weight in blocks.named()}
    coordinates = math.fsum(_coordinates(name, squares[name], weights[name]) for name in squares)
    budgets = Budgets(
        {name: float(value.sum()) for name, value in squares.items()},
        {name: float(value.square().sum()) for name, value in weights.items()},
        {name: value.numel() for name, value in weights.items()},
        _loss(mlp),
    )
    return Measured(budgets, coordinates)


def _coordinates(name: str, squares: Tensor, weight: Tensor) -> float:
    # The order of pairs, which the kinds of inputs leave out, moves squares only among W2's rows.
    if name == "W2":
        squares = squares[weight != 0].mean().expand_as(weight)
    return float((squares.sqrt() * weight.abs()).sum())


def _loss(mlp: Trapezoid) -> float:
    """The mean squared error over all inputs."""
    bits, share = _inputs()
    batch = TargetBatch.stack([TARGET])
    error = forward(build(batch, mlp=mlp), batch, bits)[0] - evaluate(TARGET, bits)
    return float((error.square() * share).sum())


def at_trapezoid(value: Callable[[Trapezoid], float]) -> Measure:
    """A number of each trapezoid.

    Args:
        value: from a trapezoid to the number.

    Returns:
        A measurement on points with u.
    """

    def measure(points: Sequence[Point], device: str) -> Array:
        return torch.tensor([value(TRAPEZOIDS[int(p["u"])]) for p in points], dtype=torch.float64).numpy()

    return measure


# --- the best variances ---------------------------------------------------------------------------

_ENTRIES = Vector(n_v, POSITIVE)
_GROUPS: dict[Any, Range] = {n_v: Integers(1, tested_to=5), a_g: _ENTRIES, L_g: _ENTRIES}
_TWO = (sp.Integer(1),) * 2
_AT_LEAST_ONE = Reals(1)
_HALVES = (sp.Rational(1, 2),) * 2

least = claim(
    label="sharpness.bound.groups.least",
    statement="Whatever the variances of the groups, Σ a_g σ_g² + c √(Σ L_g/σ_g²) is at least "
    "(3/2) 2^(1/3) (c A)^(2/3) with A = Σ √(a_g L_g).",
    left=theorem.VALUE,
    relation=">=",
    right=theorem.LEAST,
    domain=Domain({**_GROUPS, s_g: _ENTRIES, c_m: POSITIVE}),
    kind="Tight",
    equality=({"n_v": 2, "a_g": _HALVES, "L_g": _HALVES, "sigma_g": _TWO, "c_m": 2},),
    expected="certified",
    rests_on=("sharpness.bound.groups.one-variable", "sharpness.bound.groups.merge"),
    limitations=("Without ln(1/δ).",),
)

one_variable = claim(
    label="sharpness.bound.groups.one-variable",
    statement="With X = Σ a_g σ_g² and Σ L_g/σ_g² ≥ A²/X one variable is left: X + c A/√X is at least 3 (c A/2)^(2/3).",
    left=theorem.ONE_VARIABLE,
    relation=">=",
    right=theorem.ONE_VARIABLE_LEAST,
    domain=Domain({x_A: POSITIVE, r_A: POSITIVE}),
    kind="Tight",
    equality=({"x_A": 1, "r_A": 1}, {"x_A": 3, "r_A": 3}),
    expected="proved",
)

merge = claim(
    label="sharpness.bound.groups.merge",
    statement="If X Y ≥ A² holds for two sets of groups, it holds for all of them together with the sum of both A: by "
    "induction for any number of groups, as one group has X Y = A².",
    left=theorem.MERGED,
    relation=">=",
    right=theorem.MERGED_LEAST,
    domain=Domain({
        A_first: POSITIVE, A_second: POSITIVE, kappa_first: POSITIVE, kappa_second: POSITIVE,
        q_first: _AT_LEAST_ONE, q_second: _AT_LEAST_ONE,
    }),
    kind="Tight",
    equality=({"A_g1": 1, "A_g2": 2, "kappa_g1": 3, "kappa_g2": 3, "q_g1": 1, "q_g2": 1},),
    expected="proved",
)  # fmt: skip


def _reached(name: str, what: str, left: sp.Expr, right: sp.Expr) -> Claim:
    return claim(
        label=f"sharpness.bound.groups.reached-{name}",
        statement=f"At σ_g² = κ √(L_g/a_g) {what}.",
        left=left,
        relation="=",
        right=right,
        domain=Domain({**_GROUPS, kappa_g: POSITIVE}),
        expected="proved",
    )


reached = (
    _reached("rise", "the noise adds κ A to the loss", theorem.REACHED_RISE, theorem.RISE_OF_KAPPA),
    _reached("ratio", "Σ L_g/σ_g² is A/κ", theorem.REACHED_RATIO, theorem.RATIO_OF_KAPPA),
)

confidence = claim(
    label="sharpness.bound.groups.confidence",
    statement="With ln(1/δ), too, the best variances are κ √(L_g/a_g): at X = κ A and Y = q A/κ, q ≥ 1, X + "
    "c √(Y + 2 ln(1/δ)) is least for q = 1, and κ is all that is left to choose.",
    left=theorem.WITH_CONFIDENCE,
    relation=">=",
    right=theorem.WITH_CONFIDENCE_LEAST,
    domain=Domain({kappa_g: POSITIVE, A_g: POSITIVE, q_g: _AT_LEAST_ONE, c_m: POSITIVE, tau_f: Reals(0)}),
    kind="Tight",
    equality=({"kappa_g": 1, "A_g": 2, "q_g": 1, "c_m": 1, "tau_f": 1},),
    expected="proved",
    rests_on=("sharpness.bound.groups.merge", "sharpness.bound.groups.reached-rise",
              "sharpness.bound.groups.reached-ratio"),
)  # fmt: skip

never_worse = claim(
    label="sharpness.bound.groups.two",
    statement="Two variances are never worse than one: (√(a₁L₁) + √(a₂L₂))² ≤ (a₁+a₂)(L₁+L₂), with equality where "
    "sharpness and norm are in proportion.",
    left=theorem.TWO_SHARED_SQUARED,
    relation="<=",
    right=theorem.TWO_TOTALS_SQUARED,
    domain=Domain({a_first: POSITIVE, a_second: POSITIVE, L_first: POSITIVE, L_second: POSITIVE}),
    kind="Tight",
    equality=({"a_g1": 1, "a_g2": 4, "L_g1": 4, "L_g2": 16},),
    expected="proved",
)

never_worse_many = claim(
    label="sharpness.bound.groups.cauchy-schwarz",
    statement="A² is at most Σ a_g Σ L_g, its value for one variance: splitting groups, down to single coordinates, "
    "never raises the bound.",
    left=theorem.SHARED_SQUARED,
    relation="<=",
    right=theorem.TOTALS_SQUARED,
    domain=Domain({**_GROUPS, n_v: Integers(2, tested_to=4)}),
    kind="Tight",
    equality=({"n_v": 2, "a_g": _TWO, "L_g": _TWO},),
    expected="certified",
    rests_on=("sharpness.bound.groups.two",),
    limitations=("Of single coordinates those without weight get no noise: which they are must be known in advance.",),
)

# --- at E.3 ---------------------------------------------------------------------------------------


def _invariant(points: Sequence[Point], device: str) -> Array:
    found = [measured(TRAPEZOIDS[int(p["u"])], float(p["alpha"])).shared for p in points]
    return torch.tensor(found, dtype=torch.float64).numpy()


_SHARED = Quantity(
    "Σ √(a_g L_g) of the construction", at_trapezoid(lambda mlp: measured(mlp).shared), "A", rounding=1e-9
)

invariant = claim(
    label="sharpness.bound.groups.rescaling",
    statement="Rescaling the MLP's weights, (M, Γ) → α(M, Γ) and F → F/α, leaves A as it is: a bound with a variance "
    "per block does not depend on the parametrisation.",
    left=Quantity("Σ √(a_g L_g) of the rescaled construction", _invariant, r"A_\alpha", rounding=1e-9),
    relation="=",
    right=_SHARED,
    domain=Domain({u: BOTH, alpha: SOME_FACTORS}),
    place=("Appendix D", "Appendix E"),
    expected="supported",
    limitations=(AT_E3,),
)


def of_one(found: Measured, shared: float) -> float:
    """The bound with some A, at the σ that is best without ln(1/δ).

    Args:
        found: the construction.
        shared: A.

    Returns:
        Its value with residual and ln(1/δ).
    """
    one = replace(found.budgets, sharpness={"all": shared}, norms_squared={"all": shared})
    sigma, _ = truncated_optimum(one, samples=SETTING["samples"], proxy=SETTING["proxy"])
    return shared_variance(one, **SETTING, sigma=sigma).value


def _value(name: str, words: str, value: Callable[[Measured], float], steep: str, wide: str) -> Claim:
    high, low = sp.Rational(steep), sp.Rational(wide)
    return claim(
        label=f"sharpness.bound.groups.value-{name}",
        statement=f"At E.3 with the construction's own sharpness and norm {words} the bound with its loss as a "
        f"summand is at most {steep} (steep) and {wide} (wide), against the published 0.239.",
        left=Quantity(
            f"bound at E.3 {words}", at_trapezoid(lambda mlp: value(measured(mlp))), rf"B_{{\text{{{name}}}}}",
            rounding=1e-7,
        ),
        relation="<=",
        right=high * (2 - u) + low * (u - 1),
        domain=Domain({u: BOTH}),
        limitations=MEASURED,
    )  # fmt: skip


values = (
    _value("isotropic", "with one variance", lambda x: of_one(x, x.isotropic), "0.14408", "0.08404"),
    _value("blocks", "with one variance per block", lambda x: of_one(x, x.shared), "0.04715", "0.03108"),
    _value("coordinates", "with one variance per coordinate", lambda x: of_one(x, x.coordinates), "0.02598", "0.01744"),
)
