"""Mutants: every kind is made and dies on a tight claim; slack, unexplained and vacuous where they must be."""

import math
from typing import Any

import pytest
import sympy as sp
from tests.statements import UNIT, c, claim, collected, measured, n, t, x, y

from boundaudit import Claim, Derivation, Domain, Integers, Reals, Step, Vector
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.collect import MUTANT_BUDGET
from boundaudit.checks.evidence.findings import FATES, Mutation
from boundaudit.checks.evidence.mutants import judge_mutants
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.proof.portfolio import prove

WIDE = Domain({x: Reals(sp.Rational(1, 2), 3)})


def judged(statement: Claim, *, most: int = 99, engines: bool = True, seed: int = 0) -> Mutation:
    batch = Batch.measure(statement, sweep_points(statement.domain, 100, seed), "cpu")
    found = judge_mutants(
        statement,
        batch,
        most=most,
        prove=lambda mutant: engines and prove(mutant, budget=MUTANT_BUDGET).outcome == "proved",
        seed=seed,
        device="cpu",
    )
    assert found is not None
    return found


def fates(statement: Claim, **more: Any) -> dict[str, str]:
    found = judged(statement, **more)
    return {name: fate for fate in FATES for name in found.fates[fate]}


# --- every kind, made and killed --------------------------------------------------------------------

