"""The four parts of the Hessian against whole matrices, and the sizes of rows against what bounds them."""

import math
from typing import Any

import pytest
import torch

from boundaudit.numeric.sharpness.autodiff import flatten, hessian, parameters
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.hessian_directions import direction
from boundaudit.numeric.sharpness.hessian_parts import PARTS, kinks, norm, real_parameters, row_bends
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SMALL = Target(4, ((1,), (2,), (4,)), (0.6, 0.64, 0.48))
LARGE = Target(6, ((1, 2), (2, 3), (4, 6)), (0.8, 0.5, 0.3))
BITS = torch.tensor([[1.0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 1, 0]])


def _found(part: str) -> list[float]:
    """The norm for both networks, padded to the size of the larger one."""
    batch = TargetBatch.stack([SMALL, LARGE])
    blocks = build(batch)
    return norm(part, blocks, batch, BITS, real_parameters(blocks, batch, mlp="steep")).tolist()


def test_whole_norm_is_that_of_the_matrix_without_padding() -> None:
    for target, bits, found in zip((SMALL, LARGE), BITS, _found("whole"), strict=True):
        batch = TargetBatch.stack([target])
        exact = torch.linalg.eigvalsh(hessian(build(batch), batch, bits[: target.length])).abs().max()
        assert found == pytest.approx(float(exact), rel=1e-6)


def test_parts_add_up() -> None:
    """The triangle inequality both ways, and the halves of the parameters on which two parts live."""
    for whole, values, covariance, logits, skew, pair in zip(*(_found(part) for part in PARTS), strict=True):
        assert abs(pair - values - logits) < whole < values + logits + pair
        assert max(skew, covariance) < pair * (1 + 1e-12)
        assert pair <= (skew / 2 + math.hypot(skew / 2, covariance)) * (1 + 1e-12)


def test_bends_of_rows_add_up_to_the_norm() -> None:
    """Along its leading direction a part's norm is what rows bend by, averaged."""
    batch, bits = TargetBatch.stack([SMALL]), BITS[:1, :4].double()
    for part, bent in (("values", 0), ("logits", 1)):
        found = direction(part, batch, bits, mlp="steep")
        bends = row_bends(found.blocks, batch, bits, found.along)[bent]
        a, values = found.rows.a, found.rows.total[:, None] * found.rows.g
        weights = a if part == "values" else a * (values - (a * values).sum(-1, keepdim=True))
        assert abs((weights * bends).sum().item()) == pytest.approx(found.norm.item(), rel=1e-10)


def test_no_gradient_is_left_where_one_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """In some versions of PyTorch the zero that stands for it needs a gradient itself."""
    taken = torch.autograd.grad

    def grad(*of: Any, **how: Any) -> tuple[torch.Tensor, ...]:
        return tuple(
            found if found.any() else torch.zeros_like(found, requires_grad=True) for found in taken(*of, **how)
        )

    monkeypatch.setattr(torch.autograd, "grad", grad)
    found = direction("values", TargetBatch.stack([SMALL]), BITS[:1, :4].double(), mlp="steep")
    assert [part for part in (found.norm, found.values, found.logits, found.along.F) if part.requires_grad] == []


def test_one_column_leaves_the_others_out() -> None:
    batch = TargetBatch.stack([SMALL])
    blocks, bits = build(batch), BITS[:1, :4]
    matrix, part = hessian(blocks, batch, bits[0]), parameters(blocks)["F"]
    kept = [n for n in range(len(matrix)) if not part.start <= n < part.stop or (n - part.start) % 6 == 5]
    mask = real_parameters(blocks, batch, mlp="steep", one_column=True)
    assert mask[0].nonzero()[:, 0].tolist() == kept
    exact = float(torch.linalg.eigvalsh(matrix[kept][:, kept]).abs().max())
    assert norm("whole", blocks, batch, bits, mask).item() == pytest.approx(exact, rel=1e-6)


def test_kinks_are_seen() -> None:
    """Two of three bits and the output position: the unused rows average half, a kink at D = 1 for none."""
    batch = TargetBatch.stack([Target(3, ((1,),), (1.0,))])
    bits = torch.tensor([[0.0, 0, 1], [0, 1, 1], [0, 0, 0]])
    found = [kinks(build(batch), batch, row[None]).item() for row in bits]
    assert found == [True, True, False]


def test_parameters_are_those_of_the_network() -> None:
    batch = TargetBatch.stack([LARGE])
    blocks = build(batch)
    assert bool((real_parameters(blocks, batch, mlp="steep") == 1).all())
    assert real_parameters(blocks, batch, mlp="steep").shape == flatten(blocks).shape


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_a_direction_does_not_depend_on_its_company(part: str) -> None:
    """Where λ and -λ, or many directions, are alike: rounding, which differs by the batch, chooses none of them."""
    alike = Target(4, ((1,), (2,), (3,), (4,)), (0.5, 0.5, 0.5, 0.5))
    batch, bits = (
        TargetBatch.stack([alike] * 5),
        torch.tensor([[1.0, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]])[[0, 1, 2, 1, 0]],
    )
    together = direction(part, batch, bits, mlp="steep")
    for n in range(3):
        alone = direction(part, TargetBatch.stack([alike]), bits[n : n + 1], mlp="steep")
        assert torch.allclose(flatten(together.along)[n], flatten(alone.along)[0], atol=1e-6)
        assert torch.equal(together.ends[n], alone.ends[0])
        assert torch.equal(together.farthest[n], alone.farthest[0])
