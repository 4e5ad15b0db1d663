"""One mean gives way to a chord or a tangent, a bound to what it bounds, sums at each index to a vector."""

from __future__ import annotations

import pytest
from tests.truth.catalogue import named

from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

ENOUGH = Budget(steps=3_000_000)
"""With it what is true is proved."""


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "name", "false"), [
    ("chords", "Hoeffding's lemma", "Hoeffding's lemma with 9 for any law"),
    ("linearised", "Bernstein's moment", "Bernstein's moment of any mean"),
    ("monotone", "Cantelli about zero with a bound", "Cantelli with half a bound"),
    ("families", "none of several", "none of several, twice"),
])  # fmt: skip
def test_each_proves_what_is_true_and_not_its_neighbour(engine: str, name: str, false: str) -> None:
    outcomes = []
    for which in (name, false):
        statement = named(f"space: {which}").claim().statement_form
        assert statement is not None
        outcomes.append(prove(statement, engines=[engine], budget=ENOUGH).outcome)
    assert outcomes == ["proved", "unknown"]
