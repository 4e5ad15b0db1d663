"""What a paper's experiment says beside what the experiment gives when it is run again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from boundaudit.checks.records.study import Panel
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.rows import Found
from boundaudit.reports.experiment.shared.words import headed

Verdict = Literal["holds", "does not hold", "undecided"]


@dataclass(frozen=True)
class Replication:
    """One statement of an experiment, and one number that decides it."""

    place: str  # where it is printed
    printed: str  # what is said there, in one sentence of ours
    measured: str
    value: float | None  # the number; None where the run gives none
    low: float | None  # lower end of its interval; None where there is none
    high: float | None  # upper end
    verdict: Verdict  # whether the statement holds, as far as the interval decides it

    @classmethod
    def above(cls, place: str, printed: str, measured: str, found: Found, threshold: float) -> Replication:
        """Holds where a number exceeds a threshold; undecided where its interval contains it, or is missing."""
        value, low, high = found
        if low is None or high is None or low <= threshold <= high:
            return cls(place, printed, measured, value, low, high, "undecided")
        return cls(place, printed, measured, value, low, high, "holds" if low > threshold else "does not hold")

    def sentence(self) -> str:
        """Printed, measured and verdict in one sentence."""
        if self.value is None:
            return f"{self.place}: {self.printed}: undecided, no run gives {self.measured}."
        ends = "" if self.low is None or self.high is None else f", {self.low:.3g} to {self.high:.3g}"
        return f"{self.place}: {self.printed}: {self.verdict} ({self.measured}: {self.value:.4g}{ends})."


def replicated(
    name: str, found: Mapping[str, Any], tables: Sequence[Table], panels: Sequence[Panel], *,
    first: Iterable[str] = (), then: Iterable[str] = (),
) -> Shown:  # fmt: skip
    """An experiment as people read it: each statement beside what was measured, with other conclusions around that."""
    said = (Replication(**each).sentence() for each in found["replications"])
    return Shown(*headed(name), [*first, *said, *then], [replication_table(found), *tables], panels)


def replication_table(found: Mapping[str, Any]) -> Table:
    """The statements of a result, one row each: the table that pages show first."""
    columns = ("where", "printed", "measured", "value", "from", "to", "verdict")
    return Table("Printed and measured", columns, [tuple(each.values()) for each in found["replications"]])
