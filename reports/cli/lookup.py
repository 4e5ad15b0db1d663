"""Which run a command reads: the one that was given, the newest that has what is asked for, or the shipped one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boundaudit import InputError

if TYPE_CHECKING:
    from boundaudit.checks.records.run_folder import Run

RUNS = Path("boundaudit-runs")


def runs() -> list[Path]:
    """The folders of the finished runs under ./boundaudit-runs, the newest first."""
    manifests = sorted(RUNS.glob("*/manifest.json"), key=lambda path: -path.stat().st_mtime)
    return [path.parent for path in manifests if path.parent.suffix != ".partial"]


def reference_run() -> Run:
    """The run that ships with the suite. Raises InputError where none is shipped."""
    from boundaudit.checks.records.reference import FOLDER, reference

    found = reference()
    if found is None:
        raise InputError("reference run", "a shipped run", f"none in {FOLDER}", "make one with `make reference`")
    return found


def run_to_read(folder: Path | None) -> Run:
    """The run that a command about many claims reads.

    The one given, else the newest of the suite's own claims that has all of the shipped ones, else the shipped one: a
    small run, or one of somebody's own claims, hides nothing.
    """
    from boundaudit.checks.records.run_folder import Run

    if folder is not None:
        return Run.load(folder)
    shipped = reference_run()
    return _newest(lambda claims: set(shipped.receipts) <= set(claims)) or shipped


def newest_or_shipped() -> Run:
    """The newest finished run under ./boundaudit-runs, whatever it audits, else the shipped one."""
    return _newest(bool) or reference_run()


def _newest(wanted: Callable[[Sequence[str]], bool]) -> Run | None:
    """The newest run whose claims are wanted; one that is damaged or of another version is passed over."""
    from boundaudit.checks.records.run_folder import Run, claims_of

    for path in runs():
        if wanted(claims_of(path)):
            with contextlib.suppress(InputError):
                return Run.load(path)
    return None


def run_with(label: str, folder: Path | None = None) -> Run:
    """The run that knows a claim: the one given, else the newest with a receipt of it, else the shipped one."""
    from boundaudit.checks.records.run_folder import Run

    if folder is not None:
        found = [Run.load(folder)]
    else:
        newest = _newest(lambda claims: any(_means(label, name) for name in claims))
        found = [newest] if newest is not None else [reference_run()]
    for run in found:
        if members_in(run, label):
            return run
    raise InputError("label", f"a label of {found[0].path}", label, "see `boundaudit list`")


def members_in(run: Run, label: str) -> list[str]:
    """The receipts of a run that a label means: its case, or all cases of a claim."""
    return [name for name in run.receipts if _means(label, name)]


def _means(label: str, name: str) -> bool:
    """Whether a label means a claim or case: by its name, or by that of the claim it is a case of."""
    return label in (name, name.partition("[")[0])


def next_steps(run: Run) -> Callable[[str], str]:
    """What to try next for the claims of a user's own files, by label; nothing for those of the suite."""
    if not run.files:
        return lambda label: ""
    from boundaudit.checks.run.advice import advice
    from boundaudit.checks.run.reproduce import finder

    find = finder(run)

    return lambda label: advice(find(label)[0], run.receipts[label].findings, find) or ""


def said_from(run: Run, *, again: bool) -> str:
    """Which run was read, how large it is, and whether what it says was looked at again."""
    from boundaudit.checks.records.reference import FOLDER
    from boundaudit.checks.records.run_folder import claims_of

    ships = run.path == FOLDER
    name = "the run that ships with the suite" if ships else str(run.path)
    newer = [path for path in runs() if claims_of(path)][:1]
    newer = [path for path in newer if path.resolve() != run.path.resolve()]
    hint = f"; the newest run is {newer[0]} (--run)" if newer else ""
    call = "boundaudit check" if ships else f"boundaudit check {run.path}"
    told = "" if again else f", not checked again (`{call}` does that)"
    return f"read from {name}: {len(run.receipts):,} claims and cases, profile {run.manifest.profile}{told}{hint}"


def said_of(doubts: Sequence[Mapping[str, str]] | None) -> str:
    """What came of looking at receipts again: a sentence, or a line for each that does not stand."""
    if doubts is None:
        return "no: `boundaudit check` does that"
    lines = [f"{doubt['label']} does not stand: it says {doubt['says']}; found {doubt['found']}" for doubt in doubts]
    return "\n".join(lines) or "yes, and it stands"
