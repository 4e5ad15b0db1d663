"""The binary relative entropy and its inverse against mpmath, at the ends of their ranges, with gradients."""

import math

import mpmath
import numpy as np
import pytest
import torch
from flint import arb, ctx
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import binary_kl, gaussian_kl, inverse_binary_kl, pac_bayes_bound
from boundaudit.numeric.pac_bayes.certified import certified_kl

_PAIRS = [
    (0.1, 0.3), (0.3, 0.1), (0.5, 0.5000001), (1e-9, 2e-9), (0.9, 0.999), (0.0, 0.25), (1.0, 0.25), (0.02, 0.02),
    (0.5, 1e-20), (0.5, 1e-15), (0.5, 1 - 2**-53), (1e-9, 0.5), (1.0, 1e-300), (0.99, 1e-3),
]  # fmt: skip


def divergence(q: float, p: float) -> mpmath.mpf:
    first, second = mpmath.mpf(q), mpmath.mpf(p)
    parts = ((first, second), (1 - first, 1 - second))
    return mpmath.fsum(share * mpmath.log(share / other) for share, other in parts if share > 0)


@pytest.mark.parametrize(("q", "p"), _PAIRS)
def test_relative_entropy_has_sixteen_digits_even_where_its_terms_cancel(q: float, p: float) -> None:
    with mpmath.workdps(60):
        expected = float(divergence(q, p))
    assert float(binary_kl(q, p)) == pytest.approx(expected, rel=1e-8 if abs(q - p) < 1e-6 else 1e-14, abs=1e-320)


