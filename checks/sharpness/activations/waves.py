"""Theorem 11: the MLP's output lies between zero and one at whatever a row averages, edge by edge."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.sharpness.activations.shared import claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.averages import v_av, x_av
from boundaudit.derivations.sharpness.mlp import trapezoid, wave
from boundaudit.derivations.sharpness.parameters import D, T, even, i, s, u, v

_OFFSETS = Domain({u: BOTH, v: Reals(tested_to=6)})
_SIZES: dict[Any, Range] = {D: Integers(1, tested_to=12), u: BOTH}
_AVERAGES = Domain({**_SIZES, s: Reals(tested_to=2)})
_SQUARES = [v_av**2 <= 1, x_av**2 <= 1]
_TWO: dict[Any, Range] = {v_av: Reals(tested_to=1), x_av: Reals(tested_to=1)}
_AT = {"on a plateau": {"D": 4, "u": 1, "s": "1/2"}, "on a flank": {"D": 4, "u": 2, "s": "5/8"}}
LOWER = "sharpness.mlp.range[lower]"

edges = claim(
    label="sharpness.activations.waves.edges",
    statement="A trapezoid lies below the difference of its rising edge and that of the next one: it falls no later.",
    left=trapezoid(v),
    right=theorem.EDGES,
    domain=_OFFSETS,
    expected="proved",
)

edge = claim(
    label="sharpness.activations.waves.edge",
    statement="The rising edge of a trapezoid lies between zero and one.",
    domain=_OFFSETS,
    expected="proved",
    cases=(
        Case("lower", left=sp.S.Zero, right=theorem.edge(v)),
        Case("upper", left=theorem.edge(v), right=sp.S.One),
    ),
)

telescoped = claim(
    label="sharpness.activations.waves.telescoped",
    statement="Of the differences of rising edges at even grid points, the first edge and the last one remain.",
    left=theorem.BY_EDGES,
    relation="=",
    right=theorem.BY_FIRST_EDGE,
    domain=Domain({**_SIZES, v: Reals(tested_to=12)}),
    expected="proved",
)

upper = claim(
    label="sharpness.activations.waves.upper",
    statement="The output of Theorem 9's MLP is at most one, whatever the average that it reads.",
    left=wave(D * s),
    right=sp.S.One,
    domain=_AVERAGES,
    expected="proved",
    derivation=proof(
        "sharpness.activations.waves.upper", "Edges that cancel", _AVERAGES,
        Step(wave(D * s), "trapezoid by trapezoid"),
        Step(theorem.BY_EDGES.subs(v, D * s), "edge by edge", "each falls before the next one rises",
             Instance(edges.label, {v: D * s - i}, over=(i, 0, D), weight=even(i))),
        Step(theorem.BY_FIRST_EDGE.subs(v, D * s), "the first edge and the last", "they cancel",
             Instance(telescoped.label, {v: D * s})),
        Step(sp.S.One, "one", "edges lie between zero and one", (
            Instance(f"{edge.label}[upper]", {v: D * s}),
            *(Instance(f"{edge.label}[lower]", {v: D * s - D - last}) for last in (1, 2)),
        )),
        samples=_AT,
    ),
)  # fmt: skip

square = claim(
    label="sharpness.activations.waves.square",
    statement="The square of the MLP's output is at most one, whatever the average that it reads.",
    left=wave(D * s) ** 2,
    right=sp.S.One,
    domain=_AVERAGES,
    expected="proved",
    derivation=proof(
        "sharpness.activations.waves.square", "Between zero and one", _AVERAGES,
        Step(wave(D * s) ** 2, "the output squared"),
        Step(sp.S.One, "one", "it lies between zero and one",
             (LOWER, upper.label, Instance("sharpness.averages.below-one", {"m_av": wave(D * s)}))),
        samples=_AT,
    ),
)  # fmt: skip


def _two(name: str, statement: str, left: sp.Expr, right: sp.Expr, domain: Domain) -> Case:
    """Of two outputs of the MLP, x in a component's row and v in the others."""
    own = dict.fromkeys(domain.ranges, 1)
    return Case(
        name, statement=statement, left=left, right=right, domain=domain,
        derivation=proof(
            f"sharpness.activations.waves.two-rows.{name}", "Two rows", domain,
            Step(left, "the larger"), Step(right, "the bound", "one is as good as the other"),
            samples={"at one": own},
        ),
    )  # fmt: skip


two_rows = claim(
    label="sharpness.activations.waves.two-rows",
    statement="Of two outputs of the MLP, x in a component's row and v in the others.",
    expected="proved",
    cases=(
        _two(
            "rows", "For v² and x² of at most one 1 + v² and 1 + x² are at most two.",
            sp.Max(1 + v_av**2, 1 + x_av**2, evaluate=False), sp.Integer(2), Domain(_TWO, _SQUARES),
        ),
        _two(
            "column", "For v² and x² of at most one 1 and x² + T v² are at most T+1.",
            sp.Max(1, x_av**2 + T * v_av**2, evaluate=False), T + 1,
            Domain({T: Integers(1, tested_to=20), **_TWO}, _SQUARES),
        ),
        _two(
            "value", "For v and x of at most one C v and C x are at most C, for positive C.",
            sp.Max(*(sp.Mul(C, g, evaluate=False) for g in (v_av, x_av)), evaluate=False), C,
            Domain({C: Reals(0, open_low=True), **_TWO}, [v_av <= 1, x_av <= 1]),
        ),
    ),
)  # fmt: skip

proofs = (upper.derivation, square.derivation)