SUM = 3 * x**2 + x
KINDS: dict[str, tuple[Claim, set[str]]] = {
    "an upper bound": (
        claim(SUM, "<=", SUM, WIDE),
        {"halved: x", "halved: 3*x^2", "sign flipped: x", "sign flipped: 3*x^2", "dropped: x", "dropped: 3*x^2",
         "exponent lowered: x^2"},
    ),
    "a lower bound": (claim(SUM, ">=", SUM, WIDE), {"doubled: x", "doubled: 3*x^2"}),
    "a lower bound of negative terms": (
        claim(-SUM, ">=", -SUM, WIDE),
        {f"{how}: {term}" for how in ("halved", "sign flipped", "dropped") for term in ("-x", "(-3)*x^2")},
    ),
    "an identity": (
        claim(SUM, "=", SUM, WIDE),
        {f"{how}: {term}" for how in ("halved", "doubled", "sign flipped", "dropped") for term in ("x", "3*x^2")}
        | {"exponent lowered: x^2"},
    ),
    "a bound of zero": (claim(-x, "<=", 0, WIDE), {"sign flipped: -x"}),
    "an exponent inside": (
        claim(x * (x**3 + 1), "<=", x * (x**3 + 1), Domain({x: Reals(2, 3)})),
        {"halved: x*(1 + x^3)", "sign flipped: x*(1 + x^3)", "exponent lowered: x^3"},
    ),
    "an upper limit": (claim(x**2, "<=", x), {"hypothesis removed: upper limit of x"}),
    "a lower limit": (
        claim(1 / x, "<=", 2, WIDE),
        {"hypothesis removed: lower limit of x", "halved: 2", "sign flipped: 2"},
    ),
    "a relation": (
        claim(x + y, "<=", 1, Domain({x: Reals(0, 1), y: Reals(0, 1)}, where=[x + y <= 1])),
        {"hypothesis removed: x + y <= 1"},
    ),
    "a ball": (
        claim(
            sp.Sum(c[t] ** 2, (t, 1, n)), "<=", 1,
            Domain({n: Integers(1, 4), sp.Symbol("c"): Vector(n, Reals(0, 1), square_sum=1)}),
        ),
        {"hypothesis removed: ball of c", "halved: 1"},
    ),
    "a measured side": (
        claim(measured(lambda p: 3 * p["x"] ** 2 + p["x"], definition=SUM), "<=", SUM, WIDE),
        {"halved: x", "dropped: x", "exponent lowered: x^2"},
    ),
    "a measured side against zero": (
        claim(measured(lambda p: p["x"], definition=x), ">=", 0),
        {"sign flipped: the left side"},
    ),
    "two measured sides": (
        claim(measured(lambda p: p["x"]), "<=", measured(lambda p: p["x"] + 1e-6), WIDE),
        {"halved: the right side", "sign flipped: the right side"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_mutant_is_made_and_dies_on_a_tight_claim(name: str) -> None:
    statement, kinds = KINDS[name]
    found = fates(statement)
    assert kinds <= set(found)
    assert {found[kind] for kind in kinds} == {"killed"}


@pytest.mark.parametrize("name", ["an upper bound", "a lower bound", "an identity", "a measured side"])
def test_every_mutant_of_a_tight_side_dies(name: str) -> None:
    statement, _ = KINDS[name]
    found = fates(statement)
    assert {fate for mutant, fate in found.items() if not mutant.startswith("hypothesis")} == {"killed"}


def test_what_claims_less_is_no_mutant() -> None:
    found = fates(claim(SUM, "<=", SUM, WIDE))
    assert not {name for name in found if name.startswith("doubled")}
    assert "sign flipped: -x" not in fates(claim(-SUM, "<=", -SUM, WIDE))


def test_hypotheses_that_do_no_work_are_slack() -> None:
    removed = {m: fate for m, fate in fates(claim(SUM, "<=", SUM, WIDE)).items() if m.startswith("hypothesis")}
    assert set(removed) == {"hypothesis removed: upper limit of x", "hypothesis removed: lower limit of x"}
    assert set(removed.values()) == {"slack"}


@pytest.mark.parametrize(("relation", "fate"), [("<=", "killed"), (">=", "killed")])
def test_the_flipped_direction_is_scored_apart(relation: Any, fate: str) -> None:
    sides = (x**2, x) if relation == "<=" else (x, x**2)
    found = judged(claim(sides[0], relation, sides[1]))
    assert found.direction == fate
    assert not any("direction flipped" in names for names in found.fates.values())


def test_an_equality_in_disguise_holds_in_both_directions() -> None:
    found = judged(claim(SUM, "<=", 3 * x**2 + x, WIDE))
    assert found.direction == "slack"
    assert judged(claim(SUM, "=", SUM, WIDE)).direction is None


# --- slack and unexplained --------------------------------------------------------------------------


def test_a_loose_constant_is_slack_with_a_proof_or_a_grid() -> None:
    loose = claim(x, "<=", 5 * x, WIDE)
    for engines in (True, False):
        assert fates(loose, engines=engines)["halved: 5*x"] == "slack"


def test_what_no_arithmetic_can_decide_is_unexplained() -> None:
    found = fates(claim(measured(lambda p: p["x"] / 10), "<=", x, WIDE))
    assert found["halved: x"] == "unexplained"
    assert found["sign flipped: x"] == "killed"


@pytest.mark.parametrize(("node", "fate"), [(2 * x, "slack"), (3 * x, "unexplained"), (None, "unexplained")])
def test_a_mutant_that_an_earlier_node_of_the_chain_obeys_is_slack(node: Any, fate: str) -> None:
    """Half of 5x is 5x/2, which lies above 2x and below 3x."""
    left, right = measured(lambda p: p["x"]), 5 * x
    steps = (Step(left, "left"), *([] if node is None else [Step(node, "node", "monotone")]), Step(right, "right"))
    chain = Derivation(label="test.steps", title="Steps", steps=steps, domain=WIDE, samples={"one": {"x": 1}})
    found = fates(claim(left, "<=", right, WIDE, derivation=chain))
    assert found["halved: 5*x"] == fate
    assert found["sign flipped: 5*x"] == "killed"
    assert found["hypothesis removed: upper limit of x"] == "unexplained"


def test_a_measured_violation_is_no_kill_where_exact_arithmetic_says_otherwise() -> None:
    """The measurement reads high; by its definition half the bound still holds."""
    wrong = measured(lambda p: 0.9 * p["x"], definition=x / 4, rounding=1e-12)
    assert fates(claim(wrong, "<=", x, WIDE))["halved: x"] == "slack"


def test_slack_is_not_granted_where_a_point_stays_open() -> None:
    # x log x has no value at 0, which is a point of every grid.
    found = fates(claim(x * sp.log(x) - 10, "<=", x), engines=False)
    assert found["halved: x"] == "unexplained"


def test_a_removed_limit_is_tested_beyond_it() -> None:
    far = claim(x**2, "<=", 1000 * x, Domain({x: Reals(0, 1000)}))
    assert fates(far)["hypothesis removed: upper limit of x"] == "killed"


@pytest.mark.parametrize("reach", [10.0, 1000.0])
def test_how_far_a_sweep_looks_is_no_part_of_what_a_domain_means(reach: float) -> None:
    """The points of one claim are the same whatever claims on equal domains came before it."""
    points = sweep_points(Domain({x: Reals(0, tested_to=reach)}), 60, 0)
    assert max(point["x"] for point in points) == reach


def test_no_more_is_measured_of_a_mutant_once_it_is_killed() -> None:
    asked: list[float] = []
    square = measured(lambda point: asked.append(point["x"]) or point["x"] ** 2.0)
    assert fates(claim(square, "<=", x, UNIT))["hypothesis removed: upper limit of x"] == "killed"
    grid = UNIT.relaxed()["upper limit of x"].grid(120)
    assert set(asked[-len(grid) :]) == {point["x"] for point in grid}


# --- counts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_the_counts_are_those_of_the_fates(name: str) -> None:
    found = judged(KINDS[name][0])
    named = [name for fate in FATES for name in found.fates[fate]]
    assert found.total == sum(map(found.count, FATES)) == len(named) == len(set(named))
    assert Mutation.from_json(found.to_json()) == found


@pytest.mark.parametrize("most", [1, 2, 5])
def test_the_most_mutants_are_respected(most: int) -> None:
    assert 1 <= judged(claim(SUM, "=", SUM, WIDE), most=most).total <= most


def test_the_same_seed_gives_the_same_fates() -> None:
    statement = KINDS["a ball"][0]
    assert judged(statement, seed=3) == judged(statement, seed=3)


# --- a check that cannot fail -----------------------------------------------------------------------

VACUOUS: dict[str, Claim] = {
    "an infinite bound": claim(x, "<=", measured(lambda p: math.inf), Domain({x: Reals(1, 2)}))
}


@pytest.mark.parametrize("name", VACUOUS)
def test_a_vacuous_claim_is_found_vacuous(name: str) -> None:
    statement = VACUOUS[name]
    found = collected(statement)
    assert found.verdict == "vacuous"
    assert found.mutation is None or found.mutation.count("killed") == 0


def test_the_same_claim_with_a_bound_that_binds_is_not() -> None:
    binding = claim(sp.Integer(0), "<=", x**2, UNIT)
    found = collected(binding)
    assert found.mutation is not None
    assert (found.verdict, found.mutation.count("killed")) == ("proved", 1)
