"""What proofs take from the ideal network in the mean over all inputs: squared averages, and ones in a component."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.loss_hessian.shared import IDEAL_SCALE, claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import TARGETS, batch_of, of_targets, trapezoid
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.averages import g_av, s_av
from boundaudit.derivations.sharpness.exactness import x
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, t, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import SQUARED, Rows, averaged, rows
from boundaudit.numeric.sharpness.target import TargetBatch

LABEL = "sharpness.loss_hessian.means"
FAMILIES = TARGETS.replace(T=Integers(2, tested_to=5))
POSITIVE = FAMILIES.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2)))
SAMPLE: Point = {"T": 4, "D": 2, "omega": 3, "u": 1, "c": (0.6, 0.64, 0.4), "S": ((1, 2), (2, 3), (1, 4))}

Number = Callable[[Rows], Tensor]
"""From the rows of B passes to B numbers."""


def mean_of(name: str, latex: str, of: Number, *, nonnegative: bool = False) -> Quantity:
    """The mean over all inputs of a number of the ideal network's pass.

    Args:
        name: What it is, in a few words.
        latex: Its LaTeX.
        of: The number.
        nonnegative: Whether proofs may take for granted that it is.

    Returns:
        The quantity.
    """

    def measure(batch: TargetBatch, mlp: Trapezoid) -> Tensor:
        bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
        each = torch.arange(len(batch)).repeat_interleave(len(bits))
        many = TargetBatch(*(getattr(batch, field.name)[each] for field in fields(batch)))
        return of(rows(many, bits.repeat(len(batch), 1), mlp=mlp, scale=IDEAL_SCALE)).reshape(len(batch), -1).mean(1)

    return Quantity(
        f"mean of {name}", of_targets(measure, "T"), rf"\mathbb{{E}}\, {latex}", rounding=1e-9, scale=1e-3,
        nonnegative=nonnegative,
    )  # fmt: skip


GRADIENTS = {
    block: mean_of(f"the squared gradient in {block}", rf"\|\partial f / \partial {block}\|^2", of)
    for block, of in SQUARED.items()
}

# --- M and Γ --------------------------------------------------------------------------------------

_PASSED: dict[str, Number] = {
    "M": lambda r: r.s[..., None] * r.gated, "Gamma": lambda r: r.gated, "F": lambda r: r.hidden,
}  # fmt: skip
"""What units pass on, shape (B, P, H): to M and Γ their output weights, where they are on; to F themselves."""


def _squares(block: str) -> Number:
    return lambda r: averaged(r.a, _PASSED[block](r).square()).sum(-1)


def _variance(block: str) -> Number:
    def of(r: Rows) -> Tensor:
        passed = _PASSED[block](r)
        return averaged(r.a, (passed - averaged(r.a, passed)[:, None]).square()).sum(-1)

    return of


SQUARES = {
    block: mean_of(f"squares that {block}'s units pass on", r"\sum_j \sum_t a_t y_{tj}^2", _squares(block)).atom
    for block in _PASSED
}
_VARIANCES = {
    block: mean_of(
        f"the variance of what {block}'s units pass on", r"\sum_j \sum_t a_t (y_{tj} - \bar y_j)^2",
        _variance(block), nonnegative=True,
    ).atom
    for block in _PASSED
}  # fmt: skip


def _ones(power: int) -> Number:
    """Σ a k^power, k the ones in a row's component, shape (B,)."""
    return lambda r: (r.a * (r.s * r.batch.degree[:, None]).round() ** power).sum(-1)


_POWERS = {n: mean_of(f"ones in a component, to the power of {n}", f"k^{n}", _ones(n)).atom for n in (1, 2, 3)}
COUNTED = {
    "M": 32 / u**2 * (_POWERS[3] + _POWERS[2]),
    "Gamma": 32 * D**2 / u**2 * (_POWERS[1] + 1),
    "F": (64 * _POWERS[3] / 3 + 32 * _POWERS[2] + (sp.Rational(32, 3) + 10 * u) * _POWERS[1] + 5 * u) / (16 * D**2),
}
"""In a row with k ones units that are on weigh 32 D²/u² (k+1), and units are (2k+1)(32 k(k+1)/3 + 5u)/(16D²) long."""


def squared(block: str) -> sp.Expr:
    """The square of what is passed on: mean squares less variances."""
    return SUM**2 * (SQUARES[block] - _VARIANCES[block])


# --- what is assumed ------------------------------------------------------------------------------

