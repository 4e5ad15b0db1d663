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
_SAMPLE = {"alike": {"p_ve": 1, "q_ve": 1, "e_ve": 1, "f_ve": 1, "a_ve": 1, "b_ve": 1}}

product = _lemma(
    label=f"{_LABEL}.product",
    statement="Where a² ≤ p e and b² ≤ q f, (a b)² is at most p f times q e.",
    left=(a_ve * b_ve) ** 2,
    right=(p_ve * f_ve) * (q_ve * e_ve),
    domain=_PARTS,
)


def _parted(name: str, statement: str, left: sp.Expr, right: sp.Expr, why: str, *uses: Instance) -> Claim:
    return _lemma(
        label=f"{_LABEL}.{name}", statement=statement, left=left, right=right, domain=_PARTS,
        derivation=Derivation(
            label=f"{_LABEL}.{name}.steps", title="Numbers in parts", domain=_PARTS, samples=_SAMPLE, paper=PAPER,
            place=("Theorem 18",), steps=(Step(left, "as it is"), Step(right, "by sizes and shares", why, uses)),
        ),
    )  # fmt: skip


_CROSSED = p_ve * f_ve + q_ve * e_ve
mixed = _parted(
    "mixed", "Where a² ≤ p e and b² ≤ q f, 2 a b is at most p f + q e.", 2 * a_ve * b_ve, _CROSSED,
    "its square is at most 4 p f q e", Instance(product.label),
    Instance(below.label, {a_ve: 2 * a_ve * b_ve, p_ve: _CROSSED}),
)  # fmt: skip
two = _parted(
    "two", "Where a² ≤ p e and b² ≤ q f, (a + b)² is at most (p + q)(e + f).", (a_ve + b_ve) ** 2,
    (p_ve + q_ve) * (e_ve + f_ve), "2 a b ≤ p f + q e", Instance(mixed.label),
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
