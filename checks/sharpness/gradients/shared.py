"""Theorem 14: what is measured, and on which targets and inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns, evaluated
from boundaudit.checks.sharpness.targets import (
    FLOOR,
    KINKED,
    ON_A_KINK,
    PAPER,
    WITH_INPUT,
    batch_of,
    by_trapezoid,
    input_bits,
    tiled,
    tiles,
)
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, IDEAL, Kind
from boundaudit.derivations.sharpness.parameters import omega
from boundaudit.numeric.sharpness.autodiff import gradients
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows, rows
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 14", "Appendix F"))
BLOCKS = tuple(theorem.PUBLISHED)
SCALES = {"finite": 2.0, "ideal": float("inf")}
KINDS: dict[str, tuple[Kind, ...]] = {"finite": FINITE, "ideal": IDEAL}
ONE_COLUMN, LAST_COLUMN = "one-column", "last-column"
"""All parameters but the columns of F that write positions, and of F the column that does not."""

TILINGS = tiles(10).replace(T=Integers(4, tested_to=10))
"""Components side by side and inputs that leave some without a one; from T = 4 on active rows rest on plateaus."""

LONG_TILINGS = tiles(100).replace(T=Integers(4, tested_to=100))
"""The same at greater lengths, where the printed G_u is crossed."""

EVEN_TILINGS = TILINGS.replace(T=Choices(four=4, six=6, eight=8, ten=10, twelve=12))
"""Even lengths: no unused row can sit on a kink, as (T+1)(4i+o) is odd or twice odd and 4D times its ones is not."""

INPUTS = WITH_INPUT.replace(T=Integers(2, tested_to=7), c=Vector(omega, Reals(0, open_low=True, tested_to=2)))
"""Targets of equal degree with any positive coefficients, each with any input."""

FLOORED = INPUTS.replace(c=Vector(omega, Reals(FLOOR, 1)))
"""The same with coefficients from T⁻⁴ to 1, where logits of layer 2 are at most 2 log T in size."""

IN_THE_BALL = INPUTS.replace(c=Vector(omega, Reals(FLOOR, 1), square_sum=1))
"""The same with coefficients from T⁻⁴ to 1 in the unit ball."""

FROM_FOUR = Integers(4, tested_to=7)
"""Lengths at which active rows rest on plateaus."""

SQUARED = "Norms are squared on both sides."
IDEAL_NETWORK = "The ideal network: both softmaxes see their intended support alone, as the printed proof has it."

Inputs = Callable[[Columns], tuple[TargetBatch, Tensor]]
"""From columns to targets and one input of each, shape (B, T_max)."""

_DOWNSTREAM = ("F", LAST_COLUMN, "W2", "V2")
"""Blocks behind the hidden units: a kink does not touch their gradient."""


def numbered(at: Columns) -> tuple[TargetBatch, Tensor]:
    """The targets of points of `INPUTS` and, of each, the input that x_n counts, (B, T_max), first bit leading."""
    batch = batch_of(at)
    return batch, input_bits(at.whole("x_n"), batch).bool()


def closed(block: str, network: str, inputs: Inputs = tiled) -> Measure:
    """The squared gradient in a block, or "total", by the closed form; NaN where there is none."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = inputs(at)
        found = derivatives(batch, bits[:, None], mlp=mlp, scale=SCALES[network])
        value = {**found.squared, "total": found.gradient}[block]
        exists = ~found.kink | (block in _DOWNSTREAM or network == "ideal")
        return value.where(exists, torch.nan)[:, 0]

    return by_trapezoid(of)


