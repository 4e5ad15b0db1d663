"""Theorem 18: inequalities in numbers about tokens, unused rows and logits that bounds on the Hessian come from."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.targets import FLOOR, PAPER
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.averages import s_av
from boundaudit.derivations.sharpness.hessian_lemmas import c_hl, x_hl, y_hl
from boundaudit.derivations.sharpness.parameters import D, T, omega

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")

token = _lemma(
    label="sharpness.hessian.lemmas.token",
    statement="1/D + s² + 2 (s(1-s)/D + s²(1-s)²) is at most 1 + 65/(64 D) for s from 0 to 1: the squared length of "
    "what V1 and W1 move a row's average s of bits by, where no weight of its attention exceeds 1/D.",
    left=theory.TOKEN,
    right=theory.TOKEN_BOUND,
    domain=Domain({D: Integers(1), s_av: Reals(0, 1)}),
)

leak = _lemma(
    label="sharpness.hessian.lemmas.leak",
    statement="The attention N/(C T² + N) of layer 2 to the N = T+1-ω rows that no component uses is at most 1/T once "
    "multiplied by C, the sum of the coefficients.",
    left=theory.LEAK,
    right=theory.LEAK_BOUND,
    domain=Domain({T: Integers(2), omega: Integers(1, T), C: Reals(0, open_low=True)}),
)

logit = _lemma(
    label="sharpness.hessian.lemmas.logit",
    statement="A logit log c + 2 log T of layer 2 is at most 2 log T in size for a coefficient c from T⁻⁴ to 1.",
    left=theory.LOGIT,
    right=theory.LONGEST_LOGIT,
    domain=Domain({T: Integers(2), c_hl: Reals(FLOOR, 1)}),
)

two_logits = _lemma(
    label="sharpness.hessian.lemmas.two-logits",
    statement="The squared distance of two numbers is at most twice the sum of their squares.",
    left=(x_hl - y_hl) ** 2,
    right=2 * (x_hl**2 + y_hl**2),
    domain=Domain({x_hl: Reals(), y_hl: Reals()}),
)
