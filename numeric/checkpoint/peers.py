"""Spectra and power laws of a small transformer: ours and WeightWatcher's, interleaved, in time, memory, agreement."""

from __future__ import annotations

import logging
import math
import statistics
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from boundaudit.numeric.spectra import Spectrum, spectrum
from boundaudit.numeric.tails import PowerLaw, power_law
from boundaudit.numeric.timing import timed

Result = dict[str, Any]
ROUNDS = 5
DEPTH, WIDTH, INNER, _TINY = 2, 512, 2048, 32
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def spectra_speed(device: str) -> Result:
    """Singular values, norms and power laws of every matrix of two layers of width 512, ours beside WeightWatcher's.

    WeightWatcher's norms are squares: its norm is the squared Frobenius norm, its spectral norm the largest eigenvalue
    of WᵀW. For its log α-norm, log₁₀ Σ λ^α, our Schatten sum is taken at its own α, 2α in singular values. Its edge of
    noise is not compared: it fits a smoothed density where we take the median. The device is that of ours.

    For each way its median seconds of five interleaved rounds and the memory that it adds at its peak, in MiB (null
    where the system does not tell); the largest relative difference of each number that both define, or one line where
    WeightWatcher is not installed.
    """
    model = _transformer(WIDTH, INNER)
    ways = {name: way(model, device) for name, way in WAYS.items() if name == "ours" or find_spec("weightwatcher")}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    values: dict[str, Any] = {}
    for turn in range(ROUNDS + 1):
        for name, work in ways.items():
            spent, values[name] = timed(work, device)
            if turn:  # the first turn warms caches
                seconds[name].append(spent)
    rows = [
        {"way": name, "median, s": statistics.median(spent), "peak, MiB": _in_a_process(name, device)}
        for name, spent in seconds.items()
    ]
    found = {"matrices": f"{6 * DEPTH}, the largest {WIDTH} × {INNER}", "threads": torch.get_num_threads()}
    if len(ways) == 1:
        return found | {"WeightWatcher": "not installed; pip install 'boundaudit[oracles]'", "rows": rows}
    return found | _differences(**{name.lower(): value for name, value in values.items()}) | {"rows": rows}


def _transformer(width: int, inner: int) -> nn.Module:
    """The linear maps of a few layers, drawn as PyTorch draws them."""
    torch.manual_seed(0)
    shapes = dict.fromkeys(("query", "key", "value", "output"), (width, width))
    shapes |= {"into": (width, inner), "out": (inner, width)}
    layers = [{kind: nn.Linear(*shape, bias=False) for kind, shape in shapes.items()} for _ in range(DEPTH)]
    return nn.Sequential(*(nn.ModuleDict(layer) for layer in layers))


_Found = tuple[Spectrum, PowerLaw]


def _ours(model: nn.Module, device: str) -> Callable[[], dict[str, _Found]]:
    weights = {name.removesuffix(".weight"): matrix.detach() for name, matrix in model.named_parameters()}
    return lambda: {name: _measured(matrix.to(device)) for name, matrix in weights.items()}


def _measured(matrix: Tensor) -> _Found:
    found = spectrum(matrix)
    fit = power_law(found.values, found.shape)
    assert fit is not None  # what is drawn here has its full rank
    return found, fit


def _weightwatcher(model: nn.Module, _: str) -> Callable[[], Any]:
    """Its analysis of a model, with the power-law fits that belong to it."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        import weightwatcher

        watcher = weightwatcher.WeightWatcher(model=model)
    logging.getLogger("weightwatcher").setLevel(logging.ERROR)
    return lambda: watcher.analyze()


WAYS: dict[str, Callable[[nn.Module, str], Callable[[], Any]]] = {"ours": _ours, "WeightWatcher": _weightwatcher}


def _in_a_process(way: str, device: str) -> float | None:
    """What a way adds to the memory of a process of its own, in MiB."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak, (way, device, torch.get_num_threads()))


def _peak(way: str, device: str, threads: int) -> float | None:
    """The same in this process; None where the system does not tell."""
    torch.set_num_threads(threads)
    WAYS[way](_transformer(_TINY, _TINY), device)()  # loads what is loaded at first use
    work = WAYS[way](_transformer(WIDTH, INNER), device)
    try:
        _CLEAR.write_text("5", encoding="ascii")  # the peak is counted anew
        before = _memory("VmRSS")
    except OSError:
        return None
    work()
    return (_memory("VmHWM") - before) / 1024


def _memory(name: str) -> int:
    """In KiB."""
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))


def _differences(ours: dict[str, _Found], weightwatcher: Any) -> Result:
    """The largest relative difference over all matrices, of each number that both define."""
    rows = weightwatcher.set_index("longname").to_dict("index")
    differences: dict[str, Callable[[Spectrum, PowerLaw, dict[str, float]], float]] = {
        "Frobenius norm": lambda found, _, row: found.frobenius**2 / row["norm"],
        "spectral norm": lambda found, _, row: found.operator**2 / row["spectral_norm"],
        "stable rank": lambda found, _, row: found.stable_rank / row["stable_rank"],
        "rank": lambda found, _, row: found.schatten(0) / row["matrix_rank"],
        "log α-norm": lambda found, _, row: math.log10(found.schatten(2 * row["alpha"])) / row["log_alpha_norm"],
        "α": lambda _, fit, row: fit.alpha / row["alpha"],
        "standard error of α": lambda _, fit, row: fit.error / row["sigma"],
        "beginning of the tail": lambda _, fit, row: fit.least / row["xmin"],
        "eigenvalues of the tail": lambda _, fit, row: fit.tail / row["num_pl_spikes"],
        "Kolmogorov distance": lambda _, fit, row: fit.distance / row["D"],
    }
    return {
        f"{name}, largest relative difference": max(abs(of(*ours[key], rows[key]) - 1) for key in ours)
        for name, of in differences.items()
    }
