"""Lanczos' operator norm: within its interval for any start, and the interval as short as asked for."""

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.attention import SDPBackend, sdpa_kernel

from boundaudit import HessianNorm, InputError, hessian_norm
from boundaudit.numeric.curvature import parameter_norms
from boundaudit.numeric.curvature.lanczos import beyond, extremes, steps

from .cases import Attention, Case, Tied, case, classes, mlp


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(7)


CASES = {
    "chain": lambda: classes(mlp(nn.Tanh(), widths=(3, 8, 3))),
    "attention": lambda: case(Attention(4), F.cross_entropy, torch.randn(3, 3, 4), torch.randint(2, (3,))),
    "tied": lambda: classes(Tied()),
    "concave": lambda: classes(mlp(nn.Tanh()), lambda output, targets: -F.cross_entropy(output, targets)),
}


def of(values: Tensor, **options: float) -> HessianNorm:
    """The norm of a diagonal Hessian: Lanczos' method sees no basis."""
    module = nn.Linear(len(values) - 1, 1).double()

    def loss(_output: Tensor, _targets: Tensor) -> Tensor:
        flat = torch.cat([parameter.flatten() for parameter in module.parameters()])
        return flat.square() @ values / 2

    return hessian_norm(module, loss, torch.zeros(1, len(values) - 1).double(), torch.zeros(1), **options)


def reverse_over_reverse(module: nn.Module, loss: Any, inputs: Tensor, targets: Tensor) -> Tensor:
    """The whole Hessian; forward over reverse, PyTorch's is not symmetric in a LayerNorm's weight."""
    parameters = {name: p.detach() for name, p in module.named_parameters()}
    sizes = [p.numel() for p in parameters.values()]

    def of_all(flat: Tensor) -> Tensor:
        parts = zip(parameters.items(), flat.split(sizes), strict=True)
        own = {name: part.reshape(p.shape) for (name, p), part in parts}
        return loss(functional_call(module, own, (inputs,)), targets)

    with sdpa_kernel(SDPBackend.MATH):
        return torch.autograd.functional.hessian(of_all, torch.cat([p.flatten() for p in parameters.values()]))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("rel_error", [0.2, 0.01])
def test_the_norm_of_the_whole_hessian(name: str, rel_error: float) -> None:
    problem: Case = CASES[name]()
    found = hessian_norm(*problem, rel_error=rel_error)
    values = torch.linalg.eigvalsh(reverse_over_reverse(*problem))
    norm = float(values.abs().max())
    assert found.value == pytest.approx(max(-found.smallest, found.largest))
    assert found.interval[0] * (1 - 1e-12) <= norm <= found.interval[1] * (1 + 1e-12)
    assert found.interval[1] <= (1 + rel_error) * found.interval[0] * (1 + 1e-12)
    assert float(values[0]) - 1e-12 <= found.smallest
    assert found.largest <= float(values[-1]) + 1e-12
    assert found.parameters == len(values)


SPECTRA = {
    "flat": torch.linspace(0, 1, 400), "both signs": torch.linspace(-1, 1, 400),
    "one far out": torch.cat([torch.linspace(0, 0.95, 399), torch.ones(1)]), "negative": -torch.linspace(0, 1, 400),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECTRA)
def test_the_interval_holds_the_norm_as_often_as_it_says(name: str) -> None:
    missed = 0
    for seed in range(60):
        found = of(SPECTRA[name].double(), seed=seed, rel_error=0.1, confidence=0.8)
        assert found.interval[0] <= 1 + 1e-12
        assert found.interval[1] <= 1.1 * found.interval[0]
        missed += found.interval[1] < 1
    assert missed <= 12


def test_ritz_values_alone_miss_what_the_upper_end_makes_good() -> None:
    found = [of(torch.linspace(0, 1, 4000).double(), seed=seed, rel_error=0.4, confidence=0.9) for seed in range(30)]
    assert sum(one.value < 0.999 for one in found) >= 25
    assert sum(one.interval[1] < 1 for one in found) <= 3


def test_the_number_of_products_is_the_least_that_suffices() -> None:
    for size, share, confidence in ((2482, 0.05, 0.95), (10**6, 0.01, 0.99), (50, 0.2, 0.9)):
        k = steps(size, share, confidence)
        assert beyond(size, k, confidence) <= share < beyond(size, k - 1, confidence)
        # by hand: cosh((2k - 1) artanh √ε) = √(2n/π) · 2/(1 - confidence)
        chance = math.sqrt(2 * size / math.pi) / math.cosh((2 * k - 1) * math.atanh(math.sqrt(share)))
        assert chance <= (1 - confidence) / 2


def test_small_components_of_a_start_are_as_rare_as_the_interval_takes_them() -> None:
    for size in (2, 3, 10, 200):
        starts = torch.randn(40_000, size, generator=torch.Generator().manual_seed(0)).double()
        parts = (starts[:, 0] / starts.norm(dim=1)).abs()
        for bound in (0.02, 0.1):
            small = float((parts <= bound / math.sqrt(2 * size / math.pi)).double().mean())
            assert small <= bound + 3 * (bound / len(starts)) ** 0.5


def test_an_exhausted_space_is_exact() -> None:
    assert of(torch.ones(30).double()).products == 1
    assert of(torch.ones(30).double()).interval == pytest.approx((1, 1))
    assert of(torch.zeros(30).double()).interval == (0, 0)
    few = of(torch.tensor([1.0, 2.0, -3.0]).double())
    assert few.interval == pytest.approx((3, 3))
    assert few.products == 3
    start, matrix = torch.randn(40).double(), torch.diag(torch.arange(40) % 4).double()
    smallest, largest, taken = extremes(lambda rows: rows @ matrix, start, 40)
    assert (smallest, largest) == (pytest.approx(0, abs=1e-12), pytest.approx(3))
    assert taken <= 6


def test_seed_decides_the_start() -> None:
    problem = classes(mlp(nn.Tanh(), widths=(3, 30, 3)))
    one, same, other = (hessian_norm(*problem, rel_error=0.3, seed=seed) for seed in (0, 0, 1))
    assert one == same != other


@pytest.mark.parametrize(
    ("field", "value"),
    [("rel_error", 0.0), ("rel_error", 1.0), ("confidence", 1.0), ("seed", -1), ("memory", 0), ("memory", 10_000)],
)
def test_bad_options(field: str, value: float) -> None:
    with pytest.raises(InputError) as caught:
        hessian_norm(*classes(mlp(nn.Tanh(), widths=(3, 30, 3))), **{field: value})
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_norms_of_parameters() -> None:
    module = Tied().double()
    module.register_parameter("frozen", nn.Parameter(torch.ones(9), requires_grad=False))
    found = parameter_norms(module)
    assert found.by_parameter == pytest.approx(
        {
            "first.weight": float(module.first.weight.detach().norm() ** 2),
            "first.bias": float(module.first.bias.detach().norm() ** 2),
        }
    )
    assert found.squared == pytest.approx(sum(found.by_parameter.values()))
    assert found.parameters == 12
    with pytest.raises(InputError, match="all frozen"):
        parameter_norms(module.requires_grad_(False))
