"""The runner: claims to receipts and studies to curves, by workers that share nothing, here or on a cluster.

The same seed gives the same receipts and curves, byte for byte, on one machine and device, however many workers ran it:
each claim and each study is a job of its own, workers compute with one thread, and nothing depends on the clock.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.evidence.family import family_wise
from boundaudit.checks.evidence.findings import FATES, Mutation, mutation_score
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.records.receipt import Receipt, evidence_key
from boundaudit.checks.records.run_folder import KINDS, Record, Run
from boundaudit.checks.records.run_writer import RunWriter, Unfinished
from boundaudit.checks.records.standing import unsound
from boundaudit.checks.records.study_record import study_key
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.run.cluster import Cluster
from boundaudit.checks.run.errors import InputErrors
from boundaudit.checks.run.jobs import Job, Made, Task, jobs_of, lost, registry_of, workers_for
from boundaudit.checks.run.named_files import name_files, require_named
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.settling import is_doubted, judged_again
from boundaudit.checks.run.versions import device_name, versions
from boundaudit.checks.run.workers import Doing, Lost, Workers

Progress = Callable[[Receipt, Claim, float, int], None]
"""Called as each claim is finished: its receipt, the claim, seconds, and how many are still to come."""
Watch = Callable[[Sequence[Doing[Job]]], None]
"""Called several times a second: what is being done."""


def resolve_device(device: str) -> str:
    """The device to measure on, ``cpu`` or ``cuda``, also for ``auto``.

    Raises:
        InputError: for another name, or where there is no CUDA device.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise InputError("--device", "auto, cpu or cuda", device, "choose one of these")
    if device == "cpu":
        return device
    import torch

    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if not torch.cuda.is_available():
        raise InputError("--device", "a CUDA device", "none that PyTorch can see", "use --device cpu")
    return device


def verify(
    labels: Sequence[str] = (),
    files: Sequence[Path] = (),
    *,
    out: Path,
    profile: str = "standard",
    device: str = "auto",
    workers: int | None = None,
    scheduler: str | None = None,
    seed: int = 0,
    resume: bool = False,
    known: Mapping[str, Receipt] | None = None,
    curves: Mapping[str, Record] | None = None,
    progress: Progress = lambda receipt, claim, seconds, left: None,
    watch: Watch = lambda doing: None,
    doubt: Callable[[str], None] = lambda line: None,
) -> Run:
    """Gather evidence and write a run folder.

    What goes wrong in one claim stays there: a fault, or a budget that is spent, makes it undecided, and an error of
    its input is told in the manifest's ``errors``, by label; every other claim is judged.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from boundaudit import verify
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = verify(["sharpness.mlp.height"], out=Path(folder) / "run", profile="smoke", device="cpu")
        >>> run.receipts["sharpness.mlp.height"].findings.verdict
        'proved'

    Args:
        labels: Labels or globs; none selects everything.
        files: A user's own claims files; none for the claims that ship with the suite.
        out: The folder to write; it must not exist yet.
        profile: ``smoke``, ``standard`` or ``deep``.
        device: ``auto`` (a GPU where the claims have loaded PyTorch and it sees one), ``cpu`` or ``cuda``.
        workers: Processes, one unless given; the receipts do not depend on it.
        scheduler: Address of a dask scheduler whose workers do the jobs instead; the receipts do not depend on it.
        seed: The seed from which all randomness derives, at least 0.
        resume: Whether to go on with an interrupted run of the same name.
        known: Receipts of an earlier run, taken over where their key is current and their verdict is as expected.
        curves: Its studies, likewise.
        progress: Called as each claim is finished.
        watch: Called several times a second with what is being done.
        doubt: Told of what is damaged in the interrupted run and of each receipt that does not stand; both are gathered
            again.

    Returns:
        The finished run.

    Raises:
        InputError: where an argument is wrong, or the input of every claim is, and nothing is written then.
        Unfinished: where the folder cannot be written any more, or the scheduler is gone; ``resume`` goes on then.
    """
    if profile not in PROFILES:
        raise InputError("--profile", ", ".join(PROFILES), profile, "choose one of these")
    if workers is not None and scheduler is not None:
        raise InputError("--workers", "either --workers or --scheduler", "both", "leave one of them out")
    if workers is not None and workers < 1:
        raise InputError("--workers", "at least 1", workers, "give a positive number")
    if seed < 0:
        raise InputError("--seed", "a whole number that is at least 0", seed, "drop the sign")
    registry = registry_of(labels, files)
    name_files(files)
    chosen = registry.select(labels)
    on = "cpu" if device == "auto" and "torch" not in sys.modules else resolve_device(device)
    task = Task(PROFILES[profile], seed, on, tuple(labels), tuple(files))
    writer = RunWriter(out, resume=resume, doubt=doubt)
    try:
        writer.bind({"profile": profile, "seed": seed, "device": task.device})
        _take_over(writer, registry, chosen, known or {}, curves or {})
        pool = workers_for(task, registry, workers or 1) if scheduler is None else Cluster(scheduler, task)
        _fill(writer, task, registry, chosen, pool, progress, watch, doubt)
    except Unfinished:
        raise
    except InputError:
        if not resume:
            writer.discard()
        raise
    return Run.load(out)


def _take_over(
    writer: RunWriter,
    registry: Registry,
    chosen: Sequence[str],
    known: Mapping[str, Receipt],
    curves: Mapping[str, Record],
) -> None:
    """Keep what an earlier run knows and nothing has changed."""
    for label in chosen:
        found, claim = known.get(label), registry.members[label]
        # What is not as expected may be so by what no key holds: error budgets, equality cases, what it rests on.
        settled = found is not None and found.findings.as_expected(claim) and not is_doubted(found)
        if found is not None and settled and found.key == evidence_key(claim):
            writer.write("receipts", found.to_json())
    for label in registry.studies_of(chosen):
        if label in curves and curves[label]["key"] == study_key(registry.studies[label]):
            writer.write("studies", curves[label])


