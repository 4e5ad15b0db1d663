"""Theorem 18: moments of values between zero and one, which the parts of the Hessian come from."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import by_shape
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import averages
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.averages import a_av, g_av, m_av, n_av
from boundaudit.derivations.sharpness.hessian import p_e
from boundaudit.derivations.sharpness.hessian_lemmas import q_hl, x_hl, y_hl
from boundaudit.derivations.sharpness.parameters import t

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")
_chain = functools.partial(Derivation, paper=PAPER, place=("Theorem 18",))
_UNIT = Reals(0, 1)

# --- third moments --------------------------------------------------------------------------------

_HALF, _QUARTER = sp.Rational(1, 2), sp.Rational(1, 4)


_ANY = Reals(tested_to=1)


def _pairs(low: sp.Expr, high: sp.Expr, first: Reals = _UNIT) -> Domain:
    return Domain({m_av: Reals(low, high), x_hl: first, y_hl: Reals(0, x_hl)})


_FROM_ZERO = Reals(0, tested_to=4)
_MOST = Domain({m_av: Reals(_HALF, 1), x_hl: _ANY, y_hl: _ANY})


far_apart = _lemma(
    label="sharpness.hessian.moments.far-apart",
    statement="For m from 0 to 1/2 and 0 ≤ y ≤ x, m (1-m) (x (1-x) + (1-2m)(x-y)²) is at most m (1-m) x (1-2mx), "
    "what it is at y = 0.",
    left=theory.TWO_GROUPS,
    right=theory.FAR_APART,
    domain=_pairs(sp.S.Zero, _HALF, _FROM_ZERO),
)

far_apart_few = _lemma(
    label="sharpness.hessian.moments.far-apart.few",
    statement="For m from 0 to 1/4 and x from 0 to 1, m (1-m) x (1-2mx) is at most m (1-m) (1-2m).",
    left=theory.FAR_APART,
    right=theory.AT_ENDS,
    domain=Domain({m_av: Reals(0, _QUARTER), x_hl: _UNIT}),
)

far_apart_some = _lemma(
    label="sharpness.hessian.moments.far-apart.some",
    statement="For m from 0 to 1 and any x, m (1-m) x (1-2mx) is at most (1-m)/8, as 2mx (1-2mx) is at most 1/4.",
    left=theory.FAR_APART,
    right=theory.BETWEEN,
    domain=Domain({m_av: _UNIT, x_hl: _ANY}),
)

between = _lemma(
    label="sharpness.hessian.moments.between",
    statement="(1-m)/8 is at most 1/(6√3) for m from 1/4 to 1.",
    left=theory.BETWEEN,
    right=theory.THIRD,
    domain=Domain({m_av: Reals(_QUARTER, 1)}),
)

far_apart_most = _lemma(
    label="sharpness.hessian.moments.far-apart.most",
    statement="For m from 1/2 to 1 and any x and y, m (1-m) (x (1-x) + (1-2m)(x-y)²) is at most "
    "m (1-m) x (1-x), as 1-2m is not positive.",
    left=theory.TWO_GROUPS,
    right=theory.ONE_GROUP,
    domain=_MOST,
)

one_group = _lemma(
    label="sharpness.hessian.moments.one-group",
    statement="For m from 0 to 1 and any x, m (1-m) x (1-x) is at most 1/(6√3): it is at most 1/16.",
    left=theory.ONE_GROUP,
    right=theory.THIRD,
    domain=Domain({m_av: _UNIT, x_hl: _ANY}),
)

_LEFT = Step(theory.TWO_GROUPS, "two groups")
_NEAREST = Step(theory.FAR_APART, "the second at zero", "the bracket falls with y", far_apart.label)
_BOUND = "1/(6√3)"


def _groups(name: str, middle: sp.Expr, domain: Domain, *steps: Step) -> Case:
    return Case(
        name,
        domain=domain,
        derivation=_chain(
            label=f"sharpness.hessian.moments.two-groups.{name}", title="A third moment by two groups", domain=domain,
            steps=(_LEFT, *steps),
            samples={"y = 0": {"m_av": middle, "x_hl": _HALF, "y_hl": 0}},
        ),
    )  # fmt: skip


two_groups = _lemma(
    label="sharpness.hessian.moments.two-groups",
    statement="m (1-m) (x (1-x) + (1-2m)(x-y)²) is at most 1/(6√3) for m, x and y from 0 to 1, beyond m = 1/4 for "
    "larger x too and beyond m = 1/2 for any x and y; up to m = 1/2 stated for 0 ≤ y ≤ x, else take 1-x and 1-y.",
    left=theory.TWO_GROUPS,
    right=theory.THIRD,
    cases=(
        _groups(
            "few", sp.Rational(1, 5), _pairs(sp.S.Zero, _QUARTER), _NEAREST,
            Step(theory.AT_ENDS, "the first at one", "m ≤ 1/4", far_apart_few.label),
            Step(theory.THIRD, _BOUND, "largest at (3-√3)/6", Instance("sharpness.hessian.repaired.skew", {p_e: m_av})),
        ),
        _groups(
            "some", sp.Rational(2, 5), _pairs(_QUARTER, _HALF, _FROM_ZERO), _NEAREST,
            Step(theory.BETWEEN, "the first between", "2mx (1-2mx) ≤ 1/4", far_apart_some.label),
            Step(theory.THIRD, _BOUND, "m ≥ 1/4", between.label),
        ),
        _groups(
            "most", sp.Rational(3, 5), _MOST,
            Step(theory.ONE_GROUP, "one group", "1 - 2m ≤ 0", far_apart_most.label),
            Step(theory.THIRD, _BOUND, "at most 1/16", one_group.label),
        ),
    ),
)  # fmt: skip


def _weights(a: Tensor) -> Tensor:
    """Weights that add up to one, from positive numbers however small."""
    a = a / a.amax(-1, keepdim=True)
    return a / a.sum(-1, keepdim=True)


def _groups_of(a: Tensor, g: Tensor, q: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """m, the averages x and y of q in both groups, and those of (q - q̄)²."""
    a = _weights(a)
    m = (a * g).sum(-1)
    far = (q - (a * q).sum(-1, keepdim=True)) ** 2
    x, one = ((a * g * values).sum(-1) / m for values in (q, far))
    y, other = ((a * (1 - g) * values).sum(-1) / (1 - m) for values in (q, far))
    return m, x, y, one, other


def _moment(a: Tensor, g: Tensor, q: Tensor) -> Tensor:
    a = _weights(a)
    g, q = (values - (a * values).sum(-1, keepdim=True) for values in (g, q))
    return (a * g * q**2).sum(-1).abs()


def _by_groups(a: Tensor, g: Tensor, q: Tensor) -> Tensor:
    m, _, _, one, other = _groups_of(a, g, q)
    return m * (1 - m) * (one - other).abs()


def _by_variances(a: Tensor, g: Tensor, q: Tensor) -> Tensor:
    m, x, y, _, _ = _groups_of(a, g, q)
    apart = (1 - 2 * m) * (x - y) ** 2
    return m * (1 - m) * torch.maximum(x * (1 - x) + apart, y * (1 - y) - apart)


def _of_vectors(name: str, latex: str, of: Callable[..., Tensor]) -> Quantity:
    return Quantity(name, by_shape(of, "a_av", "g_av", "q_hl"), latex, rounding=1e-11, scale=1.0)


_ROWS = Domain({
    n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, open_low=True, tested_to=4)),
    g_av: Vector(n_av, _UNIT), q_hl: Vector(n_av, _UNIT),
})  # fmt: skip
_MOMENT = _of_vectors("third moment", r"|E (g - E g)(q - E q)^2|", _moment)

third_moment = _lemma(
    label="sharpness.hessian.moments.third", expected="supported",
    statement="For weights a that add up to one and g and q between 0 and 1, Σ a (g - Σ a g)(q - Σ a q)² is at most "
    "1/(6√3) in size: what a bit has that is one with probability (3-√3)/6.",
    left=_MOMENT,
    right=theory.THIRD,
    domain=_ROWS,
    derivation=_chain(
        label="sharpness.hessian.moments.third.steps",
        title="A third moment of values between zero and one",
        steps=(
            Step(_MOMENT, "|E (g - E g)(q - E q)²|"),
            Step(_of_vectors("difference of two groups", r"m (1-m) |E_1 (q - E q)^2 - E_0 (q - E q)^2|", _by_groups),
                 "two groups, weighed a g and a (1-g)", "definition"),
            Step(_of_vectors("two groups by their averages", r"m (1-m) \max \pm (x (1-x) + (1-2m)(x-y)^2)",
                             _by_variances),
                 "a variance lies between 0 and x (1-x)", "of each group", "sharpness.averages.variance"),
            Step(theory.THIRD, _BOUND, "of both signs", two_groups.label),
        ),
        domain=_ROWS,
        samples={"a bit": {"n_av": 2, "a_av": (0.2, 0.8), "g_av": (1, 0), "q_hl": (1, 0)}},
    ),
)  # fmt: skip

# --- half of a range ------------------------------------------------------------------------------


_TOTAL = averages.total(a_av[t])
_M = averages.total(a_av[t] * g_av[t]) / _TOTAL
_VALUES = Domain({
    n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, open_low=True, tested_to=4)),
    g_av: Vector(n_av, _UNIT),
})  # fmt: skip


def _quarter(name: str, statement: str, left: sp.Expr, lemma: str) -> Claim:
    """A sum over weights that is at most m (1-m) of them, at the average m."""
    return _lemma(
        label=f"sharpness.hessian.moments.{name}", statement=statement, left=left / _TOTAL, right=_QUARTER,
        domain=_VALUES,
        derivation=_chain(
            label=f"sharpness.hessian.moments.{name}.steps", title="Values between zero and one about their average",
            steps=(
                Step(left / _TOTAL, "about the average m"),
                Step(_M * (1 - _M), "m (1-m)", "at the average",
                     (Instance("sharpness.averages.mean"), Instance(lemma, {m_av: _M}))),
                Step(_QUARTER, "1/4", "m = 1/2",
                     (Instance("sharpness.averages.mean"), Instance("sharpness.averages.quarter", {m_av: _M}))),
            ),
            domain=_VALUES, samples={"a bit": {"n_av": 2, "a_av": (0.3, 0.7), "g_av": (1, 0)}},
        ),
    )  # fmt: skip


half_range = _quarter(
    "half-range", "Numbers between 0 and 1 have a variance of at most 1/4: a standard deviation is at most half of the "
    "range.",
    averages.total(a_av[t] * (g_av[t] - _M) ** 2), "sharpness.averages.variance",
)  # fmt: skip
swing = _quarter(
    "swing", "Numbers between 0 and 1 lie above their average by at most 1/4 on average.",
    averages.total(a_av[t] * sp.Max(g_av[t] - _M, 0)), "sharpness.averages.deviation",
)  # fmt: skip
