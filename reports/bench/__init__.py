"""What `boundaudit bench` measures, by name; what a benchmark needs is loaded when it runs."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

Result = dict[str, Any]


def _of(package: str, name: str) -> Callable[[str], Result]:
    def run(device: str) -> Result:
        found: Result = getattr(import_module(f"boundaudit.{package}"), name)(device)
        return found

    return run


def _construction(name: str) -> Callable[[str], Result]:
    def run(device: str) -> Result:
        from boundaudit.numeric.sharpness import BENCHMARKS

        return BENCHMARKS[name](device)

    return run


def _fourier(device: str) -> Result:
    from sympy.discrete.transforms import fwht

    from boundaudit.numeric.fourier import transform_speed

    return transform_speed(device, {"SymPy's fwht": lambda table: fwht(table.tolist())})


BENCHMARKS: dict[str, Callable[[str], Result]] = {
    **{name: _construction(name) for name in ("construction", "norms", "kinks", "perturbed")},
    "projection": _of("reports.bench.engines", "projection"),
    "gradients": _construction("gradients"),
    "curvature": _of("numeric.curvature", "trace_speed"),
    "spectra": _of("numeric.checkpoint", "spectra_speed"),
    "fourier": _fourier,
    "ensemble": _of("numeric.sharpness.trained", "ensemble_speed"),
    "bounds": _of("numeric.sharpness.bound", "bound_speed"),
    "limits": _of("reports.bench.limits", "limits"),
    "engines": _of("reports.bench.engines", "engines"),
    "commands": _of("reports.bench.commands", "commands"),
    "suite": _of("reports.bench.suite", "suite"),
}
"""From a device to seconds and what they were spent on."""
