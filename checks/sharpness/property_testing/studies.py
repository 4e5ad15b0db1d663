"""Figure 8: the first degree and sparsity that a sweep accepts, by the published tests and by the ones proved here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from torch import Tensor

from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.numeric.fourier.rates import Directions
from boundaudit.numeric.fourier.tables import BlackBox
from boundaudit.numeric.fourier.targets import random_sparse, sparse_values
from boundaudit.numeric.fourier.testers import Subspace, first_accepted_degree, sparsity_test

_LENGTH = 20
_DEGREES, _SPARSITIES, _FUNCTIONS = (1, 2, 3, 4, 5), (1, 7, 14, 20), 8
"""The classes of the experiments, and functions of each."""

_TRIALS, _HIGHEST = 200, 7
"""Of a degree test, and where its sweep ends."""

_BITS, _SUBSPACES = 10, 3
"""Of a sparsity test."""

_DIRECTIONS: dict[str, Directions] = {"disjoint blocks": "disjoint", "random sets, as published": "xor"}
_SUBSPACE: dict[str, Subspace] = {"random directions": "cosets", "random positions, as published": "restriction"}


def _drawn(setting: Setting) -> Iterator[tuple[int, int, BlackBox, int]]:
    """Degree, sparsity, function and seed of every function of every class."""
    smoke = setting.profile == "smoke"
    for degree in _DEGREES[:2] if smoke else _DEGREES:
        for sparsity in _SPARSITIES[:2] if smoke else _SPARSITIES:
            count = 1 if smoke else _FUNCTIONS
            members, weights = random_sparse(count, _LENGTH, degree, sparsity, seed=setting.seed)
            for n in range(count):
                yield degree, sparsity, _function(members[n], weights[n]), setting.seed + n


def _function(members: Tensor, weights: Tensor) -> BlackBox:
    return lambda bits: sparse_values(members, weights, bits)


def _spread(name: str, found: Mapping[int, list[float]]) -> Series:
    """Means with one standard deviation to either side."""
    mean = {x: float(np.mean(values)) for x, values in found.items()}
    deviation = {x: float(np.std(values)) for x, values in found.items()}
    return Series(
        name, list(found), list(mean.values()),
        [mean[x] - deviation[x] for x in found], [mean[x] + deviation[x] for x in found], drawn="points",
    )  # fmt: skip


def _accepted(setting: Setting) -> list[Panel]:
    degrees: dict[str, dict[int, list[float]]] = {name: {} for name in _DIRECTIONS}
    sizes: dict[str, dict[int, list[float]]] = {name: {} for name in _SUBSPACE}
    bits, highest = (6, 3) if setting.profile == "smoke" else (_BITS, _HIGHEST)
    for degree, sparsity, function, seed in _drawn(setting):
        for name, directions in _DIRECTIONS.items():
            first = first_accepted_degree(
                function, _LENGTH, highest=highest, trials=_TRIALS, seed=seed, directions=directions
            )
            degrees[name].setdefault(degree, []).append(highest + 1 if first is None else first)
        for name, subspace in _SUBSPACE.items():
            seen = sparsity_test(function, _LENGTH, bits, trials=_SUBSPACES, seed=seed, subspace=subspace)
            sizes[name].setdefault(sparsity, []).append(seen.at_least - 1)
    return [
        Panel("Degree", "degree D", "first accepted degree", [
            Series("true", list(_DEGREES), list(_DEGREES)), *(_spread(*one) for one in degrees.items()),
        ]),
        Panel("Sparsity", "indicators ω", "first accepted sparsity, without the constant", [
            Series("true", list(_SPARSITIES), list(_SPARSITIES)), *(_spread(*one) for one in sizes.items()),
        ]),
    ]  # fmt: skip


accepted = Study(
    label="sharpness.property_testing.accepted",
    title="First accepted degree and sparsity",
    caption="Length 20, eight functions a class; means and one standard deviation over functions and the other factor. "
    "With 200 trials of each degree, disjoint blocks find it but for the rarest rejections; random sets reject all up "
    "to where 2^-(D+1) is too rare to be seen, whatever the degree (the sweep ends at 7, and none accepted counts as "
    "8). With 3 subspaces of 2^10 queries random directions show nearly all indicators; restrictions to 10 positions "
    "lose those that fall together or lie outside.",
    claims=(
        "sharpness.property_testing.degree.printed",
        "sharpness.property_testing.degree.rejection",
        "sharpness.property_testing.sparsity.printed",
        "sharpness.property_testing.sparsity.cosets",
    ),
    compute=_accepted,
    paper=PAPER,
    place=("Appendix H(1)", "Appendix H(2)"),
)
