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
    """One call of an experiment.

    Attributes:
        seed: Of everything that is drawn.
        device: ``cpu`` or ``cuda``.
        kept: What has been done.
        told: Hears what is being done and how much of it is.
    """

    seed: int
    device: str
    kept: Parts
    told: Callable[..., None]


def run_experiment(
    name: str, profile: str, *, seed: int, device: str, out: Path | None, resume: bool, told: Callable[..., None]
) -> dict[str, Any]:
    """Run an experiment, or go on with one.

    Args:
        name: Of its module, which has ``PROFILES``, ``measured`` and ``shown``.
        profile: One of its profiles.
        seed: Of everything that is drawn.
        device: ``cpu`` or ``cuda``.
        out: A folder for the results, and for what an interrupted run has done.
        resume: Whether to go on with one.
        told: Hears what is being done and how much of it is.

    Returns:
        JSON: what every result begins with, and what the experiment measured and said.

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
