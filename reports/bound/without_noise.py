"""What a practitioner would try first: one network without noise, fixed, held out or chosen among finitely many."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from boundaudit.reports.bound.forms import OCCAM
from boundaudit.reports.bound.request import Request

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness import Target

_ITSELF = "E min(loss, M) of one network without noise, the construction"
_CHOSEN = "a rule that finds, among the class's constructions, one of this training loss; how is left open"
_COEFFICIENTS = "the coefficients are known beforehand, the components are not"
_ROUNDED = "the coefficients are rounded to a grid that m alone fixes, and chosen with the components"
_FIXED = "oracle: the network is fixed before the sample is seen, the construction of the known target"
_OTHER_HALF = "a rule that finds the construction, or a network of this loss, from half of the sample"
_HALF = "the loss is that on the other half, which nothing else has seen"


def rows_without_noise(asked: Request, target: Target, *, clip: float, seed: int) -> Iterator[dict[str, Any]]:
    """Fields of `compare.Row`: Chernoff's bound for one network, on a hold-out, and with the price of a choice."""
    from boundaudit.numeric.sharpness.bound import (
        coefficient_cells,
        construction_loss,
        family_nats,
        informative_from,
        one_network,
        rounded_coefficients,
        rounding_error,
        training_set,
    )

    samples, level = int(asked.samples), asked.constant_baseline(clip)
    numbers = training_set(target.length, samples, 2 * seed)
    loss_on = functools.partial(construction_loss, target, clip=clip, mlp=asked.mlp)
    loss, held = loss_on(numbers), loss_on(numbers[samples // 2 :])
    size = (target.length, target.degree, target.sparsity)
    cells = coefficient_cells(target.length, samples)
    rounded = loss_on(numbers, coefficients=rounded_coefficients(target.coefficients, cells))
    family, grid = family_nats(*size), target.sparsity * math.log(cells)

    def row(
        form: str, loss: float, assumes: list[str], *, nats: float = 0.0, seen: Callable[[int], int] = int,
        oracle: bool = False, **details: object,
    ) -> dict[str, Any]:  # fmt: skip
        def value(m: float) -> float:
            return one_network(loss, samples=max(1, seen(int(m))), delta=asked.delta, nats=nats, clip=clip)

        return {
            "form": form, "bounds": _ITSELF, "value": value(samples), "sigma": None, "kl": None,
            "constant_baseline": level, "assumes": assumes, "claims": OCCAM, "checked": True, "oracle": oracle,
            "informative_from": informative_from(value, level),
            "details": {"training_loss": loss, "choice_nats": nats, **details},
        }  # fmt: skip

    yield row("occam", loss, [_CHOSEN, _COEFFICIENTS], nats=family)
    worst = rounding_error(target.length, target.sparsity, cells) ** 2
    yield row("occam-grid", rounded, [_CHOSEN, _ROUNDED], nats=family + grid, cells=cells, training_loss_limit=worst)
    yield row("hold-out", held, [_OTHER_HALF, _HALF], seen=lambda m: m - m // 2)
    yield row("chernoff", loss, [_FIXED], oracle=True)
