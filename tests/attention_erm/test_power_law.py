"""Power laws: the constants, the rate and the parts of the error."""

import pytest
import torch

from boundaudit import InputError
from boundaudit.derivations.attention_erm.power_law import CONSTANT
from boundaudit.derivations.attention_erm.symbols import gamma_erm
from boundaudit.numeric.attention_erm import decompose, mode_error, profile, rate_constant


@pytest.mark.parametrize("gamma", [0.75, 1.0, 1.5, 2.0])
def test_the_constant_is_that_of_the_derivation(gamma: float) -> None:
    assert rate_constant(gamma) == pytest.approx(float(CONSTANT.subs(gamma_erm, gamma)), rel=1e-12)


@pytest.mark.parametrize(("ratio", "share"), [(10, 0.816516), (100, 0.955267), (1000, 0.987425), (10000, 0.996179)])
def test_the_sum_over_modes_approaches_the_rate(ratio: float, share: float) -> None:
    found = mode_error(1.0, ratio, 1.0)
    assert found.error / (4 * found.scale**0.5) == pytest.approx(share, abs=1e-6)
    assert 4 * ratio * found.scale == pytest.approx(1 + 2 * found.error, rel=1e-12)


def test_parts_of_the_error() -> None:
    spectrum = torch.zeros(1000, dtype=torch.float64)
    spectrum[:3] = torch.tensor([5.0, 8.0, 0.5])
    parts = decompose(spectrum, 1.0, 2.0)
    assert parts.over == pytest.approx(0.0, abs=1e-15)
    assert parts.total == pytest.approx(float(profile(spectrum).sum()) / 1000, rel=1e-12)
    x = torch.linspace(1, 2, 200001, dtype=torch.float64)
    bulk = torch.trapezoid((x - 1) ** 2 * (4 - x**2).sqrt(), x) / (2 * torch.pi)
    assert decompose(spectrum, 1.0, 1.0).over == pytest.approx(float(bulk), rel=1e-6)


def test_refusals() -> None:
    with pytest.raises(InputError, match="gamma"):
        rate_constant(0.5)
