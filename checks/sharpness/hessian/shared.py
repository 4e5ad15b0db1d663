"""Theorem 18: where its claims speak, how a Hessian and its parts are measured, and how lemmas are stated."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, measured
from boundaudit.checks.sharpness.gradients.shared import numbered
from boundaudit.checks.sharpness.targets import (
    BOTH,
    FLOOR,
    ON_A_KINK,
    PAPER,
    TRAPEZOIDS,
    WITH_INPUT,
    by_trapezoid,
    tiled,
    trapezoid,
)
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.disjoint_supports import n_e, n_r
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness import hessian_blocks
from boundaudit.numeric.sharpness.autodiff import hessian, parameters
from boundaudit.numeric.sharpness.construction import Blocks, Channels, build
from boundaudit.numeric.sharpness.hessian_parts import kinks, norm, real_parameters
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 18",))

SCALES = {"finite": 2.0, "ideal": math.inf}
TILINGS = (
    "Components side by side; each has no one or one among its positions. T ≥ 4, where active rows rest on plateaus."
)
LOWER = (
    "The left side is a Rayleigh quotient, a lower bound on the operator norm: what it exceeds the norm exceeds too."
)
SMALL = "Measured at T = 4 with equal coefficients of unit length, on the whole Hessian by automatic differentiation."


def tilings(longest: int, entries: Reals | None = None) -> Domain:
    """Tilings of positions by components with one input each, T up to `longest`; what matters most comes first."""
    return Domain({
        T: Integers(4, tested_to=longest), omega: Integers(1, T), D: Integers(1, sp.floor(T / omega)), u: BOTH,
        n_e: Integers(0, omega), n_r: Integers(0, T - D * omega),
        c: Vector(omega, entries or Reals(FLOOR, 1), square_sum=1),
    })  # fmt: skip


_FEW: dict[Any, Range] = {
    T: Integers(4, 4), omega: Integers(1, T), D: Integers(1, sp.floor(T / omega)), u: BOTH,
    n_e: Integers(0, omega), n_r: Integers(0, T - D * omega),
}  # fmt: skip
FEW = Domain(_FEW)
"""Tilings with equal coefficients of unit length; at T = 4, where whole Hessians are measured, all 90 of them."""


def output_weights(name: str, scale: float) -> Measure:
    """The block of F's positional channels."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        values = torch.empty(len(at), dtype=torch.float64)
        # A batch is as wide as its largest degree: points of like degrees go together.
        for part in torch.split(at.whole("D").cpu().argsort(stable=True), 32):
            batch, bits = tiled(at[part.tolist()])
            block = hessian_blocks.output_weights(batch, bits[:, None], mlp=mlp, scale=scale)
            values[part] = getattr(block, name)[:, 0].cpu()
        return values

    return completed(by_trapezoid(of), with_equal)


def with_equal(point: Point) -> Point:
    """A point with its coefficients, equal ones of unit length where it names none."""
    return {**point, "c": point.get("c", (point["omega"] ** -0.5,) * point["omega"])}


class Found(NamedTuple):
    """What is read off the Hessian at a point of `FEW`.

    Attributes:
        whole: norms of the whole matrix.
        one_column: norms where F's data column alone counts as parameters.
        entries: one second derivative of each of 21 blocks, by names of two blocks of parameters.
    """

    whole: hessian_blocks.Norms
    one_column: hessian_blocks.Norms
    entries: dict[str, float]


_SIZES = ("T", "omega", "D", "u", "n_e", "n_r", "c")


def _network(sizes: tuple[Any, ...], scale: float, device: str) -> tuple[Blocks, TargetBatch, Tensor]:
    """The weights, the target and the input of a point."""
    point = dict(zip(_SIZES, sizes, strict=True))
    batch, bits = tiled(Columns([point], device))
    return build(batch, mlp=TRAPEZOIDS[point["u"]], scale=scale), batch, bits[0]


@functools.cache
def _hessian(sizes: tuple[Any, ...], scale: float, device: str) -> Found:
    blocks, batch, bits = _network(sizes, scale, device)
    point = dict(zip(_SIZES, sizes, strict=True))
    matrix, starts = hessian(blocks, batch, bits, scale=scale), parameters(blocks)
    channels = Channels(point["T"], "published")
    width, units, data, out = channels.count, 4 * (point["D"] + 1), channels.data, channels.output
    # Unit 0 from and to the data channel, the bit's own channel, and the query of the output position.
    place = {"V1": data * width + data, "M": data * units, "Gamma": 0, "F": data, "W2": data * width + out, "V2": data}
    at = {name: starts[name].start + offset for name, offset in place.items()}
    pairs = ((a, b) for a, b in hessian_blocks.UNIQUE if a in at and b in at)
    kept = torch.ones(len(matrix), dtype=torch.bool, device=matrix.device)
    kept[starts["F"]] = torch.arange(units * width, device=matrix.device) % width == data
    return Found(
        hessian_blocks.reduced(matrix, starts),
        hessian_blocks.reduced(matrix[kept][:, kept], _rest(starts, kept)),
        {f"{a}-{b}": float(matrix[at[a], at[b]]) for a, b in pairs},
    )


