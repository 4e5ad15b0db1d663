"""Theorem 18: which of the 28 unique blocks of the Hessian vanish."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.hessian.shared import (
    FEW,
    SCALES,
    SMALL,
    TILINGS,
    Found,
    claim,
    on_few,
    output_weights,
)
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, IDEAL, n_e
from boundaudit.derivations.sharpness.parameters import D, k, u
from boundaudit.numeric.sharpness.hessian_blocks import scalar_example
from boundaudit.numeric.sharpness.mlp import Trapezoid

_KINDS = {"finite": FINITE, "ideal": IDEAL}
_NAMES = {"finite": "the construction", "ideal": "the ideal network"}
ROUNDED = 1e-13
"""A block whose norm is less than this share of the whole is zero up to rounding."""

unique = claim(
    label="sharpness.hessian.blocks.unique",
    statement="A symmetric matrix of n blocks by n has n(n+1)/2 unique ones: 28 for seven blocks of parameters.",
    left=theorem.PAIRS,
    relation="=",
    right=theorem.UNIQUE,
    domain=Domain({theorem.n_b: Integers(1)}),
    place=("Theorem 18", "Appendix J"),
    reading="certain",
    expected="proved",
)

# --- how many -------------------------------------------------------------------------------------


def _count(found: Found) -> float:
    norms, _ = found
    return float(sum(norm > ROUNDED * norms.operator for norm in norms.blocks.values()))


_ENTRIES = ("V1-M", "V1-F", "M-F", "M-V2", "Gamma-F", "Gamma-V2", "F-V2")


def _cut(found: Found) -> float:
    return sum(min(1.0, found[1][name]) for name in _ENTRIES)


def _counted(network: str) -> Quantity:
    """A lower bound on the number of nonzero blocks."""
    return Quantity(
        "Σ min(1, entry) over seven blocks",
        on_few(_cut, SCALES[network]),
        r"\sum_b \min(1, H_b)",
        theorem.counted(_KINDS[network]),
        rounding=1e-10,
    )


def _six(network: str) -> Claim:
    return claim(
        label=f"sharpness.hessian.blocks.six-{network}",
        statement=f"Only six of the 28 unique blocks of the Hessian of {_NAMES[network]} are not zero: the sizes of "
        "one entry of each of seven blocks, each cut at one, then sum to six at most.",
        left=_counted(network),
        relation="<=",
        right=sp.Integer(6),
        domain=FEW,
        place=("Theorem 18", "Appendix J"),
        reading="certain",
        expected="refuted",
        limitations=(TILINGS, SMALL, "The count is certain, which six were meant is not; any six fail."),
    )


six_finite, six_ideal = _six("finite"), _six("ideal")


def _at_most(network: str, count: int, silent: str) -> Claim:
    return claim(
        label=f"sharpness.hessian.blocks.count-{network}",
        statement=f"At most {count} of the 28 unique blocks of the Hessian of {_NAMES[network]} are not zero: {silent}",
        left=Quantity("nonzero blocks", on_few(_count, SCALES[network]), r"\#\{b : H_b \ne 0\}", rounding=0.0),
        relation="<=",
        right=sp.Integer(count),
        domain=FEW,
        place=("Theorem 18", "Appendix J"),
        repairs=(f"sharpness.hessian.blocks.six-{network}",),
        limitations=(SMALL,),
    )


SILENT = "V2-V2, M-M, Gamma-Gamma, M-Gamma, V1-V1, V1-Gamma and W1-Gamma always vanish."
count_finite = _at_most("finite", 21, SILENT)
count_ideal = _at_most("ideal", 17, "besides those that always do, W1-W1, W1-V1, W1-V2 and V1-V2 vanish.")


def _entry(name: str, body: sp.Expr) -> Claim:
    return claim(
        label=f"sharpness.hessian.blocks.entry.{name}",
        statement=f"The entry of block {name} at the first hidden unit and the data channel has a closed form.",
        left=Quantity(f"second derivative, {name}", on_few(lambda found: found[1][name], SCALES["finite"]),
                      f"H_{{{name}}}", rounding=1e-10, scale=1.0),
        relation="=",
        right=body,
        domain=FEW,
        place=("Appendix J",),
        limitations=(TILINGS, SMALL),
    )  # fmt: skip


_CLOSED = {name: theorem.equal(body) for name, body in theorem.entries(FINITE).items()}
entries = tuple(_entry(name, _CLOSED[name]) for name in _ENTRIES)

# --- a zero gradient does not make a zero Hessian ---------------------------------------------------

_IDEAL_ENTRY = theorem.equal(theorem.entries(IDEAL)["V1-M"])

value_zero = claim(
    label="sharpness.hessian.blocks.V1-M.zero",
    statement="As the gradient with respect to V1 vanishes in the ideal network, so do all second derivatives that "
    "involve V1, those by V1 and M among them.",
    left=Quantity("entry of block V1-M", on_few(lambda found: found[1]["V1-M"], SCALES["ideal"]), "H_{V_1 M}",
                  _IDEAL_ENTRY, rounding=1e-10, scale=1.0),
    relation="=",
    right=sp.Integer(0),
    domain=FEW,
    place=("Appendix J",),
    reading="certain",
    expected="refuted",
    limitations=(TILINGS, SMALL),
)  # fmt: skip

value_norm = claim(
    label="sharpness.hessian.blocks.V1-M.norm",
    statement="For one component with coefficient one, block V1-M of the ideal network's Hessian has norm "
    "√(F_j² summed over the units that are on) √(1/D + s²): 8√2 at D = 1, steep, where its bit is one.",
    left=Quantity("norm of block V1-M", on_few(lambda found: found[0].blocks["V1", "M"], SCALES["ideal"]),
                  r"\|H_{V_1 M}\|", rounding=1e-10, scale=1.0),
    relation="=",
    right=4 * D / u * (n_e * sp.sqrt(2 / D) + 2 * (1 - n_e) * sp.sqrt(1 / D + 1 / D**2)),
    domain=FEW.replace(omega=Integers(1, 1)),
    place=("Appendix J",),
    repairs=("sharpness.hessian.blocks.V1-M.zero",),
    limitations=(SMALL,),
)  # fmt: skip


def _scalar(which: int, name: str, latex: str, definition: sp.Expr) -> Quantity:
    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> torch.Tensor:
            degree = torch.tensor([p["D"] for p in chosen], device=device)
            ones = torch.tensor([p["k"] for p in chosen], dtype=torch.float64, device=device)
            return scalar_example(degree, ones / degree, mlp)[which]

        return by_trapezoid(points, of)

    return Quantity(name, measure, latex, definition, rounding=1e-10, scale=100.0)


_GRID = Domain({D: Integers(1, tested_to=32), k: Integers(0, D), u: BOTH})

scalar_gradient = claim(
    label="sharpness.hessian.blocks.scalar-gradient",
    statement="f(v, m) = Σ F_j relu(m_j v b + Γ_j) has derivative zero by v at v = m = 1 and every grid point b = k/D.",
    left=_scalar(0, "∂f/∂v", r"\frac{\partial f}{\partial v}", theorem.SCALAR_GRADIENT),
    relation="=",
    right=sp.Integer(0),
    domain=_GRID,
    place=("Appendix J",),
    expected="certified",
)

scalar_mixed = claim(
    label="sharpness.hessian.blocks.scalar-mixed",
    statement="As f(v, m) = Σ F_j relu(m_j v b + Γ_j) has derivative zero by v at a grid point, its second derivative "
    "by v and m_1 is zero.",
    left=_scalar(1, "∂²f/∂v∂m_1", r"\frac{\partial^2 f}{\partial v \partial m_1}", theorem.SCALAR_MIXED),
    relation="=",
    right=sp.Integer(0),
    domain=_GRID,
    place=("Appendix J",),
    reading="derived here",
    expected="refuted",
    rests_on=("sharpness.hessian.blocks.scalar-gradient",),
    limitations=("The inference of the proof on its smallest example, not a statement of the paper's own.",),
)

scalar_repaired = claim(
    label="sharpness.hessian.blocks.scalar-repaired",
    statement="The second derivative of f(v, m) = Σ F_j relu(m_j v b + Γ_j) by v and m_1 at a grid point is 4 D b/u.",
    left=_scalar(1, "∂²f/∂v∂m_1", r"\frac{\partial^2 f}{\partial v \partial m_1}", theorem.SCALAR_MIXED),
    relation="=",
    right=4 * k / u,
    domain=_GRID,
    place=("Appendix J",),
    expected="proved",
    repairs=("sharpness.hessian.blocks.scalar-mixed",),
)

# --- F and F --------------------------------------------------------------------------------------

_POSITIONS = FEW.replace(T=Integers(4, tested_to=24))

_QUOTIENT = Quantity(
    "Rayleigh quotient of block F-F", output_weights("rayleigh", SCALES["ideal"]), r"x^\top H_{FF}\, x",
    theorem.equal(theorem.rayleigh(IDEAL)), rounding=1e-9, scale=1e3,
)  # fmt: skip
_POSITIONAL = "Along entries of F that write into positional channels. Equal coefficients of unit length."

weights_zero = claim(
    label="sharpness.hessian.blocks.F-F.zero",
    statement="The gradient with respect to F does not depend on F, so block F-F of the ideal network vanishes.",
    left=_QUOTIENT,
    relation="=",
    right=sp.Integer(0),
    domain=_POSITIONS,
    place=("Appendix J",),
    reading="plausible",
    expected="refuted",
    limitations=(TILINGS, _POSITIONAL),
)

weights_norm = claim(
    label="sharpness.hessian.blocks.F-F.norm",
    statement="Where F writes into positional channels, block F-F of the ideal network has the only eigenvalue "
    "|w2|² C p(1-p)(1-2p) r², p the attention to even rows and r² = (42 + (3-u)² + (1+u)²)/(16 D²) the squared "
    "distance of their hidden units from those of odd rows.",
    left=_QUOTIENT,
    relation="=",
    right=theorem.equal(theorem.IDEAL_QUOTIENT),
    domain=_POSITIONS,
    place=("Appendix J",),
    expected="proved",
    repairs=("sharpness.hessian.blocks.F-F.zero",),
    limitations=(TILINGS, _POSITIONAL),
)
