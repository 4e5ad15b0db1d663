"""Theorem 18: sums of products against lengths, and numbers in parts against the lengths of a direction's parts."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import vectors as theory
from boundaudit.derivations.sharpness.averages import n_av
from boundaudit.derivations.sharpness.vectors import (
    a_ve,
    b_ve,
    c_ve,
    e_ve,
    f_ve,
    g_ve,
    h_ve,
    p_ve,
    q_ve,
    s_ve,
    t_ve,
    x_ve,
    y_ve,
)

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")
_ANY, _UNIT = Reals(tested_to=4), Reals(0, 1)
_LABEL = "sharpness.hessian.vectors"

cauchy = _lemma(
    label=f"{_LABEL}.cauchy",
    statement="The square of a sum of products is at most the sum of squares of the one factors times that of the "
    "others: Cauchy-Schwarz.",
    left=theory.PRODUCTS**2,
    right=theory.SQUARES,
    domain=Domain({n_av: Integers(1, tested_to=6), x_ve: Vector(n_av, _ANY), y_ve: Vector(n_av, _ANY)}),
)

apart = _lemma(
    label=f"{_LABEL}.apart",
    statement="The squared distance of two numbers between 0 and 1 is at most one.",
    left=(g_ve - h_ve) ** 2,
    right=sp.S.One,
    domain=Domain({g_ve: _UNIT, h_ve: _UNIT}),
)

below = _lemma(
    label=f"{_LABEL}.below",
    statement="A number whose square is at most that of a number p ≥ 0 is at most p.",
    left=a_ve,
    right=p_ve,
    domain=Domain({p_ve: Reals(0, tested_to=4), a_ve: _ANY}, where=[a_ve**2 <= p_ve**2]),
)

_SIZES: dict[Any, Any] = {name: Reals(0, tested_to=4) for name in (p_ve, q_ve, e_ve, f_ve)}
_PARTS = Domain(
    {**_SIZES, a_ve: _ANY, b_ve: _ANY}, where=[a_ve**2 <= p_ve * e_ve, b_ve**2 <= q_ve * f_ve]
)  # fmt: skip

product = _lemma(
    label=f"{_LABEL}.product",
    statement="Where a² ≤ p e and b² ≤ q f, (a b)² is at most p f times q e.",
    left=(a_ve * b_ve) ** 2,
    right=(p_ve * f_ve) * (q_ve * e_ve),
    domain=_PARTS,
)


_SCALED = Domain({**_PARTS.ranges, s_ve: _ANY, t_ve: _ANY}, where=_PARTS.where)


def _chain(name: str, domain: Domain, *steps: Step) -> Derivation:
    return Derivation(
        label=f"{_LABEL}.{name}.steps", title="A number in parts", domain=domain, paper=PAPER, place=("Theorem 18",),
        samples={"alike": dict.fromkeys(domain.ranges, 1)}, steps=steps,
    )  # fmt: skip


_CROSSED = p_ve * f_ve + q_ve * e_ve
mixed = _lemma(
    label=f"{_LABEL}.mixed",
    statement="Where a² ≤ p e and b² ≤ q f, 2 a b is at most p f + q e.",
    left=2 * a_ve * b_ve,
    right=_CROSSED,
    domain=_PARTS,
    derivation=_chain(
        "mixed", _PARTS,
        Step(2 * a_ve * b_ve, "2 a b"),
        Step(_CROSSED, "p f + q e", "its square is at most 4 p f q e", (
            Instance(product.label), Instance(below.label, {a_ve: 2 * a_ve * b_ve, p_ve: _CROSSED}),
        )),
    ),
)  # fmt: skip
both = _lemma(
    label=f"{_LABEL}.both",
    statement="Where a² ≤ p e and b² ≤ q f, (s a + t b)² is at most (s² p + t² q)(e + f).",
    left=(s_ve * a_ve + t_ve * b_ve) ** 2,
    right=(s_ve**2 * p_ve + t_ve**2 * q_ve) * (e_ve + f_ve),
    domain=_SCALED,
    derivation=_chain(
        "both", _SCALED,
        Step((s_ve * a_ve + t_ve * b_ve) ** 2, "as it is"),
        Step((s_ve**2 * p_ve + t_ve**2 * q_ve) * (e_ve + f_ve), "by sizes and shares", "2 a b ≤ p f + q e", Instance(
            mixed.label, {a_ve: s_ve * a_ve, b_ve: t_ve * b_ve, p_ve: s_ve**2 * p_ve, q_ve: t_ve**2 * q_ve},
        )),
    ),
)  # fmt: skip

entry = _lemma(
    label=f"{_LABEL}.entry",
    statement="For g between 0 and 1, (a + g b)² is at most 2 (a² + b²).",
    left=(a_ve + g_ve * b_ve) ** 2,
    right=2 * (a_ve**2 + b_ve**2),
    domain=Domain({a_ve: _ANY, b_ve: _ANY, g_ve: _UNIT}),
)

three = _lemma(
    label=f"{_LABEL}.three",
    statement="For g and h between 0 and 1, (a - b + (g - h) c)² is at most 3 (a² + b² + c²).",
    left=(a_ve - b_ve + (g_ve - h_ve) * c_ve) ** 2,
    right=3 * (a_ve**2 + b_ve**2 + c_ve**2),
    domain=Domain({a_ve: _ANY, b_ve: _ANY, c_ve: _ANY, g_ve: _UNIT, h_ve: _UNIT}),
)
