"""The runner: claims to receipts and studies to curves, over a pool of single-threaded processes.

The same seed gives the same receipts and curves, byte for byte, on one machine and device,
however many workers ran it: each claim and each study is a task of its own, workers compute
with one thread, and nothing depends on the clock.
"""

from __future__ import annotations

import multiprocessing
import platform
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from boundaudit import InputError, __version__
from boundaudit.checks.evidence.collect import gather
from boundaudit.checks.evidence.profile import PROFILES, Profile
from boundaudit.checks.records.receipt import Receipt, evidence_key
from boundaudit.checks.records.reference import reference
from boundaudit.checks.records.run_folder import Run, RunWriter
from boundaudit.checks.records.study import Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.run.registry import Registry, built_in, load_files

DERIVATION_POINTS = {"smoke": 200, "standard": 5000, "deep": 20000}
_RECORDED = ("hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy", "torch", "z3-solver")

Progress = Callable[[str, Receipt, float, int], None]
"""Called as each claim is finished: its label, receipt and seconds, and how many are still to come."""


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

    def registry(self) -> Registry:
        """The claims that the task speaks of.

        Returns:
            The registry.
        """
        return load_files(self.files) if self.files else built_in()


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
    progress: Progress = lambda label, receipt, seconds, left: None,
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
    task = Task(PROFILES[profile], seed, resolve_device(device), tuple(files))
    registry = task.registry()
    chosen = registry.select(labels)
    writer = RunWriter(out, resume=resume)
    writer.bind({"profile": profile, "seed": seed, "device": task.device})
    try:
        _fill(writer, task, registry, chosen, workers, progress)
    except InputError:
        if not resume:
            writer.discard()
        raise
    return Run.load(out)


def _fill(
    writer: RunWriter, task: Task, registry: Registry, chosen: Sequence[str], workers: int, progress: Progress
) -> None:
    """Make what the folder lacks, and finish it; studies, which no key of a receipt covers, are always made anew."""
    started = time.perf_counter()
    seconds: dict[str, dict[str, float]] = {"claims": {}, "studies": {}}
    left = [label for label in chosen if writer.done(label, evidence_key(registry.claims[label])) is None]
    studies = registry.studies_of(chosen)
    for kind, label, made, spent in _results(task, [*_jobs("claims", left), *_jobs("studies", studies)], workers):
        writer.write(_FOLDERS[kind], label, made)
        seconds[kind][label] = spent
        if kind == "claims":
            progress(label, made, spent, len(left) - len(seconds["claims"]))
    with _one_thread():
        chains = _derivations(task, registry, chosen)
    for chain in chains:
        writer.write("derivations", chain["label"], chain)
    manifest = _manifest(task, chosen, [chain["label"] for chain in chains], studies)
    writer.finish(manifest, {"total_seconds": time.perf_counter() - started, **seconds})


Kind = Literal["claims", "studies"]
Job = tuple[Kind, str]
Result = tuple[Kind, str, dict[str, Any], float]
_FOLDERS: dict[Kind, str] = {"claims": "receipts", "studies": "studies"}


def _jobs(kind: Kind, labels: Sequence[str]) -> list[Job]:
    return [(kind, label) for label in labels]


def _results(task: Task, jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """Receipts and curves as they are finished."""
    if workers == 1 or len(jobs) <= 1:
        with _one_thread():
            _start_worker(task)
            yield from (_work(job) for job in jobs)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(task,))
    try:
        futures: list[Future[Result]] = [pool.submit(_work, job) for job in jobs]
        for future in as_completed(futures):
            yield future.result()
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


_CURRENT: list[tuple[Task, Registry]] = []


def _start_worker(task: Task) -> None:
    """What a worker keeps; a worker computes with one thread for all of its life."""
    import torch

    torch.set_num_threads(1)
    _CURRENT[:] = [(task, task.registry())]


def _work(job: Job) -> Result:
    task, registry = _CURRENT[0]
    kind, label = job
    started = time.perf_counter()
    made = _receipt(task, registry, label) if kind == "claims" else _curves(task, registry, label)
    return kind, label, made, time.perf_counter() - started


def _receipt(task: Task, registry: Registry, label: str) -> Receipt:
    stored = None if task.files or task.profile.name != "smoke" else reference().get(label)
    claim = registry.claims[label]
    return gather(claim, registry, task.profile, seed=task.seed, device=task.device, stored=stored)


def _curves(task: Task, registry: Registry, label: str) -> dict[str, Any]:
    return record(registry.studies[label], Setting(task.profile.name, task.seed, task.device))


def _derivations(task: Task, registry: Registry, chosen: Sequence[str]) -> list[dict[str, Any]]:
    """Waterfalls of every chain whose steps were chosen."""
    points = DERIVATION_POINTS[task.profile.name]
    chains = [
        chain for chain in registry.derivations.values()
        if all(step.claim is None or step.claim in chosen for step in chain.steps)
    ]  # fmt: skip
    return [chain.measure(points=points, seed=task.seed, device=task.device) for chain in chains]


def _manifest(task: Task, claims: Sequence[str], derivations: Sequence[str], studies: Sequence[str]) -> dict[str, Any]:
    import torch

    name = torch.cuda.get_device_name() if task.device == "cuda" else platform.machine()
    return {
        "profile": task.profile.name,
        "seed": task.seed,
        "device": task.device,
        "device_name": name,
        "versions": {"python": platform.python_version(), "boundaudit": __version__}
        | {package: metadata.version(package) for package in _RECORDED},
        "git": _revision(),
        "files": [str(path) for path in task.files],
        "claims": list(claims),
        "derivations": list(derivations),
        "studies": list(studies),
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


def summary(run: Run) -> dict[str, Any]:
    """What `verify --json` prints.

    Returns:
        Counts of verdicts, unexpected labels, mutation totals, seed and device.
    """
    verdicts: dict[str, int] = {}
    mutation = dict.fromkeys(("killed", "slack", "unexplained", "total"), 0)
    for receipt in run.receipts.values():
        verdicts[receipt["verdict"]] = verdicts.get(receipt["verdict"], 0) + 1
        for name in mutation:
            mutation[name] += (receipt["mutation"] or {}).get(name, 0)
    unexpected = [label for label, receipt in run.receipts.items() if not receipt["as_expected"]]
    return {
        "claims": len(run.receipts),
        "verdicts": verdicts,
        "unexpected": unexpected,
        "mutation": mutation,
        "seed": run.manifest["seed"],
        "device": run.manifest["device"],
        "profile": run.manifest["profile"],
        "out": str(run.path),
    }
