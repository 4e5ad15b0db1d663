"""The trace of the network's Hessian, block by block, for any family of sets and any input.

Every block's trace is a sum Σ a (v - f) q over the rows of an attention, with q ≥ 0 the squared distance of what a row
carries from its average: as values above their average f weigh as much as those below, and no more than C/4, it is at
most C/4 times the largest q.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.sharpness.disjoint_supports import KINKED
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    BITS,
    KEYS_SQUARED,
    LAST,
    LEVELS,
    OUTPUTS,
    RISE,
    RISEN,
    SEEN_BITS,
    SLOPES,
    TOP,
    mean,
    units_total,
)
from boundaudit.checks.sharpness.loss_hessian.rows import POSITIVE, TRACES, asked, parts_of_f, read, skewed
from boundaudit.checks.sharpness.loss_hessian.shared import claim
from boundaudit.checks.sharpness.proofs import FLOORED, proof
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, j, omega

_FAMILY = "for any family of sets, T ≥ 4 and coefficients from T⁻⁴ to 1"
_ANY = "for any family of sets, T ≥ 4 and any positive coefficients"
_LABEL = "sharpness.loss_hessian.network.trace"
_AVERAGES, _ROWS, _GRADIENTS = "sharpness.averages", "sharpness.loss_hessian.rows", "sharpness.gradients"
_OUT = T + 1

_A, _G, _MEAN = ATTENTION["finite"], OUTPUTS["finite"], mean("finite")
_PAIRS = {"n_av": T + 1, "a_av": _A, "g_av": _G, "m_av": _MEAN}
_SPREAD = _MEAN * (1 - _MEAN)
_WEIGHTS = f"{_GRADIENTS}.rows.weights[finite]"
_AVERAGE = Instance(f"{_AVERAGES}.mean", {"n_av": T + 1, "a_av": _A, "g_av": _G})
_QUARTER = Instance(f"{_AVERAGES}.quarter", {"m_av": _MEAN})
_UNUSED = f"{_GRADIENTS}.unused"


def _both_ways(name: str, of: Callable[[sp.Symbol], sp.Expr], **more: Any) -> tuple[Instance, Instance]:
    """How the outputs covary with other values, from above and from below."""
    up, down = (f"{_AVERAGES}.{name}.{way}" for way in ("up", "down"))
    at = {**_PAIRS, "q_av": of}
    return Instance(up, at, **more), Instance(down, at, **more)


def _size(block: str) -> sp.Expr:
    return sp.Abs(TRACES["finite"][block].atom)


def _at_most(block: str, bound: sp.Expr) -> Instance:
    return Instance(f"{_AVERAGES}.size", {"v_av": TRACES["finite"][block].atom, "e_av": bound})


def _chain(block: str, domain: Domain, *steps: Step) -> Derivation:
    return proof(
        f"{_LABEL}.{block}", f"The trace in {block}", domain, Step(_size(block), f"|tr Hess f| in {block}"), *steps
    )


# --- W2 -------------------------------------------------------------------------------------------

_PULLED = 3 * asked("finite") * _SPREAD

_second_layer = Case(
    "W2",
    statement=f"The trace of the Hessian of the construction's output in W2 is at most 3C/2 in size, {_ANY}; C is "
    "the sum of the coefficients.",
    left=_size("W2"),
    right=theory.NETWORK["W2"],
    domain=POSITIVE,
    derivation=_chain(
        "W2", POSITIVE,
        Step(_PULLED, "3C |x_out|² m (1-m)", "|x - x̄|² is 1 + Σa², which drops out, less 2a, and (g - m)²", (
            _WEIGHTS, _AVERAGE, *_both_ways("covariance", lambda t: _A[t]), *_both_ways("apart", lambda t: _G[t]),
            f"{_ROWS}.W2", _at_most("W2", _PULLED),
        )),
        Step(3 * asked("finite") / 4, "3C/4 |x_out|²", "m (1-m) ≤ 1/4", (_WEIGHTS, _AVERAGE, _QUARTER)),
        Step(theory.NETWORK["W2"], "3C/2", "|x_out|² = 1 + g² ≤ 2"),
    ),
)  # fmt: skip

# --- F --------------------------------------------------------------------------------------------

_KEYS, _LOG = KEYS_SQUARED["finite"].atom, 16 * sp.log(T) ** 2
_TOPS, _RISES = units_total(TOP["finite"][j] ** 2), units_total(RISE["finite"][j] ** 2)
_LASTS = units_total(TOP["finite"][j] ** 2 * LAST["finite"][j] ** 2)
_WRITTEN = parts_of_f("finite", _RISES * _SPREAD, _LASTS, _SPREAD)

_output_weights = Case(
    "F",
    statement="The trace of the Hessian of the construction's output in F is at most C log²T (ω R + 4 H) in size, with "
    "C the sum of the coefficients, H = (2D+1) (2(D+1)/(3D) + 5u/(16D²)) and R = 2(D+1)(2D+1)/(3D) - "
    f"(8-u)/(8D) the largest squared length of a row's hidden units and distance of two rows', u = 1 (steep) or "
    f"2 (wide), {_FAMILY}.",
    left=_size("F"),
    right=theory.NETWORK["F"],
    domain=FLOORED,
    derivation=_chain(
        "F", FLOORED,
        Step(_WRITTEN, "keys and query by the mean", "|Σ a (g - m) (x - x̄)²| ≤ m (1-m) for x in [0, 1]", (
            _WEIGHTS, _AVERAGE,
            *_both_ways("apart", lambda t: RISEN["finite"][t, j], over=(j, 1, UNITS), weight=RISE["finite"][j] ** 2),
            *_both_ways("apart", lambda t: LEVELS["finite"][t]), f"{_ROWS}.F", _at_most("F", _WRITTEN),
        )),
        Step(SUM / 4 * (_KEYS * _RISES + _LOG * _LASTS), "C/4", "m (1-m) ≤ 1/4", (_WEIGHTS, _AVERAGE, _QUARTER)),
        Step(SUM / 4 * (_KEYS * _RISES + _LOG * _TOPS), "units at most as at one", "they rise with s",
             Instance(f"{_AVERAGES}.below-one", {"m_av": LAST["finite"][j]}, over=(j, 1, UNITS),
                      weight=TOP["finite"][j] ** 2)),
        Step(SUM / 4 * (_KEYS * _RISES + _LOG * LENGTH), "|h(1)|²", "summed",
             (f"{_GRADIENTS}.rows.top[finite]", "sharpness.activations.hidden.length.closed-form")),
        Step(SUM / 4 * (_KEYS * SPREAD + _LOG * LENGTH), "|h(1) - h(0)|²", "summed",
             (f"{_GRADIENTS}.rows.rise[finite]", "sharpness.activations.hidden.spread.closed-form")),
        Step(theory.NETWORK["F"], "C log²T (ω R + 4H)", "|w2|² ≤ 4ω log²T",
             (f"{_GRADIENTS}.rows.keys[finite]", f"{_GRADIENTS}.F.keys")),
    ),
)  # fmt: skip

# --- W1 -------------------------------------------------------------------------------------------

_SEEN = SEEN_BITS["finite"][_OUT]
_BEND = _SEEN * (1 - _SEEN)

_first_layer = Case(
    "W1",
    statement="The trace of the Hessian of the construction's output in W1 is at most 6D/u · C N/(C T² + N) in size, "
    f"with N = T+1-ω unused rows, C the sum of the coefficients, u = 1 for the steep and 2 for the wide trapezoid, "
    f"{_ANY}: unused rows alone sit on flanks of the MLP.",
    left=_size("W1"),
    right=theory.NETWORK["W1"],
    domain=POSITIVE,
    limitations=(KINKED,),
    derivation=_chain(
        "W1", POSITIVE,
        Step(skewed("finite"), "unused rows alone", "chain rule", f"{_ROWS}.W1"),
        Step(read("finite", SLOPES["finite"][_OUT] * _BEND), "s (1-s)", "|1 - 2s| ≤ 1",
             (_UNUSED, Instance(f"{_AVERAGES}.size", {"v_av": 1 - 2 * _SEEN, "e_av": 1}))),
        Step(read("finite", _BEND), "slopes", "|g'| ≤ 4D/u", _UNUSED),
        Step(read("finite", sp.Rational(1, 4)), "1/4", "s (1-s) ≤ 1/4",
             (_UNUSED, Instance(f"{_AVERAGES}.quarter", {"m_av": _SEEN}))),
        Step(theory.NETWORK["W1"], "unused attention", "bits are at most one",
             (_UNUSED, Instance(f"{_AVERAGES}.count",
                                {"n_av": INACTIVE, "g_av": lambda t: BITS["finite"][omega + t]}))),
    ),
)  # fmt: skip

trace = claim(
    label=_LABEL,
    statement="The traces of the diagonal blocks of the Hessian of the construction's output are small in W1, F and "
    f"W2, and zero in all other blocks, {_FAMILY}.",
    expected="proved",
    cases=(_first_layer, _output_weights, _second_layer),
)