def test_it_is_finite_where_a_logarithm_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of some versions of PyTorch does."""
    whole = torch.log1p
    monkeypatch.setattr(torch, "log1p", lambda x: torch.where(x > 1e307, math.inf, whole(x)))
    found = binary_kl(torch.tensor([0.0, 1.0]), torch.tensor([0.25, 0.25]))
    assert found.tolist() == pytest.approx([-math.log(0.75), math.log(4)], rel=1e-13)


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
            low, high = (middle, high) if divergence(q, middle) < budget else (low, middle)
    assert float(inverse_binary_kl(q, budget)) == pytest.approx(float(high), rel=1e-9)


def test_risk_zero_risk_one_no_budget_and_an_endless_budget() -> None:
    budgets = torch.tensor([0.0, 5e-324, 1e-300, 0.5, 800.0], dtype=torch.float64)
    assert inverse_binary_kl(0.0, budgets).tolist() == (-torch.expm1(-budgets)).tolist()
    assert inverse_binary_kl(1.0, budgets).tolist() == [1.0] * 5
    assert float(inverse_binary_kl(0.25, 0.0)) == pytest.approx(0.25, abs=1e-15)
    assert float(inverse_binary_kl(0.25, 1e6)) == 1.0
    assert float(inverse_binary_kl(0.25, math.inf)) == 1.0


def _relative_error(q: float, budget: float, found: float) -> float:
    """By one Newton step in ball arithmetic: its own error is the square of this one."""
    with ctx.workprec(400):
        first, p = arb(q), arb(found)
        return float(((certified_kl(first, p) - budget) * (1 - p) / (p - first)).mid())


def test_the_inverse_is_within_the_error_that_it_states() -> None:
    generator = np.random.default_rng(0)
    q = np.concatenate([
        generator.random(500), 10 ** generator.uniform(-12, 0, 500), 1 - 10 ** generator.uniform(-12, 0, 500),
        10 ** generator.uniform(-300, 0, 500),
    ])  # fmt: skip
    budgets = 10 ** np.concatenate([generator.uniform(-15, 1.5, 1500), generator.uniform(-300, 1.5, 500)])
    found = inverse_binary_kl(q, budgets).numpy()
    inner = (found < 1) & (found > q)
    assert inner.sum() > 1300
    errors = [_relative_error(*point) for point in zip(q[inner], budgets[inner], found[inner], strict=True)]
    assert max(map(abs, errors)) <= 2**-50
    assert min(errors) < 0 < max(errors)


_DIFFERENTIABLE = ([0.05, 0.3, 0.6, 0.001, 0.9], [0.02, 0.1, 0.4, 1.0, 0.01])


def _pair(q: object, budget: object) -> tuple[Tensor, Tensor]:
    first, second = (torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (q, budget))
    return first, second


def test_gradients_are_those_of_finite_differences() -> None:
    pair = _pair(*_DIFFERENTIABLE)
    assert torch.autograd.gradcheck(inverse_binary_kl, pair, eps=1e-6, atol=1e-6, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(inverse_binary_kl, pair, eps=1e-6, atol=1e-4)


def _slopes(q: float, budget: float) -> tuple[float, float]:
    pair = _pair(q, budget)
    first, second = torch.autograd.grad(inverse_binary_kl(*pair), pair)
    return float(first), float(second)


@pytest.mark.parametrize("q", [0.0, 5e-324, 1e-300, 0.3, 1 - 2**-53, 1.0])
def test_gradients_are_finite_on_the_border_of_the_range(q: float) -> None:
    for budget in (0.0, 5e-324, 1e-300, 1e-20, 0.5, 50.0, 1e5, math.inf):
        by_q, by_budget = _slopes(q, budget)
        assert 0 < by_q < math.inf, budget
        assert 2**-10 <= by_budget <= 2**26, budget


def test_gradients_on_the_border_are_the_limits_where_these_are_finite() -> None:
    # At q = 0, p = 1 - exp(-b); at b = 0, p = q.
    assert _slopes(0.0, 0.5)[1] == pytest.approx(math.exp(-0.5), rel=1e-15)
    assert _slopes(0.0, 0.0)[1] == 1
    assert [_slopes(q, 0.0)[0] for q in (0.0, 0.3, 1.0)] == [1, 1, 1]


def test_gradients_are_the_exact_ones_until_the_inverse_says_nothing() -> None:
    p = float(inverse_binary_kl(0.3, 4.0))
    assert 1 - 2**-6 < p < 1 - 2**-10
    by_budget = p * (1 - p) / (p - 0.3)
    odds = math.log(p / 0.3) + math.log(0.7 / (1 - p))
    assert _slopes(0.3, 4.0) == pytest.approx((by_budget * odds, by_budget), rel=1e-12)


@pytest.mark.slow
def test_training_on_a_bound_that_begins_saturated_ends_below_one() -> None:
    # 20 weights far from their prior, 36 nats a sample: p = 1 to the last digit.
    stream = torch.Generator().manual_seed(0)
    inputs = torch.randn(1000, 20, generator=stream, dtype=torch.float64)
    labels = (inputs[:, 0] > 0).double()
    weights = (60 * torch.randn(20, generator=stream, dtype=torch.float64)).requires_grad_()

    def bound() -> Tensor:
        risk = (torch.sigmoid(inputs @ weights) - labels).abs().mean()
        return pac_bayes_bound(risk, gaussian_kl(weights.square(), 1.0, 1.0).sum(), 1000, 0.05)

    steps = torch.optim.Adam([weights], lr=1.0)
    assert float(bound().detach()) == 1
    for _ in range(300):
        steps.zero_grad()
        bound().backward()
        assert weights.grad is not None
        assert bool(weights.grad.isfinite().all())
        steps.step()
    assert float(bound().detach()) < 0.5


def test_a_saturated_bound_has_the_gradients_of_one_that_training_can_use() -> None:
    risk, kl = _pair([0.5, 0.02], 4e4)
    pac_bayes_bound(risk, kl, 1000, 0.05).sum().backward()
    assert risk.grad is not None
    assert kl.grad is not None
    assert float(kl.grad) == pytest.approx(2 * 2**-10 / 1000)
    assert bool((risk.grad > 2**-10).all() & risk.grad.isfinite().all())


def test_function_transforms_give_what_plain_calls_do() -> None:
    q, budget = (one.detach() for one in _pair(*_DIFFERENTIABLE))
    plain = _pair(*_DIFFERENTIABLE)
    by_hand = torch.autograd.grad(inverse_binary_kl(*plain).sum(), plain)
    assert torch.equal(torch.func.vmap(inverse_binary_kl)(q, budget), inverse_binary_kl(q, budget))
    assert torch.equal(
        torch.func.vmap(inverse_binary_kl, in_dims=(None, 0))(q[0], budget), inverse_binary_kl(q[0], budget)
    )
    found = torch.func.vmap(torch.func.grad(inverse_binary_kl, argnums=(0, 1)))(q, budget)
    assert all(map(torch.equal, found, by_hand))
    assert torch.equal(torch.func.jacrev(inverse_binary_kl)(q, budget).diagonal(), by_hand[0])
    assert torch.func.jvp(inverse_binary_kl, (q, budget), (torch.ones(5).double(), torch.zeros(5).double()))[
        1
    ].tolist() == pytest.approx(by_hand[0].tolist())


def test_function_transforms_pass_through_a_bound() -> None:
    q = torch.tensor(_DIFFERENTIABLE[0], dtype=torch.float64)
    assert torch.equal(
        torch.func.vmap(lambda r: pac_bayes_bound(r, 100, 1000, 0.05))(q), pac_bayes_bound(q, 100, 1000, 0.05)
    )
    slopes = torch.func.vmap(torch.func.grad(lambda r: pac_bayes_bound(r, 100, 1000, 0.05)))(q)
    assert bool((slopes > 0).all())


def test_input_is_checked_inside_function_transforms() -> None:
    with pytest.raises(InputError, match="q"):
        torch.func.vmap(inverse_binary_kl)(torch.tensor([0.5, 1.2]), torch.tensor([0.1, 0.1]))


def test_arrays_and_their_scalars_are_numbers() -> None:
    q, budgets = np.array([[0.1], [0.2]]), np.array([0.5, 1.0, 2.0], dtype=np.float32)[::-1]
    expected = inverse_binary_kl(torch.tensor(q), torch.tensor([2.0, 1.0, 0.5]))
    assert torch.equal(inverse_binary_kl(q, budgets), expected)
    assert torch.equal(binary_kl(q, np.float64(0.5)), binary_kl(torch.tensor(q), 0.5))


@pytest.mark.parametrize(("q", "p"), [(0.0, 0.3), (1.0, 0.3), (0.0, 0.0), (0.3, 0.3)])
def test_the_relative_entropy_has_finite_gradients(q: float, p: float) -> None:
    pair = _pair(q, p)
    assert all(bool(one.isfinite()) for one in torch.autograd.grad(binary_kl(*pair), pair))


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
