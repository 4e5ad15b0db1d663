"""Spectra: what they say of functions that are known, the two bases, and random targets."""

import itertools

import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.fourier import (
    WalshSpectrum,
    indicators,
    random_sparse,
    sparse_spectrum,
    sparse_table,
    sparse_values,
    subset_indices,
    subset_of,
    to_characters,
    walsh_hadamard,
)


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("length", [0, 1, 5])
def test_energies_and_degree_against_sets_one_by_one(length: int) -> None:
    spectrum = WalshSpectrum.of(drawn(3, 2**length))
    sizes = [len(subset_of(n, length)) for n in range(2**length)]
    for row, energies, tails in zip(spectrum.weights, spectrum.energies, spectrum.tails, strict=True):
        expected = [sum(float(w) ** 2 for w, s in zip(row, sizes, strict=True) if s == k) for k in range(length + 1)]
        np.testing.assert_allclose(energies, expected, rtol=1e-13)
        np.testing.assert_allclose(tails, [sum(expected[k + 1 :]) for k in range(length + 1)], rtol=1e-12, atol=1e-15)
    assert spectrum.degree.tolist() == [length] * 3


def test_influences_are_mean_variances_in_one_bit() -> None:
    values = drawn(2, 32)
    found = WalshSpectrum.of(values).influences
    for i in range(5):
        pairs = values.reshape(2, 2**i, 2, -1)
        half = (pairs[:, :, 0] - pairs[:, :, 1]) / 2
        torch.testing.assert_close(found[:, i], half.square().mean((1, 2)))


def test_parity_conjunction_and_constant() -> None:
    bits = bit_strings(6, 0, 64)
    tables = torch.stack([bits[:, :4].sum(-1) % 2, bits[:, :3].all(-1).long(), torch.full((64,), 7)])
    spectrum = WalshSpectrum.of(tables)
    assert spectrum.tolerance.tolist() == [0, 0, 0]
    assert spectrum.degree.tolist() == [4, 3, 0]
    assert spectrum.sparsity.tolist() == [2, 8, 1]
    assert spectrum.indicators.tolist() == [2, 8, 1]  # λ_∅ = 2 f^(∅) - f(0)
    assert spectrum.mean.tolist() == [0.5, 1 / 8, 7]
    torch.testing.assert_close(spectrum.variance, torch.tensor([1 / 4, 7 / 64, 0], dtype=torch.float64))


def test_rounding_counts_as_zero_and_small_weights_as_more() -> None:
    members, weights = random_sparse(4, 9, 3, 7, seed=2)
    table = sparse_table(members, weights)
    for values in (table, table.float()):
        spectrum = WalshSpectrum.of(values)
        assert spectrum.degree.tolist() == [3] * 4
        assert spectrum.sparsity.tolist() == [8] * 4
        assert spectrum.indicators.tolist() == [7] * 4
    parity = (-1.0) ** bit_strings(9, 0, 512).sum(-1)
    noisy = WalshSpectrum.of(table + 1e-6 * parity)
    assert noisy.degree.tolist() == [9] * 4
    assert noisy.degree_within(0.001).tolist() == [3] * 4
    assert WalshSpectrum.of(table + 1e-6 * parity, 1e-5).degree.tolist() == [3] * 4


def test_the_largest_weights_come_first() -> None:
    members, weights = random_sparse(1, 6, 2, 5, seed=3)
    sets, found = WalshSpectrum.of(sparse_table(members, weights)).largest(6)
    assert sets[0, 0] == 0
    assert set(sets[0, 1:].tolist()) == set(subset_indices(members)[0].tolist())
    assert found[0].abs().tolist() == sorted(found[0].abs().tolist(), reverse=True)


def test_the_bases_and_the_way_between_them() -> None:
    bits = bit_strings(4, 0, 16)
    coefficients = drawn(2, 16)
    by_indicators = coefficients @ indicators(bits, bits).T
    weights = walsh_hadamard(by_indicators)
    torch.testing.assert_close(to_characters(coefficients), weights)
    torch.testing.assert_close(weights @ (2 * indicators(bits, bits) - 1).T, by_indicators)
    assert float(indicators(bits, bits)[:, 0].min()) == 1


def test_sparse_targets_have_one_table() -> None:
    members, weights = random_sparse(3, 7, 2, 6, seed=4)
    by_values = sparse_values(members, weights, bit_strings(7, 0, 128))
    torch.testing.assert_close(sparse_table(members, weights), by_values)
    torch.testing.assert_close(sparse_spectrum(members, weights), walsh_hadamard(by_values))


@pytest.mark.parametrize(("normalisation", "variance"), [("unit", 0.25), ("variance", 1.0)])
def test_both_readings_of_the_normalisation(normalisation: str, variance: float) -> None:
    members, weights = random_sparse(5, 8, 3, 10, normalisation=normalisation, seed=5)  # type: ignore[arg-type]
    spectrum = WalshSpectrum.of(sparse_table(members, weights))
    np.testing.assert_allclose(spectrum.variance, variance)
    assert float(weights.min()) > 0
    np.testing.assert_allclose(spectrum.mean, weights.sum(-1) / 2)


def test_random_sets_are_distinct_of_one_size_and_uniform() -> None:
    members, _ = random_sparse(3000, 4, 2, 3, seed=6)
    assert bool((members.sum(-1) == 2).all())
    numbers = subset_indices(members)
    assert bool((numbers.sort(-1).values.diff(dim=-1) > 0).all())
    families = [tuple(sorted(row)) for row in numbers.tolist()]
    every = list(itertools.combinations(sorted({n for row in families for n in row}), 3))
    counts = np.array([families.count(one) for one in every])
    assert len(every) == 20
    assert ((counts - 150) ** 2 / 150).sum() < 50  # χ² of 19 degrees of freedom: beyond it once in 7000
    torch.testing.assert_close(random_sparse(2, 4, 2, 6, seed=1)[0].sum((1, 2)), torch.full((2,), 12))


@pytest.mark.parametrize(("degree", "sparsity"), [(0, 1), (5, 1), (2, 7), (2, 0)])
def test_classes_without_functions_are_refused(degree: int, sparsity: int) -> None:
    with pytest.raises(InputError, match="sparsity"):
        random_sparse(1, 4, degree, sparsity)
    with pytest.raises(InputError, match="normalisation"):
        random_sparse(1, 4, 2, 2, normalisation="none")  # type: ignore[arg-type]
