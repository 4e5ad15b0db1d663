"""What replica-symmetric equations predict for a user's own model, each number beside its finite-size simulation."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boundaudit import InputError
from boundaudit.checks.records.study import Panel, Series
from boundaudit.checks.run.own_files import run_file
from boundaudit.numeric.attention_erm import Extrapolation, Target
from boundaudit.numeric.generalized_linear import (
    Deadline,
    FixedPoints,
    Model,
    Problems,
    check_proximal,
    extrapolated,
    fixed_points,
    map_state,
    reached,
    simulate,
    simulate_map,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.figures.phase import Phase

if TYPE_CHECKING:
    from torch import Tensor

SHIPPED = Path(__file__).with_name("models")
SCALARS = ("m", "q", "V", "m_hat", "q_hat", "V_hat", "potential", "replicon", "radius", "residual")
NAMES = {
    "m": "overlap m", "q": "norm q", "error": "‖w − w*‖²/d", "test": "test error", "wrong": "classes missed",
    "train": "train error", "potential": "potential", "objective": "objective/d²",
}  # fmt: skip
_VECTOR = ("m", "q", "error", "test", "wrong", "train", "potential")
_POSTERIOR, _MAP = ("m", "error"), ("error", "test", "train", "objective")
_SIZES = {"vector": {32: 240, 64: 160, 128: 80}, "posterior": {64: 200, 128: 120, 256: 60},
          "linear": {16: 160, 24: 100, 36: 50}, "softmax": {12: 24, 16: 24, 22: 16}}  # fmt: skip
"""Dimensions and runs for up to four α; there are fewer runs of more α."""
_FEWEST, _ENTRIES, _FULL = 12, 2**23, 4
_ROOM = 2**27
"""Entries that the inputs of the fewest runs in one dimension may have: a gibibyte."""
_CURVE, _GRID = (40, 20), ((14, 11), (9, 6))
"""Sample ratios of the curve, columns and rows of a phase diagram; the same where the loss is a function."""
_PATIENCE, _MOST = 9.0, 30.0
"""Seconds of computing that each of these may take, and all numbers."""


def read_model(name: str) -> Model:
    """The `Model` that a file assigns to ``model``, or a shipped one. Raises InputError where there is none."""
    path = Path(name) if name.endswith(".py") else SHIPPED / f"{name}.py"
    known = sorted(file.stem for file in SHIPPED.glob("[a-z]*.py"))
    if not os.path.isfile(path) or (not name.endswith(".py") and name not in known):  # False of a name too long
        raise InputError("FILE.py", f"a readable Python file, or one of {', '.join(known)}", name, "check the path")
    found = vars(run_file(path)).get("model")
    if not isinstance(found, Model):
        said = "none" if found is None else type(found).__name__
        raise InputError(f"{path}: model", "a Model", said, "assign `model = Model(…)` at module level")
    return found


def own_model(name: str, alpha: Sequence[float], *, seed: int = 0) -> dict[str, Any]:
    """Fixed points, errors, simulations, the curve and phase diagrams of a model; α is n/d, or n/d² of a map.

    JSON: ``predictions``, one for each α, with all ``fixed_points``, which of them is ``reached``, and ``quantities``
    with the error of integration, the simulation and its verdict; ``contradicted``, the names of those that simulation
    contradicts; ``curve``; ``phases``.

    Raises:
        InputError: for a file or model that cannot be used, equations that are not solved, and after a minute.
    """
    model, deadline = read_model(name), Deadline(_MOST)
    if not alpha or not all(0 < value < math.inf for value in alpha):
        raise InputError("alpha", "numbers above 0", list(alpha), "give samples over the dimension")
    _check_room(model, max(alpha))
    if isinstance(model.teacher, Target):
        predictions, curve, phases = _map_predictions(model, alpha, seed, deadline), None, []
    else:
        if not model.bayes:
            check_proximal(model)
        predictions = _vector_predictions(model, alpha, seed, deadline)
        curve = _unless_late(lambda: _curve(model, alpha, Deadline(_PATIENCE)))
        phases = [found for axis in ("strength", "noise") if (found := _phase(model, alpha, axis)) is not None]
    wrong = [
        f"{NAMES[name]} at α = {row['alpha']:g}"
        for row in predictions for name, one in row["quantities"].items() if one["verdict"] == "contradicted"
    ]  # fmt: skip
    return {
        "limit": "model",
        "parameters": {"model": name, "alpha": list(alpha), **_described(model), "seed": seed},
        "predictions": predictions, "contradicted": wrong, "curve": curve, "phases": phases,
        "notes": _notes(model), "claims": [],
    }  # fmt: skip


def _described(model: Model) -> dict[str, Any]:
    """The fields as words."""
    parts = {field: getattr(model, field) for field in ("teacher", "channel", "noise", "loss", "penalty", "strength")}
    words = {field: getattr(part, "__name__", part) for field, part in parts.items()}
    teacher = model.teacher
    if isinstance(teacher, Target) and model.channel == "softmax":
        words |= {field: getattr(model, field) for field in ("tokens", "beta", "target_beta")}
    spectrum = f"spectrum of a matrix of second moment {teacher.second_moment:g}"
    return words | {"teacher": spectrum if isinstance(teacher, Target) else str(teacher)}


def _kind(model: Model) -> tuple[str, int]:
    """Which dimensions it is simulated in, and the power of the dimension that α counts samples in."""
    if isinstance(model.teacher, Target):
        return str(model.channel), 2
    return "posterior" if model.bayes else "vector", 1


def _check_room(model: Model, alpha: float) -> None:
    """Raise InputError where so many samples over the dimension are more than a simulation has room for."""
    kind, power = _kind(model)
    most = _ROOM // (_FEWEST * max(_SIZES[kind]) ** (power + 1))
    if alpha > most:
        raise InputError("--alpha", f"at most {most} for this model", f"{alpha:g}", "simulations have room for no more")


def _sizes(model: Model, alpha: float, many: int) -> dict[int, int]:
    """Dimensions and runs: fewer where there are many α or samples."""
    kind, power = _kind(model)
    share = min(1.0, _FULL / many)
    return {
        d: max(_FEWEST, min(round(runs * share), int(_ENTRIES / (alpha * d ** (power + 1)))))
        for d, runs in _SIZES[kind].items()
    }


def _vector_predictions(model: Model, alpha: Sequence[float], seed: int, deadline: Deadline) -> list[dict[str, Any]]:
    """All fixed points and, of the one that is reached, each number beside its simulation."""
    import torch

    assert not isinstance(model.teacher, Target)
    found, finer = fixed_points(model, _problems(model, torch.tensor(alpha, dtype=torch.float64)), deadline)
    names = _POSTERIOR if model.bayes else tuple(name for name in _VECTOR if getattr(found, name) is not None)
    predictions = []
    for k, value in enumerate(alpha):
        rows = (found.owner == k).nonzero()[:, 0].tolist()
        chosen = _chosen(model, found, rows)
        scales = float(found.V[chosen]), 1 / max(float(found.V_hat[chosen]), 1e-9)
        predicted = {name: float(getattr(found, name)[chosen]) for name in names}
        runs = {
            d: simulate(model, value, d, many, seed, scales, deadline)
            for d, many in _sizes(model, value, len(alpha)).items()
        }
        expected = (model.teacher.second_moment, model.teacher.second_moment, model.noise)
        judged = extrapolated(
            predicted, runs, {d: (one.controls, expected) for d, one in runs.items()}, len(names) * len(alpha)
        )
        spread = {name: abs(float(getattr(finer, name)[chosen]) - predicted[name]) for name in names}
        points = [{name: float(getattr(found, name)[i]) for name in (*SCALARS, "error")} for i in rows]
        predictions.append({
            "alpha": value, "fixed_points": points, "reached": rows.index(chosen),
            "quantities": _quantities(predicted, spread, judged),
        })  # fmt: skip
    return predictions


def _problems(model: Model, alpha: Tensor) -> Problems:
    import torch

    return Problems(alpha, torch.full_like(alpha, model.strength), torch.full_like(alpha, model.noise))


def _chosen(model: Model, found: FixedPoints, rows: Sequence[int]) -> int:
    """The fixed point of the least potential; for the posterior mean the first one that iteration goes to."""
    if model.bayes:
        return next((i for i in rows if found.radius[i] < 1), rows[-1])
    return min(rows, key=lambda i: float(found.potential[i]))


def _map_predictions(model: Model, alpha: Sequence[float], seed: int, deadline: Deadline) -> list[dict[str, Any]]:
    """The same of a map, by its own equations."""
    found, spread = map_state(model, alpha)
    predictions = []
    for k, value in enumerate(alpha):
        deadline.check()
        predicted = {name: float(getattr(found, name)[k]) for name in _MAP}
        drawn = {d: simulate_map(model, value, d, many, seed) for d, many in _sizes(model, value, len(alpha)).items()}
        judged = extrapolated(
            predicted, {d: one for d, (one, _) in drawn.items()}, {d: one for d, (_, one) in drawn.items()},
            len(_MAP) * len(alpha),
        )  # fmt: skip
        points = [
            {
                name: float(getattr(found, name)[k])
                for name in ("delta", "threshold", "eta", "residual", "radius")
                if hasattr(found, name)
            }
        ]
        errors = {name: float(spread[name][k]) for name in _MAP}
        predictions.append({
            "alpha": value, "fixed_points": points, "reached": 0, "quantities": _quantities(predicted, errors, judged)
        })  # fmt: skip
    return predictions


def _quantities(
    predicted: Mapping[str, float], spread: Mapping[str, float], judged: Mapping[str, Extrapolation]
) -> dict[str, dict[str, Any]]:
    """Each number with its error, its simulation, and whether that contradicts it."""
    rows: dict[str, dict[str, Any]] = {}
    for name, value in predicted.items():
        one = judged.get(name)
        rows[name] = {
            "value": value, "error": spread[name], "simulated": one and one.intercept, "low": one and one.low,
            "high": one and one.high, "verdict": "not judged" if one is None else _verdict(one, spread[name]),
        }  # fmt: skip
    return rows


def _verdict(one: Extrapolation, spread: float) -> str:
    """Contradicted beyond both errors; not judged where the runs are not on a line in 1/d."""
    if one.verdict == "refuted" and not one.low - spread <= one.predicted <= one.high + spread:
        return "contradicted"
    return "agrees" if one.low - spread <= one.predicted <= one.high + spread else "not judged"


def _unless_late(compute: Callable[[], Any]) -> Any:
    """A picture; none where it would take too long, or has a point without a solution."""
    try:
        return compute()
    except InputError:
        return None


def _curve(model: Model, alpha: Sequence[float], deadline: Deadline) -> dict[str, list[float]]:
    """Errors against the samples, around those that are asked for."""
    import torch

    ends = min(0.1, *alpha), 1.6 * max(2.0, *alpha)
    places = torch.from_numpy(np.geomspace(*ends, _CURVE[callable(model.loss)]))
    found = reached(model, _problems(model, places), deadline)
    return {"alpha": places[found.owner].tolist()} | {
        name: getattr(found, name).tolist() for name in ("error", "test", "train")
    }


def _phase(model: Model, alpha: Sequence[float], axis: str) -> dict[str, Any] | None:
    """‖w - w*‖²/d over α and λ, or α and Δ; None without a λ, or where it would take too long."""
    import torch

    centre = getattr(model, axis) or (0.1 if axis == "noise" else 0.0)
    if not centre:
        return None
    across, down = (torch.from_numpy(np.geomspace(*ends, count)) for ends, count in zip(
        ((min(0.2, *alpha), max(4.0, *alpha)), (centre / 30, centre * 30)), _GRID[callable(model.loss)], strict=True
    ))  # fmt: skip
    ys, xs = (part.flatten() for part in torch.meshgrid(down, across, indexing="ij"))
    fixed = vars(_problems(model, xs)) | {axis: ys}
    found = _unless_late(lambda: reached(model, Problems(**fixed), Deadline(_PATIENCE)))
    if found is None:
        return None
    shape, known = (len(down), len(across)), dict(zip(found.owner.tolist(), range(len(found.m)), strict=True))
    values = [float(found.error[known[k]]) if k in known else None for k in range(len(xs))]
    breaks = [k in known and float(found.replicon[known[k]]) < -1e-3 for k in range(len(xs))]
    rows = [slice(i * shape[1], (i + 1) * shape[1]) for i in range(shape[0])]
    return {
        "parameter": axis, "alpha": across.tolist(), axis: down.tolist(),
        "error": [values[row] for row in rows], "unstable": [breaks[row] for row in rows],
    }  # fmt: skip


def _notes(model: Model) -> list[str]:
    said = [
        "The limit of n and d to infinity at a fixed ratio α; errors by a finer rule of integration. Simulations are "
        "extrapolated in 1/d from three dimensions; that any contradicts a true number has a chance of at most .001."
    ]
    if isinstance(model.teacher, Target):
        said.append("A map: α = n/d², one fixed point, that of the least objective, with the slope of the iteration; "
                    "no replicon is computed.")  # fmt: skip
        own = "How far the integrals inside a potential of one's own are off is not known here."
        return [*said, own] if model.potential is not None else said
    if model.bayes:
        said.append("The posterior mean: message passing, and the iteration of the pictures, start with a tenth of ρ "
                    "in common with the teacher.")  # fmt: skip
    return [*said, "Replica-symmetric equations are exact for convex losses; where the replicon eigenvalue is negative "
                   "they are not."]  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Numbers beside simulations, fixed points, the curve and phase diagrams."""
    return Shown(
        title=f"A model of one's own: {Path(found['parameters']['model']).stem}",
        question="What replica-symmetric equations predict for it in high dimension, and what simulation says of them.",
        conclusions=_conclusions(found),
        tables=[_beside(found), _points(found)],
        panels=_panels(found),
        phases=[_drawn(one) for one in found["phases"]],
    )


