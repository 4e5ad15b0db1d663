"""The block norms of the transformer construction: every statement proved for all sizes, and checked."""

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Lemma
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.portfolio import prove

from .stated import integers, tree

T, D, w, u, v = sp.symbols("T D w u v")
i, j, t = sp.symbols("i j t")
c = sp.IndexedBase("c")


def domain(width: tuple[int, ...] = (1, 2)) -> dict[str, Any]:
    widths = {"name": "u", "range": "choices", "values": [tree(value) for value in width]}
    entries = {"low": tree(T**-4), "high": tree(1), "open": [False, False]}
    vector = {"name": "c", "range": "vector", "length": tree(w), **entries, "square_sum": tree(1)}
    return {"parameters": [integers("T", 2), integers("D", 1, T), integers("w", 1, T), widths, vector], "where": []}


def statement(left: Any, relation: Any, right: Any, where: dict[str, Any] | None = None) -> Statement:
    return Statement(tree(left), relation, tree(right), domain() if where is None else where)


def proved(claim: Statement, **options: Any) -> Any:
    """The certificate, accepted again after a round trip through JSON."""
    attempt = prove(claim, **options)
    assert attempt.outcome == "proved", attempt.notes
    check(Statement.from_json(json.loads(json.dumps(claim.to_json()))), json.loads(json.dumps(attempt.certificate)))
    return attempt.certificate


half = sp.floor(D / 2)
marker = (1 + (-1) ** i) / 2
step = (1 + u) / (4 * D)
F_LEFT = sp.Sum(4 * (4 * D * marker / u) ** 2, (i, 0, D))
F_RIGHT = 64 * D**2 * (half + 1) / u**2
GAMMA_LEFT = sp.Sum(sum((i / D + shift) ** 2 for shift in (1 / (4 * D), -1 / (4 * D), step, -step)), (i, 0, D))
GAMMA_RIGHT = (D + 1) * ((8 * D + 4) / (6 * D) + (1 + (1 + u) ** 2) / (8 * D**2))
W1_LEFT = sp.Sum(sp.Sum((2 * sp.log(T)) ** 2, (j, 1, D)), (t, 1, w))
W1_RIGHT = 4 * w * D * sp.log(T) ** 2
W2_LEFT = sp.Sum((sp.log(c[t]) + 2 * sp.log(T)) ** 2, (t, 1, w))
W2_RIGHT = 4 * w * sp.log(T) ** 2
V2_LEFT = sp.Sum(c[t], (t, 1, w)) ** 2

BLOCKS = {
    "F": (F_LEFT, "=", F_RIGHT), "F above": (64 * D**2 * (half + 1), "<=", 32 * D**2 * (D + 2)),
    "F wide above": (16 * D**2 * (half + 1), "<=", 16 * D**2 * (D + 1)),
    "F below": (64 * D**2 * (half + 1), ">=", 32 * D**2 * (D + 1)), "Gamma": (GAMMA_LEFT, "=", GAMMA_RIGHT),
    "Gamma above": (GAMMA_RIGHT, "<=", 4 * (D + 1)), "W1": (W1_LEFT, "=", W1_RIGHT), "W2": (W2_LEFT, "<=", W2_RIGHT),
    "V2": (V2_LEFT, "<=", w),
}  # fmt: skip


@cache
def block(name: str) -> Lemma:
    claim = statement(*BLOCKS[name])
    return Lemma(claim, proved(claim))


@pytest.mark.acceptance
@pytest.mark.parametrize("name", BLOCKS)
def test_block_norm_is_proved(name: str) -> None:
    assert block(name).certificate


@pytest.mark.parametrize("shift", [-1 / (4 * D), step])
def test_largest_entry_of_gamma(shift: Any) -> None:
    layer = domain()
    layer["parameters"].insert(2, integers("i", 0, D))
    proved(statement(sp.Abs(i / D + shift), "<=", 1 + step, layer))


@pytest.mark.parametrize(("name", "left", "relation", "right"), [
    ("F with half of its factor", 64 * D**2 * (half + 1), "<=", 32 * D**2 * (D + 1)),
    ("Gamma with a smaller factor", GAMMA_RIGHT, "<=", 3 * (D + 1)),
    ("W2 with half of its factor", W2_LEFT, "<=", 2 * w * sp.log(T) ** 2), ("V2 without w", V2_LEFT, "<=", 1),
    ("F with another count", F_LEFT, "=", 64 * D**2 * half / u**2),
])  # fmt: skip
def test_false_variants_are_refuted(name: str, left: Any, relation: Any, right: Any) -> None:
    attempt = prove(statement(left, relation, right))
    assert attempt.outcome == "refuted", name
    assert attempt.counterexample is not None


TOTAL = F_LEFT + GAMMA_LEFT + V2_LEFT + W1_LEFT + W2_LEFT


@pytest.mark.acceptance
def test_total_from_the_blocks() -> None:
    bound = 64 * D**2 * (half + 1) / u**2 + GAMMA_RIGHT + 4 * (D + 1) + 1 + w + 4 * sp.log(T) ** 2 * (w * D + w)
    blocks = [block(name) for name in ("F", "Gamma", "W1", "W2", "V2")]
    certificate = proved(statement(TOTAL, "<=", bound), lemmas=blocks)
    assert {entry["statement"]["relation"] for entry in certificate["lemmas"]} == {"=", "<="}


# --- the trapezoid -------------------------------------------------------------------------------


def relu(value: Any) -> Any:
    return sp.Max(value, 0)


HEIGHT = {
    1: 4
    * (
        relu(v + sp.Rational(1, 2))
        - relu(v + sp.Rational(1, 4))
        - relu(v - sp.Rational(1, 4))
        + relu(v - sp.Rational(1, 2))
    ),
    2: 2
    * (
        relu(v + sp.Rational(3, 4))
        - relu(v + sp.Rational(1, 4))
        - relu(v - sp.Rational(1, 4))
        + relu(v - sp.Rational(3, 4))
    ),
}


def line(*where: Any) -> dict[str, Any]:
    real = {"name": "v", "range": "reals", "low": None, "high": None, "open": [False, False]}
    return {"parameters": [real], "where": [[relation, tree(a), tree(b)] for relation, a, b in where]}


def test_trapezoid_is_not_one_beyond_its_plateau() -> None:
    attempt = prove(statement(HEIGHT[1], "=", 1, line(("<=", v, sp.Rational(1, 2)), (">=", v, 0))))
    assert attempt.outcome == "refuted"
    assert attempt.counterexample is not None
    assert attempt.counterexample["v"] > Fraction(1, 4)
