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

_PASSED: dict[str, Number] = {"M": lambda r: r.s[..., None] * r.on, "Gamma": lambda r: r.on}
"""What units pass on, shape (B, P, H): s or one, where they are on."""


def _of_weights(r: Rows, of_units: Tensor) -> Tensor:
    """Σ F² times a number of each unit, shape (B,)."""
    return (r.units.output.square() * of_units).sum(-1)


def _squares(block: str) -> Number:
    return lambda r: _of_weights(r, averaged(r.a, _PASSED[block](r).square()))


def _variance(block: str) -> Number:
    def of(r: Rows) -> Tensor:
        passed = _PASSED[block](r)
        return _of_weights(r, averaged(r.a, (passed - averaged(r.a, passed)[:, None]).square()))

    return of


SQUARES = {
    block: mean_of(f"squares that {block}'s units pass on", r"\sum_j F_j^2 \sum_t a_t y_{tj}^2", _squares(block)).atom
    for block in _PASSED
}
_VARIANCES = {
    block: mean_of(
        f"the variance of what {block}'s units pass on", r"\sum_j F_j^2 \sum_t a_t (y_{tj} - \bar y_j)^2",
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
}
"""Units that are on in a row with k ones weigh 32 D²/u² (k+1)."""


def squared(block: str) -> sp.Expr:
    """The mean squared gradient: mean squares less variances."""
    return SUM**2 * (SQUARES[block] - _VARIANCES[block])


# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", relation="=", domain=POSITIVE, expected="supported")
_IDEAL = "In the ideal network, in the mean over uniform inputs, "

gradients = tuple(
    _axiom(
        label=f"{LABEL}.{block}",
        statement=f"{_IDEAL}the squared gradient in {block} is C² Σ F² (Σ a y²  - Σ a (y - Σ a y)²), y what a unit "
        f"passes on where it is on: {what}. The chain rule, and a squared average as mean square less variance.",
        left=GRADIENTS[block],
        right=squared(block),
    )
    for block, what in (("M", "the average s of bits"), ("Gamma", "one"))
)
counted = _axiom(
    label=f"{LABEL}.counted",
    statement=f"{_IDEAL}units that are on in a row with k ones have squared output weights that add up to "
    "32 D²/u² (k+1).",
    cases=tuple(Case(block, left=lambda block=block: SQUARES[block], right=COUNTED[block]) for block in _PASSED),
)
ones = _axiom(
    label=f"{LABEL}.ones",
    statement="Of D uniform bits k are ones: E k = D/2, E k² = D(D+1)/4 and E k³ = D²(D+3)/8.",
    cases=tuple(
        Case(str(n), left=lambda n=n: _POWERS[n], right=right) for n, right in enumerate(theory.MOMENTS, 1)
    ),
)  # fmt: skip
# --- W2 -------------------------------------------------------------------------------------------

_WEIGHT = c[t] / SUM
_NUMBERS = Domain({
    omega: Integers(1, tested_to=6), c: Vector(omega, Reals(0, open_low=True, tested_to=2)),
    g_av: Vector(omega, Reals(0, 1)), s_av: Reals(0, 1),
})  # fmt: skip


def over_components(body: sp.Expr) -> sp.Expr:
    """A sum over the components."""
    return sp.Sum(body, (t, 1, omega))


def _pulled(g: Callable[[sp.Expr], sp.Expr], out: sp.Expr) -> sp.Expr:
    """(1 + g_out²) (Σ a² (g - m)² + (Σ a (g - m)²)²), a = c/C."""
    m = average(g)
    pull = over_components(_WEIGHT**2 * (g(t) - m) ** 2)
    return (1 + out**2) * (pull + over_components(_WEIGHT * (g(t) - m) ** 2) ** 2)


def average(g: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """Σ a g, a = c/C."""
    return over_components(_WEIGHT * g(t))


_M = average(lambda t: g_av[t])
_SPREAD = _M * (1 - _M)
_ROWS = {"n_av": omega, "a_av": lambda t: c[t] / SUM, "g_av": g_av}
_VALUE = over_components(_WEIGHT * (g_av[t] - _M) ** 2)
_UP, _DOWN = over_components(_WEIGHT**2 * g_av[t] ** 2), over_components(_WEIGHT**2 * (1 - g_av[t]) ** 2)
_AVERAGES = "sharpness.averages"
_MEAN = Instance(f"{_AVERAGES}.mean", _ROWS)

keys = claim(
    label=f"{LABEL}.keys",
    statement="For numbers g and o from 0 to 1 and weights a = c/C, (1 + o²) (Σ a² (g - m)² + (Σ a (g - m)²)²) is at "
    "most 3/2 m (1-m), m = Σ a g.",
    left=_pulled(lambda t: g_av[t], s_av),
    right=3 * _SPREAD / 2,
    domain=_NUMBERS,
    expected="proved",
    derivation=proof(
        f"{LABEL}.keys", "Keys and their variance", _NUMBERS,
        Step(_pulled(lambda t: g_av[t], s_av), "both squares"),
        Step((1 + s_av**2) * ((1 - _M) ** 2 * _UP + _M**2 * _DOWN + _VALUE**2), "pulls up and down", "",
             (_MEAN, Instance(f"{_AVERAGES}.pulls", {**_ROWS, "m_av": _M}))),
        Step((1 + s_av**2) * (2 * _SPREAD**2 + _VALUE**2), "squares by their sum", "", (
            _MEAN,
            Instance(f"{_AVERAGES}.whole", {"n_av": omega, "a_av": lambda t: c[t] / SUM * g_av[t]}),
            Instance(f"{_AVERAGES}.whole", {"n_av": omega, "a_av": lambda t: c[t] / SUM * (1 - g_av[t])}),
        )),
        Step(3 * (1 + s_av**2) * _SPREAD**2, "Var ≤ m (1-m)", "", (
            _MEAN, *(Instance(f"{_AVERAGES}.{end}", {**_ROWS, "m_av": _M}) for end in ("variance", "deviations")),
            Instance(f"{_AVERAGES}.squared", {"e_av": _VALUE, "x_av": _SPREAD}),
        )),
        Step(6 * _SPREAD**2, "o ≤ 1", ""),
        Step(3 * _SPREAD / 2, "m (1-m) ≤ 1/4", "", (_MEAN, Instance(f"{_AVERAGES}.quarter", {"m_av": _M}))),
        samples={"two": {"omega": 2, "c": (1, 1), "g_av": (1, 0.5), "s_av": 0.5}},
    ),
)  # fmt: skip


def _at_all_inputs(points: Sequence[Point], device: str, of: Number, *shape: str) -> Array:
    """Numbers of the ideal network's pass at every input of each point, padded."""
    sizes = [(2 ** point["T"], *(point[name] for name in shape)) for point in points]
    found = np.zeros((len(points), *map(max, zip(*sizes, strict=True))))
    for n, (point, size) in enumerate(zip(points, sizes, strict=True)):
        at = Columns([point], device)
        batch = batch_of(at)
        many = batch.repeat(size[0])
        bits = bit_strings(point["T"], 0, size[0], device=batch.device)
        values = of(rows(many, bits, mlp=trapezoid(at), scale=IDEAL_SCALE))
        found[(n, *map(slice, size))] = values[:, : size[-1]].cpu().numpy() if shape else values.cpu().numpy()  # type: ignore[index]
    return found


_OUTPUTS = Family(
    "outputs on components' rows at every input, ideal network",
    lambda points, device: _at_all_inputs(points, device, lambda r: r.g, "omega"),
    "g",
    (2**T, omega),
    Reals(0, 1),
)
_LAST = Family(
    "output of the output position at every input, ideal network",
    lambda points, device: _at_all_inputs(points, device, lambda r: r.g[:, -1]),
    "g_{out}",
    2**T,
    Reals(0, 1),
)


def _over_inputs(body: sp.Expr) -> sp.Expr:
    return sp.Sum(body, (x, 1, 2**T)) / 2**T


def at_input(index: sp.Expr) -> Callable[[sp.Expr], sp.Expr]:
    """The outputs on the components' rows at one input."""
    return lambda t: _OUTPUTS[index, t]


KEYS = SUM**2 * _over_inputs(_pulled(at_input(x), _LAST[x]))
MEAN, SECOND = _over_inputs(average(at_input(x))), _over_inputs(average(at_input(x)) ** 2)
LENGTHS = theory.TOTAL_SQUARES / SUM**2 + SECOND
"""Σ a² + E m², a = c/C."""

BOUNDED = Instance(keys.label, {"g_av": at_input(x), "s_av": _LAST[x]}, over=(x, 1, 2**T))

w2 = _axiom(
    label=f"{LABEL}.W2",
    statement=f"{_IDEAL}the squared gradient in W2 is C² (1 + g_out²) (Σ a² (g - m)² + (Σ a (g - m)²)²), a = c/C the "
    "attention, g the outputs on the components' rows and m their average.",
    left=GRADIENTS["W2"],
    right=lambda: KEYS,
)
outputs = _axiom(
    label=f"{LABEL}.outputs",
    statement=f"{_IDEAL}the average output m is 1/2 and its square (1 + Σc²/C²)/4: indicators of distinct sets are "
    "pairwise independent.",
    cases=(
        Case("mean", left=lambda: MEAN, right=sp.Rational(1, 2)),
        Case("square", left=lambda: SECOND, right=(1 + theory.TOTAL_SQUARES / SUM**2) / 4),
    ),
)
v2 = _axiom(
    label=f"{LABEL}.V2",
    statement=f"{_IDEAL}the squared gradient in V2 is Σ a² + m², a = c/C the attention and m the average output.",
    left=GRADIENTS["V2"],
    right=lambda: LENGTHS,
)
