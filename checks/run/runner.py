"""The runner: claims to receipts and studies to curves, over a pool of single-threaded processes.

The same seed gives the same receipts and curves, byte for byte, on one machine and device,
however many workers ran it: each claim and each study is a task of its own, workers compute
with one thread, and nothing depends on the clock.
"""

from __future__ import annotations

import itertools
import multiprocessing
import platform
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from boundaudit import InputError, __version__
from boundaudit.checks.evidence.collect import collect_evidence, nothing_stored
from boundaudit.checks.evidence.findings import FATES, Findings
from boundaudit.checks.evidence.price import price
from boundaudit.checks.evidence.profile import PROFILES, Profile
from boundaudit.checks.language.claim import Claim, side_text
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.receipt import Receipt, chapter, evidence_key
from boundaudit.checks.records.reference import reference
from boundaudit.checks.records.run_folder import Kind, Run, RunWriter
from boundaudit.checks.records.study import Setting
from boundaudit.checks.records.study_record import record, study_key
from boundaudit.checks.run.registry import Registry, base, find_shipped, load_files, modules_registry, registry_for

DERIVATION_POINTS = {"smoke": 200, "standard": 5000, "deep": 20000}
_RECORDED = ("hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy", "torch")

Progress = Callable[[Receipt, Claim, float, int], None]
"""Called as each claim is finished: its receipt, the claim, seconds, and how many are still to come."""


@dataclass(frozen=True)
class Task:
    """What a worker needs to know: everything is plain data, so that it travels to any process.

    Attributes:
        profile: How hard to look.
        seed: The run's seed.
        device: Where quantities are measured.
        files: A user's own claims files; none for the claims that ship with the suite.
    """

    profile: Profile
    seed: int
    device: str
    files: tuple[Path, ...] = ()


def resolve_device(device: str) -> str:
    """The device to measure on.

    Args:
        device: ``auto``, ``cpu`` or ``cuda``.

    Returns:
        ``cpu`` or ``cuda``.

    Raises:
        InputError: for another name, or where there is no CUDA device.
    """
    import torch

    if device not in ("auto", "cpu", "cuda"):
        raise InputError("--device", "auto, cpu or cuda", device, "choose one of these")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("--device", "a CUDA device", "none that PyTorch can see", "use --device cpu")
    return device


def verify(
    labels: Sequence[str] = (),
    files: Sequence[Path] = (),
    *,
    out: Path,
    profile: str = "standard",
    device: str = "auto",
    workers: int = 1,
    seed: int = 0,
    resume: bool = False,
    known: Mapping[str, Receipt] | None = None,
    curves: Mapping[str, dict[str, Any]] | None = None,
    progress: Progress = lambda receipt, claim, seconds, left: None,
) -> Run:
    """Gather evidence and write a run folder.

    Args:
        labels: Labels or globs; none selects everything.
        files: A user's own claims files; none for the claims that ship with the suite.
        out: The folder to write; it must not exist yet.
        profile: ``smoke``, ``standard`` or ``deep``.
        device: ``auto``, ``cpu`` or ``cuda``.
        workers: Processes; the receipts do not depend on it.
        seed: The seed from which all randomness derives.
        resume: Whether to go on with an interrupted run of the same name.
        known: Receipts of an earlier run, taken over where their key is current.
        curves: Its studies, likewise.
        progress: Called as each claim is finished.

    Returns:
        The finished run.

    Raises:
        InputError: where an argument is wrong; nothing is written then.
    """
    if profile not in PROFILES:
        raise InputError("--profile", ", ".join(PROFILES), profile, "choose one of these")
    if workers < 1:
        raise InputError("--workers", "at least 1", workers, "give a positive number")
    registry = load_files(files) if files else registry_for(tuple(labels))
    chosen = registry.select(labels)
    task = Task(PROFILES[profile], seed, resolve_device(device), tuple(files))
    writer = RunWriter(out, resume=resume)
    try:
        writer.bind({"profile": profile, "seed": seed, "device": task.device})
        _take_over(writer, registry, chosen, known or {}, curves or {})
        _fill(writer, task, registry, chosen, workers, progress)
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
    curves: Mapping[str, dict[str, Any]],
) -> None:
    """Keep what an earlier run knows and nothing has changed."""
    for label in chosen:
        if label in known and known[label].key == evidence_key(registry.members[label]):
            writer.write("receipts", known[label].to_json())
    for label in registry.studies_of(chosen):
        if label in curves and curves[label]["key"] == study_key(registry.studies[label]):
            writer.write("studies", curves[label])


