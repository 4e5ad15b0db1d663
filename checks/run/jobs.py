"""What a run consists of: jobs, one for each claim, study, chain and priced theorem."""

from __future__ import annotations

import functools
import json
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.evidence.collect import Stored, collect_evidence, nothing_stored
from boundaudit.checks.evidence.derivation import measured_once
from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.price import price
from boundaudit.checks.evidence.profile import Profile
from boundaudit.checks.evidence.trial import Trials
from boundaudit.checks.language.claim import Claim, Probability, Quantity, side_text
from boundaudit.checks.language.faults import told
from boundaudit.checks.language.progress import watched
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.receipt import Receipt, evidence_key
from boundaudit.checks.records.reference import stored, stored_under
from boundaudit.checks.records.run_folder import Kind, Record
from boundaudit.checks.records.standing import is_measured_inside, recorded_trials
from boundaudit.checks.records.study import Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.run.addresses import base
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.shipped import registry_for
from boundaudit.checks.run.workers import Limits, Lost, Workers, can_fork

LIMITS = {"smoke": Limits(60, 4), "standard": Limits(300, 4), "deep": Limits(7200, 8)}
"""What a claim may use: far more than one that ends within its counted budgets needs."""
LONGER = 10
"""How many times as long a study, a chain or a price may take: they are figures, not claims."""


@dataclass(frozen=True)
class Task:
    """How a run is made: everything is plain data, so that it travels to any process."""

    profile: Profile
    seed: int
    device: str
    labels: tuple[str, ...] = ()  # or globs; none means everything
    files: tuple[Path, ...] = ()  # a user's own; none for the claims that ship with the suite


def registry_of(labels: Sequence[str], files: Sequence[Path]) -> Registry:
    """The claims of a user's own files, else of labels and globs that ship, loaded and checked; no label means all."""
    return load_files(files) if files else registry_for(tuple(labels))


@dataclass(frozen=True)
class Job:
    """One record to be made."""

    kind: Kind
    label: str


@dataclass(frozen=True)
class Made:
    """What a job gave: what the run keeps of it, if anything, or in one line what is wrong with its input."""

    record: Record | None
    error: str | None = None


def jobs_of(registry: Registry, chosen: Sequence[str]) -> list[Job]:
    """All that a run makes: studies first, as each takes long, and each chain after the claim that it proves.

    The receipts of the chosen members, and the studies, chains and theorems all of whose claims were chosen.
    """
    there = {*chosen, *map(base, chosen)}
    chains = [
        chain.label for chain in registry.derivations.values()
        if all(label in there for label in chain.claims)
    ]  # fmt: skip
    theorems = [theorem.label for theorem in registry.theorems.values() if _is_chosen(theorem, registry, set(chosen))]
    labels: dict[Kind, Sequence[str]] = {
        "studies": registry.studies_of(chosen), "receipts": chosen, "derivations": chains, "prices": theorems,
    }  # fmt: skip
    place: dict[str, int] = {}
    for n, label in enumerate(chosen):
        chain = registry.members[label].derivation
        place |= {label: n} if chain is None else {label: n, chain.label: n}
    jobs = [Job(kind, label) for kind, named in labels.items() for label in named]
    return sorted(jobs, key=lambda job: -1 if job.kind == "studies" else place.get(job.label, len(chosen)))


def _is_chosen(theorem: Theorem, registry: Registry, chosen: set[str]) -> bool:
    named = [*theorem.printed, *filter(None, (theorem.successor, theorem.improvement))]
    return bool(theorem.printed) and all(member.label in chosen for label in named for member in registry.find(label))


def workers_for(task: Task, registry: Registry, count: int) -> Workers[Job, Made]:
    """At most so many workers that do the jobs of a run, to be used in a `with` block."""
    fork = can_fork()
    work: Callable[[Job, Callable[[str], None]], Made] = functools.partial(_work, task, registry if fork else None)
    limits = LIMITS[task.profile.name]
    longer = Limits(limits.seconds * LONGER, limits.gigabytes)
    return Workers(count, work, lambda job: limits if job.kind == "receipts" else longer, fork=fork)


def lost(registry: Registry, job: Job, why: Lost) -> Made:
    """What a run keeps of a job that ended with its worker: a receipt that says so, or an error.

    A claim becomes undecided. Only a measurement ends its process by itself, which is an error of the input.
    """
    claim = registry.members.get(job.label) if job.kind == "receipts" else None
    measured = [name for name in ("left", "right") if claim and isinstance(getattr(claim, name), Quantity)]
    if claim is None or why.status is None or not measured:
        return _nothing(registry, job, why.reason)
    field = f"{claim.label}.{' or '.join(measured)} ({claim.source})"
    error = InputError(field, "a measurement that returns", why.reason, "correct the measurement")
    return _nothing(registry, job, str(error), wrong=True)


