"""Theorem 18: which blocks of the Hessian vanish, where bounds on it lose, and whole Hessians at T = 4."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.hessian.bound import MEASURED
from boundaudit.checks.sharpness.hessian.shared import (
    FEW,
    SCALES,
    SMALL,
    TILINGS,
    Found,
    claim,
    on_few,
    output_weights,
    with_equal,
)
from boundaudit.checks.sharpness.targets import BOTH, EXACT, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, IDEAL, n_e
from boundaudit.derivations.sharpness.parameters import D, T, d, k, u
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
    label="sharpness.hessian.blocks.six", role="printed", place=_PLACE, expected="refuted",
    statement="At most six of the 28 different blocks of the Hessian of the network's output are not zero. So the "
    "sizes of seven entries, one from each of seven blocks and each cut at one, sum to at most six.",
    right=sp.Integer(6), domain=FEW,
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
    label="sharpness.hessian.blocks.count", place=_PLACE,
    statement="At T = 4 at most 21 of the 28 different blocks of the Hessian of the construction's output are not "
    "zero. In the ideal network, whose softmaxes see their intended support alone, at most 17 are.",
    domain=FEW, repairs=(six.label,), cases=(_nonzero("finite", 21), _nonzero("ideal", 17)),
)  # fmt: skip

# --- a zero gradient does not make a zero Hessian ---------------------------------------------------


def _scalar(which: int, name: str, latex: str, definition: Callable[[], sp.Expr]) -> Quantity:
    measure = by_trapezoid(lambda at, mlp: scalar_example(at.whole("D"), at.real("k") / at.real("D"), mlp)[which])
    return Quantity(name, measure, latex, lambda: definition(), rounding=1e-10, scale=100.0)


_GRID = Domain({D: Integers(1, tested_to=32), k: Integers(0, D), u: BOTH})
_MIXED = _scalar(1, "∂²f/∂v∂m_1", r"\frac{\partial^2 f}{\partial v \partial m_1}", lambda: theorem.SCALAR_MIXED)
_FUNCTION = "f(v, m) = Σ F_j relu(m_j v b + Γ_j), the MLP of degree D with input b"

scalar_gradient = claim(
    label="sharpness.hessian.blocks.scalar-gradient", relation="=", place=("Appendix J",), expected="certified",
    statement=f"{_FUNCTION}, has derivative zero by v at v = m = 1 and every grid point b = k/D; D ≤ 8.",
    left=_scalar(0, "∂f/∂v", r"\frac{\partial f}{\partial v}", theorem.scalar_gradient), right=sp.Integer(0),
    domain=_GRID.replace(D=Integers(1, 8)),
)  # fmt: skip

value_zero = claim(
    label="sharpness.hessian.blocks.V1-M.zero", role="printed", relation="=", place=("Appendix J",), expected="refuted",
    statement="As the gradient with respect to V1 vanishes in the ideal network, so do all second derivatives that "
    "involve V1, those by V1 and M among them.",
    right=sp.Integer(0),
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
    label="sharpness.hessian.blocks.V1-M.norm", relation="=", place=("Appendix J",),
    statement="For one component with coefficient one, block V1-M of the ideal network's Hessian has norm "
    "√(F_j² summed over the units that are on) √(1/D + s²), s the mean of its bits: 8√2 at D = 1 with the steep "
    "trapezoid where its bit is one.",
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
    label="sharpness.hessian.blocks.F-F.zero", role="printed", relation="=", place=("Appendix J",), reading="plausible",
    statement="The gradient with respect to F does not depend on F, so that block F-F of the ideal network's Hessian "
    "vanishes, for components side by side and T ≥ 4.",
    right=sp.Integer(0),
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
    label="sharpness.hessian.blocks.F-F.norm", relation="=", place=("Appendix J",), expected="proved",
    statement="In the ideal network block F-F of the output's Hessian has the quadratic form |w2|² C p(1-p)(1-2p) r² "
    "along one unit direction of F, which writes into positional channels. Here |w2|² is the sum of the squared logits "
    "of layer 2, C the sum of the coefficients and p the attention to even rows. The squared distance of their hidden "
    "units from those of odd rows is r² = (42 + (3-u)² + (1+u)²)/(16 D²), u = 1 (steep) or 2 (wide).",
    left=_QUOTIENT, right=theorem.ideal_quotient, domain=_POSITIONS, repairs=(weights_zero.label,),
    limitations=(TILINGS, _POSITIONAL),
)  # fmt: skip


# --- where the bounds on the Hessian lose, step by step, on whole Hessians at T = 4 ---------------

_SIX = (("M", "V2"), ("Gamma", "V2"), ("F", "V2"), ("W2", "V2"), ("M", "F"), ("Gamma", "F"))


def _of(name: str, latex: str, number: Callable[[Found], float]) -> Quantity:
    return Quantity(name, on_few(number, SCALES["finite"]), latex)


_NORM = _of("‖Hess f‖", r"\|\nabla^2 f\|", lambda found: found.whole.operator)
_BLOCKS = _of("Σ block norms", r"\sum_{a \le b} \|H_{ab}\|", lambda found: sum(found.whole.blocks.values()))
_KEPT = _of("Σ norms of six blocks", r"\sum_6 \|H_{ab}\|", lambda found: sum(found.whole.blocks[pair] for pair in _SIX))
_MEAN = _of("√|Θ| ‖Hess f‖_F", r"\sqrt{|\Theta|}\, \|\nabla^2 f\|_F",
            lambda found: found.whole.frobenius * found.whole.parameters**0.5)  # fmt: skip
_TIMES = _of("|Θ| ‖Hess f‖", r"|\Theta|\, \|\nabla^2 f\|", lambda found: found.whole.operator * found.whole.parameters)
_FULL = theorem.PARAMETERS.subs(d, T + 1)
_SAMPLES: dict[str, Point] = {
    "D=1, ω=1": {"T": 4, "omega": 1, "D": 1, "u": 1, "n_e": 0, "n_r": 1},
    "D=1, ω=4": {"T": 4, "omega": 4, "D": 1, "u": 1, "n_e": 1, "n_r": 0},
    "D=2, ω=2": {"T": 4, "omega": 2, "D": 2, "u": 1, "n_e": 1, "n_r": 0},
}


def _chain(name: str, title: str, *steps: Step) -> Derivation:
    return Derivation(
        label=f"sharpness.hessian.{name}", title=title, steps=steps, domain=FEW, samples=_SAMPLES,
        paper=PAPER, place=("Theorem 18", "Appendix K"),
    )  # fmt: skip


published = _chain(
    "chain-published", "The printed bound on the Hessian's norm",
    Step(_NORM, "measured norm"),
    Step(_KEPT, "six blocks", "triangle, the other blocks taken as zero", "sharpness.hessian.blocks.six"),
    Step(theorem.H_U_ONE_HOT, "printed H_u", "Cauchy-Schwarz and Hölder, block by block",
         "sharpness.hessian.bound.printed"),
)  # fmt: skip

repaired = _chain(
    "chain-repaired", "The repaired bound on the Hessian's norm",
    Step(_NORM, "measured norm"),
    Step(_BLOCKS, "all unique blocks", "triangle, 2xy ≤ x² + y²"),
    Step(theorem.equal(theorem.h_star_own()), "five terms, own C and |w2|", "chain rule, variances, Cauchy-Schwarz"),
    Step(theorem.H_STAR, "H*", "C ≤ √ω, |w2| ≤ 2 √ω log T", "sharpness.hessian.repaired.total"),
)  # fmt: skip

trace = _chain(
    "chain-trace", "From the trace of the Hessian to |Θ| H_u",
    Step(_MEAN, "√|Θ| times the Frobenius norm, at least |tr Hess f|"),
    Step(_TIMES, "|Θ| times the norm", "every eigenvalue at most the norm"),
    Step(_FULL * theorem.H_U_ONE_HOT, "|Θ| H_u as printed", "printed bound and count"),
)  # fmt: skip


# --- where the printed bound fails, and how far bounds are from whole Hessians --------------------

_LENGTHS = (16, 32, 64, 128, 200, 240, 280, 320, 400)
_SHARES = {"a quarter of the bits": 4, "half of the bits": 2, "all bits": 1}
_EVEN = 0.2113
"""(3-√3)/6, where the third central moment of a bit is largest."""


def _point(length: int, share: int) -> Point:
    sparsity = length // share
    return with_equal(
        {"T": length, "omega": sparsity, "D": 1, "u": 1, "n_e": max(1, round(_EVEN * sparsity)), "n_r": 0}
    )


def _values(bound: sp.Expr, points: Sequence[Point]) -> list[float]:
    return [float(value) for value in evaluate_float(to_tree(bound), columns(points))]


def _growth(setting: Setting) -> list[Panel]:
    lengths = _LENGTHS[:5] if setting.profile == "smoke" else _LENGTHS
    printed: list[Series] = []
    repaired: list[Series] = []
    for name, share in _SHARES.items():
        points = [_point(length, share) for length in lengths]
        found = MEASURED(points, setting.device)
        for series, bound in ((printed, theorem.H_U_ONE_HOT), (repaired, theorem.H_STAR)):
            ratios = [float(x) / y for x, y in zip(found, _values(bound, points), strict=True)]
            series.append(Series(f"ω: {name}", lengths, ratios, drawn="points"))
    printed.append(Series("bound", lengths, [1.0] * len(lengths)))
    return [
        Panel("over the printed H_u", "length T", "Rayleigh quotient / bound", printed, log="xy"),
        Panel("over the repaired H*", "length T", "Rayleigh quotient / bound", repaired, log="xy"),
    ]


growth = Study(
    label="sharpness.hessian.growth",
    title="The Hessian's norm over its bounds against the length of the input",
    caption="D = 1, steep, equal coefficients, about a fifth of the active bits zero. Over the printed H_u the "
    "lower bound on the norm climbs like log²T where ω grows with T, past 1 near T = 280; over H* it does not.",
    claims=("sharpness.hessian.bound.printed", "sharpness.hessian.repaired.total"),
    compute=_growth,
    paper=PAPER,
    place=("Theorem 18",),
)


def _whole(setting: Setting) -> list[Panel]:
    points = [point for point in FEW.smallest(8) if point["u"] == 1 and point["n_r"] == 0]
    order: list[float] = [float(n + 1) for n in range(len(points))]
    norm = on_few(lambda found: found.whole.operator, SCALES["finite"])(points, setting.device)
    trace = on_few(lambda found: abs(found.whole.trace) / found.whole.parameters, SCALES["finite"])(
        points, setting.device
    )
    equal = [with_equal(point) for point in points]
    curves = {
        "norm of Hess f": norm.tolist(),
        "|trace| of Hess f over |Θ|": trace.tolist(),
        "printed H_u": _values(theorem.H_U_ONE_HOT, equal),
        "repaired H*": _values(theorem.H_STAR, equal),
    }
    series = [Series(name, order, values, drawn="points") for name, values in curves.items()]
    return [Panel("T = 4, steep, no ones outside the components", "number of the point", "size", series, log="y")]


whole = Study(
    label="sharpness.hessian.whole",
    title="Whole Hessians at T = 4 beside their bounds",
    caption="By automatic differentiation, equal coefficients. The Hessian is nearly traceless: replacing its trace by "
    "|Θ| times its norm loses three orders of magnitude or more.",
    claims=("sharpness.hessian.bound.printed", "sharpness.hessian.repaired.total"),
    compute=_whole,
    paper=PAPER,
    place=("Theorem 18", "Appendix J"),
)
