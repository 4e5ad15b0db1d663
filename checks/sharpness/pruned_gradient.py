"""Appendix D's aim by pruning: without its dead hidden units the construction's gradient is strictly smaller too."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import fields

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.proofs import SAMPLES, proof
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TARGETS, by_trapezoid, of_targets
from boundaudit.derivations.sharpness import pruned_gradient as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.attention import leading
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.pruned_gradient import FIRST, first_dead, layer_2, others, saved, share
from boundaudit.numeric.sharpness.row_sums import rows
from boundaudit.numeric.sharpness.target import TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix D",), expected="proved")
_SHORT = Integers(2, tested_to=7)

_axiom = functools.partial(_claim, role="axiom", relation="=", expected="supported")

Inputs = Callable[[TargetBatch, Tensor, Trapezoid], Tensor]
"""From targets and inputs to numbers, shape (B, N)."""


def _averaged(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """Σ a h of the first dead unit."""
    return layer_2(batch, *first_dead(batch, bits, mlp))


def _others(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """The rest of what pruning saves, each input by a pass of its own."""
    bits = bits.expand(len(batch), *bits.shape[-2:])
    each = torch.arange(len(batch), device=batch.device).repeat_interleave(bits.shape[1])
    many = TargetBatch(*(getattr(batch, field.name)[each] for field in fields(batch)))
    return others(rows(many, bits.flatten(0, 1), mlp=mlp)).reshape(len(batch), -1)


# --- one hidden unit ------------------------------------------------------------------------------

_NORMALISER = "sharpness.activations.normaliser"
_SHAPES = Domain({T: _SHORT, D: Integers(1, T), u: BOTH})

halves = _claim(
    label="sharpness.pruned_gradient.halves", relation=">=",
    statement="Half of what the mean ((D+1) T² + T-D)/(2 (D T² + T+1-D)) of an average of bits exceeds 1/(2D) by is at "
    "least (T-1)/(4(T+1)).",
    left=theory.STEEP, right=theory.UNIT, domain=Domain({T: Integers(2, tested_to=24), D: Integers(1, T)}),
    rests_on=(_NORMALISER,),
)  # fmt: skip


def _unit(of: Callable[[TargetBatch, Tensor, Trapezoid], Tensor]) -> Measure:
    """A mean over all inputs on the row of the component {1…D}, from numbers of shape (B, N, 1) on it."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        length = at.whole("T")
        batch = leading(length, at.whole("D"), torch.ones_like(length).double())
        bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
        return of(batch, bits, mlp).mean((1, 2))

    return by_trapezoid(measure, "T")


def _rest(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """The unit where the first bit is not set, and what it is more than linear where it is."""
    below = (-share(batch, bits) - units(batch.degree, mlp).bias[:, FIRST, None, None]).relu()
    return torch.where(bits[:, :1].bool(), below, first_dead(batch, bits, mlp)[0])


_UNIT = Quantity("mean of a dead unit", _unit(lambda *at: first_dead(*at)[0]), r"\mathbb{E}\, h(s)", rounding=1e-11,
                 scale=1.0, of=("T", "D", "u"))  # fmt: skip
_SHARE = Quantity(
    "mean average of bits where the first is set",
    _unit(lambda batch, bits, _: 2 * share(batch, bits) * bits[:, :1].double()), r"\mathbb{E}[s \mid z_1]",
    rounding=1e-11,
).atom  # fmt: skip
_REST = Quantity("rest of a dead unit's mean", _unit(_rest), r"R", rounding=1e-11, scale=1.0, nonnegative=True).atom
_BY_FIRST_BIT = (_SHARE - (3 - u) / (4 * D)) / 2

parts = _axiom(
    label="sharpness.pruned_gradient.unit.parts",
    statement="The mean of relu(s - b), b = (3-u)/(4D), over uniform inputs is half of the mean of s - b where the "
    "first bit of the component is set, and the means of relu(b - s) there and of relu(s - b) elsewhere.",
    left=_UNIT, right=_BY_FIRST_BIT + _REST, domain=_SHAPES,
)  # fmt: skip
shares = _axiom(
    label="sharpness.pruned_gradient.unit.share",
    statement="Where the first bit of a component is set, and all others are uniform, its row averages the bits to "
    "((D+1) T² + T-D)/(2 (D T² + T+1-D)) in the mean.",
    left=_SHARE, right=theory.SHARE, domain=_SHAPES,
)  # fmt: skip

unit = _claim(
    label="sharpness.pruned_gradient.unit", relation=">=",
    statement="Over uniform inputs the hidden unit relu(s - 1/(2D)) of the first odd grid point, relu(s - 1/(4D)) with "
    "the wide trapezoid, has a mean of at least (T-1)/(4(T+1)) on a row that averages the bits of a component to s.",
    left=_UNIT, right=theory.UNIT, domain=_SHAPES,
    derivation=proof(
        "sharpness.pruned_gradient.unit", "The mean of a dead hidden unit", _SHAPES,
        Step(theory.UNIT, "(T-1)/(4(T+1))"),
        Step(theory.STEEP, "half of (D+1)/(2D), less 1/(2D)", "", (_NORMALISER, halves.label)),
        Step(_BY_FIRST_BIT, "inputs that set the first bit", "b ≤ 1/(2D)",
             (_NORMALISER, shares.label)),
        Step(_UNIT, "the mean over all inputs", "what is left is not negative", parts.label),
        samples={"T=6": {"T": 6, "D": 2, "u": 1}},
    ),
)  # fmt: skip

# --- the network ----------------------------------------------------------------------------------


_OTHERS = "squared gradient in other entries of dead units' rows of F"
_IN_ROWS = (
    "The output weights of odd grid points' hidden units are zero: leaving them out takes from the squared gradient "
    "that in their rows of F, "
)


def _mean(name: str, latex: str, of: Inputs, *, nonnegative: bool = False) -> Quantity:
    """A number of each target made of all its inputs."""

    def measure(batch: TargetBatch, mlp: Trapezoid) -> Tensor:
        return of(batch, bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device), mlp)

    return Quantity(
        f"{name}, over all inputs", of_targets(measure, "T"), latex, rounding=1e-9, scale=1e-5, nonnegative=nonnegative
    )