axiom = functools.partial(claim, role="axiom", relation="=", domain=POSITIVE, expected="supported")
IN_MEAN = "In the ideal network, in the mean over uniform inputs, "

gradients = tuple(
    axiom(
        label=f"{LABEL}.{block}",
        statement=f"{IN_MEAN}the squared gradient in {block} is C² Σ (Σ a y²  - Σ a (y - Σ a y)²) over hidden units, y "
        f"{what} of a unit that is on. The chain rule, and a squared average as mean square less variance.",
        left=GRADIENTS[block],
        right=squared(block),
    )
    for block, what in (("M", "the output weight times the average s of bits"), ("Gamma", "the output weight"))
)
_ON = "units that are on in a row with k ones have squared output weights that add up to 32 D²/u² (k+1)"
_LONG = "the units of a row with k ones have squares that add up to (2k+1)(32 k(k+1)/3 + 5u)/(16D²)"
counted = axiom(
    label=f"{LABEL}.counted",
    statement=f"{IN_MEAN}{_ON}, and {_LONG}.",
    cases=tuple(
        Case(block, statement=f"{IN_MEAN}{what}.", left=lambda block=block: SQUARES[block], right=COUNTED[block])
        for block, what in (("M", _ON), ("Gamma", _ON), ("F", _LONG))
    ),
)
ones = axiom(
    label=f"{LABEL}.ones",
    statement="Of D uniform bits k are ones: E k = D/2, E k² = D(D+1)/4 and E k³ = D²(D+3)/8.",
    cases=tuple(
        Case(str(n), left=lambda n=n: _POWERS[n], right=right) for n, right in enumerate(theory.MOMENTS, 1)
    ),
)  # fmt: skip
# --- W2 -------------------------------------------------------------------------------------------

WEIGHT = c[t] / SUM
UNIT = Reals(0, 1)
OUTPUT_NUMBERS = Domain({
    omega: Integers(1, tested_to=6), c: Vector(omega, Reals(0, open_low=True, tested_to=2)),
    g_av: Vector(omega, UNIT),
})  # fmt: skip
_NUMBERS = Domain({**OUTPUT_NUMBERS.ranges, s_av: UNIT})


def over_components(body: sp.Expr) -> sp.Expr:
    """A sum over the components."""
    return sp.Sum(body, (t, 1, omega))


def _pulled(g: Callable[[sp.Expr], sp.Expr], out: sp.Expr) -> sp.Expr:
    """(1 + g_out²) (Σ a² (g - m)² + (Σ a (g - m)²)²), a = c/C."""
    m = average(g)
    pull = over_components(WEIGHT**2 * (g(t) - m) ** 2)
    return (1 + out**2) * (pull + over_components(WEIGHT * (g(t) - m) ** 2) ** 2)


