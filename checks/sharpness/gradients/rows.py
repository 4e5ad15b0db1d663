"""Theorem 14: one forward pass row by row, as vectors that proofs speak of, and what they assume of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.shared import (
    BLOCKS,
    FLOORED,
    FROM_FOUR,
    INPUTS,
    LAST_COLUMN,
    MEASURED,
    ONE_COLUMN,
    SCALES,
    WITHOUT_F,
    by_rows,
    claim,
    numbered,
)
from boundaudit.checks.sharpness.targets import trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.activations import length_by_units, spread_by_units
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import count_by_units, rise_by_units
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, j, omega, t, u
from boundaudit.numeric.sharpness.row_sums import Rows, averaged, rows

_ROWS = T + 1


_UNIT = Reals(0, 1)


def _vector(
    name: str, latex: str, network: str, of: Callable[[Rows], Tensor], entries: Reals = _UNIT, *lengths: sp.Expr
) -> Family:
    """One number of each row, the output position's last, of each hidden unit, or of each pair of both."""
    along = lengths or (_ROWS,)

    def measure(points: Sequence[Point], device: str) -> Array:
        shapes = [(point["u"], point["T"], point["D"]) for point in points]
        counts = [tuple(int(end.subs({T: length, D: degree})) for end in along) for _, length, degree in shapes]
        found = np.zeros((len(points), *map(max, zip(*counts, strict=True))))
        for shape in set(shapes):
            chosen = [n for n, other in enumerate(shapes) if other == shape]
            at = Columns([points[n] for n in chosen], device)
            values = of(rows(*numbered(at), mlp=trapezoid(at), scale=SCALES[network]))
            found[(chosen, *map(slice, counts[chosen[0]]))] = values.cpu().numpy()  # type: ignore[index]
        return found

    return Family(f"{name}, {network} network", measure, latex, along if len(along) > 1 else along[0], entries)


ATTENTION = {n: _vector("attention of layer 2", "a", n, lambda r: r.a) for n in SCALES}
IDLE = _vector("rows that no component uses", r"\iota", "finite", lambda r: _idle(r).double())
OUTPUTS = {n: _vector("outputs of the MLP", "g", n, lambda r: r.g) for n in SCALES}
"""By network; that entries lie between 0 and 1 is part of what is assumed of them."""


def _live_weights(r: Rows) -> Tensor:
    return torch.where(1 + r.units.bias > 0, r.units.output, 0.0)


def _idle(r: Rows) -> Tensor:
    return torch.arange(r.a.shape[-1], device=r.a.device) >= r.batch.sparsity[:, None]


def _live(r: Rows) -> Tensor:
    return _live_weights(r).square()


LIVE = {n: _vector("squared output weights of units on at one", "F^2", n, _live, Reals(0), UNITS) for n in SCALES}
READY = {
    n: _vector("units on at one", "o(1)", n, lambda r: ((1 + r.units.bias > 0) & r.units.real).double(), _UNIT, UNITS)
    for n in SCALES
}
WEIGHTS = {n: _vector("output weights of units on at one", r"\phi", n, _live_weights, Reals(), UNITS) for n in SCALES}
PASSED = {
    n: _vector("units off at zero", r"\pi", n, lambda r: (r.units.bias <= 0).double(), _UNIT, UNITS) for n in SCALES
}
ON = {
    n: _vector("attention on rows where a unit is on", "o", n, lambda r: averaged(r.a, r.on), _UNIT, UNITS)
    for n in SCALES
}
SEEN = {
    n: _vector("bits seen where a unit is on", "p", n, lambda r: averaged(r.a * r.s, r.on), _UNIT, UNITS)
    for n in SCALES
}
"""Of each hidden unit. That it is on at one where it is on in some row stands in the axioms on the gradients."""


def units_at_one(r: Rows) -> Tensor:
    """Hidden units at an average of one, shape (B, H)."""
    return torch.where(r.units.real, (1 + r.units.bias).relu(), 0.0)


def rises(r: Rows) -> Tensor:
    """What hidden units rise by from an average of zero to one, shape (B, H)."""
    return units_at_one(r) - torch.where(r.units.real, r.units.bias.relu(), 0.0)


def _steepest(r: Rows) -> Tensor:
    return r.units.output.amax(-1, keepdim=True).expand_as(r.s)


