"""The scale λ of the attention logits: exactness against norm, and a smaller one for the first layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import norms
from boundaudit.derivations.sharpness.exactness import LEAK
from boundaudit.derivations.sharpness.scale import W1_SQUARED, W2_SQUARED
from boundaudit.numeric.sharpness import leak as measured
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_TERMS: dict[str, sp.Expr] = norms.CLOSED | {"W1": W1_SQUARED, "W2": W2_SQUARED}
"""The blocks' squared norms at any scale."""
_STEEP = 1.0


def _target(length: int, degree: int, sparsity: int) -> Target:
    """The first subsets in lexicographic order, with equal coefficients of unit length."""
    sets = tuple(islice(combinations(range(1, length + 1), degree), sparsity))
    return Target(length, sets, (sparsity**-0.5,) * sparsity)


def _curve(expression: sp.Expr, **parameters: npt.ArrayLike) -> Array:
    """A formula along arrays of parameters, all of one length; coefficients are equal and of unit length."""
    arrays = np.broadcast_arrays(*(np.atleast_1d(np.asarray(value, dtype=float)) for value in parameters.values()))
    table = dict(zip(parameters, arrays, strict=True))
    omega = table["omega"]
    rows = np.where(np.arange(int(omega.max())) < omega[:, None], omega[:, None] ** -0.5, 0.0)
    values = evaluate_float(
        to_tree(expression), {**table, "C": omega**0.5, "c": rows, "u": np.full_like(omega, _STEEP)}
    )
    return np.broadcast_to(values, omega.shape)


def _largest_errors(targets: Sequence[Target], scale: Sequence[float], device: str) -> Array:
    """The largest |error| of steep networks over all their inputs."""
    found: Array = np.empty(len(targets))
    # One length at a time: a shorter target would see each of its inputs many times.
    for length in sorted({target.length for target in targets}):
        chosen = [n for n, target in enumerate(targets) if target.length == length]
        part = TargetBatch.stack([targets[n] for n in chosen], device=device)
        scales = torch.tensor([scale[n] for n in chosen], dtype=torch.float64, device=device)
        found[chosen] = measured.largest_errors(part, scales, "steep").cpu().numpy()
    return found


# --- leak against length --------------------------------------------------------------------------

_LENGTHS = np.unique(np.geomspace(3, 200, 40).round())
_CASES = ((1, 1), (2, 1), (2, 3))


def _leak_panel(scale: float, setting: Setting) -> Panel:
    lengths = list(range(4, 9 if setting.profile == "smoke" else 11))
    series = [
        Series(f"formula, ω = {sparsity}", _LENGTHS.tolist(),
               _curve(LEAK, T=_LENGTHS, omega=sparsity, **{"lambda": scale}).tolist())
        for sparsity in (1, 3)
    ]  # fmt: skip
    for degree, sparsity in _CASES:
        targets = [_target(length, degree, sparsity) for length in lengths]
        errors = _largest_errors(targets, [scale] * len(targets), setting.device)
        series.append(Series(f"measured, D = {degree}, ω = {sparsity}", lengths, errors.tolist(), drawn="points"))
    return Panel(f"λ = {scale:g}", "length T", "largest error", series, log="xy")


leak_study = Study(
    label="sharpness.scale.leak",
    title="The largest error of the construction against the length of the input",
    caption="Lines are the leak of the second layer, C(T+1-ω)/(C T^λ + T+1-ω) with equal coefficients of unit length; "
    "points are largest errors over all inputs of steep networks. The error falls like T^(1-λ).",
    claims=("sharpness.exactness.leak.upper",),
    compute=lambda setting: [_leak_panel(scale, setting) for scale in (2.0, 3.0)],
    paper=PAPER,
    place=("Appendix B",),
)

# --- the norm and its blocks ----------------------------------------------------------------------

_START: Mapping[str, float] = {"T": 20, "D": 2, "omega": 10, "lambda": 2}
_SWEEPS: Mapping[str, tuple[str, Sequence[float]]] = {
    "T": ("length T", [6, 8, 12, 16, 20, 24, 32, 48]),
    "D": ("degree D", list(range(1, 9))),
    "omega": ("sparsity ω", [1, 2, 4, 6, 8, 10, 14, 20]),
    "lambda": ("scale λ", [1, 1.5, 2, 2.5, 3, 4, 5]),
}
_SHOWN = ("W1", "W2", "F")


def _total(at: Mapping[str, float]) -> Tensor:
    target = _target(int(at["T"]), int(at["D"]), int(at["omega"]))
    return norms_squared(TargetBatch.stack([target]), scale=at["lambda"])["total"][0]


def _norm_panel(name: str) -> Panel:
    label, values = _SWEEPS[name]
    start = {**_START, "omega": 6.0} if name == "T" else _START
    at: dict[str, npt.ArrayLike] = {**start, name: np.array(values, dtype=float)}
    lines = [Series(block, values, _curve(_TERMS[block], **at).tolist()) for block in _SHOWN]
    whole = Series("all, formula", values, _curve(norms.total(_TERMS), **at).tolist())
    found = [float(_total({**start, name: value})) for value in values]
    points = Series("all, measured", values, found, drawn="points")
    return Panel(f"along {label}", label, "squared norm", [whole, *lines, points], log="y")


norm_study = Study(
    label="sharpness.scale.norm-by-block",
    title="What the squared norm of the construction is made of",
    caption="Steep trapezoid, equal coefficients of unit length, around T = 20, D = 2, ω = 10, λ = 2 (ω = 6 along T). "
    "F, the output weights of the MLP, grows like D³ and alone does not depend on T or ω; W1 and W2, the logits of the "
    "two attention layers, grow like ω D λ² log²T.",
    claims=("sharpness.norms.total.closed-form",),
    compute=lambda setting: [_norm_panel(name) for name in _SWEEPS],
    paper=PAPER,
    place=("Theorem 10",),
)
