"""What is seen of a run while it is made: a line for each finished claim, and on a terminal what is being done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boundaudit.reports.cli.output import STYLES, console

if TYPE_CHECKING:
    from rich.live import Live

    from boundaudit.checks.language.claim import Claim
    from boundaudit.checks.records.receipt import Receipt
    from boundaudit.checks.run.jobs import Job
    from boundaudit.checks.run.workers import Doing


class Board:
    """Progress on stderr."""

    def __init__(self) -> None:
        self._console = console(stderr=True)
        self._live: Live | None = None
        self._told = ""

    def __enter__(self) -> Board:
        if self._console.is_terminal:
            from rich.live import Live

            # Without a thread of its own, which a worker that starts as a copy of this process would lack.
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def add(self, receipt: Receipt, claim: Claim, seconds: float, left: int) -> None:
        """Show one finished claim."""
        from rich.text import Text

        found = receipt.findings
        line = Text(f"{seconds:6.1f} s  ").append(f"{found.verdict:<13}", STYLES[found.verdict])
        line.append(receipt.label).append("" if found.as_expected(claim) else f"  (expected {claim.expected})")
        self._console.print(line)
        self._told = f"{left} to come"

    def watch(self, doing: Sequence[Doing[Job]]) -> None:
        """Show what is being done."""
        if self._live is not None:
            from rich.text import Text

            lines = [f"{at.seconds:6.1f} s  {at.job.label}: {at.what or 'begins'}" for at in doing]
            shown = Text("\n".join([*lines, self._told]), "dim", overflow="ellipsis", no_wrap=True)
            self._live.update(shown, refresh=True)