def _share(part: Tensor, whole: Tensor) -> Tensor:
    """Zero where there is no whole."""
    return torch.where(whole > 0, part / torch.where(whole > 0, whole, 1.0), 0.0)


def rises_made(r: Rows) -> Tensor:
    """The part of it that they have risen by in each row, shape (B, P, H)."""
    return _share(r.hidden - r.units.bias.relu()[:, None], rises(r)[:, None].expand_as(r.hidden))


def filled(r: Rows) -> Tensor:
    """Hidden units over what they are at one, shape (B, P, H)."""
    return _share(r.hidden, units_at_one(r)[:, None].expand_as(r.hidden))


def logit_levels(r: Rows) -> Tensor:
    """Where a logit lies between -2 log T and 2 log T; at an end where it lies beyond."""
    return (0.5 + r.logits / (4 * r.batch.length.double().log()[:, None])).clamp(0, 1)


TOP = {n: _vector("hidden units at one", "h(1)", n, units_at_one, Reals(0), UNITS) for n in SCALES}
RISE = {n: _vector("rise of hidden units from zero to one", "r", n, rises, Reals(0), UNITS) for n in SCALES}
AVERAGED = {
    n: _vector(
        "average of a unit over that at one",
        "p",
        n,
        lambda r: _share(averaged(r.a, r.hidden), units_at_one(r)),
        _UNIT,
        UNITS,
    )
    for n in SCALES
}
LAST = {
    n: _vector(
        "unit of the output row over that at one",
        "q",
        n,
        lambda r: _share(r.hidden[:, -1], units_at_one(r)),
        _UNIT,
        UNITS,
    )
    for n in SCALES
}
RISEN = {n: _vector("part of its rise that a unit has made", "z", n, rises_made, _UNIT, _ROWS, UNITS) for n in SCALES}
LEVELS = {n: _vector("level of a logit", "l", n, logit_levels) for n in SCALES}
SLOPES = {
    n: _vector("slope of the MLP over its steepest", "k", n, lambda r: _share(r.slope.abs(), _steepest(r)))
    for n in SCALES
}
SEEN_BITS = {n: _vector("average of bits", "s", n, lambda r: r.s) for n in SCALES}
BITS = {n: _vector("bits", "z", n, lambda r: r.z) for n in SCALES}
"""That a unit lies between its values at zero and at one, and a logit between -2 log T and 2 log T, is assumed."""
KEYS_SQUARED = {
    n: by_rows("squared length of the logits", n, lambda r: r.keys, r"\|w_2\|^2", nonnegative=True) for n in SCALES
}


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the rows."""
    return sp.Sum(body, (t, 1, _ROWS))


def units_total(body: sp.Expr) -> sp.Expr:
    """A sum over the hidden units."""
    return sp.Sum(body, (j, 1, UNITS))


def mean(network: str) -> sp.Expr:
    """The average output, Σ a g."""
    return total(ATTENTION[network][t] * OUTPUTS[network][t])


def lengths_squared(network: str) -> sp.Expr:
    """Σ a² + m²."""
    return total(ATTENTION[network][t] ** 2) + mean(network) ** 2


def variance(network: str) -> sp.Expr:
    """The outputs' variance, Σ a (g - m)²."""
    return total(ATTENTION[network][t] * (OUTPUTS[network][t] - mean(network)) ** 2)


def queries_squared(network: str) -> sp.Expr:
    """(1 + g_out²) C²."""
    return (1 + OUTPUTS[network][_ROWS] ** 2) * SUM**2


def keys_squared(network: str) -> sp.Expr:
    """(1 + g_out²) C² (Σ a² (g - m)² + (Σ a (g - m)²)²)."""
    pull = total(ATTENTION[network][t] ** 2 * (OUTPUTS[network][t] - mean(network)) ** 2)
    return queries_squared(network) * (pull + variance(network) ** 2)


def moved(network: str, values: Callable[[sp.Symbol], sp.Expr]) -> sp.Expr:
    """The covariance of the outputs with others, Σ a (g - m) x."""
    return total(ATTENTION[network][t] * (OUTPUTS[network][t] - mean(network)) * values(t))


FLANK = 4 * D / u * SUM / (SUM * T**2 + INACTIVE)
"""What the average of bits of an unused row is worth on the steepest slope."""
_OUT = T + 1


def attended_squared(network: str) -> sp.Expr:
    """(worth of an unused row)² N² (1/(T+1) + s²)."""
    worth = FLANK * SLOPES[network][_OUT]
    return worth**2 * INACTIVE**2 * (1 / (T + 1) + SEEN_BITS[network][_OUT] ** 2)


