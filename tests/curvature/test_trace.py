"""Exact and closed-form traces against whole Hessians."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from boundaudit.numeric.curvature import hessian_trace

from .cases import Attention, Case, Tied, brute_force, case, classes, mlp


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(7)


def squares(output: Tensor, targets: Tensor) -> Tensor:
    return F.mse_loss(output, F.one_hot(targets, 3).double())


def summed(output: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(output, targets, reduction="sum")


def encoder() -> nn.Module:
    layer = nn.TransformerEncoderLayer(4, 2, dim_feedforward=5, dropout=0.0, batch_first=True, activation="gelu")
    return nn.Sequential(layer, nn.Flatten(), nn.Linear(12, 3))


CHAINS: dict[str, Callable[[], Case]] = {
    "linear": lambda: classes(nn.Linear(3, 3)),
    "tanh": lambda: classes(mlp(nn.Tanh())),
    "relu": lambda: classes(mlp(nn.ReLU(), widths=(3, 4, 5, 4, 3))),
    "relu in place": lambda: classes(mlp(nn.ReLU(inplace=True))),
    "gelu": lambda: classes(mlp(nn.GELU(), widths=(3, 5, 4, 3))),
    "four layers": lambda: classes(mlp(nn.Softplus(), nn.Tanh(), nn.ReLU(), widths=(3, 4, 5, 4, 3))),
    "five layers": lambda: classes(mlp(nn.SiLU(), widths=(3, 4, 2, 5, 4, 3))),
    "summed": lambda: classes(mlp(nn.Tanh()), summed),
    "squares": lambda: classes(mlp(nn.Tanh()), squares),
    "activated output": lambda: classes(mlp(nn.Tanh(), outermost=nn.Sigmoid()), squares),
    "no activation": lambda: classes(nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2), nn.Linear(2, 3))),
    "flattened": lambda: case(
        nn.Sequential(nn.Flatten(), nn.Linear(6, 3), nn.Dropout(0.5), nn.Tanh(), nn.Linear(3, 3, bias=False)),
        F.cross_entropy, torch.randn(5, 2, 3), torch.randint(3, (5,)),
    ),
    "batch norm without parameters": lambda: classes(
        nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4, affine=False), nn.Tanh(), nn.Linear(4, 3))
    ),
}  # fmt: skip


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.roll = nn.LSTM(2, 3, batch_first=True)

    def forward(self, inputs: Tensor) -> Tensor:
        return self.roll(inputs)[0][:, -1]


OTHERS: dict[str, Callable[[], Case]] = {
    "layer norm": lambda: classes(nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 3))),
    "softmax inside": lambda: classes(nn.Sequential(nn.Linear(3, 4), nn.Softmax(1), nn.Linear(4, 3))),
    "tied": lambda: classes(Tied()),
    "one layer twice": lambda: classes(nn.Sequential(*[layer := nn.Linear(3, 3), nn.Tanh(), layer])),
    "not a sum": lambda: classes(mlp(nn.Tanh()), lambda output, _: output.logsumexp((0, 1))),
    "product of samples": lambda: classes(mlp(nn.Tanh()), lambda output, _: output.sum().square()),
    "attention": lambda: case(Attention(4), F.cross_entropy, torch.randn(3, 3, 4), torch.randint(2, (3,))),
    "attention of 354": lambda: case(Attention(), F.cross_entropy, torch.randn(5, 3, 8), torch.randint(2, (5,))),
    "encoder layer": lambda: case(encoder(), F.cross_entropy, torch.randn(2, 3, 4), torch.randint(3, (2,))),
    "LSTM": lambda: case(Recurrent(), F.cross_entropy, torch.randn(4, 3, 2), torch.randint(3, (4,))),
    "convolution": lambda: case(
        nn.Sequential(nn.Conv1d(2, 3, 2), nn.Tanh(), nn.Flatten(), nn.Linear(9, 3)),
        F.cross_entropy, torch.randn(4, 2, 4), torch.randint(3, (4,)),
    ),
    "embedding": lambda: case(
        nn.Sequential(nn.Embedding(5, 2), nn.Flatten(), nn.Tanh(), nn.Linear(6, 3)),
        lambda output, targets: F.cross_entropy(output, targets), torch.randint(5, (4, 3)), torch.randint(3, (4,)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_closed_form_is_the_trace_of_the_whole_hessian(name: str) -> None:
    problem = CHAINS[name]()
    found, expected = hessian_trace(*problem), brute_force(*problem)
    assert found.method == "closed form"
    assert found.interval is None
    assert found.by_parameter == pytest.approx(expected, rel=1e-10, abs=1e-13)
    assert found.value == pytest.approx(sum(expected.values()), rel=1e-10)


@pytest.mark.parametrize("name", [*CHAINS, *OTHERS])
def test_exact_is_the_trace_of_the_whole_hessian(name: str) -> None:
    module, loss, inputs, targets = (CHAINS | OTHERS)[name]()
    if name == "embedding":
        inputs = inputs.long()
    found = hessian_trace(module, loss, inputs, targets, method="exact")
    expected = brute_force(module, loss, inputs, targets)
    assert found.method == "exact"
    assert found.by_parameter == pytest.approx(expected, rel=1e-10, abs=1e-13)
    assert found.parameters == sum(p.numel() for p in module.parameters())


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_chain_falls_back(name: str) -> None:
    module, loss, inputs, targets = OTHERS[name]()
    assert hessian_trace(module, loss, inputs.long() if name == "embedding" else inputs, targets).method == "exact"


def test_the_same_network_written_otherwise_has_the_same_trace() -> None:
    plain = mlp(nn.Tanh(), nn.GELU(), widths=(3, 5, 4, 3))
    a, tanh, b, gelu, c = plain
    nested = nn.Sequential(
        nn.Sequential(nn.Identity(), a), nn.Sequential(tanh, nn.Sequential(b)), gelu, nn.Dropout(), c
    )
    first = classes(plain)
    second = (nested.eval(), *first[1:])
    assert hessian_trace(*first).value == pytest.approx(hessian_trace(*second).value, rel=1e-13)


def test_frozen_parameters_are_left_out() -> None:
    module, *rest = classes(mlp(nn.Tanh(), widths=(3, 4, 5, 3)))
    expected = brute_force(module, *rest)
    module[0].requires_grad_(False)
    module[2].bias.requires_grad_(False)
    left = {name: expected[name] for name in ("2.weight", "4.weight", "4.bias")}
    for method in ("auto", "exact"):
        assert hessian_trace(module, *rest, method=method).by_parameter == pytest.approx(left, rel=1e-10)


def test_weight_decay_in_the_loss_counts() -> None:
    module, _, inputs, targets = classes(mlp(nn.Tanh()))

    def decayed(output: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(output, targets) + sum(p.square().sum() for p in module.parameters())

    plain = hessian_trace(module, F.cross_entropy, inputs, targets)
    found = hessian_trace(module, decayed, inputs, targets)
    assert (plain.method, found.method) == ("closed form", "exact")
    assert found.value == pytest.approx(plain.value + 2 * plain.parameters, rel=1e-12)


def test_hooks_are_not_passed_by() -> None:
    module, *rest = classes(mlp(nn.Tanh()))
    module[1].register_forward_hook(lambda _layer, _inputs, output: 2 * output)
    found = hessian_trace(module, *rest)
    assert found.method == "exact"
    assert found.by_parameter == pytest.approx(brute_force(module, *rest), rel=1e-10)


def test_little_memory_changes_nothing_but_the_batches() -> None:
    problem = classes(mlp(nn.SiLU(), widths=(3, 4, 2, 5, 4, 3)), count=40)
    for method in ("auto", "exact"):
        whole, small = (hessian_trace(*problem, method=method, memory=memory) for memory in (2**30, 2**17))
        assert small.method == whole.method
        assert small.by_parameter == pytest.approx(whole.by_parameter, rel=1e-12)


def test_an_operation_that_cannot_be_batched_goes_one_by_one() -> None:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, inputs: Tensor) -> Tensor:
            context.save_for_backward(inputs)
            return inputs**3

        @staticmethod
        def backward(context: Any, along: Tensor) -> Tensor:
            (inputs,) = context.saved_tensors
            assert along.abs().max().item() >= 0, "what .item() forbids under vmap"
            return 3 * inputs**2 * along

    class Cubed(nn.Linear):
        def forward(self, inputs: Tensor) -> Tensor:
            return Cube.apply(super().forward(inputs))

    module, _, inputs, targets = classes(Cubed(3, 3))
    found = hessian_trace(module, squares, inputs, targets)
    plain = nn.Linear(3, 3).double()
    plain.load_state_dict(module.state_dict())
    cubed = brute_force(plain, lambda output, targets: squares(output**3, targets), inputs, targets)
    assert found.by_parameter == pytest.approx(cubed, rel=1e-10)


def test_everything_is_left_as_found() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 3)
            self.register_buffer("calls", torch.zeros(1))

        def forward(self, inputs: Tensor) -> Tensor:
            self.calls += 1
            return torch.tanh(self.layer(inputs))

    problem = classes(Counting().train())
    module = problem[0].train()
    module.layer.weight.grad = torch.ones(3, 3).double()
    before = torch.random.get_rng_state()
    with torch.no_grad():
        for method in ("auto", "exact", "estimate"):
            hessian_trace(*problem, method=method)
    assert module.training
    assert float(module.calls) == 0
    assert bool((module.layer.weight.grad == 1).all())
    assert module.layer.bias.grad is None
    assert torch.backends.mha.get_fastpath_enabled()
    assert torch.equal(torch.random.get_rng_state(), before)


def test_single_precision_is_near() -> None:
    problem = classes(mlp(nn.Tanh(), widths=(3, 5, 4, 3)), count=50)
    module, loss, inputs, targets = problem
    expected = hessian_trace(*problem, method="exact").value
    module, inputs = module.float(), inputs.float()
    for method in ("auto", "exact"):
        assert hessian_trace(module, loss, inputs, targets, method=method).value == pytest.approx(expected, rel=1e-5)


def test_half_precision_is_no_closed_form() -> None:
    module, loss, inputs, targets = classes(mlp(nn.Tanh()))
    assert hessian_trace(module.bfloat16(), loss, inputs.bfloat16(), targets).method == "exact"


def test_fused_attention_is_switched_off_and_on_again() -> None:
    class Fused(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.three = nn.Linear(4, 12)

        def forward(self, inputs: Tensor) -> Tensor:
            query, key, value = self.three(inputs).chunk(3, dim=-1)
            return F.scaled_dot_product_attention(query, key, value, is_causal=True).mean(1)

    problem = case(Fused(), F.cross_entropy, torch.randn(3, 5, 4), torch.randint(4, (3,)))
    before = torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.mem_efficient_sdp_enabled()
    assert hessian_trace(*problem).by_parameter == pytest.approx(brute_force(*problem), rel=1e-10, abs=1e-13)
    assert before == (torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.mem_efficient_sdp_enabled())


def test_several_arguments_come_as_a_tuple() -> None:
    module = nn.Bilinear(2, 3, 2).double()
    left, right, labels = torch.randn(4, 2).double(), torch.randn(4, 3).double(), torch.randint(2, (4,))
    found = hessian_trace(module, F.cross_entropy, (left, right), labels)
    probabilities = module(left, right).detach().softmax(1)
    spread = (probabilities * (1 - probabilities)).sum(1) / 4
    weight = spread @ (left.square().sum(1) * right.square().sum(1))
    assert found.by_parameter == pytest.approx({"weight": float(weight), "bias": float(spread.sum())}, rel=1e-12)
