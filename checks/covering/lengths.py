"""Lengths of vectors: Cauchy's and the triangle inequality, ReLU, the unit ball, and errors that add up over layers."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.derivations.covering import lengths as theory
from boundaudit.derivations.covering.lengths import (
    L_len,
    a_len,
    b_len,
    c_len,
    d_len,
    f_len,
    first,
    g_len,
    l_len,
    p_len,
    q_len,
    r_len,
    s_len,
    second,
    u_len,
    v_len,
    y_len,
)

_PLACE = ("Multi-layer theorem",)
_lemma = functools.partial(Claim, paper=COMPARATOR, place=_PLACE, expected="proved")
_REAL, _POSITIVE = Reals(tested_to=4), Reals(0, open_low=True, tested_to=4)
_VECTORS: dict[Any, Range] = {d_len: Integers(1, tested_to=4), a_len: Vector(d_len, _REAL), b_len: Vector(d_len, _REAL)}
_PAIRS = Domain(_VECTORS)
_LENGTHS = theory.length(first) * theory.length(second)
_BOUNDED = Domain(
    {**_VECTORS, r_len: Reals(0, tested_to=8), s_len: Reals(0, tested_to=8)},
    where=[theory.squared(first) <= r_len**2, theory.squared(second) <= s_len**2],
)
_SHORTER = tuple(
    Instance("sharpness.averages.root", {"e_av": theory.length(of), "x_av": most**2})
    for of, most in ((first, r_len), (second, s_len))
)


def _proved(
    label: str, statement: str, domain: Domain, sample: tuple[str, Point], *steps: Step, relation: Any = "<="
) -> Claim:
    """A claim from the first step to the last, with its proof."""
    chain = Derivation(
        label=f"{label}.steps", title=statement, steps=steps, domain=domain, samples=dict([sample]), paper=COMPARATOR,
        place=_PLACE,
    )  # fmt: skip
    return _lemma(
        label=label, statement=statement, left=steps[0].value, relation=relation, right=steps[-1].value, domain=domain,
        derivation=chain,
    )  # fmt: skip


# --- vectors -----------------------------------------------------------------------------------------

product = _lemma(
    label="covering.lengths.product",
    statement="The inner product of two vectors is at most the product of their lengths: Cauchy-Schwarz.",
    left=theory.PRODUCT,
    right=_LENGTHS,
    domain=_PAIRS,
    kind="Tight",
    equality=({"d_len": 2, "a_len": (1, 2), "b_len": (2, 4)},),
)

opposed = _lemma(
    label="covering.lengths.opposed",
    statement="So is the inner product of a vector with the opposite of another.",
    left=-theory.PRODUCT,
    right=_LENGTHS,
    domain=_PAIRS,
    kind="Tight",
    equality=({"d_len": 2, "a_len": (1, 2), "b_len": (-2, -4)},),
)

together = _proved(
    "covering.lengths.together", "The sum of two vectors that are no longer than r and s is no longer than r + s: the "
    "triangle inequality.", _BOUNDED, ("two", {"d_len": 2, "a_len": (3, 4), "b_len": (6, 8), "r_len": 5, "s_len": 10}),
    Step(theory.squared(lambda i: a_len[i] + b_len[i]), "squared length of the sum"),
    Step(theory.squared(first) + theory.squared(second) + 2 * _LENGTHS, "lengths", "Cauchy-Schwarz", product.label),
    Step((r_len + s_len) ** 2, "(r + s)²", "", _SHORTER),
)  # fmt: skip

inner = _proved(
    "covering.lengths.inner",
    "The inner product of two vectors that are no longer than r and s is at most r s.",
    _BOUNDED,
    ("two", {"d_len": 2, "a_len": (3, 4), "b_len": (6, 8), "r_len": 5, "s_len": 10}),
    Step(theory.PRODUCT, "inner product"),
    Step(_LENGTHS, "lengths", "Cauchy-Schwarz", product.label),
    Step(r_len * s_len, "r s", "", _SHORTER),
)

smaller = _lemma(
    label="covering.lengths.smaller",
    statement="Of two numbers that are not negative the one with the smaller square is the smaller.",
    left=r_len,
    right=s_len,
    domain=Domain({r_len: Reals(0, tested_to=4), s_len: Reals(0, tested_to=4)}, where=[r_len**2 <= s_len**2]),
    kind="Tight",
    equality=({"r_len": 2, "s_len": 2},),
)

# --- ReLU and the projection -------------------------------------------------------------------------

relu = _lemma(
    label="covering.lengths.relu",
    statement="The positive parts of two numbers differ by at most as much as the numbers.",
    left=(sp.Max(u_len, 0) - sp.Max(v_len, 0)) ** 2,
    right=(u_len - v_len) ** 2,
    domain=Domain({u_len: _REAL, v_len: _REAL}),
    kind="Tight",
    equality=({"u_len": 1, "v_len": 3},),
)

ball = _lemma(
    label="covering.lengths.ball",
    statement="Two vectors of lengths p and q and inner product c, from -pq to pq, are on the unit ball at most as far "
    "apart as they are themselves.",
    left=theory.IN_BALL,
    right=theory.ANYWHERE,
    domain=Domain({p_len: Reals(0, tested_to=4), q_len: Reals(0, tested_to=4), c_len: Reals(-p_len * q_len,
                                                                                            p_len * q_len)}),
    kind="Tight",
    equality=({"p_len": 1, "q_len": 1, "c_len": 0},),
)  # fmt: skip

scaled = _lemma(
    label="covering.lengths.scaled",
    statement="The squared distance of two vectors, each divided by a number, written out.",
    left=theory.SCALED,
    relation="=",
    right=theory.SCALED_OPEN,
    domain=Domain({**_VECTORS, f_len: _POSITIVE, g_len: _POSITIVE}),
)

_AS_LENGTHS = {p_len: theory.length(first), q_len: theory.length(second), c_len: theory.PRODUCT}
_TWO: Point = {"d_len": 2, "a_len": (2, 1), "b_len": (0.5, 2)}

projected = _proved(
    "covering.lengths.projected", "The projection on the unit ball enlarges no distance.", _PAIRS, ("two", _TWO),
    Step(theory.squared(theory.apart(theory.projected(first), theory.projected(second))), "projected"),
    Step(theory.IN_BALL.subs(_AS_LENGTHS), "by lengths and product", "written out", Instance(
        scaled.label, {f_len: sp.Max(theory.length(first), 1), g_len: sp.Max(theory.length(second), 1)})),
    Step(theory.ANYWHERE.subs(_AS_LENGTHS), "not projected", "lengths are cut at one",
         (product.label, opposed.label, Instance(ball.label, _AS_LENGTHS))),
    Step(theory.squared(theory.apart(first, second)), "distance"),
)  # fmt: skip

# --- layers ------------------------------------------------------------------------------------------

_STACK: dict[Any, Range] = {L_len: Integers(1, tested_to=5), y_len: Vector(L_len + 1, _REAL)}

steps = _lemma(
    label="covering.lengths.steps",
    statement="The steps from each of several numbers to the next add up to the one from the first to the last.",
    left=theory.STEPS,
    relation="=",
    right=y_len[L_len + 1] - y_len[1],
    domain=Domain(_STACK),
)

grown = _proved(
    "covering.lengths.grown", "What each of L layers adds to λ times the error before it, times λ for every later "
    "layer, adds up to the last error less λ^L times the first.", Domain({**_STACK, l_len: _POSITIVE}),
    ("two layers", {"L_len": 2, "y_len": (0, 1, 4), "l_len": 2}),
    Step(theory.GROWN_STEPS, "what layers add"),
    Step(theory.GROWN_STEPS_OPEN, "from each to the next"),
    Step(y_len[L_len + 1] - l_len**L_len * y_len[1], "from first to last", "", Instance(
        steps.label, {y_len: lambda i: l_len ** (L_len + 1 - i) * y_len[i]})),
    relation="=",
)  # fmt: skip

PROVED = (together, inner, projected, grown)
proofs = tuple(stated.derivation for stated in PROVED)