def _fill(
    writer: RunWriter,
    task: Task,
    registry: Registry,
    chosen: Sequence[str],
    workers: int,
    progress: Progress,
) -> None:
    """Make what the folder lacks, and finish it."""
    started = time.perf_counter()
    seconds: dict[str, float] = {}
    # What has no record yet is made in any case; only the key of what has one is worth building its sides for.
    left = [
        label for label in chosen
        if not (writer.has("receipts", label) and writer.kept("receipts", label, evidence_key(registry.members[label])))
    ]  # fmt: skip
    studies = registry.studies_of(chosen)
    waiting = [
        label for label in studies
        if not (writer.has("studies", label) and writer.kept("studies", label, study_key(registry.studies[label])))
    ]  # fmt: skip
    for kind, made, spent in _results(task, _jobs(left, waiting), workers):
        writer.write(kind, made)
        seconds[made["label"]] = spent
        if kind == "receipts":
            left.remove(made["label"])
            progress(Receipt.from_json(made), registry.members[made["label"]], spent, len(left))
    with _one_thread():
        chains, prices = _derivations(task, registry, chosen), _prices(task, registry, chosen)
    for chain in chains:
        writer.write("derivations", chain)
    for found in prices:
        writer.write("prices", found)
    records = {"receipts": set(chosen), "studies": set(studies)}
    records |= {"derivations": {c["label"] for c in chains}, "prices": {p["label"] for p in prices}}
    manifest = _manifest(task, chosen) | {"records": records}
    writer.finish(manifest, {"total_seconds": time.perf_counter() - started, "seconds": seconds})


Job = tuple[Kind, tuple[str, ...]]
Result = tuple[Kind, dict[str, Any], float]
TOGETHER = 6
"""The most claims of one chapter that a worker takes at once: it loads their modules once."""
WORTH = 8
"""Claims below which another process costs more than it saves: it has to load everything again."""


def _jobs(labels: Sequence[str], studies: Sequence[str]) -> list[Job]:
    """Studies first, as each takes long; then claims, a few of one chapter together."""
    jobs: list[Job] = [("studies", (label,)) for label in studies]
    for _, group in itertools.groupby(labels, key=chapter):
        together = list(group)
        jobs += [("receipts", tuple(together[i : i + TOGETHER])) for i in range(0, len(together), TOGETHER)]
    return jobs


