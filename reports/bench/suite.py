"""What `boundaudit bench suite` measures: a smoke run of every claim, with PEPit's examples as a yardstick.

The two do different things: PEPit solves a semidefinite program for each worst case of an optimisation method. What
they share is what a user waits for, a whole run from the command line.
"""

from __future__ import annotations

import contextlib
import io
import json
import pkgutil
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def suite(device: str) -> dict[str, Any]:
    """A whole smoke run, and all of PEPit's examples one after the other, each in a process of its own: a row each."""
    with tempfile.TemporaryDirectory() as scratch:
        call = ("boundaudit", "verify", "--profile", "smoke", "--device", device, "--json", "--out", f"{scratch}/run")
        claims, seconds = _timed(*call)
    rows = [_row("boundaudit verify --profile smoke", "claims", claims["claims"], seconds)]
    if find_spec("PEPit") is None:
        return {"PEPit": "not installed; pip install 'boundaudit[oracles]'", "rows": rows}
    found, seconds = _timed(__spec__.name)
    return {
        "PEPit's median example, s": found["median"],
        "rows": [*rows, _row("PEPit", "examples", found["count"], seconds)],
    }


def examples(package: str = "PEPit.examples") -> dict[str, Any]:
    """Run every example of a package as a script: how many ran to their end, and the median of their seconds."""
    folder = Path(str(find_spec(package).origin)).parent  # type: ignore[union-attr]
    seconds = []
    for module in pkgutil.walk_packages([str(folder)], f"{package}."):
        if module.ispkg:
            continue
        started = time.perf_counter()
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            runpy.run_module(module.name, run_name="__main__")
            seconds.append(time.perf_counter() - started)
    return {"count": len(seconds), "median": statistics.median(seconds)}


def _timed(module: str, *arguments: str) -> tuple[dict[str, Any], float]:
    """The JSON that a module prints, and the seconds of its process."""
    started = time.perf_counter()
    ended = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)
    return json.loads(ended.stdout), time.perf_counter() - started


def _row(run: str, what: str, count: int, seconds: float) -> dict[str, object]:
    each = f"{1000 * seconds / count:.0f}"
    return {"whole run": run, "of": f"{count} {what}", "seconds": f"{seconds:.1f}", "ms each": each}


if __name__ == "__main__":
    print(json.dumps(examples()))
