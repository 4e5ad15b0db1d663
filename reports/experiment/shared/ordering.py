"""How a quantity orders others: rank correlations with bootstrap intervals, over all runs and among comparable ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from boundaudit.reports.experiment.shared.rows import Found

LEVEL, DRAWS = 0.95, 2000


@dataclass(frozen=True)
class Ordering:
    """Rank correlations of a quantity with a measured one."""

    points: int  # runs that have both
    kendall: Found  # Kendall's τ_b over all pairs, and the ends of its interval
    within: Found  # the same over pairs of one group alone
    ahead: Found  # by how much that is above the one of another quantity, both of the same draws
    spearman: Found  # Spearman's ρ over all runs

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def ordering(
    values: Sequence[float | None], measured: Sequence[float], groups: Sequence[Hashable], beside: Sequence[float],
    seed: Sequence[int],
) -> Ordering:  # fmt: skip
    """Rank correlations of runs that have a value, by the bootstrap, which draws runs anew within each group."""
    has = [place for place, value in enumerate(values) if value is not None]
    names = [groups[place] for place in has]
    x, y, z = (np.array([column[place] for place in has], float) for column in (values, measured, beside))
    drawn = _drawn(names, np.random.default_rng(seed))
    same = np.array([[one == other for other in names] for one in names], dtype=bool).reshape(len(has), len(has))
    counts = np.stack([np.bincount(row, minlength=len(has)) for row in drawn]).astype(float)
    within = _kendall(x, y, same, counts)
    return Ordering(
        len(has), _ends(_kendall(x, y, np.ones_like(same), counts)), _ends(within),
        _ends(within - _kendall(z, y, same, counts)), _ends(_spearman(x[drawn], y[drawn])),
    )  # fmt: skip


def _drawn(groups: Sequence[Hashable], rng: np.random.Generator) -> np.ndarray:
    """The runs themselves, and below them as many draws, with replacement within each group."""
    drawn = np.tile(np.arange(len(groups)), (DRAWS + 1, 1))
    for name in dict.fromkeys(groups):
        own = np.array([place for place, group in enumerate(groups) if group == name])
        drawn[1:, own] = own[rng.integers(len(own), size=(DRAWS, len(own)))]
    return drawn


def _kendall(x: np.ndarray, y: np.ndarray, pairs: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Kendall's τ_b over some pairs, for runs that count as often as each row of the last argument says."""
    signs = [np.sign(np.subtract.outer(column, column)) * pairs for column in (x, y)]
    agreed, *apart = (
        np.einsum("bi,bi->b", counts @ product, counts)
        for product in (signs[0] * signs[1], signs[0] ** 2, signs[1] ** 2)
    )
    return _over(agreed, apart[0] * apart[1])


def _spearman(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's correlation of the ranks in each row, ties sharing theirs."""
    from scipy.stats import rankdata

    ranks = [rankdata(rows, axis=1) - (rows.shape[1] + 1) / 2 for rows in (x, y)]
    total, *squares = ((one * other).sum(1) for one, other in (ranks, [ranks[0]] * 2, [ranks[1]] * 2))
    return _over(total, squares[0] * squares[1])


def _over(total: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """A sum over the root of another; not a number where that vanishes."""
    found: np.ndarray = total / np.sqrt(np.where(squares > 0, squares, np.nan))
    return found


def _ends(found: np.ndarray) -> Found:
    """The first as the value, quantiles of the others as the ends of its interval."""
    value, others = found[0], found[1:][~np.isnan(found[1:])]
    if np.isnan(value) or not len(others):
        return None, None, None
    low, high = np.quantile(others, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(value), float(low), float(high)
