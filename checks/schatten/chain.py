"""From the cheapest cover of a class of matrices to its closed form: what each simplification of the proof costs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import torch

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Choices, Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.schatten.symbols import N_sch, epsilon_sch, p_sch
from boundaudit.derivations.symbols import symbol
from boundaudit.numeric.schatten.bounds import MatrixClass, entropy_by_count, matrix_entropy

d_chain = symbol("d_chain", "exponent of the decay of singular values, s_k = k^{-d}", positive=True)
_CONSTANT = 33.0


@functools.cache
def _nodes(width: int, decay: float, p: float, radius: float) -> tuple[float, ...]:
    """Every node at a point, for the class that holds the diagonal of k^{-d}, k up to the width."""
    total = math.fsum(k ** (-decay * p) for k in range(1, width + 1))
    matrix = MatrixClass((width, width), p, total, 1.0)
    by_count = entropy_by_count(torch.tensor(math.log(radius), dtype=torch.float64), matrix)
    threshold = (total * radius**2 / width) ** (1 / (p + 2))
    count = total / threshold**p
    logarithm = math.log1p(16 / radius)
    psi = (width ** (p + 1) * total / radius**p) ** (2 / (p + 2))
    rest = _CONSTANT * width**1.5 * math.sqrt(total * threshold ** (2 - p)) / radius + math.log(2)
    at_balance = by_count[min(int(count), width - 1)]
    return (
        float(matrix_entropy(radius, matrix)),
        float(by_count.amin()),
        float(at_balance),
        int(count) * 2 * width * logarithm + rest,
        psi * (2 * logarithm + _CONSTANT) + math.log(2),
    )


def _node(place: int) -> Callable[[Point], float]:
    return lambda at: _nodes(int(at["N_sch"]), float(at["d_chain"]), float(at["p_sch"]), float(at["epsilon_sch"]))[
        place
    ]


def _step(place: int, name: str, latex: str, cites: str = "", claim: str | None = None) -> Step:
    return Step(Quantity(name, at_points(_node(place)), latex, rounding=1e-11), name, cites, claim)


_STEPS = (
    _step(0, "cheapest cover", r"H(\varepsilon)"),
    _step(
        1, "low rank and Frobenius, best threshold", r"\min_k H_k(\varepsilon)", "not by volume",
        "schatten.metric_entropy.against-volume",
    ),
    _step(
        2, "at the threshold that balances", r"H_{k(\tau)}(\varepsilon)", "τ = (S ε²/N)^{1/(p+2)}",
        "schatten.interpolation.no-better-threshold",
    ),
    _step(
        3, "Frobenius ball in closed form", r"2kN\ln(1 + 16C/\varepsilon) + 33 N^{3/2} R/\varepsilon + \ln 2",
        "both stages of its cover cost at most 33 N^{3/2} R/ε, R² = τ^{2-p} S",
        "schatten.metric_entropy.frobenius-sharper",
    ),
    _step(
        4, "both parts at their largest", r"\Psi (2\ln(1 + 16C/\varepsilon) + 33) + \ln 2", "k ≤ S/τ^p",
        "schatten.interpolation.count",
    ),
)  # fmt: skip


def _choices(*values: str) -> Choices:
    return Choices(**{f"value_{i}": value for i, value in enumerate(values)})


_DOMAIN: dict[Any, Choices] = {
    N_sch: _choices("256", "1024"),
    d_chain: _choices("1", "2", "3"),
    p_sch: _choices("1/2", "1"),
    epsilon_sch: _choices("1/2", "1/10"),
}
_SAMPLE: Point = {"N_sch": 1024, "d_chain": 2.0, "p_sch": 0.5, "epsilon_sch": 0.1}

chain = Derivation(
    label="schatten.chain",
    title="From the cheapest cover of a Schatten class to the closed form of its entropy",
    steps=_STEPS,
    domain=Domain(_DOMAIN),
    samples={
        "N=1024, s=k^-2, p=1/2, ε=0.1": _SAMPLE,
        "N=1024, s=k^-1, p=1, ε=0.1": {**_SAMPLE, "d_chain": 1.0, "p_sch": 1.0},
        "N=256, s=k^-3, p=1/2, ε=0.5": {**_SAMPLE, "N_sch": 256, "d_chain": 3.0, "epsilon_sch": 0.5},
    },
    paper=PAPER,
    place=("Appendix C",),
)