def differentiated(
    part: Callable[[Blocks], Tensor], network: str = "finite", inputs: Inputs = tiled, *, kinks: bool = False
) -> Measure:
    """A number of the network's gradients by automatic differentiation; NaN on a kink unless `kinks`."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = inputs(at)
        scale = SCALES[network]
        found = gradients(build(batch, mlp=mlp, scale=scale), batch, bits, scale=scale)
        kink = derivatives(batch, bits[:, None], mlp=mlp, scale=scale).kink[:, 0]
        return part(found).where(~kink | kinks | (network == "ideal"), torch.nan)

    return by_trapezoid(of)


def squared(*names: str) -> Callable[[Blocks], Tensor]:
    """The squared norm of some blocks."""
    return lambda found: torch.stack(
        [weight.flatten(1).square().sum(1) for name, weight in found.named() if name in names]
    ).sum(0)


_LATEX = {"Gamma": r"\Gamma", "total": r"\Theta"} | {name: f"{name[0]}_{name[1]}" for name in ("W1", "V1", "W2", "V2")}
_NAMES = {
    "total": "all parameters", ONE_COLUMN: "all parameters but F's other columns", LAST_COLUMN: "the last column of F"
}  # fmt: skip


def latex(block: str) -> str:
    """The squared gradient of a block, or of all parameters."""
    if block == ONE_COLUMN:
        return r"\|\partial f / \partial \Theta\|^2 - \sum_{k < d+1} \|\partial f / \partial F_{\cdot k}\|^2"
    if block == LAST_COLUMN:
        return r"\|\partial f / \partial F_{\cdot, d+1}\|^2"
    return rf"\|\partial f / \partial {_LATEX.get(block, block)}\|^2"


def defined(block: str, network: str) -> sp.Expr:
    """A squared gradient on tilings, kind of row by kind of row."""
    found = theorem.blocks(KINDS[network])
    return sp.Add(*found.values()) if block == "total" else found[block]


def by_formula(name: str, shown: str, build: Callable[[], sp.Expr]) -> Quantity:
    """An expression on tilings that is built when it is first evaluated."""
    return Quantity(name, evaluated(build), shown, lambda: build(), rounding=1e-9, scale=1.0)


def _on_tilings(block: str, network: str) -> Quantity:
    return Quantity(
        f"squared gradient in {_NAMES.get(block, block)}, {network} network", closed(block, network), latex(block),
        lambda: defined(block, network), rounding=1e-10, scale=1.0,
    )  # fmt: skip


GRADIENT = {network: {block: _on_tilings(block, network) for block in (*BLOCKS, "total")} for network in SCALES}
"""Squared gradients on tilings, by network and block, with their definitions."""

# --- any family of components, any input ----------------------------------------------------------


WITHOUT_F = tuple(block for block in BLOCKS if block != "F")


def last_column(found: Blocks) -> Tensor:
    """The squared gradient in the last column of F."""
    return found.F[..., -1].square().sum(-1)


def _of_one_column(found: Blocks) -> Tensor:
    return squared(*WITHOUT_F)(found) + last_column(found)


_PARTS = {"total": squared(*BLOCKS), LAST_COLUMN: last_column, ONE_COLUMN: _of_one_column}


def _anywhere(block: str, network: str) -> Quantity:
    part = _PARTS.get(block) or squared(block)
    return Quantity(
        f"squared gradient in {_NAMES.get(block, block)} by automatic differentiation, {network} network",
        differentiated(part, network, numbered, kinks=block in _DOWNSTREAM), latex(block), rounding=1e-9, scale=1.0,
        except_at=ON_A_KINK if network == "finite" and block not in _DOWNSTREAM else "",
    )  # fmt: skip


MEASURED = {
    network: {block: _anywhere(block, network) for block in (*BLOCKS, LAST_COLUMN, "total", ONE_COLUMN)}
    for network in SCALES
}
"""Squared gradients of points with S and x_n, by network and block: what no engine sees into."""

_SAMPLE = {"T": 6, "D": 2, "omega": 3, "u": 1, "c": (0.5, 0.5, 0.25), "S": ((1, 2), (2, 3), (3, 6)), "x_n": 32}
"""Three overlapping components of six bits, of which the first is set."""


def by_rows(
    name: str, network: str, of: Callable[[Rows], Tensor], shown: str, *, nonnegative: bool = False
) -> Quantity:
    """What the rows of one forward pass add up to, at points with S and x_n."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        return of(rows(*numbered(at), mlp=mlp, scale=SCALES[network]))

    return Quantity(
        f"{name}, {network} network", by_trapezoid(measure), shown, rounding=1e-9, scale=1.0, nonnegative=nonnegative
    )


def proof(label: str, network: str, domain: Domain, *steps: Step) -> Derivation:
    """The steps that prove one network's case of a bound."""
    return Derivation(
        label=f"{label}.steps-{network}", title=f"{label}, {network} network", steps=steps, domain=domain,
        samples={"three overlapping components of six bits": _SAMPLE}, paper=PAPER, place=("Theorem 14",),
    )  # fmt: skip


def networks(block: str, chain: Callable[[str], Derivation], **ideal: Any) -> tuple[Case, ...]:
    """A bound on a block at every family and input, for the finite and for the ideal network."""
    left = {network: found[block] for network, found in MEASURED.items()}
    kinked = () if block in _DOWNSTREAM else (KINKED,)
    return (
        Case("finite", left=left["finite"], derivation=chain("finite"), limitations=(SQUARED, *kinked)),
        Case("ideal", left=left["ideal"], derivation=chain("ideal"), limitations=(SQUARED, IDEAL_NETWORK), **ideal),
    )


def proofs_of(*claims: Claim) -> tuple[Derivation, ...]:
    """The chains that prove claims, case by case, for the report to show."""
    return tuple(member.derivation for stated in claims for member in stated.members)
