"""What `boundaudit bench commands` measures: whole commands, each in a process of its own, beside two bare imports."""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

REPEATS = 3
IMPORTS = "import torch, sympy"
LABEL = "sharpness.norms.total.repaired"
COMMANDS: dict[str, tuple[tuple[str, ...], float]] = {
    "--help": (("--help",), 0.5),
    "--version": (("--version",), 0.5),
    "list": (("list",), 2),
    "theorems": (("theorems",), 2),
    "show LABEL": (("show", LABEL), 2),
    "show 'Theorem 10'": (("show", "Theorem 10"), 2),
    "reproduce LABEL": (("reproduce", LABEL), 8),
    "verify LABEL --profile smoke": (("verify", LABEL, "--profile", "smoke", "--out", "{out}"), 8),
    "verify, wrong label": (("verify", "sharpness.norms.total.nothing"), 8),
    "report": (("report", "--out", "{out}"), 20),
}
"""Arguments by name, and the seconds that the design allows."""


def commands(_: str) -> dict[str, Any]:
    """Median seconds of whole commands over three runs, interleaved with the bare imports, and their ratios."""
    with tempfile.TemporaryDirectory() as scratch:
        seconds: dict[str, list[float]] = {name: [] for name in (IMPORTS, *COMMANDS)}
        for turn in range(REPEATS + 1):
            for name in seconds:
                spent = _spent(name, Path(scratch), turn)
                if turn:  # the first turn warms caches
                    seconds[name].append(spent)
    medians = {name: statistics.median(found) for name, found in seconds.items()}
    bare = medians.pop(IMPORTS)
    rows = [
        {"command": name, "median, s": f"{value:.2f}", "times the imports": f"{value / bare:.2f}", "limit, s": limit}
        for (name, value), (_, limit) in zip(medians.items(), COMMANDS.values(), strict=True)
    ]
    return {"machine": f"{platform.machine()}, Python {platform.python_version()}", IMPORTS: bare, "rows": rows}


def _spent(name: str, scratch: Path, turn: int) -> float:
    """Seconds of one command in a folder without runs of its own; its status is no matter here."""
    out = str(scratch / f"{turn}-{abs(hash(name))}")
    if name == IMPORTS:
        call = [sys.executable, "-c", IMPORTS]
    else:
        call = [sys.executable, "-m", "boundaudit", *(word.format(out=out) for word in COMMANDS[name][0])]
    started = time.perf_counter()
    subprocess.run(call, cwd=scratch, capture_output=True, check=False)
    return time.perf_counter() - started
