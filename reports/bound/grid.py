"""The best certified bound over a grid of classes, beside the published one, each with its constant baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound import check_certifiable, check_class, check_distinct, check_setting

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness import Target

_LONGEST = 20


def grid_rows(
    length: int, degrees: Sequence[int], sparsities: Sequence[int], *, samples: Sequence[int], subgaussian: float,
    delta: float, draws: int, seed: int,
) -> Iterator[dict[str, float | bool | None]]:  # fmt: skip
    """One row for each class and sample size: random components, coefficients 1/√ω, losses clipped at 1.

    Plain JSON, ω and then m fastest. Where both bounds are vacuous, which of them is smaller says nothing.
    ``certified_informs_from`` is the smallest sample found, each certified at the whole δ.

    Raises:
        InputError: for a class without targets, or a number out of range.
    """
    if length > _LONGEST:
        raise InputError("--length", f"at most {_LONGEST} bits", length, "shorten the input")
    check_setting(min(samples), delta, subgaussian=subgaussian)
    check_certifiable(length, max(samples), draws)
    classes = [(length, degree, sparsity) for degree in degrees for sparsity in sparsities]
    for size in classes:
        check_class(*size)
        check_distinct(*size)

    from boundaudit.numeric.sharpness.bound import random_target

    for target in [random_target(*size, seed) for size in classes]:
        yield from _rows(target, samples, subgaussian, delta, draws, seed)


def _rows(
    target: Target, samples: Sequence[int], subgaussian: float, delta: float, draws: int, seed: int
) -> Iterator[dict[str, float | bool | None]]:
    from boundaudit.numeric.sharpness import constant_risk
    from boundaudit.numeric.sharpness.bound import BOUNDS, cell, informative_from, published

    budgets, level = published(target.length, target.degree, target.sparsity), constant_risk(target)

    def value(samples: float) -> float:
        return BOUNDS["shared-variance"](budgets, samples=samples, delta=delta, proxy=subgaussian).value

    certified = cell(target, samples=samples, draws=draws, delta=delta, seed=seed)
    published_first = informative_from(value, level)
    for m, best in certified.best.items():
        printed = value(m)
        yield {
            "length": target.length, "degree": target.degree, "sparsity": target.sparsity, "samples": m,
            "certified": best.value, "training_loss_limit": best.certificate.upper, "kl": best.kl,
            "clipped_baseline": certified.constant_baseline, "certified_informs_from": certified.informative,
            "published": printed, "constant_baseline": level, "published_informs_from": published_first,
            "both_vacuous": best.value >= certified.constant_baseline and printed >= level,
        }  # fmt: skip
