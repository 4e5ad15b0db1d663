"""Theorem 18: which of the 28 unique blocks of the Hessian vanish."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.sharpness.disjoint_supports import EXACT
from boundaudit.checks.sharpness.hessian.shared import FEW, SCALES, SMALL, TILINGS, Found, claim, on_few, output_weights
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, IDEAL, n_e
from boundaudit.derivations.sharpness.parameters import D, k, u
from boundaudit.numeric.sharpness.hessian_blocks import scalar_example

_PLACE = ("Theorem 18", "Appendix J")
_KINDS = {"finite": FINITE, "ideal": IDEAL}
ROUNDED = 1e-13
"""A block whose norm is less than this share of the whole is zero up to rounding."""

# --- how many -------------------------------------------------------------------------------------


def _count(found: Found) -> float:
    return float(sum(norm > ROUNDED * found.whole.operator for norm in found.whole.blocks.values()))


ENTRIES = ("V1-M", "V1-F", "M-F", "M-V2", "Gamma-F", "Gamma-V2", "F-V2")


def _cut(found: Found) -> float:
    return sum(min(1.0, found.entries[name]) for name in ENTRIES)


def _counted(network: str) -> Quantity:
    """A lower bound on the number of nonzero blocks."""
    return Quantity(
        "Σ min(1, entry) over seven blocks",
        on_few(_cut, SCALES[network]),
        r"\sum_b \min(1, H_b)",
        lambda: theorem.counted(_KINDS[network]),
        rounding=1e-10,
    )


_NO_POSITIONS = "None of the seven entries lies in F's positional columns: it fails with one column of F, too."
_SOME_SIX = "The count is certain, which six were meant is not; any six fail."

six = claim(
    label="sharpness.hessian.blocks.six",
    statement="At most six of the 28 different blocks of the Hessian of the network's output are not zero. So the "
    "sizes of seven entries, one from each of seven blocks and each cut at one, sum to at most six.",
    role="printed",
    right=sp.Integer(6),
    domain=FEW,
    place=_PLACE,
    expected="refuted",
    rests_on=("sharpness.hessian.blocks.V1-M.zero", "sharpness.hessian.blocks.F-F.zero"),
    cases=(
        Case(
            "finite", left=_counted("finite"), reading="plausible",
            limitations=(TILINGS, SMALL, EXACT, _SOME_SIX, _NO_POSITIONS),
        ),
        Case(
            "ideal", left=_counted("ideal"), reading="certain", limitations=(TILINGS, SMALL, _SOME_SIX, _NO_POSITIONS)
        ),
    ),
)  # fmt: skip


def _nonzero(network: str, count: int) -> Case:
    silent = "V2-V2, M-M, Gamma-Gamma, M-Gamma, V1-V1, V1-Gamma and W1-Gamma always vanish."
    if network == "ideal":
        silent = f"{silent} In the ideal network W1-W1, W1-V1, W1-V2 and V1-V2 vanish, too."
    return Case(
        network,
        left=Quantity("nonzero blocks", on_few(_count, SCALES[network]), r"\#\{b : H_b \ne 0\}", rounding=0.0),
        right=sp.Integer(count),
        limitations=(SMALL, silent),
    )


count = claim(
    label="sharpness.hessian.blocks.count",
    statement="At T = 4 at most 21 of the 28 different blocks of the Hessian of the construction's output are not "
    "zero. In the ideal network, whose softmaxes see their intended support alone, at most 17 are.",
    domain=FEW,
    place=_PLACE,
    repairs=(six.label,),
    cases=(_nonzero("finite", 21), _nonzero("ideal", 17)),
)

# --- a zero gradient does not make a zero Hessian ---------------------------------------------------


def _scalar(which: int, name: str, latex: str, definition: Callable[[], sp.Expr]) -> Quantity:
    measure = by_trapezoid(lambda at, mlp: scalar_example(at.whole("D"), at.real("k") / at.real("D"), mlp)[which])
    return Quantity(name, measure, latex, lambda: definition(), rounding=1e-10, scale=100.0)


_GRID = Domain({D: Integers(1, tested_to=32), k: Integers(0, D), u: BOTH})
_MIXED = _scalar(1, "∂²f/∂v∂m_1", r"\frac{\partial^2 f}{\partial v \partial m_1}", lambda: theorem.SCALAR_MIXED)
_FUNCTION = "f(v, m) = Σ F_j relu(m_j v b + Γ_j), the MLP of degree D with input b"

scalar_gradient = claim(
    label="sharpness.hessian.blocks.scalar-gradient",
    statement=f"{_FUNCTION}, has derivative zero by v at v = m = 1 and every grid point b = k/D; D ≤ 8.",
    left=_scalar(0, "∂f/∂v", r"\frac{\partial f}{\partial v}", theorem.scalar_gradient),
    relation="=",
    right=sp.Integer(0),
    domain=_GRID.replace(D=Integers(1, 8)),
    place=("Appendix J",),
    expected="certified",
)

value_zero = claim(
    label="sharpness.hessian.blocks.V1-M.zero",
    statement="As the gradient with respect to V1 vanishes in the ideal network, so do all second derivatives that "
    "involve V1, those by V1 and M among them.",
    role="printed",
    relation="=",
    right=sp.Integer(0),
    place=("Appendix J",),
    expected="refuted",
    cases=(
        Case(
            "ideal",
            left=Quantity(
                "entry of block V1-M", on_few(lambda found: found.entries["V1-M"], SCALES["ideal"]), "H_{V_1 M}",
                lambda: theorem.equal(theorem.entries(IDEAL)["V1-M"]), rounding=1e-10, scale=1.0,
            ),
            domain=FEW, reading="certain", rests_on=("sharpness.gradients.V1.printed[ideal]",),
            limitations=(TILINGS, SMALL),
        ),
        Case(
            "smallest-example",
            statement="Let f(v, m) be the MLP of degree D with input b, Σ F_j relu(m_j v b + Γ_j). As its derivative "
            "by v is zero at v = m = 1 and a grid point b = k/D, so is its second derivative by v and m_1.",
            left=_MIXED, domain=_GRID, rests_on=(scalar_gradient.label,),
            limitations=("The inference of the proof on its smallest example, not a sentence of the paper's own.",),
        ),
    ),
)  # fmt: skip

value_norm = claim(
    label="sharpness.hessian.blocks.V1-M.norm",
    statement="For one component with coefficient one, block V1-M of the ideal network's Hessian has norm "
    "√(F_j² summed over the units that are on) √(1/D + s²), s the mean of its bits: 8√2 at D = 1 with the steep "
    "trapezoid where its bit is one.",
    relation="=",
    place=("Appendix J",),
    repairs=(value_zero.label,),
    cases=(
        Case(
            "ideal",
            left=Quantity(
                "norm of block V1-M", on_few(lambda found: found.whole.blocks["V1", "M"], SCALES["ideal"]),
                r"\|H_{V_1 M}\|", rounding=1e-10, scale=1.0,
            ),
            right=4 * D / u * (n_e * sp.sqrt(2 / D) + 2 * (1 - n_e) * sp.sqrt(1 / D + 1 / D**2)),
            domain=FEW.replace(omega=Integers(1, 1)), limitations=(SMALL,),
        ),
        Case(
            "smallest-example",
            statement=f"{_FUNCTION}, has the second derivative 4 D b/u by v and m_1 at v = m = 1 and a grid point "
            "b = k/D, u = 1 for the steep and 2 for the wide trapezoid.",
            left=_MIXED, right=4 * k / u, domain=_GRID, expected="proved",
        ),
    ),
)  # fmt: skip

# --- F and F --------------------------------------------------------------------------------------

_POSITIONS = FEW.replace(T=Integers(4, tested_to=24))

_QUOTIENT = Quantity(
    "Rayleigh quotient of block F-F", output_weights("rayleigh", SCALES["ideal"]), r"x^\top H_{FF}\, x",
    lambda: theorem.equal(theorem.rayleigh(IDEAL)), rounding=1e-9, scale=1e3,
)  # fmt: skip
_POSITIONAL = "Along one direction of F, which writes into positional channels. Equal coefficients of unit length."

weights_zero = claim(
    label="sharpness.hessian.blocks.F-F.zero",
    statement="The gradient with respect to F does not depend on F, so that block F-F of the ideal network's Hessian "
    "vanishes, for components side by side and T ≥ 4.",
    role="printed",
    relation="=",
    right=sp.Integer(0),
    place=("Appendix J",),
    reading="plausible",
    cases=(
        Case(
            "all-of-F", left=_QUOTIENT, domain=_POSITIONS, expected="refuted",
            rests_on=("sharpness.gradients.F.last-column-only",), limitations=(TILINGS, _POSITIONAL),
        ),
        Case(
            "one-column",
            statement="Where F's last column alone counts as parameters, block F-F of the ideal network's Hessian "
            "vanishes; at T = 4.",
            left=Quantity(
                "norm of block F-F, last column alone",
                on_few(lambda found: found.one_column.blocks["F", "F"], SCALES["ideal"]), r"\|H_{FF}\|",
                rounding=1e-10, scale=1.0,
            ),
            domain=FEW, limitations=(SMALL,),
        ),
    ),
)  # fmt: skip

weights_norm = claim(
    label="sharpness.hessian.blocks.F-F.norm",
    statement="In the ideal network block F-F of the output's Hessian has the quadratic form |w2|² C p(1-p)(1-2p) r² "
    "along one unit direction of F, which writes into positional channels. Here |w2|² is the sum of the squared logits "
    "of layer 2, C the sum of the coefficients and p the attention to even rows. The squared distance of their hidden "
    "units from those of odd rows is r² = (42 + (3-u)² + (1+u)²)/(16 D²), u = 1 (steep) or 2 (wide).",
    left=_QUOTIENT,
    relation="=",
    right=theorem.ideal_quotient,
    domain=_POSITIONS,
    place=("Appendix J",),
    expected="proved",
    repairs=(weights_zero.label,),
    limitations=(TILINGS, _POSITIONAL),
)
