"""Appendix D's aim by pruning: without its dead hidden units the construction's gradient is strictly smaller too."""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.shared import INPUTS, numbered
from boundaudit.checks.sharpness.proofs import SAMPLES, proof
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TARGETS, by_trapezoid, of_targets
from boundaudit.derivations.sharpness import pruned_gradient as theory
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.attention import leading
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.pruned_gradient import dead_values, first_dead, layer_2, saved
from boundaudit.numeric.sharpness.target import TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix D",), expected="proved")
_SHORT = Integers(2, tested_to=7)

Inputs = Callable[[TargetBatch, Tensor, Trapezoid], Tensor]
"""From targets and inputs to numbers, shape (B, N)."""


def _averaged(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """Σ a h of the first dead unit."""
    return layer_2(batch, *first_dead(batch, bits, mlp))


def _squared(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    return (batch.absolute_sum[:, None] * _averaged(batch, bits, mlp)) ** 2


# --- one hidden unit ------------------------------------------------------------------------------

halves = _claim(
    label="sharpness.pruned_gradient.halves",
    statement="(1 - 1/(T+1))/2 exceeds 1/(2D) by at least (T-1)/(4(T+1)) for D ≥ 2, and half of what T²/(T²+T) exceeds "
    "1/2 by is just that: halves of an average of bits on a component's row.",
    right=theory.UNIT,
    relation=">=",
    cases=(
        Case("many", left=theory.BY_LENGTH, domain=Domain({T: Integers(2, tested_to=24), D: Integers(2, T)})),
        Case("one", left=theory.BY_HALF, domain=Domain({T: Integers(2, tested_to=24)})),
    ),
)


def _unit(at: Columns, mlp: Trapezoid) -> Tensor:
    """The mean over all inputs on the row of the component {1…D}."""
    length = at.whole("T")
    degree = at.whole("D") if "D" in at.points[0] else torch.ones_like(length)
    batch = leading(length, degree, torch.ones_like(length).double())
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
    return first_dead(batch, bits, mlp)[0].mean((1, 2))


_UNIT = Quantity("mean of a dead unit", by_trapezoid(_unit, "T"), r"\mathbb{E}\, h(s)", rounding=1e-11, scale=1.0)


def _one_unit(name: str, domain: Domain, sample: Point, why: str, *below: Step) -> Case:
    return Case(
        name, domain=domain,
        derivation=proof(
            f"sharpness.pruned_gradient.unit.{name}", f"The mean of a dead hidden unit, {name}", domain,
            Step(theory.UNIT, "(T-1)/(4(T+1))"), *below, Step(_UNIT, "the mean over all inputs", why),
            samples={"T=6": sample},
        ),
    )  # fmt: skip


unit = _claim(
    label="sharpness.pruned_gradient.unit", expected="supported",
    statement="Over uniform inputs the hidden unit relu(s - 1/(2D)) of the first odd grid point, relu(s - 1/(4D)) with "
    "the wide trapezoid, has a mean of at least (T-1)/(4(T+1)) on a row that averages the bits of a component to s.",
    left=_UNIT,
    relation=">=",
    right=theory.UNIT,
    cases=(
        _one_unit(
            "many", Domain({T: _SHORT, D: Integers(2, T), u: BOTH}), {"T": 6, "D": 2, "u": 1}, "Jensen",
            Step(theory.BY_LENGTH, "half of T/(T+1), less 1/(2D)", "", f"{halves.label}[many]"),
            Step(theory.BY_MEAN, "E s - 1/(2D)", "D T² + T+1-D ≥ T+1", "sharpness.activations.normaliser"),
        ),
        _one_unit(
            "one", Domain({T: _SHORT, u: BOTH}), {"T": 6, "u": 1}, "monotone",
            Step(theory.BY_HALF, "inputs that set the bit", "", f"{halves.label}[one]"),
        ),
    ),
)  # fmt: skip

# --- the network ----------------------------------------------------------------------------------


def _at_input(name: str, latex: str, of: Inputs) -> Quantity:
    measure = by_trapezoid(lambda at, mlp: _single(of, *numbered(at), mlp))
    return Quantity(f"{name}, at an input", measure, latex, rounding=1e-9, scale=1e-5)


def _single(of: Inputs, batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    return of(batch, bits[:, None], mlp)[:, 0]


_SAVED = _at_input("squared gradient that pruning saves", r"\|\nabla f_\Theta\|^2 - \|\nabla f_{\Theta_0}\|^2", saved)
_SQUARE = _at_input("C² (Σ a h)² of the first dead unit", r"C^2 (\sum_t a_t h_t)^2", _squared)

at_inputs = _claim(
    label="sharpness.pruned_gradient.input", expected="supported",
    statement="Leaving out the hidden units of odd grid points lowers the squared gradient of the output at every "
    "input, by at least C² (Σ a h)², with a the attention of layer 2, C the sum of the coefficients and h = relu(s - "
    "1/(2D)), relu(s - 1/(4D)) with the wide trapezoid, on rows that average bits to s; for any family of sets.",
    left=_SAVED,
    relation=">=",
    right=_SQUARE,
    domain=INPUTS,
    limitations=("On kinks of live units, where M and Γ have none, derivatives from the left stand in both networks.",),
    derivation=proof(
        "sharpness.pruned_gradient.input", "What pruning takes from the squared gradient", INPUTS,
        Step(_SQUARE, "one dead unit, F's last column"),
        Step(_at_input("the same for all dead units", r"C^2 \sum_j (\sum_t a_t h_{tj})^2", dead_values),
             "all dead units", "monotone"),
        Step(_SAVED, "all columns of F; the other blocks stay, as F_j = 0", "monotone"),
        samples=SAMPLES,
    ),
)  # fmt: skip


def _mean(name: str, latex: str, of: Callable[[TargetBatch, Tensor, Trapezoid], Tensor]) -> Quantity:
    """A number of each target made of all its inputs."""

    def measure(batch: TargetBatch, mlp: Trapezoid) -> Tensor:
        return of(batch, bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device), mlp)

    return Quantity(f"{name}, over all inputs", of_targets(measure, "T"), latex, rounding=1e-9, scale=1e-5)


def _by_active(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    active, unused = first_dead(batch, bits, mlp)
    return (batch.absolute_sum * layer_2(batch, active, torch.zeros_like(unused)).mean(-1)) ** 2


_MEAN = _mean(
    "mean squared gradient that pruning saves",
    r"\mathbb{E}\,\|\nabla f_\Theta\|^2 - \mathbb{E}\,\|\nabla f_{\Theta_0}\|^2", lambda *at: saved(*at).mean(-1),
)  # fmt: skip
_FAMILIES = TARGETS.replace(T=_SHORT, c=Vector(omega, Reals(0, open_low=True, tested_to=2)))

smaller = _claim(
    label="sharpness.pruned_gradient.smaller", expected="supported",
    statement="Leaving out the hidden units of odd grid points, which leaves the function as it is and lowers the "
    "norm, lowers the mean over uniform inputs of the squared gradient of the output strictly, by at least "
    "(C · C T²/(C T² + T+1-ω) · (T-1)/(4(T+1)))², for any family of sets and positive coefficients, C their sum.",
    left=_MEAN,
    relation=">=",
    right=theory.SAVED,
    domain=_FAMILIES,
    role="successor",
    repairs=("sharpness.rescaling.both.printed[steep]", "sharpness.rescaling.both.printed[wide]"),
    rests_on=("sharpness.pruning.norms.smaller",),
    derivation=proof(
        "sharpness.pruned_gradient.smaller", "What pruning takes from the mean squared gradient", _FAMILIES,
        Step(theory.SAVED, "one unit on the rows of components"),
        Step(_mean("C² (Σ a E h)² over the rows of components", r"C^2 (\sum_{t \le \omega} a_t \mathbb{E} h_t)^2",
                   _by_active), "its means", "E h ≥ (T-1)/(4(T+1))", unit.label),
        Step(_mean("C² (E Σ a h)²", r"C^2 (\mathbb{E} \sum_t a_t h_t)^2",
                   lambda *at: (at[0].absolute_sum * _averaged(*at).mean(-1)) ** 2), "all rows", "monotone"),
        Step(_mean("C² E (Σ a h)²", r"C^2\, \mathbb{E} (\sum_t a_t h_t)^2", lambda *at: _squared(*at).mean(-1)),
             "the mean of the square", "Jensen"),
        Step(_MEAN, "what pruning saves", "at every input", at_inputs.label),
        samples={"T=6, D=2, ω=3": {name: value for name, value in SAMPLES["T=6, D=2, ω=3"].items() if name != "x_n"}},
    ),
)  # fmt: skip