def _nothing(registry: Registry, job: Job, reason: str, *, wrong: bool = False) -> Made:
    """What a run keeps of a job that gave nothing: the claim is undecided; a study, chain or price is an error."""
    if job.kind != "receipts":
        return Made(None, reason if job.label in reason else f"{job.label}: {reason}")
    claim = registry.members[job.label]
    found = Findings.judged(claim, [Evidence("fault", "undecided", reason, 0)])
    try:
        receipt = Receipt(claim.label, evidence_key(claim), claim.fingerprint, found)
    except Exception:  # a statement that cannot even be hashed has no receipt
        return Made(None, reason if job.label in reason else f"{job.label}: {reason}")
    return Made(receipt.to_json(), reason if wrong else None)


# --- in a worker ----------------------------------------------------------------------------------


def _work(task: Task, known: Registry | None, job: Job, say: Callable[[str], None]) -> Made:
    """Do one job; whatever is raised in it is its own."""
    registry = known or _loaded(task)
    try:
        with watched(say):
            made = _MAKE[job.kind](task, registry, job.label)
        json.dumps(made, allow_nan=False)
        return Made(made)
    except InputError as error:
        line = str(error) if job.label in error.field else f"{job.label}: {error}"
        return _nothing(registry, job, line, wrong=True)
    except MemoryError:
        return _nothing(registry, job, "out of budget (memory)")
    except BaseException as fault:  # a measurement may raise anything
        return _nothing(registry, job, _told(fault))


@functools.cache
def _loaded(task: Task) -> Registry:
    return registry_of(task.labels, task.files)


def _told(fault: BaseException) -> str:
    """A fault in one line, with the place where it was raised."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    words = " ".join(told(fault).split())[:200]
    return f"a fault: {words} ({Path(last.filename).name}:{last.lineno})"


def _receipt(task: Task, registry: Registry, label: str) -> Record:
    claim, stored = registry.members[label], _stored(task, registry)
    key = evidence_key(claim)
    found = collect_evidence(
        claim, registry.find, task.profile, seed=task.seed, device=task.device, stored=stored,
        counts=_counts(claim, key) if task.profile.quick and not task.files else None,
    )  # fmt: skip
    return Receipt(label, key, claim.fingerprint, found).to_json()


def _counts(claim: Claim, key: str) -> Trials | None:
    """What the reference run counted of a probability, by the same code and in the same domain."""
    known = stored_under(claim.label, key) if isinstance(claim.left, Probability) else None
    found = None if known is None or not known.evidence else recorded_trials(known.evidence[0])
    return found if found and all(is_measured_inside(claim, point) for point in found.points) else None


@functools.cache
def _stored(task: Task, registry: Registry) -> Stored:
    """What earlier runs found: of a user's own claims nothing."""
    if task.profile.name == "deep":
        return nothing_stored
    own = set(registry.members) if task.files else set()
    return lambda label: None if label in own else stored(label)


def _curves(task: Task, registry: Registry, label: str) -> Record:
    return record(registry.studies[label], Setting(task.profile.name, task.seed, task.device))


def _waterfall(task: Task, registry: Registry, label: str) -> Record:
    return measured_once(registry.derivations[label], task.profile.chain, task.seed, task.device).to_json()


def _price(task: Task, registry: Registry, label: str) -> Record:
    """What the successor and the improvement of a theorem cost."""
    theorem = next(found for found in registry.theorems.values() if found.label == label)
    of: Record = {}
    for name, other in (("price", theorem.successor), ("gain", theorem.improvement)):
        printed = None if other is None else _counterpart(registry, theorem, other)
        pair = None if other is None or printed is None else (registry.find(other), registry.find(printed))
        of[name] = None if pair is None else price(*pair, seed=task.seed, device=task.device)
    return {"label": label, **of}


def _counterpart(registry: Registry, theorem: Theorem, label: str) -> str | None:
    """The part of a theorem that a claim takes the place of or sharpens; else one with the same left side."""
    members = registry.find(label)
    named = {base(other) for member in members for other in (*member.repairs, member.improves or "")}
    for part in theorem.printed:
        if base(part) in named:
            return part
    lefts = {side_text(member.left) for member in members}
    same = (part for part in theorem.printed if lefts & {side_text(member.left) for member in registry.find(part)})
    return next(same, None)


_MAKE: dict[Kind, Callable[[Task, Registry, str], Record]] = {
    "receipts": _receipt,
    "studies": _curves,
    "derivations": _waterfall,
    "prices": _price,
}
