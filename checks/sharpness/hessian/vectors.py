"""Theorem 18: sums of products against lengths, and numbers in parts against the lengths of a direction's parts."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import vectors as theory
from boundaudit.derivations.sharpness.averages import a_av, e_av, g_av, m_av, n_av, q_av, total, v_av, x_av
from boundaudit.derivations.sharpness.parameters import t
from boundaudit.derivations.sharpness.vectors import (
    a_ve,
    b_ve,
    c_ve,
    d_ve,
    e_ve,
    f_ve,
    g_ve,
    h_ve,
    n_ve,
    o_ve,
    p_ve,
    q_ve,
    r_ve,
    s_ve,
    t_ve,
    u_ve,
    v_ve,
    w_ve,
    x_ve,
    y_ve,
    z_ve,
)  # fmt: skip

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")
_ANY, _UNIT = Reals(tested_to=4), Reals(0, 1)
_LABEL = "sharpness.hessian.vectors"

cauchy = _lemma(
    label=f"{_LABEL}.cauchy",
    statement="The square of a sum of products is at most the sum of squares of the one factors times that of the "
    "others: Cauchy-Schwarz.",
    left=theory.PRODUCTS**2, right=theory.SQUARES,
    domain=Domain({n_av: Integers(1, tested_to=6), x_ve: Vector(n_av, _ANY), y_ve: Vector(n_av, _ANY)}),
)  # fmt: skip

apart = _lemma(
    label=f"{_LABEL}.apart",
    statement="The squared distance of two numbers between 0 and 1 is at most one.",
    left=(g_ve - h_ve) ** 2, right=sp.S.One, domain=Domain({g_ve: _UNIT, h_ve: _UNIT}),
)  # fmt: skip

inside = _lemma(
    label=f"{_LABEL}.inside",
    statement="The square of a number between -1 and 1 is at most one.",
    left=c_ve**2, right=sp.S.One, domain=Domain({c_ve: Reals(-1, 1)}),
)  # fmt: skip

below = _lemma(
    label=f"{_LABEL}.below",
    statement="A number whose square is at most that of a number p ≥ 0 is at most p.",
    left=a_ve, right=p_ve, domain=Domain({p_ve: Reals(0, tested_to=4), a_ve: _ANY}, where=[a_ve**2 <= p_ve**2]),
)  # fmt: skip

root = _lemma(
    label=f"{_LABEL}.root",
    statement="A number whose square is at most p is at most √p.",
    left=a_ve, right=sp.sqrt(p_ve), domain=Domain({p_ve: Reals(0, tested_to=4), a_ve: _ANY}, where=[a_ve**2 <= p_ve]),
)  # fmt: skip

rising = _lemma(
    label=f"{_LABEL}.rising",
    statement="The root of a number p ≥ 0 is at most that of a larger one.",
    left=sp.sqrt(p_ve), right=sp.sqrt(q_ve), domain=Domain({p_ve: Reals(0), q_ve: Reals(p_ve)}),
)  # fmt: skip

same = _lemma(
    label=f"{_LABEL}.same",
    statement="Numbers that are equal have equal squares.",
    left=a_ve**2, right=b_ve**2, domain=Domain({a_ve: _ANY, b_ve: _ANY}, where=[a_ve <= b_ve, a_ve >= b_ve]),
)  # fmt: skip

_SIZES: dict[Any, Any] = {name: Reals(0, tested_to=4) for name in (p_ve, q_ve, e_ve, f_ve)}
_PARTS = Domain(
    {**_SIZES, a_ve: _ANY, b_ve: _ANY}, where=[a_ve**2 <= p_ve * e_ve, b_ve**2 <= q_ve * f_ve]
)  # fmt: skip

product = _lemma(
    label=f"{_LABEL}.product",
    statement="Where a² ≤ p e and b² ≤ q f, (a b)² is at most p f times q e.",
    left=(a_ve * b_ve) ** 2, right=(p_ve * f_ve) * (q_ve * e_ve), domain=_PARTS,
)  # fmt: skip


_SCALED = Domain({**_PARTS.ranges, s_ve: _ANY, t_ve: _ANY}, where=_PARTS.where)


def chained(
    label: str, domain: Domain, statement: str, *steps: Step, sample: int | Fraction = 1, **apart: Any
) -> dict[str, Any]:
    """What a lemma says that a chain proves."""
    chain = Derivation(
        label=f"{label}.steps", title="A number in parts", domain=domain, paper=PAPER, place=("Theorem 18",),
        samples={"alike": {name: apart.get(name, sample) for name in map(str, domain.ranges)}}, steps=steps,
    )  # fmt: skip
    sides = {"left": steps[0].value, "right": steps[-1].value}
    return {"label": label, "statement": statement, **sides, "domain": domain, "derivation": chain}


def _by_steps(name: str, *said: Any, **apart: Any) -> Claim:
    return _lemma(**chained(f"{_LABEL}.{name}", *said, **apart))


_CROSSED = p_ve * f_ve + q_ve * e_ve
mixed = _by_steps(
    "mixed", _PARTS,
    "Where a² ≤ p e and b² ≤ q f, 2 a b is at most p f + q e.",
    Step(2 * a_ve * b_ve, "2 a b"),
    Step(_CROSSED, "p f + q e", "its square is at most 4 p f q e", (
        Instance(product.label), Instance(below.label, {a_ve: 2 * a_ve * b_ve, p_ve: _CROSSED}),
    )),
)  # fmt: skip
both = _by_steps(
    "both", _SCALED,
    "Where a² ≤ p e and b² ≤ q f, (s a + t b)² is at most (s² p + t² q)(e + f).",
    Step((s_ve * a_ve + t_ve * b_ve) ** 2, "as it is"),
    Step((s_ve**2 * p_ve + t_ve**2 * q_ve) * (e_ve + f_ve), "by sizes and shares", "2 a b ≤ p f + q e", Instance(
        mixed.label, {a_ve: s_ve * a_ve, b_ve: t_ve * b_ve, p_ve: s_ve**2 * p_ve, q_ve: t_ve**2 * q_ve},
    )),
)  # fmt: skip

_LONGER = Domain({
    n_av: Integers(1, tested_to=6), x_ve: Vector(n_av, _ANY), y_ve: Vector(n_av, _ANY), a_ve: _ANY, b_ve: _ANY,
})  # fmt: skip
longer = _by_steps(
    "longer", _LONGER,
    "(Σ x y + a b)² is at most (Σ x² + a²)(Σ y² + b²): Cauchy-Schwarz with one entry more.",
    Step(theory.LONGER, "as it is"),
    Step(theory.LONGER_SQUARES, "by lengths", "Cauchy-Schwarz", (Instance(cauchy.label), Instance(both.label, {
        a_ve: theory.PRODUCTS, p_ve: theory.OWN_SQUARES, e_ve: theory.OTHER_SQUARES, b_ve: a_ve * b_ve,
        q_ve: a_ve**2, f_ve: b_ve**2, s_ve: sp.S.One, t_ve: sp.S.One,
    }))),
    n_av=2, x_ve=(1, 1), y_ve=(1, 2),
)  # fmt: skip

_HALVES = Domain({**_SIZES, a_ve: _ANY}, where=[a_ve**2 <= q_ve * e_ve * f_ve, q_ve <= p_ve**2, e_ve + f_ve <= 1])
halves = _by_steps(
    "halves", _HALVES,
    "Where a² ≤ q e f, q ≤ p², e + f ≤ 1 and p, q, e and f are not negative, 2 |a| is at most p.",
    Step(2 * sp.Abs(a_ve), "2 |a|"),
    Step(p_ve, "p", "4 e f ≤ 1", (
        Instance("sharpness.averages.quarter", {m_av: e_ve}),
        Instance("sharpness.averages.weighted", {e_av: 4 * q_ve * e_ve, v_av: f_ve, x_av: 1 - e_ve}),
        Instance("sharpness.averages.weighted", {
            e_av: 4 * q_ve, v_av: e_ve * (1 - e_ve), x_av: sp.Rational(1, 4),
        }),
        Instance(below.label, {a_ve: 2 * a_ve}), Instance(below.label, {a_ve: -2 * a_ve}),
        Instance("sharpness.averages.size", {v_av: 2 * a_ve, e_av: p_ve}),
    )),
    sample=Fraction(1, 2), p_ve=1, q_ve=1,
)  # fmt: skip

_SHARED = Domain(
    {name: Reals(0, tested_to=4) for name in (p_ve, q_ve, e_ve, f_ve, g_ve)}
    | dict.fromkeys((a_ve, b_ve, s_ve, t_ve), _ANY),
    where=[a_ve**2 <= p_ve * (g_ve * e_ve), b_ve**2 <= q_ve * (g_ve * f_ve)],
)  # fmt: skip
along = _by_steps(
    "along", _SHARED,
    "Where a² ≤ p g e and b² ≤ q g f, (s a + t b)² is at most (s² p + t² q) g (e + f).",
    Step((s_ve * a_ve + t_ve * b_ve) ** 2, "as it is"),
    Step((s_ve**2 * p_ve + t_ve**2 * q_ve) * (g_ve * (e_ve + f_ve)), "by sizes and shares", "",
         Instance(both.label, {e_ve: g_ve * e_ve, f_ve: g_ve * f_ve})),
)  # fmt: skip

parted = _lemma(
    label=f"{_LABEL}.parted",
    statement="Where c = 2 a + 2 s b and s ≥ 0, |c| is at most 2 |a| + 2 s |b|.",
    left=sp.Abs(c_ve), right=2 * sp.Abs(a_ve) + 2 * s_ve * sp.Abs(b_ve),
    domain=Domain(
        {a_ve: _ANY, b_ve: _ANY, c_ve: _ANY, s_ve: Reals(0, tested_to=4)},
        where=[c_ve <= 2 * a_ve + 2 * s_ve * b_ve, c_ve >= 2 * a_ve + 2 * s_ve * b_ve],
    ),
)  # fmt: skip

_THREE: dict[Any, Any] = {
    **{name: _SIZES[name] for name in (p_ve, q_ve)}, **{name: Reals(0, tested_to=4) for name in (f_ve, g_ve, h_ve)},
    r_ve: Reals(0, tested_to=4), a_ve: _ANY, b_ve: _ANY, c_ve: _ANY, e_ve: Reals(-f_ve, f_ve), s_ve: Reals(-g_ve, g_ve),
    t_ve: Reals(-h_ve, h_ve),
}  # fmt: skip
_WEIGHED_SIZES = Domain(_THREE, where=[sp.Abs(a_ve) <= p_ve, sp.Abs(b_ve) <= q_ve, sp.Abs(c_ve) <= r_ve])
_SUM_OF_THREE = e_ve * a_ve + s_ve * b_ve + t_ve * c_ve
sizes = _lemma(
    label=f"{_LABEL}.sizes",
    statement="Where |a| ≤ p, |b| ≤ q, |c| ≤ r, |e| ≤ f, |s| ≤ g and |t| ≤ h, |e a + s b + t c| is at most "
    "f p + g q + h r.",
    left=sp.Abs(_SUM_OF_THREE), right=f_ve * p_ve + g_ve * q_ve + h_ve * r_ve, domain=_WEIGHED_SIZES,
)  # fmt: skip

_SIGNED = Domain({
    n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, tested_to=4)), q_av: Vector(n_av, Reals(-1, 1)),
})  # fmt: skip
signed = _by_steps(
    "signed", _SIGNED,
    "For weights a ≥ 0 and numbers q between -1 and 1, |Σ a q| is at most Σ a.",
    Step(sp.Abs(theory.CENTRE), "|Σ a q|"),
    Step(theory.WHOLE, "Σ a", "(1+q)/2 and (1-q)/2 are between 0 and 1", (
        Instance("sharpness.averages.mean", {"g_av": lambda t: (1 + q_av[t]) / 2}),
        Instance("sharpness.averages.mean", {"g_av": lambda t: (1 - q_av[t]) / 2}),
        Instance("sharpness.averages.size", {v_av: theory.CENTRE, e_av: theory.WHOLE}),
    )),
    n_av=2, a_av=(1, 1), q_av=(1, 0.5),
)  # fmt: skip

_SPLIT = Domain(
    {p_ve: _SIZES[p_ve], q_ve: _SIZES[q_ve], e_ve: _SIZES[e_ve], a_ve: _ANY, b_ve: _ANY},
    where=[a_ve**2 <= p_ve * e_ve, b_ve**2 <= q_ve * (1 - e_ve)],
)  # fmt: skip
crossed = _by_steps(
    "crossed", _SPLIT,
    "Where a² ≤ p e and b² ≤ q (1-e), (2 a b)² is at most p q.",
    Step((2 * a_ve * b_ve) ** 2, "(2 a b)²"),
    Step(4 * p_ve * e_ve * b_ve**2, "4 p e b²", "",
         Instance("sharpness.averages.weighted", {e_av: 4 * b_ve**2, v_av: a_ve**2, x_av: p_ve * e_ve})),
    Step(4 * p_ve * e_ve * (q_ve * (1 - e_ve)), "4 p q e (1-e)", "", Instance(
        "sharpness.averages.weighted", {e_av: 4 * p_ve * e_ve, v_av: b_ve**2, x_av: q_ve * (1 - e_ve)},
    )),
    Step(p_ve * q_ve, "p q", "e (1-e) ≤ 1/4"),
    sample=Fraction(1, 2),
)  # fmt: skip

_ROOTED = Domain(
    {**{name: _SIZES[name] for name in (p_ve, q_ve, e_ve)}, b_ve: _ANY, c_ve: Reals(0, tested_to=4)},
    where=[c_ve <= p_ve * e_ve, b_ve**2 <= q_ve * (1 - e_ve)],
)  # fmt: skip
rooted = _by_steps(
    "rooted", _ROOTED,
    "Where c ≤ p e and b² ≤ q (1-e), 2 √c b is at most √(p q).",
    Step(2 * sp.sqrt(c_ve) * b_ve, "as it is"),
    Step(sp.sqrt(p_ve * q_ve), "its square is at most p q", "", (
        Instance(crossed.label, {a_ve: sp.sqrt(c_ve)}),
        Instance(below.label, {a_ve: 2 * sp.sqrt(c_ve) * b_ve, p_ve: sp.sqrt(p_ve * q_ve)}),
    )),
    sample=Fraction(1, 2), c_ve=Fraction(1, 4),
)  # fmt: skip

_BOUNDED = Domain(
    {**_SCALED.ranges, g_ve: Reals(0, tested_to=4), h_ve: Reals(0, tested_to=4)},
    where=(*_PARTS.where, s_ve**2 <= g_ve, t_ve**2 <= h_ve),
)  # fmt: skip
_MOST = (g_ve * p_ve + h_ve * q_ve) * (e_ve + f_ve)
bounded = _by_steps(
    "bounded", _BOUNDED,
    "Where a² ≤ p e and b² ≤ q f, s² ≤ g and t² ≤ h, (s a + t b)² is at most (g p + h q)(e + f).",
    Step((s_ve * a_ve + t_ve * b_ve) ** 2, "as it is"),
    Step((s_ve**2 * p_ve + t_ve**2 * q_ve) * (e_ve + f_ve), "by sizes and shares", "", Instance(both.label)),
    Step(_MOST, "factors by their bounds", "", (
        Instance("sharpness.averages.weighted", {e_av: p_ve * (e_ve + f_ve), v_av: s_ve**2, x_av: g_ve}),
        Instance("sharpness.averages.weighted", {e_av: q_ve * (e_ve + f_ve), v_av: t_ve**2, x_av: h_ve}),
    )),
)  # fmt: skip

_LARGEST_AT = Domain(
    {p_ve: _SIZES[p_ve], q_ve: _SIZES[q_ve], g_ve: _UNIT, a_ve: _ANY}, where=[a_ve**2 <= 4 * q_ve * g_ve * (1 - g_ve)]
)
_LARGEST = p_ve / 2 + sp.sqrt(p_ve**2 / 4 + q_ve)
_BELOW_HALF = p_ve * (g_ve - sp.Rational(1, 2))
largest = _by_steps(
    "largest", _LARGEST_AT,
    "Where a² ≤ 4 q g (1-g) for g between 0 and 1, p g + a is at most p/2 + √(p²/4 + q): a form of norm p on "
    "one half of the parameters and one of norm √q across two.",
    Step(p_ve * g_ve + a_ve, "p g + a"),
    Step(_LARGEST, "p/2 + √(p²/4 + q)", "(a + p (g - 1/2))² ≤ (q + p²/4)(4 g (1-g) + (2g-1)²)", (
        Instance(both.label, {
            b_ve: _BELOW_HALF, p_ve: q_ve, q_ve: p_ve**2 / 4, e_ve: 4 * g_ve * (1 - g_ve),
            f_ve: (2 * g_ve - 1) ** 2, s_ve: 1, t_ve: 1,
        }),
        Instance(below.label, {a_ve: a_ve + _BELOW_HALF, p_ve: sp.sqrt(p_ve**2 / 4 + q_ve)}),
    )),
    sample=Fraction(1, 2),
)  # fmt: skip

_FOUR = Domain(
    {**_LARGEST_AT.ranges, e_ve: _SIZES[e_ve], f_ve: _SIZES[f_ve], b_ve: _ANY, c_ve: _ANY, s_ve: _ANY},
    where=(*_LARGEST_AT.where, sp.Abs(b_ve) <= e_ve, sp.Abs(c_ve) <= f_ve, sp.Abs(s_ve) <= p_ve * g_ve),
)
_SUM = b_ve + a_ve + c_ve + s_ve
parts = _by_steps(
    "parts", _FOUR,
    "Where |b| ≤ e, |c| ≤ f, |s| ≤ p g and a² ≤ 4 q g (1-g) for g between 0 and 1, |b + a + c + s| is at "
    "most e + f + p/2 + √(p²/4 + q).",
    Step(sp.Abs(_SUM), "|b + a + c + s|"),
    Step(e_ve + f_ve + _LARGEST, "part by part", "of both signs", (
        Instance(largest.label), Instance(largest.label, {a_ve: -a_ve}),
        *(Instance("sharpness.averages.own-size", {v_av: sign * part}) for part in (b_ve, c_ve, s_ve)
          for sign in (1, -1)),
        Instance("sharpness.averages.size", {v_av: _SUM, e_av: e_ve + f_ve + _LARGEST}),
    )),
    sample=Fraction(1, 2), s_ve=Fraction(1, 4),
)  # fmt: skip

_RAISED = Domain(
    {a_ve: _ANY, b_ve: _ANY, e_ve: _ANY, f_ve: _ANY, p_ve: Reals(e_ve, tested_to=4),
     q_ve: Reals(f_ve, tested_to=4)},
    where=[sp.Abs(a_ve) <= b_ve, b_ve <= e_ve + f_ve],
)  # fmt: skip
raised = _lemma(
    label=f"{_LABEL}.raised",
    statement="Where |a| ≤ b ≤ e + f, e ≤ p and f ≤ q, |a| is at most p + q.",
    left=sp.Abs(a_ve), right=p_ve + q_ve, domain=_RAISED,
)  # fmt: skip

_FACTORS = Domain(
    {a_ve: Reals(0, tested_to=4), e_ve: _SIZES[e_ve], f_ve: _SIZES[f_ve], p_ve: Reals(e_ve, tested_to=4),
     q_ve: Reals(f_ve, tested_to=4)},
    where=[a_ve <= sp.sqrt(e_ve) * sp.sqrt(f_ve) / 4],
)  # fmt: skip
squared = _lemma(
    label=f"{_LABEL}.squared",
    statement="Where 0 ≤ a ≤ √e √f/4, e ≤ p and f ≤ q, a² is at most p q/16.",
    left=a_ve**2, right=p_ve * q_ve / 16, domain=_FACTORS,
)  # fmt: skip

_ALIKE = Domain(
    {name: _SIZES[name] for name in (p_ve, q_ve, e_ve)} | {a_ve: _ANY, b_ve: _ANY},
    where=[a_ve**2 <= p_ve**2 * e_ve, b_ve**2 <= q_ve**2 * e_ve],
)  # fmt: skip
_TWICE = 2 * p_ve * q_ve * e_ve
alike = _by_steps(
    "alike", _ALIKE,
    "Where a² ≤ p² e and b² ≤ q² e, (a + b)² is at most (p + q)² e.",
    Step((a_ve + b_ve) ** 2, "as it is"),
    Step((p_ve + q_ve) ** 2 * e_ve, "2 a b ≤ 2 p q e", "its square is at most 4 p² q² e²", (
        Instance(product.label, {p_ve: p_ve**2, q_ve: q_ve**2, f_ve: e_ve}),
        Instance(below.label, {a_ve: 2 * a_ve * b_ve, p_ve: _TWICE}),
    )),
)  # fmt: skip

_PAIRS = Domain(
    {**_BOUNDED.ranges, c_ve: _ANY, d_ve: _ANY, u_ve: Reals(0, tested_to=4), v_ve: Reals(0, tested_to=4),
     o_ve: Reals(0, tested_to=4)},
    where=(*_BOUNDED.where, c_ve**2 <= u_ve**2 * o_ve, d_ve**2 <= v_ve**2 * o_ve),
)  # fmt: skip
_PAIRED = (g_ve * p_ve + h_ve * q_ve + (u_ve + v_ve) ** 2) * (e_ve + f_ve + o_ve)
pairs = _by_steps(
    "pairs", _PAIRS,
    "Where a² ≤ p e, b² ≤ q f, s² ≤ g, t² ≤ h, c² ≤ u² o and d² ≤ v² o, (s a + t b + c + d)² is at most "
    "(g p + h q + (u + v)²)(e + f + o).",
    Step((s_ve * a_ve + t_ve * b_ve + c_ve + d_ve) ** 2, "as it is"),
    Step(_PAIRED, "by sizes and shares", "two by two", (
        Instance(bounded.label),
        Instance(alike.label, {a_ve: c_ve, b_ve: d_ve, p_ve: u_ve, q_ve: v_ve, e_ve: o_ve}),
        Instance(both.label, {
            a_ve: s_ve * a_ve + t_ve * b_ve, p_ve: g_ve * p_ve + h_ve * q_ve, e_ve: e_ve + f_ve, s_ve: sp.S.One,
            b_ve: c_ve + d_ve, q_ve: (u_ve + v_ve) ** 2, f_ve: o_ve, t_ve: sp.S.One,
        }),
    )),
)  # fmt: skip

_ACROSS = Domain(
    {name: _SIZES.get(name, Reals(0, tested_to=4)) for name in (p_ve, q_ve, e_ve, f_ve, o_ve, u_ve)}
    | {a_ve: _ANY, b_ve: _ANY, s_ve: _ANY},
    where=[s_ve**2 <= u_ve * e_ve, a_ve**2 <= p_ve * o_ve, b_ve**2 <= q_ve * (f_ve * o_ve)],
)  # fmt: skip
_TWICE_BOTH, _SIZE = (2 * (s_ve * a_ve + b_ve)) ** 2, (u_ve * p_ve + q_ve) * (4 * o_ve * (e_ve + f_ve))
across = _by_steps(
    "across", _ACROSS,
    "Where s² ≤ u e, a² ≤ p o and b² ≤ q f o, (2 (s a + b))² is at most (u p + q) 4 o (e + f).",
    Step(_TWICE_BOTH, "as it is"),
    Step(_SIZE, "by sizes and shares", "", (
        Instance(product.label, {a_ve: s_ve, b_ve: a_ve, p_ve: u_ve, q_ve: p_ve, f_ve: o_ve}),
        Instance(both.label, {
            a_ve: s_ve * a_ve, p_ve: u_ve * p_ve * o_ve, q_ve: q_ve * o_ve, s_ve: sp.S.One, t_ve: sp.S.One,
        }),
    )),
)  # fmt: skip
whole = _lemma(
    label=f"{_LABEL}.whole",
    statement="For shares e and f that add up to at most one, 4 e f is at most one.",
    left=4 * e_ve * f_ve, right=sp.S.One, domain=Domain({e_ve: Reals(0), f_ve: Reals(0, 1 - e_ve)}),
)  # fmt: skip

beside = _lemma(
    label=f"{_LABEL}.beside",
    statement="Where p² ≤ 1/16, |s p + 2 a b| is at most s/4 + 2 |a| |b| for s of at least 0.",
    left=sp.Abs(s_ve * p_ve + 2 * a_ve * b_ve), right=s_ve / 4 + 2 * sp.Abs(a_ve) * sp.Abs(b_ve),
    domain=Domain({s_ve: Reals(0), p_ve: Reals(), a_ve: Reals(), b_ve: Reals()}, where=[16 * p_ve**2 <= 1]),
)  # fmt: skip

turned = _lemma(
    label=f"{_LABEL}.turned",
    statement="For g and h between 0 and 1 and c between -1 and 1, (g - h) c is at most one.",
    left=(g_ve - h_ve) * c_ve, right=sp.S.One, domain=Domain({g_ve: _UNIT, h_ve: _UNIT, c_ve: Reals(-1, 1)}),
)  # fmt: skip

roots = _lemma(
    label=f"{_LABEL}.roots",
    statement="Where (2 a b)² is at most p q, p ≤ e and 16 q ≤ f, 2 a |b| is at most √(e f)/4, for a, p and q of at "
    "least 0.",
    left=2 * a_ve * sp.Abs(b_ve), right=sp.sqrt(e_ve) * sp.sqrt(f_ve) / 4,
    domain=Domain(
        {a_ve: Reals(0), b_ve: Reals(), p_ve: Reals(0), q_ve: Reals(0), e_ve: Reals(0), f_ve: Reals(0)},
        where=[(2 * a_ve * b_ve) ** 2 <= p_ve * q_ve, p_ve <= e_ve, 16 * q_ve <= f_ve],
    ),
)  # fmt: skip

leaked = _lemma(
    label=f"{_LABEL}.leaked",
    statement="Where e is at most N of c a² + N, N ≤ a, the product c e is at most 1/a.",
    left=c_ve * e_ve, right=1 / a_ve,
    domain=Domain(
        {c_ve: Reals(0, open_low=True), a_ve: Reals(1), n_ve: Reals(0, a_ve), e_ve: Reals(0)},
        where=[e_ve * (c_ve * a_ve**2 + n_ve) <= n_ve],
    ),
)  # fmt: skip

within = _lemma(
    label=f"{_LABEL}.within",
    statement="For g between 0 and 1 and c between -1 and 1, (g c)² is at most g.",
    left=(g_ve * c_ve) ** 2, right=g_ve, domain=Domain({g_ve: _UNIT, c_ve: Reals(-1, 1)}),
)  # fmt: skip

entry = _lemma(
    label=f"{_LABEL}.entry",
    statement="For g between 0 and 1, (a + g b)² is at most 2 (a² + b²).",
    left=(a_ve + g_ve * b_ve) ** 2, right=2 * (a_ve**2 + b_ve**2), domain=Domain({a_ve: _ANY, b_ve: _ANY, g_ve: _UNIT}),
)  # fmt: skip

three = _lemma(
    label=f"{_LABEL}.three",
    statement="For g and h between 0 and 1, (a - b + (g - h) c)² is at most 3 (a² + b² + c²).",
    left=(a_ve - b_ve + (g_ve - h_ve) * c_ve) ** 2, right=3 * (a_ve**2 + b_ve**2 + c_ve**2),
    domain=Domain({a_ve: _ANY, b_ve: _ANY, c_ve: _ANY, g_ve: _UNIT, h_ve: _UNIT}),
)  # fmt: skip

_SEEN: dict[Any, Any] = {
    n_av: Integers(1, tested_to=6), x_ve: Vector(n_av, _ANY), y_ve: Vector(n_av, _ANY),
    q_av: Vector(n_av, Reals(-1, 1)),
}  # fmt: skip
_IN_PART = {"n_av": 2, "x_ve": (1, 2), "q_av": (1, 0.5), "y_ve": (1, 1)}


seen = _by_steps(
    "seen", Domain(_SEEN),
    "For numbers q between -1 and 1, (Σ x q y)² is at most Σ x² Σ y².",
    Step(theory.SEEN**2, "(Σ x q y)²"),
    Step(total(x_ve[t] ** 2 * q_av[t] ** 2) * total(y_ve[t] ** 2), "Σ x² q² Σ y²", "Cauchy-Schwarz",
         Instance(cauchy.label, {"x_ve": lambda t: x_ve[t] * q_av[t], "y_ve": y_ve})),
    Step(theory.SQUARES, "Σ x² Σ y²", "q² ≤ 1",
         Instance(inside.label, {c_ve: q_av[t]}, over=(t, 1, n_av), weight=x_ve[t] ** 2)),
    **_IN_PART,
)  # fmt: skip

_GATED = Domain({**_SEEN, w_ve: _SEEN[x_ve], g_av: _SEEN[q_av], z_ve: _SEEN[x_ve]})
gated = _by_steps(
    "gated", _GATED,
    "For numbers q and g between -1 and 1, (Σ x q y + Σ w g z)² is at most (Σ x² + Σ w²)(Σ y² + Σ z²).",
    Step((theory.SEEN + theory.OTHERS_SEEN) ** 2, "both sums"),
    Step((total(x_ve[t] ** 2) + total(w_ve[t] ** 2)) * (total(y_ve[t] ** 2) + total(z_ve[t] ** 2)), "by lengths", "", (
        Instance(seen.label), Instance(seen.label, {"x_ve": w_ve, "q_av": g_av, "y_ve": z_ve}),
        Instance(both.label, {
            a_ve: theory.SEEN, p_ve: total(x_ve[t] ** 2), e_ve: total(y_ve[t] ** 2), b_ve: theory.OTHERS_SEEN,
            q_ve: total(w_ve[t] ** 2), f_ve: total(z_ve[t] ** 2), s_ve: sp.S.One, t_ve: sp.S.One,
        }),
    )),
    **_IN_PART, w_ve=(1, 1), g_av=(1, 1), z_ve=(1, 2),
)  # fmt: skip

_WEIGHED: dict[Any, Any] = {n_av: Integers(1, tested_to=6), a_av: Vector(n_av, _UNIT), q_av: Vector(n_av, _UNIT)}
_ADDED = [theory.WHOLE <= 1, theory.WHOLE >= 1]
_ONE, _PAIR = Domain(_WEIGHED, where=_ADDED), Domain({**_WEIGHED, g_av: Vector(n_av, _UNIT)}, where=_ADDED)
_BITS = {"n_av": 2, "a_av": (0.25, 0.75), "g_av": (0, 1), "q_av": (0, 1)}
_ROWS: dict[Any, Any] = {g_av: q_av}
_CENTRE: dict[Any, Any] = {m_av: theory.CENTRE}


_MEAN = Instance("sharpness.averages.mean", _ROWS)
varied = _by_steps(
    "varied", _ONE,
    "Numbers between 0 and 1 have a variance of at most 1/4.",
    Step(theory.VARIANCE, "about the average w"),
    Step(theory.CENTRE * (1 - theory.CENTRE), "w (1-w)", "of numbers from 0 to 1",
         (_MEAN, Instance("sharpness.averages.variance", {**_ROWS, **_CENTRE}))),
    Step(sp.Rational(1, 4), "1/4", "", (_MEAN, Instance("sharpness.averages.quarter", _CENTRE))),
    **_BITS,
)  # fmt: skip
covaried = _by_steps(
    "covaried", _PAIR,
    "Two numbers between 0 and 1 have a covariance of at most 1/4 in size.",
    Step(theory.COVARIANCE**2, "Cov²"),
    Step((theory.CENTRE * (1 - theory.CENTRE)) ** 2, "(w (1-w))²", "of numbers from 0 to 1",
         (_MEAN, Instance("sharpness.averages.covariance", {**_ROWS, q_av: g_av, **_CENTRE}))),
    Step(sp.Rational(1, 16), "1/16", "", (_MEAN, Instance("sharpness.averages.spread", _CENTRE))),
    **_BITS,
)  # fmt: skip
