"""A statement judged in the smoke profile, in a process of its own with limits on time and memory."""

import multiprocessing
import os
import re
import resource
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from boundaudit import Claim, InputError
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.records.reference import stored

from .statement import Truth

SECONDS, MEGABYTES = 20, 1000
PROVED = ("proved", "certified")


@dataclass(frozen=True)
class Outcome:
    """What became of a statement.

    Attributes:
        verdict: The engine's verdict; ``over time``, ``over memory``, ``refused`` (an input error) or ``crashed``.
        reason: One line.
        engine: The engine of a proof, or the method that decided.
        seconds: Processor time that it took: others on the machine do not change it.
        megabytes: The most memory that its process held beyond its parent's.
    """

    verdict: str
    reason: str = ""
    engine: str = ""
    seconds: float = 0.0
    megabytes: int = 0


def is_wrong(truth: Truth, verdict: str) -> bool:
    """Whether a verdict says something untrue of a statement: that is never excused."""
    if truth.holds is True:
        return verdict in ("refuted", "vacuous", "crashed")
    return verdict in (*PROVED, "crashed") or (truth.holds is False and verdict == "vacuous")


def judged(claim: Claim) -> Outcome:
    """Judge a claim in this process, as a run does that starts from nothing."""
    try:
        claim.validate()
        found = collect_evidence(claim, lambda label: (), PROFILES["smoke"], seed=0, device="cpu")
    except InputError as error:
        return Outcome("refused", str(error))
    decisive = next((e for e in found.evidence if e.witness is not None or e.whole_domain), None)
    engine = "" if decisive is None else decisive.engine or decisive.method
    return Outcome(found.verdict, found.reason, engine)


def judge_apart(truth: Truth, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Outcome:
    """Judge a statement in a child that is ended where it goes beyond its limits of processor time and memory.

    Memory counts from what this process holds: importing a PyTorch with CUDA takes more than the limit.
    """
    stored("")  # reads what ships, which the child would read again
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(there, truth, seconds))
    child.start()
    there.close()
    held, peak = _memory(os.getpid(), "RssAnon"), 0
    while peak <= megabytes and not here.poll(0.05):
        peak = max(peak, _memory(child.pid, "VmHWM") - held)
    peak = max(peak, _memory(child.pid, "VmHWM") - held)
    outcome = Outcome("over memory") if peak > megabytes else _received(here)
    child.kill()
    child.join()
    if outcome.verdict == "crashed" and child.exitcode == -signal.SIGXCPU:
        outcome = Outcome("over time", seconds=seconds)
    return replace(outcome, megabytes=peak)


def _send(there: Connection, truth: Truth, seconds: int) -> None:
    used = time.process_time()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + seconds, int(used) + 2 * seconds))
    try:
        outcome = judged(truth.claim())
    except Exception as error:
        outcome = Outcome("crashed", f"{type(error).__name__}: {error}")
    there.send(replace(outcome, seconds=time.process_time() - used))


def _received(here: Connection) -> Outcome:
    try:
        found: Outcome = here.recv()
    except EOFError:
        return Outcome("crashed", "the process ended without a verdict")
    return found


def _memory(process: int | None, what: str) -> int:
    """What a process holds of its own (RssAnon) or the most it held so far (VmHWM), in megabytes; zero if untold."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(rf"{what}:\s+(\d+) kB", status)
    return int(found[1]) // 1024 if found else 0


# --- the table --------------------------------------------------------------------------------------

VERDICTS = ("proved", "certified", "supported", "refuted", "undecided", "vacuous", "refused", "crashed")
LIMITS = ("over time", "over memory")


def row(pairs: Sequence[tuple[Truth, Outcome]]) -> dict[str, int]:
    """How often each thing happened; what is wrong is counted under its verdict too."""
    counts = {name: sum(outcome.verdict == name for _, outcome in pairs) for name in (*VERDICTS, *LIMITS)}
    wrong = sum(is_wrong(truth, outcome.verdict) for truth, outcome in pairs)
    return {"statements": len(pairs), **counts, "wrong": wrong}