def _fill(
    writer: RunWriter,
    task: Task,
    registry: Registry,
    chosen: Sequence[str],
    pool: Workers[Job, Made] | Cluster,
    progress: Progress,
    watch: Watch,
    doubt: Callable[[str], None],
) -> None:
    """Make what the folder lacks, and finish it."""
    started = time.perf_counter()
    jobs = jobs_of(registry, chosen)
    open_ = [job for job in jobs if not _is_kept(writer, registry, job, doubt)]
    left = sum(job.kind == "receipts" for job in open_)
    seconds: dict[str, float] = {}
    wrong: dict[Job, Made] = {}
    with pool:
        for ended in pool.results(open_, watch):
            job, found = ended.job, ended.result
            made = lost(registry, job, found) if isinstance(found, Lost) else found
            seconds[job.label] = ended.seconds
            left -= job.kind == "receipts"
            if made.error is not None:
                wrong[job] = made  # written at the end only: an interrupted run that is resumed tries it again
            elif made.record is not None:
                writer.write(job.kind, made.record)
                if job.kind == "receipts":
                    progress(Receipt.from_json(made.record), registry.members[job.label], ended.seconds, left)
    errors = {job.label: made.error for job, made in wrong.items() if made.error is not None}
    if set(errors) >= set(chosen):
        raise InputErrors(*errors.values())
    for job, made in wrong.items():
        if made.record is not None:
            writer.write(job.kind, made.record)
    bare = {job for job, made in wrong.items() if made.record is None}
    records = {kind: {job.label for job in jobs if job.kind == kind and job not in bare} for kind in KINDS}
    judged = [label for label in chosen if label in records["receipts"]]
    receipts = {label: Receipt.from_json(writer.done["receipts", label]) for label in judged}
    for label, receipt in judged_again(receipts, registry.find).items():
        writer.write("receipts", receipt.to_json())
        progress(receipt, registry.members[label], 0.0, 0)
    manifest = _manifest(task, judged) | {"errors": errors, "records": records}
    writer.finish(manifest, {"total_seconds": time.perf_counter() - started, "seconds": seconds})


def _is_kept(writer: RunWriter, registry: Registry, job: Job, doubt: Callable[[str], None]) -> bool:
    """Whether the folder has a current record of a claim or a study that stands; a key is worth building only then."""
    if job.kind not in ("receipts", "studies") or not writer.has(job.kind, job.label):
        return False
    label = job.label
    key = evidence_key(registry.members[label]) if job.kind == "receipts" else study_key(registry.studies[label])
    if not writer.kept(job.kind, label, key):
        return False
    wrong = unsound(writer, registry.members[label], registry.find) if job.kind == "receipts" else None
    if wrong is not None:
        doubt(f"{wrong}; gathered again")
    return wrong is None


def _manifest(task: Task, claims: Sequence[str]) -> Record:
    return {
        "profile": task.profile.name,
        "seed": task.seed,
        "device": task.device,
        "device_name": device_name(task.device),
        "versions": versions(),
        "git": _revision(),
        "files": [str(path) for path in task.files],
        "claims": list(claims),
    }


def _revision() -> str | None:
    """The git revision of the suite, where it runs from a checkout."""
    here = Path(__file__).resolve().parent
    try:
        found = subprocess.run(
            ["git", "-C", str(here), "rev-parse", "HEAD"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()


@dataclass(frozen=True)
class Summary:
    """What `verify --json` prints."""

    claims: int  # and cases that were judged
    verdicts: dict[str, int]  # how many have each
    unexpected: list[str]  # labels of those whose verdict is not the one that is expected
    errors: dict[str, str]  # what is wrong with the input of a claim or a study, by label
    # how many mutants met each fate, their total and their score: killed over killed and unexplained
    mutation: dict[str, float | None]
    mutants: dict[str, dict[str, float | None]]  # the same of each claim that stands and has any, by label
    statistics: dict[str, float]  # how many decisions rest on trials, and a bound on the probability that any is wrong
    seed: int
    device: str
    profile: str
    out: str  # the run folder


def _fates(mutations: Iterable[Mutation]) -> dict[str, float | None]:
    """How many mutants met each fate, with total and score."""
    counts = Counter(dict.fromkeys(FATES, 0))
    for mutation in mutations:
        counts.update({fate: mutation.count(fate) for fate in FATES})
    return {**counts, "total": counts.total(), "score": mutation_score(counts["killed"], counts["unexplained"])}


def summary(run: Run) -> Summary:
    """A run, just made, in numbers."""
    found = {label: receipt.findings for label, receipt in run.receipts.items()}
    require_named(run.files)
    find = load_files(run.files).find if run.files else find_shipped
    judged = {label: f.mutation for label, f in found.items() if f.mutation is not None and f.mutation.total}
    mutants = {label: _fates([mutation]) for label, mutation in judged.items()}
    return Summary(
        claims=len(found),
        verdicts=dict(Counter(f.verdict for f in found.values())),
        unexpected=[label for label, f in found.items() if not f.as_expected(find(label)[0])],
        errors=dict(run.manifest.errors),
        mutation=_fates(judged.values()),
        mutants=mutants,
        statistics=family_wise(found.values()),
        seed=run.manifest.seed,
        device=run.manifest.device,
        profile=run.manifest.profile,
        out=str(run.path),
    )