def _conclusions(found: Mapping[str, Any]) -> list[str]:
    wrong, rows = found["contradicted"], found["predictions"]
    judged = [one["verdict"] for row in rows for one in row["quantities"].values()]
    told = f"{judged.count('agrees')} agree, {judged.count('not judged')} are not judged"
    said = [
        f"CONTRADICTED by simulation: {', '.join(wrong)}." if wrong else f"Simulation contradicts no number: {told}."
    ]
    several = [row for row in rows if len(row["fixed_points"]) > 1]
    said += [f"At α = {row['alpha']:g} there are {len(row['fixed_points'])} fixed points." for row in several]
    broken = [f"{row['alpha']:g}" for row in rows if row["fixed_points"][row["reached"]].get("replicon", 0.0) < -1e-3]
    if broken:
        said.append(f"Replica symmetry breaks at α = {', '.join(broken)}: the numbers there are not exact.")
    return said


def _beside(found: Mapping[str, Any]) -> Table:
    names = NAMES | ({"error": "‖S − S₀‖²/d"} if found["parameters"]["penalty"] == "nuclear" else {})
    columns = ("α", "quantity", "predicted", "± integration", "simulated, d → ∞", "from", "to", "verdict")
    rows = [
        (row["alpha"], names[name], *(one[key] for key in ("value", "error", "simulated", "low", "high")),
         one["verdict"].upper() if one["verdict"] == "contradicted" else one["verdict"])
        for row in found["predictions"] for name, one in row["quantities"].items()
    ]  # fmt: skip
    return Table("Predictions beside simulations", columns, rows)