def _on_unused(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    active, unused = first_dead(batch, bits, mlp)
    return layer_2(batch, torch.zeros_like(active), unused).mean(-1)


_MEAN = _mean(
    "mean squared gradient that pruning saves",
    r"\mathbb{E}\,\|\nabla f_\Theta\|^2 - \mathbb{E}\,\|\nabla f_{\Theta_0}\|^2", lambda *at: saved(*at).mean(-1),
)  # fmt: skip
_FIRST = _mean("mean of the first dead unit", r"\mathbb{E}\, \sum_t a_t h_t", lambda *at: _averaged(*at).mean(-1)).atom
_SECOND = _mean(
    "mean square of the first dead unit",
    r"\mathbb{E}\, (\sum_t a_t h_t)^2",
    lambda *at: _averaged(*at).square().mean(-1),
).atom
_VARIANCE = _mean(
    "variance of the first dead unit", r"\mathrm{Var}\, \sum_t a_t h_t",
    lambda *at: _averaged(*at).var(-1, correction=0), nonnegative=True,
).atom  # fmt: skip
_UNUSED = _mean("part of unused rows", r"\sum_{t > \omega} a_t \mathbb{E} h_t", _on_unused, nonnegative=True).atom
_MEAN_OTHERS = _mean(f"mean {_OTHERS}", "R", lambda *at: _others(*at).mean(-1), nonnegative=True).atom
_BY_UNIT = SUM * T**2 / (SUM * T**2 + INACTIVE) * _UNIT.atom
_FAMILIES = TARGETS.replace(T=_SHORT, c=Vector(omega, Reals(0, open_low=True, tested_to=2)))

_mean_axiom = functools.partial(_axiom, domain=_FAMILIES)
in_rows = _mean_axiom(
    label="sharpness.pruned_gradient.mean.rows",
    statement=f"{_IN_ROWS}in the mean over uniform inputs C² E (Σ a h)² in the last entry of one of them, and the mean "
    "squares in all others.",
    left=_MEAN, right=SUM**2 * _SECOND + _MEAN_OTHERS,
)  # fmt: skip
variance = _mean_axiom(
    label="sharpness.pruned_gradient.mean.variance",
    statement="The mean square of Σ a h over uniform inputs is the square of its mean and its variance.",
    left=_SECOND, right=_FIRST**2 + _VARIANCE,
)  # fmt: skip
attended = _mean_axiom(
    label="sharpness.pruned_gradient.mean.attended",
    statement="The mean of Σ a h over uniform inputs is C T²/(C T² + T+1-ω) times its mean on the row of the component "
    "{1…D}, as on that of any other, and what unused rows add.",
    left=_FIRST, right=_BY_UNIT + _UNUSED,
)  # fmt: skip

_ENOUGH = "sharpness.pruned_gradient.unused"

unused = _claim(
    label=_ENOUGH,
    statement="A family of distinct sets of one size has at most as many members as there are bits.",
    left=omega, right=T, domain=_FAMILIES,
    derivation=proof(
        _ENOUGH, "Components and bits", _FAMILIES,
        Step(omega, "components"),
        Step(1 + (T - 1) * sp.Min(1, T - D), "distinct sets", "declared"),
        Step(T, "bits", "", Instance("sharpness.averages.least", {"e_av": T - 1, "x_av": T - D})),
        samples={"T=6, D=2, ω=3": {name: value for name, value in SAMPLES["T=6, D=2, ω=3"].items() if name != "x_n"}},
    ),
)  # fmt: skip

smaller = _claim(
    label="sharpness.pruned_gradient.smaller", relation=">=",
    statement="Leaving out the hidden units of odd grid points keeps the function and lowers the norm. It also lowers "
    "the mean over uniform inputs of the squared gradient of the output, by at least (C · C T²/(C T² + T+1-ω) · "
    "(T-1)/(4(T+1)))². For any family of sets and positive coefficients, C their sum.",
    left=_MEAN, right=theory.SAVED, domain=_FAMILIES,
    repairs=("sharpness.rescaling.both.printed[steep]", "sharpness.rescaling.both.printed[wide]"),
    rests_on=("sharpness.pruning.norms.smaller",),
    derivation=proof(
        "sharpness.pruned_gradient.smaller", "What pruning takes from the mean squared gradient", _FAMILIES,
        Step(theory.SAVED, "one unit on the rows of components"),
        Step(SUM**2 * _BY_UNIT**2, "its mean", "E h ≥ (T-1)/(4(T+1))", (_ENOUGH, unit.label, Instance(
            "sharpness.averages.squared", {"e_av": theory.UNIT, "x_av": _UNIT.atom}))),
        Step(SUM**2 * _FIRST**2, "all rows", "unused rows add to it", (
            _ENOUGH, unit.label, attended.label,
            Instance("sharpness.averages.squared", {"e_av": _BY_UNIT, "x_av": _FIRST}),
        )),
        Step(SUM**2 * _SECOND, "the mean of the square", "a variance is not negative", variance.label),
        Step(_MEAN, "what pruning saves", "squares are not negative", in_rows.label),
        samples={"T=6, D=2, ω=3": {name: value for name, value in SAMPLES["T=6, D=2, ω=3"].items() if name != "x_n"}},
    ),
)  # fmt: skip
