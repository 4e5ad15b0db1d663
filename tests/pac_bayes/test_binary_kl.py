"""The binary relative entropy and its inverse against mpmath, at the ends of their ranges, with gradients."""

import math

import mpmath
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import binary_kl, inverse_binary_kl

_PAIRS = [(0.1, 0.3), (0.3, 0.1), (0.5, 0.5000001), (1e-9, 2e-9), (0.9, 0.999), (0.0, 0.25), (1.0, 0.25), (0.02, 0.02)]


def _exact(q: float, p: float) -> mpmath.mpf:
    first, second = mpmath.mpf(q), mpmath.mpf(p)
    parts = ((first, second), (1 - first, 1 - second))
    return mpmath.fsum(share * mpmath.log(share / other) for share, other in parts if share > 0)


@pytest.mark.parametrize(("q", "p"), _PAIRS)
def test_relative_entropy_has_sixteen_digits_even_where_its_terms_cancel(q: float, p: float) -> None:
    with mpmath.workdps(60):
        expected = float(_exact(q, p))
    assert float(binary_kl(q, p)) == pytest.approx(expected, rel=1e-8 if abs(q - p) < 1e-6 else 1e-13, abs=1e-320)


def test_it_is_infinite_where_the_second_law_excludes_what_the_first_does_not() -> None:
    found = binary_kl(torch.tensor([0.5, 0.5, 0.0, 1.0]), torch.tensor([0.0, 1.0, 0.0, 1.0]))
    assert found.tolist() == [math.inf, math.inf, 0.0, 0.0]


@pytest.mark.parametrize("q", [1e-6, 0.02, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("budget", [1e-10, 1e-3, 0.1, 1.0, 5.0])
def test_inverse_is_the_root_that_mpmath_finds(q: float, budget: float) -> None:
    with mpmath.workdps(50):
        low, high = mpmath.mpf(q), mpmath.mpf(1)
        for _ in range(160):
            middle = (low + high) / 2
            low, high = (middle, high) if _exact(q, middle) < budget else (low, middle)
    assert float(inverse_binary_kl(q, budget)) == pytest.approx(float(high), rel=1e-9)


def test_risk_zero_risk_one_no_budget_and_an_endless_budget() -> None:
    budgets = torch.tensor([0.0, 5e-324, 1e-300, 0.5, 800.0], dtype=torch.float64)
    assert inverse_binary_kl(0.0, budgets).tolist() == (-torch.expm1(-budgets)).tolist()
    assert inverse_binary_kl(1.0, budgets).tolist() == [1.0] * 5
    assert float(inverse_binary_kl(0.25, 0.0)) == pytest.approx(0.25, abs=1e-15)
    assert float(inverse_binary_kl(0.25, 1e6)) == 1.0
    assert float(inverse_binary_kl(0.25, math.inf)) == 1.0


def test_gradients_are_those_of_finite_differences() -> None:
    q = torch.tensor([0.05, 0.3, 0.6], dtype=torch.float64, requires_grad=True)
    budget = torch.tensor([0.02, 0.1, 0.4], dtype=torch.float64, requires_grad=True)

    def inverse(first: Tensor, second: Tensor) -> Tensor:
        return inverse_binary_kl(first, second)

    assert torch.autograd.gradcheck(inverse, (q, budget), eps=1e-6, atol=1e-6)


def test_arguments_broadcast() -> None:
    risks, budgets = torch.tensor([[0.1], [0.2]]), torch.tensor([0.01, 0.1, 1.0])
    found = inverse_binary_kl(risks, budgets)
    assert found.shape == (2, 3)
    assert float(found[1, 2]) == float(inverse_binary_kl(risks[1, 0], budgets[2]))


@pytest.mark.parametrize(("q", "budget", "field"), [(-0.1, 1.0, "q"), (1.1, 1.0, "q"), (0.1, -1.0, "budget")])
def test_bad_input_names_its_field(q: float, budget: float, field: str) -> None:
    with pytest.raises(InputError, match=field):
        inverse_binary_kl(q, budget)


def test_a_number_that_is_none_is_bad_input() -> None:
    with pytest.raises(InputError, match="q"):
        binary_kl(math.nan, 0.5)
    with pytest.raises(InputError, match="p"):
        binary_kl(0.5, 1.5)


@pytest.mark.parametrize(
    ("q", "p"), [(0.5, 1e-20), (0.5, 1e-15), (0.5, 1 - 2**-53), (1e-9, 0.5), (1.0, 1e-300), (0.99, 1e-3)]
)
def test_far_arguments_do_not_cancel(q: float, p: float) -> None:
    with mpmath.workdps(60):
        exact = sum(
            a * mpmath.log(a / b)
            for a, b in ((mpmath.mpf(q), mpmath.mpf(p)), (1 - mpmath.mpf(q), 1 - mpmath.mpf(p)))
            if a > 0
        )
    assert float(binary_kl(q, p)) == pytest.approx(float(exact), rel=1e-14)
