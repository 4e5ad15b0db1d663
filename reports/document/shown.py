"""What people read of an experiment or a limit, on the screen and on its page: the same tables in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boundaudit.checks.records.study import Panel
from boundaudit.reports.figures.phase import Phase
from boundaudit.reports.figures.studies import Figure

Cell = str | int | float | bool | None


@dataclass(frozen=True)
class Table:
    """Some numbers with their names."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]  # cells, as many as there are columns
    folded: bool = False  # whether they are details: shown on the page alone, when asked for

    def numeric(self) -> list[bool]:
        """Which columns hold numbers."""
        return [not any(isinstance(row[place], (str, bool)) for row in self.rows) for place in range(len(self.columns))]


@dataclass(frozen=True)
class Shown:
    """An experiment or a limit as people read it."""

    title: str  # of the page
    question: str  # what is asked, with the paper
    conclusions: Sequence[str]  # what may be concluded, one sentence each
    tables: Sequence[Table]
    panels: Sequence[Panel]
    phases: Sequence[Phase] = ()

    @property
    def figure(self) -> Figure:
        """The panels as a figure of the report."""
        return Figure(label=self.title, title=self.title, panels=list(self.panels))