def average(g: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """Σ a g, a = c/C."""
    return over_components(WEIGHT * g(t))


AVERAGE = average(lambda t: g_av[t])
SPREAD = AVERAGE * (1 - AVERAGE)
ROWS = {"n_av": omega, "a_av": lambda t: c[t] / SUM, "g_av": g_av}
_VALUE = over_components(WEIGHT * (g_av[t] - AVERAGE) ** 2)
_UP, _DOWN = over_components(WEIGHT**2 * g_av[t] ** 2), over_components(WEIGHT**2 * (1 - g_av[t]) ** 2)
AVERAGES = "sharpness.averages"
AT_MOST_ONE = Instance(f"{AVERAGES}.mean", ROWS)

keys = claim(
    label=f"{LABEL}.keys",
    statement="For numbers g and o from 0 to 1 and weights a = c/C, (1 + o²) (Σ a² (g - m)² + (Σ a (g - m)²)²) is at "
    "most 3/2 m (1-m), m = Σ a g.",
    left=_pulled(lambda t: g_av[t], s_av),
    right=3 * SPREAD / 2,
    domain=_NUMBERS,
    expected="proved",
    derivation=proof(
        f"{LABEL}.keys", "Keys and their variance", _NUMBERS,
        Step(_pulled(lambda t: g_av[t], s_av), "both squares"),
        Step((1 + s_av**2) * ((1 - AVERAGE) ** 2 * _UP + AVERAGE**2 * _DOWN + _VALUE**2), "pulls up and down", "",
             (AT_MOST_ONE, Instance(f"{AVERAGES}.pulls", {**ROWS, "m_av": AVERAGE}))),
        Step((1 + s_av**2) * (2 * SPREAD**2 + _VALUE**2), "squares by their sum", "", (
            AT_MOST_ONE,
            Instance(f"{AVERAGES}.whole", {"n_av": omega, "a_av": lambda t: c[t] / SUM * g_av[t]}),
            Instance(f"{AVERAGES}.whole", {"n_av": omega, "a_av": lambda t: c[t] / SUM * (1 - g_av[t])}),
        )),
        Step(3 * (1 + s_av**2) * SPREAD**2, "Var ≤ m (1-m)", "", (
            AT_MOST_ONE,
            *(Instance(f"{AVERAGES}.{end}", {**ROWS, "m_av": AVERAGE}) for end in ("variance", "deviations")),
            Instance(f"{AVERAGES}.squared", {"e_av": _VALUE, "x_av": SPREAD}),
        )),
        Step(6 * SPREAD**2, "o ≤ 1", ""),
        Step(3 * SPREAD / 2, "m (1-m) ≤ 1/4", "", (AT_MOST_ONE, Instance(f"{AVERAGES}.quarter", {"m_av": AVERAGE}))),
        samples={"two": {"omega": 2, "c": (1, 1), "g_av": (1, 0.5), "s_av": 0.5}},
    ),
)  # fmt: skip


def at_all_inputs(name: str, latex: str, of: Number, entries: Reals, *lengths: sp.Expr) -> Family:
    """Numbers of the ideal network's pass at every input."""

    def at_one(point: Point, device: str) -> Array:
        at = Columns([point], device)
        batch, count = batch_of(at), 2 ** point["T"]
        bits = bit_strings(point["T"], 0, count, device=batch.device)
        found: Array = of(rows(batch.repeat(count), bits, mlp=trapezoid(at), scale=IDEAL_SCALE)).cpu().numpy()
        return found

    def measure(points: Sequence[Point], device: str) -> Array:
        each = [at_one(point, device) for point in points]
        found = np.zeros((len(points), *map(max, zip(*(values.shape for values in each), strict=True))))
        for padded, values in zip(found, each, strict=True):
            padded[tuple(map(slice, values.shape))] = values
        return found

    where = f"{name}, ideal network"
    return Family(where, measure, latex, lengths if len(lengths) > 1 else lengths[0], entries, scale=1.0)


def on_components(r: Rows, values: Tensor) -> Tensor:
    """Of the rows those of components."""
    return values[:, : r.batch.members.shape[1]]


INPUTS = 2**T
_OUTPUTS = at_all_inputs(
    "outputs on components' rows at every input", "g", lambda r: on_components(r, r.g), UNIT, INPUTS, omega
)
_LAST = at_all_inputs("output of the output position at every input", "g_{out}", lambda r: r.g[:, -1], UNIT, INPUTS)


def over_inputs(body: sp.Expr) -> sp.Expr:
    """A mean over the inputs."""
    return sp.Sum(body, (x, 1, 2**T)) / 2**T


def at_input(index: sp.Expr) -> Callable[[sp.Expr], sp.Expr]:
    """The outputs on the components' rows at one input."""
    return lambda t: _OUTPUTS[index, t]


PULLED = SUM**2 * over_inputs(_pulled(at_input(x), _LAST[x]))
MEAN, SECOND = over_inputs(average(at_input(x))), over_inputs(average(at_input(x)) ** 2)
LENGTHS = theory.TOTAL_SQUARES / SUM**2 + SECOND
"""Σ a² + E m², a = c/C."""

BOUNDED = Instance(keys.label, {"g_av": at_input(x), "s_av": _LAST[x]}, over=(x, 1, 2**T))

w2 = axiom(
    label=f"{LABEL}.W2",
    statement=f"{IN_MEAN}the squared gradient in W2 is C² (1 + g_out²) (Σ a² (g - m)² + (Σ a (g - m)²)²), a = c/C the "
    "attention, g the outputs on the components' rows and m their average.",
    left=GRADIENTS["W2"],
    right=lambda: PULLED,
)
outputs = axiom(
    label=f"{LABEL}.outputs",
    statement=f"{IN_MEAN}the average output m is 1/2 and its square (1 + Σc²/C²)/4: indicators of distinct sets are "
    "pairwise independent.",
    cases=(
        Case("mean", left=lambda: MEAN, right=sp.Rational(1, 2)),
        Case("square", left=lambda: SECOND, right=(1 + theory.TOTAL_SQUARES / SUM**2) / 4),
    ),
)
v2 = axiom(
    label=f"{LABEL}.V2",
    statement=f"{IN_MEAN}the squared gradient in V2 is Σ a² + m², a = c/C the attention and m the average output.",
    left=GRADIENTS["V2"],
    right=lambda: LENGTHS,
)
