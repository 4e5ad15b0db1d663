"""The best certified bound over a grid of classes, beside the published one and the constant baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound import published, shared_variance
from boundaudit.numeric.sharpness.bound.budgets import check_class
from boundaudit.numeric.sharpness.bound.grid import Path, best, first_informative, random_target
from boundaudit.numeric.sharpness.bound.value import check_setting
from boundaudit.numeric.sharpness.constant_baseline import constant_risk
from boundaudit.numeric.sharpness.target import Target
from boundaudit.reports.bound.compare import PILOT, check_certifiable, informative_from

_LONGEST = 20


def grid_rows(
    length: int, degrees: Sequence[int], sparsities: Sequence[int], *, samples: Sequence[int], subgaussian: float,
    delta: float, draws: int, seed: int,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """One row for each class and sample size: random components, coefficients 1/√ω, losses clipped at 1.

    Args:
        length: T, at most 20.
        degrees: values of D.
        sparsities: values of ω.
        samples: values of m.
        subgaussian: S of the published form.
        delta: δ.
        draws: noisy networks of each certificate.
        seed: of components, training sets and draws.

    Yields:
        Plain JSON, ω and then m fastest.

    Raises:
        InputError: for a class without targets, or a number out of range.
    """
    if length > _LONGEST:
        raise InputError("--length", f"at most {_LONGEST} bits", length, "shorten the input")
    check_setting(min(samples), delta, subgaussian=subgaussian)
    check_certifiable(length, max(samples))
    for degree in degrees:
        for sparsity in sparsities:
            check_class(length, degree, sparsity)
            if sparsity > math.comb(length, degree):
                raise InputError(
                    "--sparsities", f"at most {math.comb(length, degree)} at D = {degree}", sparsity, "lower it"
                )
            target = random_target(length, degree, sparsity, seed)
            yield from _rows(target, samples, subgaussian, delta, draws, seed)


def _rows(
    target: Target, samples: Sequence[int], subgaussian: float, delta: float, draws: int, seed: int
) -> Iterator[dict[str, Any]]:
    path, clipped, level = Path.of(target), constant_risk(target, 1.0), constant_risk(target)
    budgets = published(target.length, target.degree, target.sparsity)

    def value(samples: float) -> float:
        return shared_variance(budgets, samples=samples, delta=delta, proxy=subgaussian).value

    found = {
        m: best(path, samples=m, draws=draws, pilot=PILOT, delta=delta, eta=delta / 10, seed=seed) for m in samples
    }
    certified_first = first_informative(path, found[min(found)], clipped, seed=seed)
    published_first = informative_from(value, level)
    for m, certified in found.items():
        yield {
            "length": target.length, "degree": target.degree, "sparsity": target.sparsity, "samples": m,
            "certified": certified.value, "training_loss_limit": certified.certificate.upper, "kl": certified.kl,
            "clipped_yardstick": clipped, "certified_informs_from": certified_first,
            "published": value(m), "constant_baseline": level, "published_informs_from": published_first,
        }  # fmt: skip
