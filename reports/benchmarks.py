"""What `boundaudit bench` measures, by name; what a benchmark needs is loaded when it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Result = dict[str, Any]


def _construction(name: str) -> Callable[[str], Result]:
    def run(device: str) -> Result:
        from boundaudit.numeric.sharpness import BENCHMARKS

        return BENCHMARKS[name](device)

    return run


def _projection(device: str) -> Result:
    from boundaudit.reports.bench_checks import projection

    return projection(device)


def _curvature(device: str) -> Result:
    from boundaudit.numeric.curvature import trace_speed

    return trace_speed(device)


def _spectra(device: str) -> Result:
    from boundaudit.numeric.checkpoint import spectra_speed

    return spectra_speed(device)


def _fourier(device: str) -> Result:
    from sympy.discrete.transforms import fwht

    from boundaudit.numeric.fourier import transform_speed

    return transform_speed(device, {"SymPy's fwht": lambda table: fwht(table.tolist())})


def _ensemble(device: str) -> Result:
    from boundaudit.numeric.sharpness.trained import ensemble_speed

    return ensemble_speed(device)


def _bounds(device: str) -> Result:
    from boundaudit.numeric.sharpness.bound import bound_speed

    return bound_speed(device)


def _limits(device: str) -> Result:
    from boundaudit.reports.bench_limits import limits

    return limits(device)


def _engines(device: str) -> Result:
    from boundaudit.reports.bench_checks import engines

    return engines(device)


def _commands(device: str) -> Result:
    from boundaudit.reports.bench_commands import commands

    return commands(device)


def _suite(device: str) -> Result:
    from boundaudit.reports.bench_suite import suite

    return suite(device)


BENCHMARKS: dict[str, Callable[[str], Result]] = {
    **{name: _construction(name) for name in ("construction", "norms", "kinks", "perturbed")},
    "projection": _projection,
    "gradients": _construction("gradients"),
    "curvature": _curvature,
    "spectra": _spectra,
    "fourier": _fourier,
    "ensemble": _ensemble,
    "bounds": _bounds,
    "limits": _limits,
    "engines": _engines,
    "commands": _commands,
    "suite": _suite,
}
"""From a device to seconds and what they were spent on."""
