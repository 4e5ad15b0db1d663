"""Theorem 18: inequalities in numbers about tokens, unused rows and logits that bounds on the Hessian come from."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness import hessian_parts as parts
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.averages import e_av, s_av, v_av, x_av
from boundaudit.derivations.sharpness.hessian_lemmas import x_hl, y_hl, z_hl
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")

token = _lemma(
    label="sharpness.hessian.lemmas.token",
    statement="1/D + s² + 2 (s(1-s)/D + s²(1-s)²) is at most 1 + 65/(64 D) for s from 0 to 1: the squared length of "
    "what V1 and W1 move a row's average s of bits by, where no weight of its attention exceeds 1/D.",
    left=theory.TOKEN,
    right=theory.TOKEN_BOUND,
    domain=Domain({D: Integers(1), s_av: Reals(0, 1)}),
)

scaled = _lemma(
    label="sharpness.hessian.lemmas.scaled",
    statement="For x, y and z that are not negative and T ≥ 4, √(ω x + y + √ω z/T) is at most √ω √(x + y + z/4).",
    left=theory.SCALED,
    right=theory.SCALED_BOUND,
    domain=Domain({
        T: Integers(4), omega: Integers(1), x_hl: Reals(0, tested_to=9), y_hl: Reals(0, tested_to=9),
        z_hl: Reals(0, tested_to=9),
    }),
)  # fmt: skip

spread = _lemma(
    label="sharpness.hessian.lemmas.spread",
    statement="The closed form of the squared distance of two rows' hidden units is not negative.",
    left=sp.S.Zero,
    right=SPREAD,
    domain=Domain({D: Integers(1), u: BOTH}),
)

_LESS = {parts.total_h: x_hl, parts.keys_h: y_hl, parts.range_h: z_hl}
_WHERE: dict[Any, Range] = {T: Integers(4), D: Integers(1), u: BOTH}
_THREE: dict[Any, Range] = {name: Reals(0, tested_to=9) for name in _LESS.values()}
_SIX: dict[Any, Range] = {more: Reals(_LESS[size], tested_to=9) for size, more in parts.LARGER.items()}


def in_closed_form(name: str, sizes: parts.Sizes) -> sp.Expr:
    """A part of the bounds in closed form."""
    return parts.put((parts.RISING | parts.UNDER_ROOTS)[name], sizes)


_SMALLER = Domain(_WHERE | _THREE)


def _weighted(e: sp.Expr, x: sp.Expr) -> Instance:
    return Instance("sharpness.averages.weighted", {e_av: e, v_av: sp.S.Zero, x_av: x})


real = _lemma(
    label="sharpness.hessian.lemmas.real",
    statement="What stands under roots in the bounds on the parts is not negative.",
    left=sp.S.Zero,
    domain=_SMALLER,
    cases=tuple(Case(name, right=in_closed_form(name, _LESS)) for name in parts.UNDER_ROOTS),
)


rises = _lemma(
    label="sharpness.hessian.lemmas.rises",
    statement="The bounds on the parts rise with C, |w2|² and the range of logits, summand by summand and factor by "
    "factor.",
    domain=Domain(_WHERE | _THREE | _SIX),
    cases=tuple(
        Case(name, left=in_closed_form(name, _LESS), right=in_closed_form(name, parts.LARGER)) for name in parts.RISING
    ),
)

four = _lemma(
    label="sharpness.hessian.lemmas.four",
    statement="v + l + s/2 + √(s²/4 + q²) rises with each of four numbers v, l, s and q that are not negative.",
    left=parts.FOUR,
    right=parts.FOUR.xreplace(parts.ABOVE),
    domain=Domain(
        {norm: Reals(0) for norm in parts.ABOVE} | {above: Reals(norm) for norm, above in parts.ABOVE.items()}
    ),
)


def four_at(norms: Mapping[str, Any], bounds: Mapping[str, Any]) -> Instance:
    """That the sum of the four parts rises with them."""
    at = {norm: norms[part] for part, norm in parts.NORMS.items()}
    return Instance(four.label, at | {parts.ABOVE[norm]: bounds[part] for part, norm in parts.NORMS.items()})


def rising(sizes: parts.Sizes, larger: parts.Sizes) -> tuple[Instance, ...]:
    """That the bounds on the parts rise, and that roots are taken of what is not negative."""
    less = {name: sizes[size] for size, name in _LESS.items()}
    again = {name: larger[size] for size, name in _LESS.items()}
    more = {name: larger[size] for size, name in parts.LARGER.items()}
    return (
        _weighted(sp.S.One, sizes[parts.keys_h]),
        *(Instance(f"{real.label}[{name}]", at) for name in parts.UNDER_ROOTS for at in (less, again)),
        *(Instance(f"{rises.label}[{name}]", less | more) for name in parts.RISING),
        _weighted(in_closed_form("changes", larger) / 16, in_closed_form("reach", larger)),
    )  # fmt: skip