def unused_bits(network: str) -> sp.Expr:
    """How many bits of unused rows are set."""
    return sp.Sum(BITS[network][omega + t], (t, 1, INACTIVE))


def logits_squared(network: str) -> sp.Expr:
    """(worth of an unused row)² (b/(T+1) + b²) (N + B²) with b = s (1-s) and B unused bits set."""
    seen = SEEN_BITS[network][_OUT]
    bend = seen * (1 - seen)
    return (FLANK * SLOPES[network][_OUT]) ** 2 * (bend / (T + 1) + bend**2) * (INACTIVE + unused_bits(network) ** 2)


def parts_of_f(network: str, values: sp.Expr, keys: sp.Expr, query: sp.Expr) -> sp.Expr:
    """C² (values + |w2|² keys + query)."""
    return SUM**2 * (values + KEYS_SQUARED[network].atom * keys + query)


def averaged_squared(network: str) -> sp.Expr:
    """The squared length of the hidden units on average, in shares of what they are at one."""
    return units_total(TOP[network][j] ** 2 * AVERAGED[network][j] ** 2)


def columns_squared(network: str) -> sp.Expr:
    """F's squared gradient in shares of what hidden units are at one, and of their rises."""
    top, rise, risen = TOP[network], RISE[network], RISEN[network]
    return parts_of_f(
        network,
        averaged_squared(network),
        units_total(rise[j] ** 2 * moved(network, lambda t: risen[t, j]) ** 2),
        16 * sp.log(T) ** 2 * moved(network, lambda t: LEVELS[network][t]) ** 2
        * units_total(top[j] ** 2 * LAST[network][j] ** 2),
    )  # fmt: skip


def added(network: str, blocks: Iterable[str]) -> sp.Expr:
    """The squared gradients in some blocks."""
    return sp.Add(*(MEASURED[network][block].atom for block in blocks))


_axiom = functools.partial(claim, role="axiom", relation="=", domain=INPUTS, expected="supported")


def _by_chain_rule(block: str, formula: str, written: Callable[[str], sp.Expr], domain: Domain = INPUTS) -> Claim:
    where = "with a the attention of layer 2, g the MLP's outputs, m = Σ a g and C the sum of the coefficients"
    return _axiom(
        label=f"sharpness.gradients.rows.{block}",
        statement=f"The squared gradient in {block} is {formula}, {where}: the chain rule, written out.",
        domain=domain,
        cases=tuple(
            Case(network, left=MEASURED[network][block], right=lambda network=network: written(network))
            for network in SCALES
        ),
    )


