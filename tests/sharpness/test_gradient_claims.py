"""Claims about Theorem 14: the verdicts that its mathematics gives, and counterexamples checked by hand."""

from fractions import Fraction

import pytest

from boundaudit.checks.evidence.evidence import holds_at
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.gradients import chain, output_weights, total


def bits(length: int, free: int, width: int) -> Point:
    """Every bit a component, with equal coefficients just inside the unit ball."""
    c = length**-0.5 * (1 - 2**-50)
    return {"T": length, "D": 1, "omega": length, "u": width, "c": (c,) * length, "n_e": free, "n_r": 0}


def case(claim: Claim, name: str) -> Claim:
    return next(member for member in claim.members if member.case == name)


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("steep,finite", bits(38, 18, 1)),
        ("wide,finite", bits(42, 21, 2)),
        ("steep,ideal", bits(37, 17, 1)),
        ("wide,ideal", bits(41, 20, 2)),
    ],
)
def test_g_u_fails_in_balls(name: str, point: Point) -> None:
    claim = case(total.printed, name)
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    assert holds_at(claim.statement_form, point) is False
    shorter = bits(point["T"] - 2, point["n_e"] - 1, point["u"])
    assert holds_at(claim.statement_form, shorter) is True


def test_what_replaces_g_u_holds_there() -> None:
    for claim in (case(total.repaired, "finite"), case(total.printed, "one-column,finite")):
        assert claim.statement_form is not None
        for width in (1, 2):
            assert holds_at(claim.statement_form, bits(60, 30, width)) is True


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("steep,finite", bits(7, 2, 1) | {"omega": 5, "c": (5**-0.5 * (1 - 2**-50),) * 5}),
        ("wide,finite", bits(6, 3, 2)),
        ("steep,ideal", bits(6, 2, 1) | {"omega": 4, "c": (Fraction(1, 2),) * 4}),
        ("wide,ideal", bits(5, 2, 2)),
    ],
)
def test_the_term_of_f_fails_at_short_lengths(name: str, point: Point) -> None:
    claim = case(output_weights.printed, name)
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    assert holds_at(claim.statement_form, point) is False


def test_the_floor_is_needed() -> None:
    point = {"T": 4, "D": 1, "omega": 3, "u": 1, "c": (0.7, 0.7, 1e-40), "n_e": 1, "n_r": 0}
    claim = case(total.printed, "no-floor")
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    assert holds_at(claim.statement_form, point) is False


@pytest.mark.parametrize("index", range(len(chain.chains)))
def test_only_the_step_of_f_is_false(index: int) -> None:
    found = chain.chains[index].measure(points=60, seed=1, device="cpu")
    first = found.label != "sharpness.gradients.chain-F"
    assert found.holds == [True, first, True, True][: len(found.holds)]


@pytest.mark.slow
def test_the_printed_chain_breaks_where_f_is_replaced_and_the_repaired_one_holds() -> None:
    printed, repaired = (chain.totals[n].measure(points=60, seed=1, device="cpu") for n in (0, 1))
    nodes = chain.totals[0].describe().nodes
    broken = [node.name for node, holds in zip(nodes[1:], printed.holds, strict=True) if not holds]
    assert broken == ["F by its last column"]
    assert all(repaired.holds)
