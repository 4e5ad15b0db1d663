"""Claims that hold from somewhere on, and those that never do."""

from typing import Any

import pytest
from tests.statements import claim, collected, measured, n, x

from boundaudit import Domain, InputError, Integers, Reals
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.modes import growing

COUNT = Domain({n: Integers(1)})


def seen(left: Any, right: Any, domain: Domain = COUNT, mode: str = "as n→∞") -> Findings:
    return collected(claim(left, "<=", right, domain, mode=mode))


def test_the_parameter_that_grows_has_no_upper_limit() -> None:
    free, bounded = Domain({n: Integers(1), x: Reals(0, 1)}), Domain({n: Integers(1, 9)})
    assert growing("as n→∞", free) == "n"
    assert growing("eventually", free) == "n"
    assert growing("as n→∞", bounded) is None
    assert growing("always", free) is None


@pytest.mark.parametrize(
    ("mode", "culprit"),
    [("eventually", "'eventually', where n, x may grow"), ("as T→∞", "'as T→∞', and no parameter T")],
)
def test_a_mode_that_leaves_open_what_grows_is_refused(mode: str, culprit: str) -> None:
    with pytest.raises(InputError, match=culprit):
        claim(n, "<=", x, Domain({n: Integers(1), x: Reals(0)}), mode=mode).validate()


@pytest.mark.parametrize("mode", ["as n→∞", "eventually"])
def test_a_violation_at_small_n_does_not_refute_it(mode: str) -> None:
    assert seen(100 * n, n**2, mode="always").verdict == "refuted"
    found = seen(100 * n, n**2, mode=mode)
    assert found.verdict == "supported"
    start = int(found.evidence[0].covers.split(":")[0].removeprefix("from n = ").removesuffix(" on"))
    assert 100 <= start <= 10_000
    assert found.worst is not None
    assert found.worst.point["n"] >= start


def test_what_fails_on_every_tail_is_not_supported() -> None:
    assert seen(n**2, 100 * n).verdict in ("refuted", "undecided")
    assert seen(1 + 1 / n, 1).verdict in ("refuted", "undecided")


def test_a_measured_side_is_followed_as_far_as_it_is_measured() -> None:
    late = measured(lambda p: 2.0 if p["n"] < 20 else 0.5)
    found = seen(late, 1)
    assert found.verdict == "supported"
    assert found.evidence[0].covers.startswith("from n = ")
    assert seen(measured(lambda p: 2.0), 1).verdict == "undecided"


def test_a_claim_that_always_holds_holds_eventually() -> None:
    assert seen(n, n + 1).verdict == "proved"
