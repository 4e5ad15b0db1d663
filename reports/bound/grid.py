"""The best certified bound over a grid of classes, beside the published one and the yardstick."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound import published, tied
from boundaudit.numeric.sharpness.bound.budgets import check_class
from boundaudit.numeric.sharpness.bound.grid import Cell, cell, random_target
from boundaudit.numeric.sharpness.bound.value import check_setting
from boundaudit.numeric.sharpness.yardstick import constant_risk
from boundaudit.reports.bound.compare import informative_from

_PILOT = 200
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
    for degree in degrees:
        for sparsity in sparsities:
            check_class(length, degree, sparsity)
            if sparsity > math.comb(length, degree):
                raise InputError(
                    "--sparsities", f"at most {math.comb(length, degree)} at D = {degree}", sparsity, "lower it"
                )
            target = random_target(length, degree, sparsity, seed)
            found = cell(target, samples=samples, draws=draws, pilot=_PILOT, seed=seed)
            yield from _rows(found, subgaussian, delta)


def _rows(found: Cell, subgaussian: float, delta: float) -> Iterator[dict[str, Any]]:
    target = found.target
    budgets, level = published(target.length, target.degree, target.sparsity), constant_risk(target)

    def value(samples: float) -> float:
        return tied(budgets, samples=samples, delta=delta, proxy=subgaussian).value

    first = informative_from(value, level)
    for m, best in found.best.items():
        yield {
            "length": target.length, "degree": target.degree, "sparsity": target.sparsity, "samples": m,
            "certified": best.value, "training_loss_limit": best.certificate.upper, "kl": best.kl,
            "clipped_yardstick": found.yardstick, "certified_informs_from": found.informative,
            "published": value(m), "yardstick": level, "published_informs_from": first,
        }  # fmt: skip
