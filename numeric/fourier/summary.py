"""What can be said of one function: of its table everything, of a black box what queries tell."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.fourier.rates import degree_power
from boundaudit.numeric.fourier.spectrum import WalshSpectrum, table_rounding
from boundaudit.numeric.fourier.tables import BlackBox, table_function
from boundaudit.numeric.fourier.testers import MOST_BLOCKS, TOLERANCE, degree_sweep, sparsity_test
from boundaudit.numeric.fourier.transform import subset_of

SHARES = (0.1, 0.01, 0.001)
"""Shares of the variance that a lower degree may miss."""

MOST_QUERIES = 2**22
"""Of one degree: a sweep stops before it asks for more."""

BITS = 10
"""Dimension of the subspaces where nothing is said."""


def table_summary(
    values: Tensor, *, tolerance: float | None = None, largest: int = 10, trials: int = 1000, bits: int | None = None,
    seed: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """The spectrum of a table in numbers, and what property tests of it would see.

    Values have shape (2^T,), in the order of `boundaudit.numeric.enumeration.bit_strings`. Weights of at most the
    tolerance times the largest absolute value count as zero; without it nothing for integers, and the rounding of a
    floating type. Of the others as many as ``largest`` says are listed. The rest is as in `query_summary`.

    Returns:
        JSON: ``length``, ``mean``, ``variance``, ``degree``, ``degree_within`` (by shares of the variance),
            ``characters``, ``indicators``, ``tolerance``, ``largest`` (sets and weights), ``influences``,
            ``total_influence``, ``energies`` and ``tails`` by degree, and ``tests`` as `query_summary` has them, each
            degree with ``least_rate``, how often a trial rejects at the least.

    Raises:
        InputError: for numbers out of range.
    """
    if tolerance is not None and not 0 <= tolerance < 1:
        raise InputError("tolerance", "a number from 0 to 1", tolerance, "correct it")
    if largest < 0:
        raise InputError("largest", "a number of weights", largest, "correct it")
    top = float(values.abs().max())
    absolute = float(table_rounding(values)) if tolerance is None else tolerance * top
    spectrum = WalshSpectrum.of(values, absolute)
    sets, weights = spectrum.largest(largest)
    spread, tails = float(values.max()) - float(values.min()), spectrum.tails.tolist()
    tests = query_summary(
        table_function(values), spectrum.length, trials=trials, bits=bits, seed=seed,
        tolerance=max(absolute / top, TOLERANCE) if top else TOLERANCE,
    )  # fmt: skip
    beyond = int(spectrum.degree)
    for row in tests["degree"]:
        row["least_rate"] = degree_power(row["degree"], tails[row["degree"]], spread) if row["degree"] < beyond else 0.0
    influences = spectrum.influences
    return {
        "length": spectrum.length,
        "mean": float(spectrum.mean),
        "variance": float(spectrum.variance),
        "degree": beyond,
        "degree_within": {str(share): int(spectrum.degree_within(share)) for share in SHARES},
        "characters": int(spectrum.sparsity),
        "indicators": int(spectrum.indicators),
        "tolerance": absolute,
        "largest": [
            {"set": list(subset_of(index, spectrum.length)), "weight": weight}
            for index, weight in zip(sets.tolist(), weights.tolist(), strict=True)
            if abs(weight) > absolute
        ],
        "influences": influences.tolist(),
        "total_influence": float(influences.sum()),
        "energies": spectrum.energies.tolist(),
        "tails": tails,
        "tests": tests,
    }


def query_summary(
    function: BlackBox, length: int, *, trials: int = 1000, bits: int | None = None, seed: int = 0,
    tolerance: float = TOLERANCE,
) -> dict[str, Any]:  # fmt: skip
    """What property tests see of a function that can be asked for values: a model, a table, a formula.

    Args:
        function: from inputs, bool, shape (n, T), to n real numbers.
        length: T.
        trials: of each degree test.
        bits: dimension of the sparsity tests' subspaces; at most 10 without it.
        seed: of the draws.
        tolerance: what counts as zero, relative to the largest value seen.

    Returns:
        JSON: ``degree``, for each degree up to the first that is accepted how many of the trials rejected, with a 95 %
            interval for their rate; ``first_accepted_degree``, null where the sweep ended before; ``sparsity``, how
            many characters there are at the least, by random directions and by as many random positions; ``queries`` of
            both.

    Raises:
        InputError: for numbers out of range, or values that are no finite reals.

    Example:
        >>> seen = query_summary(lambda bits: bits[:, :2].sum(-1) % 2, 30, trials=100)
        >>> seen["first_accepted_degree"], seen["sparsity"]["at_least"]
        (2, 2)
    """
    rows: list[dict[str, Any]] = []
    accepted, queries = None, 0
    for test in degree_sweep(function, length, highest=MOST_BLOCKS - 1, trials=trials, seed=seed, tolerance=tolerance):
        queries += test.queries
        rows.append({
            "degree": test.degree, "rejections": test.rejections, "trials": trials, "rate": list(test.rejection_rate),
            "energy": list(test.energy),
        })  # fmt: skip
        if test.accepted:
            accepted = test.degree
        if trials << (test.degree + 2) > MOST_QUERIES:
            break
    bits = min(BITS, length) if bits is None else bits
    seen = {
        name: sparsity_test(function, length, bits, seed=seed, tolerance=tolerance, subspace=name)
        for name in ("cosets", "restriction")
    }
    return {
        "degree": rows,
        "first_accepted_degree": accepted,
        "sparsity": {
            "bits": bits,
            "trials": len(seen["cosets"].filled),
            "at_least": seen["cosets"].at_least,
            "at_least_restricted": seen["restriction"].at_least,
        },
        "queries": queries + sum(test.queries for test in seen.values()),
    }
