"""Squares of sums below sums, tangents at thresholds, what equations tell of sums: each engine alone, and slips."""

import json

import pytest
import sympy as sp
from tests.statements import form_of
from tests.truth.catalogue import subject

from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.portfolio import prove

from .stated import claim, integers, require_rejected, tree

i, n = sp.symbols("i n")
w, x = sp.IndexedBase("w"), sp.IndexedBase("x")
MEAN, SECOND = (sp.Sum(w[i] * x[i] ** power, (i, 1, n)) for power in (1, 2))
WEIGHTS = sp.Sum(w[i], (i, 1, n))

ALONE = {
    "shares": (
        "Pinsker for laws", "total variation by Hellinger, squared", "total variation by Jeffreys",
        "total variation by Jensen-Shannon",
    ),
    "contacts": ("space: Cantelli as it is written", "space: Cantelli below", "space: Cantelli about zero"),
    "schwarz": ("Titu", "space: second moment as a quotient", "space: Kantorovich in one step"),
    "under a function": ("Pinsker for laws, under a root", "divergence below log of chi-squared"),
}  # fmt: skip
ENOUGH = Budget(steps=1_500_000)
"""With it what is true is proved."""


def stated(name: str) -> Statement:
    return form_of(next(truth for truth in subject("divergences") if truth.name == name).claim())


def vector(name: str, low: int | None) -> dict[str, object]:
    ends = {"low": None if low is None else tree(low), "high": None, "open": [low is not None, False]}
    return {"name": name, "range": "vector", "length": tree(n), "square_sum": None, **ends}


LAW = (integers("n", 1), vector("w", 0), vector("x", None))
ADD_UP = (("<=", WEIGHTS, 1), (">=", WEIGHTS, 1))


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "name"), [(engine, name) for engine, names in ALONE.items() for name in names])
def test_an_engine_alone_proves_it(engine: str, name: str) -> None:
    statement = stated(name)
    found = prove(statement, engines=[engine], budget=ENOUGH)
    assert (found.outcome, found.engine) == ("proved", engine), found.notes
    check(Statement.from_json(json.loads(json.dumps(statement.to_json()))), json.loads(json.dumps(found.certificate)))


def test_a_square_is_shared_by_weights_that_add_up_alone() -> None:
    jensen = claim(MEAN**2, "<=", SECOND, *LAW, where=ADD_UP)
    assert prove(jensen, engines=["shares"]).outcome == "proved"
    assert prove(claim(MEAN**2, "<=", SECOND, *LAW), engines=["shares"]).outcome == "unknown"
    assert prove(claim(MEAN**2, "<=", SECOND, *LAW, where=ADD_UP[:1]), engines=["shares"]).outcome == "unknown"


@pytest.mark.slow
def test_a_share_is_found_within_proofs_within_proofs() -> None:
    rooted = stated("Pinsker for laws, under a root")
    assert prove(rooted, engines=["under a function"], budget=Budget(depth=4)).outcome == "proved"


def test_a_certificate_with_another_square_is_rejected() -> None:
    jensen = claim(MEAN**2, "<=", SECOND, *LAW, where=ADD_UP)
    certificate = prove(jensen, engines=["shares"]).certificate
    assert certificate is not None
    require_rejected(jensen, certificate, lambda forged: forged["terms"].pop())


def test_a_strict_inequality_needs_a_term_that_is_positive() -> None:
    spread = SECOND - MEAN**2
    assert prove(claim(0, "<", spread + 1, *LAW, where=ADD_UP), engines=["strictly"]).outcome == "proved"
    assert prove(claim(0, "<", spread, *LAW, where=ADD_UP), engines=["strictly"]).outcome == "unknown"


def test_what_equations_tell_of_sums_is_put_in() -> None:
    about_mean = sp.Sum(w[i] * (x[i] - 1) ** 2, (i, 1, n))
    at_one = (*ADD_UP, ("<=", MEAN, 1), (">=", MEAN, 1))
    assert prove(claim(about_mean + 1, "<=", SECOND, *LAW, where=at_one), engines=["weighted"]).outcome == "proved"
    assert prove(claim(about_mean + 1, "<=", SECOND, *LAW, where=ADD_UP), engines=["weighted"]).outcome == "unknown"
