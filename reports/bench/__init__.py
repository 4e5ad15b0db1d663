"""What `boundaudit bench` measures, by name; what a benchmark needs is loaded when it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

Result = dict[str, Any]
_PLACES = {
    **dict.fromkeys(("construction", "norms", "kinks", "perturbed"), "numeric.sharpness:BENCHMARKS"),
    "projection": "reports.bench.engines:projection", "gradients": "numeric.sharpness:BENCHMARKS",
    "curvature": "numeric.curvature:trace_speed", "spectra": "numeric.checkpoint:spectra_speed",
    "fourier": "reports.bench.engines:fourier", "ensemble": "numeric.sharpness.trained:ensemble_speed",
    "bounds": "numeric.sharpness.bound:bound_speed", "limits": "reports.bench.limits:limits",
    "engines": "reports.bench.engines:engines", "commands": "reports.bench.commands:commands",
    "suite": "reports.bench.suite:suite",
}  # fmt: skip


def _run(name: str, device: str) -> Result:
    module, _, found = _PLACES[name].partition(":")
    made = getattr(import_module(f"boundaudit.{module}"), found)
    result: Result = (made[name] if isinstance(made, dict) else made)(device)
    return result


BENCHMARKS: dict[str, Callable[[str], Result]] = {name: partial(_run, name) for name in _PLACES}
"""From a device to seconds and what they were spent on."""
