"""Where a refuted claim is true: counts, cuts and the map, against regions known beforehand."""

import json
from typing import Any

import numpy as np
import pytest
import sympy as sp
from tests.statements import c, claim, m, n, t, x

from boundaudit import Choices, Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import Evidence, Witness
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.region import BINS, region
from boundaudit.checks.evidence.region_record import Bin, Counts, Parameter, Part, Region
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.reports.figures.region import heat, percent, sentence, strips

u = sp.Symbol("u", integer=True)
PAIRS = Domain({n: Integers(1, tested_to=60), m: Integers(1, sp.Min(n, 8))})
FALSE = claim(n, "<=", 39 + 100 * (m - 1), PAIRS)
"""Violated exactly where m = 1 and n ≥ 40."""


def findings(found: Region, witness: Witness | None = None) -> Findings:
    evidence = Evidence("search", "violated", "small points", 1, witness=witness)
    return Findings("refuted", "by a counterexample", (evidence,), region=found)


def swept(statement: Any, count: int = 1200) -> Batch:
    return Batch.measure(statement, sweep_points(statement.domain, count, 0), "cpu")


def test_every_point_is_counted_once_and_where_it_belongs() -> None:
    batch = swept(FALSE)
    truly = [point["m"] == 1 and point["n"] >= 40 for point in batch.points]
    equal = [point["m"] == 1 and point["n"] == 39 for point in batch.points]
    found = region(batch, [])
    assert (found.counts.points, found.counts.violates, found.counts.near) == (len(truly), sum(truly), sum(equal))
    assert sum(truly) > 10
    for axis in found.parameters:
        assert len(axis.bins) <= BINS
        for one in axis.bins:
            inside = [one.low <= point[axis.name] <= one.high for point in batch.points]
            assert one.counts.violates == sum(a and b for a, b in zip(inside, truly, strict=True))
            assert one.counts.points == sum(inside)


@pytest.mark.parametrize("found", [Choices(one=1, huge=10**400), Integers(0, 10**400)], ids=["choices", "integers"])
def test_numbers_beyond_floats_are_counted_too(found: Any) -> None:
    batch = swept(claim(n, "<=", u, Domain({u: found, n: Integers(1, 9)})), 60)
    assert 0 < region(batch, []).counts.points <= len(batch.points)


def test_the_free_part_and_the_dense_part_are_the_true_ones() -> None:
    batch = swept(FALSE)
    points = batch.points
    found = region(batch, [])
    above = sum(point["m"] >= 2 for point in points)
    assert found.free == Part("m", ">=", 2, above)
    high = [point for point in points if point["m"] == 1 and point["n"] >= 40]
    least = min(point["n"] for point in high)
    assert found.dense == Part("n", ">=", least, len(high), len(high))
    told = sentence(findings(found))
    assert told.startswith(f"Of {len(points):,} swept points all {len(high)} with m = 1 and n ≥ {least} violate it, ")
    assert f"none of the {above:,} with m ≥ 2; where exactly it begins a sweep cannot say." in told


def test_the_map_is_over_the_two_parameters_that_matter() -> None:
    noisy = Domain({x: Reals(0, 1), n: Integers(1, tested_to=60), m: Integers(1, sp.Min(n, 8))})
    batch = swept(claim(n + 0 * x, "<=", 39 + 100 * (m - 1), noisy))
    found = heat(region(batch, []))
    assert found is not None
    assert (found.rows, found.columns) == ("n", "m")
    assert found.across[0] == "1"
    for label, row in zip(found.down, found.cells, strict=True):
        low = int(label.split("–")[0])
        assert row[0].share == (1 if low >= 40 else 0)
        assert not any(cell.violates for cell in row[1:])
    assert sum(cell.points for row in found.cells for cell in row) == len(batch.points)


def test_a_part_that_holds_a_known_counterexample_is_not_free() -> None:
    numbers = Domain({n: Integers(1, tested_to=60), m: Integers(1, tested_to=9)})
    hole = claim(n, "<=", 50, numbers)
    batch = swept(hole)
    free = region(batch, []).free
    assert free is not None
    assert free.value == 50
    known = region(batch, [{"n": 41, "m": 3}])
    assert known.free is not None
    assert (known.free.relation, known.free.value) == ("<=", 40)
    assert known.counts.points == len(batch.points)
    assert known.counts.violates == sum(point["n"] > 50 for point in batch.points)


def test_a_sweep_without_a_violation_says_so() -> None:
    rare = claim(n, "<=", 60, Domain({n: Integers(1, tested_to=60)}))
    found = region(swept(rare), [{"n": 61}])
    assert (found.counts.violates, found.map, found.dense) == (0, None, None)
    told = sentence(findings(found, Witness({"n": 61}, "61", "60")))
    assert told.startswith(f"At none of {found.counts.points:,} swept points; what was found lies near n = 61.")


def test_where_everything_violates_there_is_no_map() -> None:
    found = region(swept(claim(n, "<=", 0, PAIRS)), [])
    assert (found.counts.violates, found.free, found.map) == (found.counts.points, None, None)
    assert sentence(findings(found)) == f"At all {found.counts.points:,} swept points."


def test_a_rest_that_is_not_told_apart_further_keeps_its_share() -> None:
    axis = Parameter("n", [Bin(1, 4, None, Counts(7, 0, 0)), Bin(5, 5, None, Counts(2, 0, 3))])
    told = sentence(findings(Region(Counts(9, 0, 3), [axis], free=Part("n", "<=", 4, 7))))
    none = "none of the 7 with n ≤ 4; where exactly it begins a sweep cannot say"
    assert told == f"Of 12 swept points 60 % of the 5 with n = 5 violate it, {none}."


def test_vectors_are_told_by_their_extremes_and_choices_by_name() -> None:
    domain = Domain({
        n: Integers(1, tested_to=5), u: Choices(narrow=1, broad=2), sp.Symbol("c"): Vector(n, Reals(0, 1)),
        sp.Symbol("S"): Subsets(1, 1, n),
    })  # fmt: skip
    batch = swept(claim(u * sp.Sum(c[t], (t, 1, n)), "<=", n, domain))
    found = region(batch, [])
    names = [axis.name for axis in found.parameters]
    assert names == ["n", "u", "smallest c", "largest c"]
    assert [one.named for one in found.parameters[1].bins] == ["narrow", "broad"]
    assert found.parameters[1].bins[0].counts.violates == 0
    assert found.free is not None
    assert found.free.parameter in ("smallest c", "largest c")
    told = sentence(findings(found))
    assert " c ≥ " in told
    assert ", none of the " in told
    assert [label for label, _ in dict(strips(found))["u"]] == ["narrow", "broad"]


def test_points_without_a_value_are_left_out() -> None:
    batch = swept(FALSE)
    left = np.where(np.arange(len(batch.points)) % 2 == 0, batch.left, np.nan)
    halved = Batch(FALSE, batch.points, left, batch.right)
    assert region(halved, []).counts.points == halved.usable == -(-len(batch.points) // 2)


def test_the_record_is_plain_json_and_repeats() -> None:
    one, two = (json.dumps(region(swept(FALSE), []).to_json(), allow_nan=False) for _ in range(2))
    assert one == two
    assert json.dumps(Region.from_json(json.loads(one)).to_json()) == one


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 7, "0 %"), (7, 7, "100 %"), (1, 1000, "<1 %"), (999, 1000, ">99 %"), (1, 3, "33 %"), (99, 100, "99 %")],
)
def test_a_share_reads_as_all_or_nothing_only_where_it_is(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text
