"""What `boundaudit bench` measures of claims and studies: random projections, and the proof engines."""

from __future__ import annotations

import time
from typing import Any

from boundaudit.checks.proof.eleven import eleven, table
from boundaudit.checks.proof.portfolio import prove
from boundaudit.checks.records.study import Setting
from boundaudit.checks.sharpness.projection.width import width_study
from boundaudit.numeric.fourier import transform_speed


def projection(device: str) -> dict[str, Any]:
    """The study of random projections, T up to 100, as in the standard profile."""
    started = time.perf_counter()
    measured = width_study.compute(Setting("standard", 0, device))[0].series[0]
    seconds = time.perf_counter() - started
    return {"seconds": seconds, f"width at T = {measured.x[-1]}": measured.y[-1], "device": device}


def fourier(device: str) -> dict[str, Any]:
    """Our transform beside SymPy's."""
    from sympy.discrete.transforms import fwht

    return transform_speed(device, {"SymPy's fwht": lambda table: fwht(table.tolist())})


def engines(device: str) -> dict[str, Any]:
    """What each engine decides alone of the eleven inequalities (smaller goals go to the portfolio), and the whole."""
    started = time.perf_counter()
    outcomes = [prove(e.statement, touch_points=e.touch_points).outcome for e in eleven()]
    whole = time.perf_counter() - started
    right = [outcome == ("proved" if e.true else "refuted") for e, outcome in zip(eleven(), outcomes, strict=True)]
    found = table()
    decides = {
        engine: sum(row["decided by engine"][engine] != "unknown" for row in found)
        for engine in found[0]["decided by engine"]
    }
    rows = [
        {
            "inequality": row["name"],
            "decided alone by": ", ".join(e for e, said in row["decided by engine"].items() if said != "unknown"),
            "portfolio": row["portfolio"],
        }
        for row in found
    ]
    return {
        "portfolio, seconds": whole,
        "decided rightly": f"{sum(right)} of {len(right)}",
        "decided by each engine": ", ".join(f"{engine} {count}" for engine, count in decides.items()),
        "rows": rows,
    }