def _rest(parts: dict[str, slice], kept: Tensor) -> dict[str, slice]:
    """Where each block stands once some rows are dropped."""
    before = [0, *kept.cumsum(0).tolist()]
    return {name: slice(before[part.start], before[part.stop]) for name, part in parts.items()}


def on_few(of: Callable[[Found], float], scale: float) -> Measure:
    """A number from the whole Hessian at points of `FEW`, each of which is differentiated once."""
    return measured(lambda at: at.each(lambda point: of(_hessian(_key(point), scale, at.device))))


def _key(point: Point) -> tuple[Any, ...]:
    whole = with_equal(point)
    return tuple(whole[name] for name in _SIZES)


# --- where its claims speak, and how norms are measured -------------------------------------------

SEEN = WITH_INPUT.replace(T=Integers(4, tested_to=5), c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""Targets of equal degree with positive coefficients in the unit ball, each with one input, from length 4 on."""

ANY = SEEN.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2)))
"""Those with any positive coefficients."""

FLOORED = SEEN.replace(c=Vector(omega, Reals(FLOOR, 1), square_sum=1))
"""Those with coefficients from T⁻⁴ to 1."""

OFF_KINKS = (
    "Where a live hidden unit of a row with weight, or of the output position, sits on its kink there is no Hessian; "
    "where a dead one does, each of the one-sided matrices obeys the bound."
)
NETWORKS = ("finite", "one-column")
"""The construction, and the construction where F's last column alone counts as parameters."""

WHAT = {
    "whole": "Hess f", "values": "E v''", "covariance": "2 Cov(v', l')", "logits": "Cov(v, l'')",
    "skew": "E (v - f)(l' - E l')²",
}  # fmt: skip
"""Hess f, and its four parts."""

_SQUARED_LOGIT = 16 * math.log(5) ** 2
"""At the greatest length that is measured: products with such squares cancel where the skew's norm is small."""


class Setting(NamedTuple):
    """Networks at points, one input each.

    Attributes:
        blocks: The weights.
        batch: The targets.
        bits: The inputs.
        kept: Which parameters count.
        smooth: Where there is a Hessian.
    """

    blocks: Blocks
    batch: TargetBatch
    bits: Tensor
    kept: Tensor
    smooth: Tensor


def setting(at: Columns, which: str) -> Setting:
    """The networks at points that agree in the trapezoid."""
    batch, bits = numbered(at)
    mlp = trapezoid(at)
    blocks = build(batch, mlp=mlp)
    kept = real_parameters(blocks, batch, mlp=mlp, one_column=which == "one-column")
    return Setting(blocks, batch, bits.double(), kept, ~kinks(blocks, batch, bits.double()))


@functools.cache
def norm_of(part: str, which: str) -> Quantity:
    """The operator norm of Hess f or of a part of it; NaN on a kink."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        *networks, smooth = setting(at, which)
        return norm(part, *networks).where(smooth, torch.nan)  # type: ignore[arg-type]

    symbol = theorem.whole_n if part == "whole" else theorem.NORMS[part]
    return Quantity(
        f"norm of {WHAT[part]}, {which} network", by_trapezoid(of), sp.latex(symbol), rounding=1e-9,
        scale=_SQUARED_LOGIT if part == "skew" else 1.0, except_at=ON_A_KINK, nonnegative=True,
    )  # fmt: skip


# --- how axioms and lemmas about leading directions are stated, and the instances that they share ---

VECTORS = "sharpness.hessian.vectors"
FLANKED: dict[str, Point] = {
    "two of four bits": {"T": 4, "D": 1, "omega": 4, "u": 1, "c": (0.8, 0.5, 0.3, 0.1), "S": ((1,), (2,), (3,), (4,)),
                         "x_n": 5},
}  # fmt: skip
"""Where the unused row lies on a flank, so that every part moves."""

axiom = functools.partial(claim, role="axiom", relation="=", domain=ANY, expected="supported")
lemma = functools.partial(claim, domain=ANY, expected="proved")


def proof(label: str, *steps: Step, which: str = "steps", domain: Domain = ANY) -> Derivation:
    """The chain that proves a lemma."""
    title = f"{label.rpartition('.')[2]}, {which}"
    return Derivation(
        label=f"{label}.{which}", title=title, steps=steps, domain=domain, samples=FLANKED, paper=PAPER,
        place=("Theorem 18",),
    )  # fmt: skip


def stated(label: str, which: str, *steps: Step, domain: Domain = ANY) -> Case:
    """The case of a lemma that a chain proves."""
    return Case(
        which, left=steps[0].value, right=steps[-1].value, derivation=proof(label, *steps, which=which, domain=domain)
    )


def both(a: sp.Expr, p: sp.Expr, e: sp.Expr, b: sp.Expr, q: sp.Expr, f: sp.Expr, *scales: sp.Expr) -> Instance:
    """From a² ≤ p e and b² ≤ q f to a bound on (s a + t b)²."""
    s, r = scales or (sp.S.One, sp.S.One)
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve", "s_ve", "t_ve")
    return Instance(f"{VECTORS}.both", dict(zip(names, (a, p, e, b, q, f, s, r), strict=True)))


def weighted(e: sp.Expr, v: sp.Expr, x: sp.Expr) -> Instance:
    """From v ≤ x to e v ≤ e x."""
    return Instance("sharpness.averages.weighted", {"e_av": e, "v_av": v, "x_av": x})
