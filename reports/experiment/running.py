"""An experiment that keeps what it has done: begun or gone on with, measured and written as all of them are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from boundaudit.reports.experiment.parts import Parts
from boundaudit.reports.experiment.results import about, write_results


@dataclass(frozen=True)
class Run:
    """One call of an experiment."""

    seed: int  # of everything that is drawn
    device: str  # ``cpu`` or ``cuda``
    kept: Parts  # what has been done
    told: Callable[..., None]  # hears what is being done and how much of it is


def run_experiment(
    name: str, profile: str, *, seed: int, device: str, out: Path | None, resume: bool, told: Callable[..., None]
) -> dict[str, Any]:
    """Run an experiment, or go on with one: a module here that has ``PROFILES``, ``measured`` and ``shown``.

    JSON: what every result begins with, and what the experiment measured and said; ``out`` is a folder for that, and
    for what an interrupted run has done.

    Raises:
        InputError: for a folder that cannot be used.
    """
    module = import_module(f"boundaudit.reports.experiment.{name}")
    asked = module.PROFILES[profile]
    call = {"profile": profile, "seed": seed, "device": device, "asked": asdict(asked)}
    run = Run(seed, device, Parts(out, call, resume=resume), told)
    found: dict[str, Any] = about(name.replace("_", "-"), profile, seed, device) | module.measured(asked, run)
    found["replications"] = [each.to_json() for each in found["replications"]]
    run.kept.finish(partial(write_results, found, module.shown(found)))
    return found
