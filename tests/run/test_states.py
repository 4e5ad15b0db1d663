"""States: the reading that decides, its settings, and all that is asserted in each."""

import pytest

from boundaudit.checks.language.theorem import Reading, Theorem
from boundaudit.checks.run.states import UNAUDITED, judged, state_of

VERDICTS = {
    "a.yes": {"a.yes": "proved"}, "a.no": {"a.no": "refuted"}, "a.open": {"a.open": "undecided"},
    "a.some": {"a.some[short]": "proved", "a.some[long]": UNAUDITED},
    "a.untold": {"a.untold": "not testable"}, "a.both": {"a.both[short]": "supported", "a.both[long]": "refuted"},
    "a.other": {"a.other[short]": "refuted", "a.other[long]": "proved"},
}  # fmt: skip


def statement(*readings: Reading, **said: str) -> Theorem:
    return Theorem(number="Theorem 1", title="Sizes", says="It is small.", readings=readings, **said)


SETTINGS = {
    "all asserted hold": ({"": ("a.yes", "a.yes")}, "stands"),
    "one of two asserted fails": ({"": ("a.yes", "a.no")}, "falls"),
    "one setting fails": ({"short": ("a.yes",), "long": ("a.yes", "a.no")}, "stands in part"),
    "every setting fails": ({"short": ("a.no",), "long": ("a.no",)}, "falls"),
    "a setting fails and one is open": ({"short": ("a.open",), "long": ("a.no",)}, "falls"),
    "a setting holds and one is open": ({"short": ("a.open",), "long": ("a.yes",)}, "stands in part"),
    "cases that differ are settings": ({"": ("a.both",)}, "stands in part"),
    "cases that differ, beside what fails": ({"": ("a.both", "a.no")}, "falls"),
    "cases that differ, beside others that fail": ({"": ("a.both", "a.other")}, "falls"),
    "cases that differ, beside what is open": ({"": ("a.both", "a.open")}, "falls"),
    "a setting that is called like a case": ({"": ("a.both",), "long": ("a.yes",)}, "stands in part"),
    "a setting that nothing judges, called like a case": ({"": ("a.both",), "short": ()}, "falls"),
    "a case alone": ({"": ("a.both[short]", "a.yes")}, "stands"),
    "a case that was not audited": ({"": ("a.both[other]", "a.yes")}, "not testable"),
    "a claim that was not audited": ({"": ("a.elsewhere", "a.yes")}, "not testable"),
    "a claim that was not audited, beside a fall": ({"": ("a.elsewhere", "a.no")}, "falls"),
    "a claim that was not audited in one setting": ({"short": ("a.yes",), "long": ("a.yes", "a.elsewhere")},
                                                    "stands in part"),
    "a setting of which nothing was audited": ({"short": ("a.yes",), "long": ("a.elsewhere",)}, "stands in part"),
    "a case of which nothing was audited": ({"": ("a.some",)}, "stands in part"),
    "a setting that nothing judges": ({"one direction": ("a.yes",), "all": ()}, "stands in part"),
    "a setting that nothing judges beside a fall": ({"one direction": ("a.no",), "all": ()}, "falls"),
    "nothing to test": ({"": ("a.untold",)}, "not testable"),
    "beside what cannot be tested": ({"": ("a.untold", "a.yes")}, "stands in part"),
    "beside a setting that cannot be tested": ({"short": ("a.untold",), "long": ("a.yes",)}, "stands in part"),
    "a fall beside what cannot be tested": ({"": ("a.untold", "a.no")}, "falls"),
    "a fall beside a setting that cannot be tested": ({"short": ("a.untold",), "long": ("a.no",)}, "falls"),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "state"), SETTINGS.values(), ids=SETTINGS)
def test_the_state_of_a_reading(settings: dict[str, tuple[str, ...]], state: str) -> None:
    theorem = statement(Reading(settings=settings))
    assert state_of(theorem, judged(theorem, VERDICTS)) == state


@pytest.mark.parametrize(("first", "other", "state"), [("a.yes", "a.no", "stands"), ("a.no", "a.yes", "falls")])
def test_the_first_reading_decides_alone(first: str, other: str, state: str) -> None:
    readings = (Reading(name="meant", settings={"": (first,)}), Reading(name="or so", settings={"": (other,)}))
    theorem = statement(*readings)
    found = judged(theorem, VERDICTS)
    assert state_of(theorem, found) == state
    assert found[1].to_json()["name"] == "or so"
    assert found[1].state != state


def test_no_other_reading_decides_where_the_first_was_not_audited() -> None:
    theorem = statement(Reading(name="meant", settings={"": ("a.elsewhere",)}), Reading(settings={"": ("a.yes",)}))
    assert state_of(theorem, judged(theorem, VERDICTS)) == "not testable"


def test_settings_are_named() -> None:
    theorem = statement(Reading(settings={"T = 20": ("a.yes",), "every T": ("a.both",)}))
    (found,) = judged(theorem, VERDICTS)
    assert found.where("stands") == ["T = 20", "every T, short"]
    assert found.where("falls") == ["every T, long"]


def test_what_encodes_nothing_does_not_stand() -> None:
    assert state_of(statement(missing="stands"), []) == "not testable"


def test_what_encodes_nothing() -> None:
    assert [state_of(statement(missing=why), []) for why in ("a definition", "not yet read", "no constant")] == [
        "a definition", "not yet read", "not testable",
    ]  # fmt: skip
