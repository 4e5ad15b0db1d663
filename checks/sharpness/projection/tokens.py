"""Theorem 11 under a random projection: how much longer the projected tokens are, by a chi-square tail and a union."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, evaluated, measured
from boundaudit.checks.sharpness.projection.shared import claim as any_claim
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.derivations.sharpness.projection import K, epsilon
from boundaudit.numeric.sharpness.projection import any_length_upper

_claim = functools.partial(any_claim, place=("Theorem 11", "Appendix B.2"))

exponent = _claim(
    label="sharpness.projection.tokens.exponent",
    statement="For ε ≤ 1, log(1+η) is at most η - 4ε² with η = 4ε + 2ε², the excess of χ²_d/d that makes a projected "
    "token √2 (1+ε) long: Chernoff's exponent d (η - log(1+η))/2 is at least 2dε².",
    left=sp.log(1 + theorem.LENGTHENED),
    relation="<=",
    right=theorem.LENGTHENED_LOG,
    domain=Domain({epsilon: Reals(0, 1)}),
    kind="Tight",
    equality=({"epsilon": 0},),
    expected="proved",
)

_WIDTH, _EXCESS = evaluated(theorem.token_width), evaluated(lambda: theorem.LENGTHENED)


@measured
def _longer(at: Columns) -> Tensor:
    width, excess = (torch.tensor(of(at.points, at.device), device=at.device) for of in (_WIDTH, _EXCESS))
    return any_length_upper(at.whole("T") + 1, width, excess)


_TOKENS = Quantity(
    "probability that one of T+1 projected tokens is longer than √2 (1+ε)", _longer,
    r"\mathbb{P}\left[\|\tilde X\|_{2,\infty} > \sqrt{2}\, (1+\epsilon)\right]", rounding=1e-9,
)  # fmt: skip
_ALL_SET = "The input of ones, whose tokens are longest; at the output position's token, too, a one is counted."

printed = _claim(
    label="sharpness.projection.tokens.printed",
    statement="A Gaussian projection of the positions to a width of order log T, ⌈K log((T+1)/δ)/ε²⌉, leaves every "
    "token at most √2 (1+ε) long with probability at least 1-δ, for every constant K ≥ 1/2 and ε ≤ 1.",
    left=_TOKENS,
    relation="<=",
    right=fail,
    domain=Domain({
        T: Integers(2, tested_to=1000),
        epsilon: Reals(sp.Rational(1, 16), 1),
        fail: Reals(sp.Rational(1, 10**9), sp.Rational(1, 4)),
        K: Reals(sp.Rational(1, 2), tested_to=8),
    }),
    mode="with probability at least 1-δ",
    role="printed",
    reading="plausible",
    rests_on=("sharpness.projection.tokens.exponent", "sharpness.projection.union"),
    limitations=(
        "The text leaves the constant of the width open; it is a parameter here. Chernoff's bound, T+1 times.",
        _ALL_SET,
    ),
)  # fmt: skip