weights = _axiom(
    label="sharpness.gradients.rows.weights",
    statement="The attention of layer 2 adds up to one: a softmax.",
    right=1,
    cases=tuple(Case(network, left=lambda network=network: total(ATTENTION[network][t])) for network in SCALES),
)
live = _axiom(
    label="sharpness.gradients.rows.live",
    statement="The squared output weights of the hidden units that are on at one, each as it is written down.",
    right=theorem.live_by_units,
    cases=tuple(Case(network, left=lambda network=network: units_total(LIVE[network][j])) for network in SCALES),
)
ready = _axiom(
    label="sharpness.gradients.rows.ready",
    statement="The hidden units that are on at one, each as it is written down.",
    right=count_by_units,
    cases=tuple(Case(network, left=lambda network=network: units_total(READY[network][j])) for network in SCALES),
)
output, passed = (
    _axiom(
        label=f"sharpness.gradients.rows.{name}",
        statement=f"The squared output weights of hidden units that are on at one{which}, each as it is written down.",
        right=right,
        cases=tuple(
            Case(network, left=lambda network=network, seen=seen: units_total(WEIGHTS[network][j] ** 2 * seen(network)))
            for network in SCALES
        ),
    )
    for name, which, right, seen in (
        ("output", "", theorem.live_by_units, lambda network: 1),
        ("passed", " and off at zero", rise_by_units, lambda network: PASSED[network][j] ** 2),
    )
)
v2 = _by_chain_rule("V2", "Σ a² + m²", lengths_squared)
top = _axiom(
    label="sharpness.gradients.rows.top",
    statement="The squares of the hidden units at one, each as it is written down.",
    right=length_by_units,
    cases=tuple(Case(network, left=lambda network=network: units_total(TOP[network][j] ** 2)) for network in SCALES),
)
risen = _axiom(
    label="sharpness.gradients.rows.rise",
    statement="The squares of what hidden units rise by from zero to one, each as it is written down.",
    right=spread_by_units,
    cases=tuple(Case(network, left=lambda network=network: units_total(RISE[network][j] ** 2)) for network in SCALES),
)
keys = _axiom(
    label="sharpness.gradients.rows.keys",
    statement="The squared length of the logits of layer 2 is Σ (log c + 2 log T)².",
    right=KEYS, cases=tuple(Case(network, left=KEYS_SQUARED[network]) for network in SCALES),
)  # fmt: skip
f = _by_chain_rule(
    "F", "C² (Σ h(1)² p² + |w2|² Σ r² (Σ a (g-m) z)² + 16 log²T (Σ a (g-m) l)² Σ h(1)² q²) with p, q, z the parts of "
    "h(1) and of its rise r that hidden units are on average, in the output row and in each row, l the level of logits",
    columns_squared, domain=FLOORED,
)  # fmt: skip
last = _by_chain_rule(
    LAST_COLUMN, "C² Σ h(1)² p² with p the parts of h(1) that hidden units are on average",
    lambda network: SUM**2 * averaged_squared(network),
)  # fmt: skip
v1, w1 = (
    _axiom(
        label=f"sharpness.gradients.rows.{block}",
        statement=f"The squared gradient in {block} of the finite network is {formula}, with k the slope of the output "
        "row over the steepest, s the average of bits that it sees and N unused rows, all alike: the chain rule, "
        "written out, where active rows rest on plateaus.",
        left=MEASURED["finite"][block], right=lambda written=written: written("finite"),
        domain=INPUTS.replace(T=FROM_FOUR),
    )
    for block, formula, written in (
        ("V1", "(4D/u · C k N/(CT²+N))² (1/(T+1) + s²)", attended_squared),
        ("W1", "(4D/u · C k/(CT²+N))² (b/(T+1) + b²) (N + B²), b = s (1-s) and B the unused bits that are set",
         logits_squared),
    )
)  # fmt: skip
BEHIND = ("M", "Gamma", "F", "W2", "V2")
blocks = _axiom(
    label="sharpness.gradients.rows.blocks",
    statement="The squared gradient in all parameters is the sum of those in the blocks.",
    cases=(
        Case("finite", left=MEASURED["finite"]["total"], right=lambda: added("finite", BLOCKS)),
        Case(
            "ideal", left=MEASURED["ideal"]["total"], right=lambda: added("ideal", BEHIND),
            statement="The squared gradient in all parameters of the ideal network is the sum of those in the blocks "
            "behind the hidden units: its rows rest on plateaus, so that nothing reaches W1 and V1.",
        ),
    ),
    domain=INPUTS.replace(T=FROM_FOUR),
)  # fmt: skip
BEHIND_ONE_COLUMN = ("M", "Gamma", LAST_COLUMN, "W2", "V2")
one_column = _axiom(
    label="sharpness.gradients.rows.one-column",
    statement="The squared gradient in all parameters but F's other columns is the sum of those in the other blocks "
    "and in F's last column; in the ideal network nothing reaches W1 and V1.",
    cases=(
        Case("finite", left=MEASURED["finite"][ONE_COLUMN], right=lambda: added("finite", (*WITHOUT_F, LAST_COLUMN))),
        Case("ideal", left=MEASURED["ideal"][ONE_COLUMN], right=lambda: added("ideal", BEHIND_ONE_COLUMN)),
    ),
    domain=INPUTS.replace(T=FROM_FOUR),
)  # fmt: skip
gamma = _by_chain_rule(
    "Gamma", "C² Σ F² o² over hidden units that are on where s = 1, o the attention on rows where a unit is on",
    lambda network: SUM**2 * units_total(LIVE[network][j] * ON[network][j] ** 2),
)  # fmt: skip
m = _by_chain_rule(
    "M", "C² Σ F² p² over hidden units that are on where s = 1, p the average of s where a unit is on",
    lambda network: SUM**2 * units_total(LIVE[network][j] * SEEN[network][j] ** 2),
)  # fmt: skip
w2 = _by_chain_rule("W2", "(1 + g_out²) C² (Σ a² (g - m)² + (Σ a (g - m)²)²)", keys_squared)
