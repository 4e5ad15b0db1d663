"""Proxies of mixtures and of encoders with decoders: what they say of each matrix, against networks that move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch
from tests.statements import some_slow
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.schatten.bounds import matrices_of
from boundaudit.numeric.schatten.proxy import Block, Mlp, block_matrices, schatten_proxy
from boundaudit.numeric.spectra import spectrum

WIDTH, INNER, HEADS, TOKENS = 4, 6, 2, 3
GENERATOR = torch.Generator().manual_seed(0)


def drawn(*shape: int, scale: float = 1.0) -> Tensor:
    return scale * torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)


@dataclass(frozen=True)
class Layer:
    """The matrices of a layer, each kind one after the other, and how much of each expert it takes."""

    matrices: dict[str, tuple[Tensor, ...]]
    shares: tuple[float, ...]

    @property
    def block(self) -> Block:
        found = {kind: tuple(map(spectrum, some)) for kind, some in self.matrices.items()}
        gates = found.get("M_gate", (None,) * len(self.shares))
        mlps = tuple(Mlp(*three) for three in zip(found["M_in"], found["M_out"], gates, strict=True))
        return Block(found["Q"], found["V"], mlps, found.get("Q_cross", ()), found.get("V_cross", ()))

    def moved(self, kind: str, index: int, change: Tensor) -> Layer:
        some = list(self.matrices[kind])
        some[index] = some[index] + change
        return replace(self, matrices=self.matrices | {kind: tuple(some)})

    def run(self, rows: Tensor, encoded: Tensor) -> Tensor:
        rows = self.attend(rows, rows, "")
        if "Q_cross" in self.matrices:
            rows = self.attend(rows, encoded, "_cross")
        total = torch.zeros_like(rows)
        gates = self.matrices.get("M_gate", (None,) * len(self.shares))
        for share, into, out, gate in zip(
            self.shares, self.matrices["M_in"], self.matrices["M_out"], gates, strict=True
        ):
            hidden = torch.relu(rows @ into) if gate is None else torch.relu(rows @ gate) * (rows @ into)
            total = total + share * hidden @ out
        return ball(total)

    def attend(self, asking: Tensor, answering: Tensor, which: str) -> Tensor:
        heads = zip(self.matrices[f"Q{which}"], self.matrices[f"V{which}"], strict=True)
        out = sum((asking @ q @ answering.mT).softmax(-1) @ answering @ v for q, v in heads)
        return ball(torch.as_tensor(out))


def ball(rows: Tensor) -> Tensor:
    """Rows projected on the unit ball."""
    return rows / rows.norm(dim=-1, keepdim=True).clamp(min=1)


def layer(*, cross: bool = False, gated: bool = False, experts: int = 1) -> Layer:
    kinds = ("Q", "V", *(("Q_cross", "V_cross") if cross else ()))
    found = {kind: tuple(drawn(WIDTH, WIDTH, scale=0.5) for _ in range(HEADS)) for kind in kinds}
    found["M_in"] = tuple(drawn(WIDTH, INNER, scale=0.5) for _ in range(experts))
    found["M_out"] = tuple(drawn(INNER, WIDTH, scale=0.5) for _ in range(experts))
    if gated:
        found["M_gate"] = tuple(drawn(WIDTH, INNER, scale=0.5) for _ in range(experts))
    shares = torch.rand(experts, generator=GENERATOR, dtype=torch.float64)
    return Layer(found, tuple((shares / shares.sum()).tolist()))


def output(layers: list[Layer], rows: Tensor, target: Tensor) -> Tensor:
    """Encoder on rows, then the decoder on its own, with a look at what the encoder gives."""
    encoded = rows
    for one in layers:
        if "Q_cross" in one.matrices:
            target = one.run(target, encoded)
        else:
            encoded = one.run(encoded, encoded)
    return target if "Q_cross" in layers[-1].matrices else encoded


NETWORKS: dict[str, list[dict[str, Any]]] = {
    "experts": [{"experts": 3}, {"experts": 2}],
    "gated experts": [{"experts": 2, "gated": True}] * 2,
    "encoder and decoder": [{}, {}, {"cross": True}, {"cross": True}],
    "gated decoder": [{"gated": True}, {"cross": True, "gated": True}],
}


def steps(layers: list[Layer]) -> Iterator[tuple[int, str, int]]:
    for number, one in enumerate(layers):
        yield from ((number, kind, index) for kind, some in one.matrices.items() for index in range(len(some)))


@pytest.mark.parametrize("name", some_slow(NETWORKS, "encoder and decoder"))
def test_no_matrix_moves_the_output_further_than_its_scale_says(name: str) -> None:
    """By steepest directions at random points, each matrix in turn; activations are of slope 1."""
    layers = [layer(**said) for said in NETWORKS[name]]
    found = schatten_proxy([one.block for one in layers], WIDTH, activation=1.0)
    scales = {(part.layer, part.kind, part.head or 0): part.scale / len(layers) for part in found.contributions}
    assert set(scales) == set(steps(layers))
    for number, kind, index in steps(layers):
        steepest = max(slope(layers, number, kind, index) for _ in range(12))
        assert 0 < steepest <= scales[number, kind, index]


def slope(layers: list[Layer], number: int, kind: str, index: int) -> float:
    """How far one row of the output moves along the steepest direction of a matrix, for a unit in operator norm."""
    rows, target = ball(drawn(TOKENS, WIDTH, scale=2.0)), ball(drawn(TOKENS, WIDTH, scale=2.0))
    change = torch.zeros_like(layers[number].matrices[kind][index], requires_grad=True)
    moved = [one.moved(kind, index, change) if at == number else one for at, one in enumerate(layers)]
    along = torch.nn.functional.normalize(drawn(WIDTH), dim=0)
    (gradient,) = torch.autograd.grad(output(moved, rows, target)[0] @ along, change)
    return float(torch.linalg.matrix_norm(gradient, "nuc"))


def test_paths_through_a_decoder_are_added_up() -> None:
    """α of the encoder's last layer, written out, is a sum over the decoder's layers; another of its own multiplies."""
    layers = [layer(), layer(), layer(cross=True), layer(cross=True)]
    _, _, first, second = layers

    def norm(one: Layer, kind: str, index: int = 0) -> float:
        return float(torch.linalg.matrix_norm(one.matrices[kind][index], 2))

    def attention(one: Layer, which: str, values: float, scores: float) -> float:
        return sum(norm(one, f"V{which}", h) * (values + scores * norm(one, f"Q{which}", h)) for h in range(HEADS))

    def mlp(one: Layer) -> float:
        return 1.13 * norm(one, "M_in") * norm(one, "M_out")

    through = mlp(second) * attention(second, "_cross", 0, 2) * attention(second, "", 1, 4)
    encoded = mlp(second) * attention(second, "_cross", 1, 2) + through * mlp(first) * attention(first, "_cross", 1, 2)
    before = encoded * mlp(layers[1]) * attention(layers[1], "", 1, 4)
    found = schatten_proxy([one.block for one in layers], WIDTH).alphas
    assert found == pytest.approx((before, encoded, through, 1.0), rel=1e-12)


def test_matrices_come_by_head_and_expert() -> None:
    block = layer(cross=True, gated=True, experts=2).block
    found = [(kind, member) for kind, member, *_ in block_matrices(block)]
    attended = [(f"{kind}{which}", head) for which in ("", "_cross") for head in range(HEADS) for kind in "QV"]
    assert found == attended + [(kind, expert) for kind in ("M_in", "M_gate", "M_out") for expert in range(2)]


@pytest.mark.parametrize("said", [{"cross": True}, {"gated": True}, {"experts": 2}])
def test_no_explicit_bound_is_of_them(said: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="compare it by its proxies"):
        matrices_of(layer(**said).block)


def test_heads_of_cross_attention_have_both_matrices() -> None:
    block = layer(cross=True).block
    with pytest.raises(InputError, match="as many query-key as value"):
        replace(block, cross_values=())
    with pytest.raises(InputError, match="an MLP"):
        replace(block, mlps=())