def _results(task: Task, jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """Receipts and curves as they are finished."""
    needed = min(workers, sum(len(labels) for _, labels in jobs) // WORTH)
    if needed <= 1:
        with _one_thread():
            _start_worker(task)
            for job in jobs:
                yield from _work(job)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(needed, mp_context=context, initializer=_start_worker, initargs=(task,))
    try:
        futures = [pool.submit(_work_all, job) for job in jobs]
        for future in as_completed(futures):
            yield from future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread() -> Iterator[None]:
    """One thread inside the block: sums are then taken in the same order everywhere."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_CURRENT: list[tuple[Task, Registry | None]] = []


def _start_worker(task: Task) -> None:
    """What a worker keeps; a worker computes with one thread for all of its life."""
    import torch

    torch.set_num_threads(1)
    _CURRENT[:] = [(task, load_files(task.files) if task.files else None)]


def _work_all(job: Job) -> list[Result]:
    return list(_work(job))


def _work(job: Job) -> Iterator[Result]:
    task, own = _CURRENT[0]
    kind, labels = job
    for label in labels:
        started = time.perf_counter()
        made = _receipt(task, own, label) if kind == "receipts" else _curves(task, own, label)
        yield kind, made, time.perf_counter() - started


def _receipt(task: Task, own: Registry | None, label: str) -> dict[str, Any]:
    find = find_shipped if own is None else own.find
    (claim,) = find(label)
    stored = nothing_stored if task.profile.name == "deep" else shipped_findings
    found = collect_evidence(claim, find, task.profile, seed=task.seed, device=task.device, stored=stored)
    return Receipt(label, evidence_key(claim), claim.fingerprint, found).to_json()


def shipped_findings(label: str) -> Findings | None:
    """What the shipped run found about a claim.

    Returns:
        Its findings; None where it has none.
    """
    run = reference()
    receipt = None if run is None else run.receipts.get(label)
    return None if receipt is None else receipt.findings


def _curves(task: Task, own: Registry | None, label: str) -> dict[str, Any]:
    study = (own or modules_registry(chapter(label))).studies[label]
    return record(study, Setting(task.profile.name, task.seed, task.device))


def _derivations(task: Task, registry: Registry, chosen: Sequence[str]) -> list[dict[str, Any]]:
    """Waterfalls of every chain whose steps were chosen."""
    points = DERIVATION_POINTS[task.profile.name]
    there = {*chosen, *map(base, chosen)}
    chains = [
        chain for chain in registry.derivations.values()
        if all(step.claim is None or step.claim in there for step in chain.steps)
    ]  # fmt: skip
    return [chain.measure(points=points, seed=task.seed, device=task.device) for chain in chains]


def _prices(task: Task, registry: Registry, chosen: Sequence[str]) -> list[dict[str, Any]]:
    """What the successor and the improvement of each theorem cost, where all of its claims were chosen."""
    found = []
    for theorem in registry.theorems.values():
        named = [*theorem.printed, *filter(None, (theorem.successor, theorem.improvement))]
        if theorem.printed and all(member.label in chosen for label in named for member in registry.find(label)):
            of = {}
            for name, label in (("price", theorem.successor), ("gain", theorem.improvement)):
                printed = None if label is None else _counterpart(registry, theorem, label)
                pair = None if label is None or printed is None else (registry.find(label), registry.find(printed))
                of[name] = None if pair is None else price(*pair, seed=task.seed, device=task.device)
            found.append({"label": theorem.label, **of})
    return found


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


def _manifest(task: Task, claims: Sequence[str]) -> dict[str, Any]:
    import torch

    name = torch.cuda.get_device_name() if task.device == "cuda" else platform.machine()
    installed = {package: version for package in _RECORDED if (version := _version(package)) is not None}
    return {
        "profile": task.profile.name,
        "seed": task.seed,
        "device": task.device,
        "device_name": name,
        "versions": {"python": platform.python_version(), "boundaudit": __version__} | installed,
        "git": _revision(),
        "files": [str(path) for path in task.files],
        "claims": list(claims),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


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


def summary(run: Run) -> dict[str, Any]:
    """What `verify --json` prints.

    Args:
        run: The run, just made.

    Returns:
        Counts of verdicts, unexpected labels, mutation totals, seed and device.
    """
    found = {label: receipt.findings for label, receipt in run.receipts.items()}
    find = load_files(run.files).find if run.files else find_shipped
    mutations = [f.mutation for f in found.values() if f.mutation is not None]
    mutation = {fate: sum(m.count(fate) for m in mutations) for fate in FATES}
    return {
        "claims": len(found),
        "verdicts": dict(Counter(f.verdict for f in found.values())),
        "unexpected": [label for label, f in found.items() if not f.as_expected(find(label)[0])],
        "mutation": mutation | {"total": sum(mutation.values())},
        "seed": run.manifest["seed"],
        "device": run.manifest["device"],
        "profile": run.manifest["profile"],
        "out": str(run.path),
    }
