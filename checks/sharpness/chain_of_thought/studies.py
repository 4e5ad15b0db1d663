"""Figures: what the printed and the repaired statements promise for a chain and for one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.numeric.sharpness.bound import Form, published
from boundaudit.numeric.sharpness.chain_of_thought import network, printed_log_probability

_PROXY, _DELTA = 0.01, 0.05
_LEAST = 1e-6
"""Smaller probabilities are not drawn: they would flatten all other curves."""


def _bounds(length: int, sizes: Sequence[float], form: Form) -> dict[str, list[float]]:
    """What each counting promises, over m."""
    step, whole = (network(published(length, degree, 1), form, subgaussian=_PROXY) for degree in (2, length))
    m = torch.tensor(sizes, dtype=torch.float64)
    found = {"one step a prompt": length * step.errors(m, _DELTA), "one pass": whole.errors(m, _DELTA)}
    if form == "clipped":
        found["whole chains"] = step.errors(m, _DELTA, length)
        found["whole chains, m labels"] = step.errors(m / length, _DELTA, length)
    return {name: values.tolist() for name, values in found.items()}


def _printed(length: int, samples: float, *, power: float, steps: float) -> float:
    """The printed probability with the step's exponent to a power."""
    size = torch.tensor([samples], dtype=torch.float64)
    found = printed_log_probability(length, 2, power, samples=size, proxy=_PROXY)
    return steps * float(found.exp())


_FORMS: Mapping[Form, str] = {"shared-variance": "one variance", "clipped": "clipped"}


def _curves(cases: Sequence[tuple[int, float]], x: Sequence[float]) -> list[Series]:
    """Curves over (T, m)."""
    table = {
        "chain, as printed": [_printed(T, m, power=1, steps=T) for T, m in cases],
        "one pass, as printed": [_printed(T, m, power=T, steps=1) for T, m in cases],
    }
    for form, words in _FORMS.items():
        found = [_bounds(T, [m], form) for T, m in cases]
        table |= {f"{name}, {words}": [one[name][0] for one in found] for name in found[0]}
    return [Series(name, x, values) for name, values in table.items()]


def _errors(setting: Setting) -> list[Panel]:
    smoke = setting.profile == "smoke"
    sizes = [10.0**power for power in ((5, 9) if smoke else range(3, 15))]
    lengths = (4, 20) if smoke else (2, 4, 8, 12, 16, 24, 32, 48, 64)
    by_size = _curves([(20, size) for size in sizes], sizes)
    by_length = _curves([(length, 1e8) for length in lengths], lengths)
    title = "probability of error, bound"
    return [
        Panel("T = 20", "samples m", title, _clear(by_size), log="xy"),
        Panel("m = 10⁸", "length T", title, _clear(by_length), log="xy"),
    ]


def _clear(series: Sequence[Series]) -> list[Series]:
    """Without values below the smallest drawn."""
    return [Series(s.name, s.x, [None if y is None or y < _LEAST else y for y in s.y]) for s in series]


errors = Study(
    label="sharpness.chain_of_thought.errors",
    title="Chain of thought against one pass: printed probabilities and repaired bounds",
    caption="Σ = 0.01, δ = 0.05, printed G_u and L, no P. The printed probability falls below 10⁻⁶ just beyond "
    "64 Σ² G L samples, where the repaired bounds with one variance for prior and posterior are far above one. Clipped "
    "and with a prior that has a variance of its own it matters what is counted: m prompts with one step of each and a "
    "union over steps lose to one pass, m prompts with whole chains beat it, and whole chains with m labels do not.",
    claims=(
        "sharpness.chain_of_thought.samples",
        "sharpness.chain_of_thought.inference.printed",
        "sharpness.chain_of_thought.whole.noisy",
    ),
    compute=_errors,
    paper=PAPER,
    place=("Theorem 7", "Theorem 8"),
)