def _points(found: Mapping[str, Any]) -> Table:
    words = {"m_hat": "m̂", "q_hat": "q̂", "V_hat": "V̂", "radius": "|slope|", "delta": "δ", "threshold": "ε", "eta": "η"}
    names = [name for name in found["predictions"][0]["fixed_points"][0] if name != "error"]
    rows = []
    for row in found["predictions"]:
        for place, point in enumerate(row["fixed_points"]):
            values = [None if math.isnan(point[name]) else point[name] for name in names]
            rows.append((row["alpha"], *values, "yes" if place == row["reached"] else "no"))
    return Table("Fixed points", ("α", *(words.get(name, name) for name in names), "reached"), rows)


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    names = [name for name in ("error", "test", "train") if name in found["predictions"][0]["quantities"]]
    series, curve = [], found["curve"]
    for name in names:
        if curve is not None:
            series.append(Series(NAMES[name], curve["alpha"], curve[name]))
        known = [(row["alpha"], row["quantities"][name]) for row in found["predictions"]]
        known = [(alpha, one) for alpha, one in known if one["simulated"] is not None]
        x, y, low, high = ([alpha for alpha, _ in known], *([one[end] for _, one in known] for end in _ENDS))
        series.append(Series(f"{NAMES[name]}, simulated", x, y, low, high, drawn="points"))
    return [Panel("Errors against the samples", "α", "error", series, log="x")]


_ENDS = ("simulated", "low", "high")


def _drawn(phase: Mapping[str, Any]) -> Phase:
    axis = phase["parameter"]
    name = {"strength": "penalty λ", "noise": "noise Δ"}[axis]
    title = f"‖w − w*‖²/d over α and {name}"
    return Phase(title, "α", name, phase["alpha"], phase[axis], phase["error"], phase["unstable"], axis == "strength")
