"""Theorem 14: from the measured gradient to G_u, one block at a time; where the orders of magnitude go."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Choices, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.gradients.shared import EVEN_TILINGS, GRADIENT, KINDS, by_formula, defined, latex
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.parameters import D, T, omega


def _root(sparsity: int) -> float:
    """Equal coefficients just inside the unit ball."""
    return float(sparsity**-0.5 * (1 - 2**-50))


_SAMPLES: dict[str, Point] = {
    "T=6, D=1, ω=1": {"T": 6, "D": 1, "omega": 1, "u": 1, "c": (1,), "n_e": 0, "n_r": 0},
    "T=20, D=2, ω=10": {"T": 20, "D": 2, "omega": 10, "u": 1, "c": (_root(10),) * 10, "n_e": 5, "n_r": 0},
    "T=60, D=1, ω=60": {"T": 60, "D": 1, "omega": 60, "u": 1, "c": (_root(60),) * 60, "n_e": 30, "n_r": 0},
}
_LENGTHS = Choices(four=4, six=6, eight=8, ten=10, twelve=12, twenty=20, sixty=60)
_SOME_ODD = EVEN_TILINGS.replace(T=_LENGTHS, n_e=Integers(0, omega - 1))
"""Some component holds a one: else the gradient in M is zero and no factor exists."""

_MIXED = EVEN_TILINGS.replace(
    T=_LENGTHS, D=Integers(1, T / 2), omega=Integers(2, sp.floor(T / D)), n_e=Integers(1, omega - 1)
)
"""Components of both kinds: else the gradient in W2 may be zero."""

_ATTENTION = "attention sums to one, gates are at most one"
_BALL = "Cauchy-Schwarz, Σc² ≤ 1"
_DEAD = "all 4(D+1) units counted at 4D, dead and wide ones included"


def _label(name: str) -> str:
    return f"sharpness.gradients.{name}"


def _block(block: str, *nodes: tuple[sp.Expr, str, str, str | None]) -> Derivation:
    domain = _MIXED if block == "W2" else _SOME_ODD
    closed = by_formula(f"{block} by kinds of rows", latex(block), lambda: defined(block, "finite"))
    steps = [Step(GRADIENT["finite"][block], f"measured gradient in {block}")]
    steps.append(Step(closed, "closed form", "chain rule"))
    steps += [Step(*node) for node in nodes]
    return Derivation(
        label=_label(f"chain-{block}"), title=f"The printed bound on the gradient in {block}", steps=tuple(steps),
        domain=domain, samples={title: point for title, point in _SAMPLES.items() if domain.contains(point)},
        paper=PAPER, place=("Theorem 14", "Appendix F"),
    )  # fmt: skip


def _hidden(block: str) -> Derivation:
    return _block(
        block,
        (theorem.SHARP[block], "32 C² D²(D+1)/u²", _ATTENTION, _label(f"{block}.sharp")),
        (omega * theorem.LIVE, "C² at most ω", _BALL, None),
        (theorem.PUBLISHED[block], "64 ω D²(D+1)", _DEAD, _label(f"{block}.printed")),
    )


_F_VALUES = 4 * (D + 1) * SUM**2

chains = (
    _hidden("M"),
    _hidden("Gamma"),
    _block(
        "W2",
        (theorem.SHARP["W2"], "3C²/8", "a row's share against its variance, at most 1/4", _label("W2.sharp")),
        (sp.Rational(3, 8) * omega, "C² at most ω", _BALL, None),
        (theorem.PUBLISHED["W2"], "4ω", "norm of the softmax Jacobian at most 2, row norm √2", _label("W2.printed")),
    ),
    _block(
        "V2",
        (theorem.SHARP["V2"], "2", "attention sums to one", _label("V2.sharp")),
        (theorem.PUBLISHED["V2"], "4", "row norm √2, squared, doubled", _label("V2.printed")),
    ),
    _block(
        "F",
        (_F_VALUES, "last column alone: 4(D+1) C²", "the other columns' terms dropped", _label("F.last-column-only")),
        (theorem.PUBLISHED["F"], "4ω(D+1)", _BALL, _label("F.printed")),
    ),
)

_ORDER = (
    ("Gamma", _ATTENTION),
    ("M", _ATTENTION),
    ("W2", "variance at most 1/4"),
    ("V2", "attention sums to one"),
)


def _sum(bounded: dict[str, sp.Expr]) -> Quantity:
    """The sum of the blocks' squared gradients, some of them replaced by bounds."""
    shown = " + ".join(sp.latex(bounded[b]) if b in bounded else latex(b) for b in theorem.PUBLISHED)
    return by_formula("sum over blocks", shown, lambda: sp.Add(*(theorem.blocks(KINDS["finite"]) | bounded).values()))


def _total() -> Derivation:
    """The whole gradient as a chain that replaces one block at a time."""
    bounded: dict[str, sp.Expr] = {}
    steps = [
        Step(GRADIENT["finite"]["total"], "measured |∇f|²"),
        Step(_sum(bounded), "closed form", "chain rule"),
    ]
    for block, cites in _ORDER:
        bounded = {**bounded, block: theorem.SHARP[block]}
        steps.append(Step(_sum(bounded), f"{block} by its attained bound", cites, _label(f"{block}.sharp")))
    dropped, last = "the other columns' terms dropped", _label("F.last-column-only")
    steps.append(Step(_sum({**bounded, "F": _F_VALUES}), "F by its last column", dropped, last))
    end = f"{_BALL}; {_DEAD}; W1 and V1 vanish"
    steps.append(Step(theorem.G_U, "G_u", end, _label("total.printed")))
    return Derivation(
        label=_label("chain-printed"), title="The printed bound G_u on the gradient", steps=tuple(steps),
        domain=_SOME_ODD, samples=_SAMPLES, paper=PAPER, place=("Theorem 14", "Appendix F"),
    )  # fmt: skip


total = _total()
