"""Targets: what is accepted, what is refused and by which name."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.sharpness.one_target import MEMORY_LIMIT, Target, load_target
from boundaudit.numeric.sharpness.target import TargetBatch

from .cases import MIXED, TARGETS, random_batch, unstack

GOOD = {"length": 6, "components": [[2, 1], [3, 6], [2, 5]], "coefficients": [0.6, 0.64, 1]}

BAD: list[tuple[dict[str, Any], str]] = [
    ({"length": True}, "length"), ({"length": 6.0}, "length"), ({"length": "6"}, "length"),
    ({"length": None}, "length"), ({"length": 1}, "length"), ({"length": -6}, "length"), ({"length": 10**9}, "length"),
    ({"length": 2}, "components"), ({"length": 5}, "components[1]"), ({"components": []}, "components"),
    ({"components": {"1": [1, 2]}}, "components"), ({"components": "12"}, "components"),
    ({"components": [[1, 2], [], [2, 5]]}, "components[1]"), ({"components": [[1, 2], 3, [2, 5]]}, "components[1]"),
    ({"components": [[1, 2], [3, 6], [2, 7]]}, "components[2]"),
    ({"components": [[1, 2], [3, 6], [0, 2]]}, "components[2]"),
    ({"components": [[1, 2], [3, 6], [-1, 2]]}, "components[2]"),
    ({"components": [[1, 2], [3, 6], [True, 2]]}, "components[2]"),
    ({"components": [[1, 2], [3, 6], [1.0, 2]]}, "components[2]"),
    ({"components": [[1, 2], [3, 6], [4, 4]]}, "components[2]"),
    ({"components": [[1, 2], [3, 6], [2, 1]]}, "components[2]"), ({"components": [[1, 2], [3, 6]]}, "coefficients"),
    ({"coefficients": [0.6]}, "coefficients"), ({"coefficients": []}, "coefficients"),
    ({"coefficients": 0.6}, "coefficients"), ({"coefficients": [0, 1, 1]}, "coefficients[0]"),
    ({"coefficients": [1, -0.0, 1]}, "coefficients[1]"), ({"coefficients": [1, -math.inf, 1]}, "coefficients[1]"),
    ({"coefficients": [1, 1, math.nan]}, "coefficients[2]"), ({"coefficients": [1, 1, math.inf]}, "coefficients[2]"),
    ({"coefficients": [1, 1, True]}, "coefficients[2]"), ({"coefficients": [1, 1, "1"]}, "coefficients[2]"),
    ({"coefficients": [1, 1, None]}, "coefficients[2]"), ({"coefficients": [1, 1, 10**400]}, "coefficients[2]"),
    ({"coefficients": [1e200, 1, 1]}, "coefficients"), ({"coefficients": [1e200, -1e200, 1]}, "coefficients"),
    ({"weights": [1, 1, 1]}, "weights"),
]  # fmt: skip


def test_a_good_target_is_brought_into_canonical_form() -> None:
    target = Target.from_json(GOOD)
    assert target.components == ((1, 2), (3, 6), (2, 5))
    assert (target.length, target.degree, target.sparsity) == (6, 2, 3)
    assert target.coefficients == (0.6, 0.64, 1.0)
    assert target.coefficient_sum == pytest.approx(2.24, rel=1e-15)


@pytest.mark.parametrize(("change", "field"), BAD)
def test_a_bad_value_is_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Target.from_json(GOOD | change)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_key_is_named(name: str) -> None:
    with pytest.raises(InputError) as caught:
        Target.from_json({key: value for key, value in GOOD.items() if key != name})
    assert caught.value.field == name


@pytest.mark.parametrize("record", [None, [], "target", 3])
def test_other_json_than_an_object_is_refused(record: object) -> None:
    with pytest.raises(InputError, match="target: expected an object"):
        Target.from_json(record)


def test_too_long_an_input_says_what_it_needs() -> None:
    with pytest.raises(InputError, match=f"at most {MEMORY_LIMIT} bytes, got 7000, which needs 117") as caught:
        Target(7000, ((1,),), (1.0,))
    assert caught.value.field == "length"


def test_sets_of_several_sizes_and_both_signs() -> None:
    target = Target(6, ((1, 2), (3,), (4, 5, 6)), (0.5, -0.25, -1.0))
    assert (target.degrees, target.degree, target.grid_degree) == ((2, 1, 3), 3, 4)
    assert (target.coefficient_sum, target.absolute_sum, target.negative_sum) == (-0.75, 1.75, 1.25)
    assert not target.is_positive
    assert TARGETS["triples"].is_positive
    assert TARGETS["triples"].grid_degree == TARGETS["triples"].degree == 3
    assert Target(6, ((1, 2), (3,)), (0.5, -0.25)).grid_degree == 2


def test_a_target_survives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "target.json"
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    assert load_target(path) == Target.from_json(GOOD)


@pytest.mark.parametrize(("content", "field"), [
    (b"", "target"), (b"{", "target"), (b"\xff\xfe{}", "target"), (b"[" * 100_000, "target"),
    (b'{"length": ' + b"9" * 200_000 + b"}", "target"),
    (b'{"length": 6, "components": [[1]], "coefficients": [NaN]}', "target"),
    (b'{"length": 6, "components": [[1]], "coefficients": [-Infinity]}', "target"),
    (b'{"length": 6, "components": [[1]], "coefficients": [1e999]}', "coefficients[0]"),
    (b'{"length": 6, "length": 7, "components": [[1]], "coefficients": [1]}', "length"),
])  # fmt: skip
def test_a_bad_file_is_refused(tmp_path: Path, content: bytes, field: str) -> None:
    path = tmp_path / "target.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_target(path)
    assert caught.value.field == field


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(InputError, match="target: expected a readable"):
            load_target(path)


def test_stacking_pads_with_zeros() -> None:
    targets = list(TARGETS.values())
    batch = TargetBatch.stack(targets)
    assert (len(batch), batch.max_length, batch.max_sparsity) == (len(targets), 30, 5)
    assert batch.members.sum() == sum(t.degree * t.sparsity for t in targets)
    assert torch.equal((batch.coefficients > 0), batch.active)
    assert unstack(batch) == targets


def test_stacking_agrees_with_ready_tensors() -> None:
    batch = random_batch(200, seed=1)
    stacked = TargetBatch.stack(unstack(batch))
    assert torch.equal(stacked.members, batch.members)
    assert torch.equal(stacked.coefficients, batch.coefficients)
    for name in ("length", "degree", "sparsity"):
        assert torch.equal(getattr(stacked, name), getattr(batch, name))


def test_stacking_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="targets: expected at least one"):
        TargetBatch.stack([])


LENGTH, WEIGHTS = torch.tensor([4, 4, 4]), torch.ones(3, 2)
MEMBERS = torch.eye(4, dtype=torch.bool)[:2].repeat(3, 1, 1)
LAST = MEMBERS.roll(2, dims=2)
TWO_BITS = MEMBERS | torch.zeros_like(MEMBERS).index_put(tuple(torch.tensor([[1], [0], [2]])), torch.tensor(True))
GAP = MEMBERS & torch.tensor([[True, True], [False, True], [True, True]])[:, :, None]
NOTHING = MEMBERS & torch.tensor([True, True, False])[:, None, None]


@pytest.mark.parametrize(("length", "members", "weights", "field"), [
    (torch.tensor([4, 1, 4]), MEMBERS, WEIGHTS, "length[1]"), (torch.tensor([4, 4, 5]), MEMBERS, WEIGHTS, "length[2]"),
    (torch.tensor([4, 2, 4]), LAST, WEIGHTS, "members[1]"), (LENGTH, GAP, WEIGHTS, "members[1]"),
    (LENGTH, NOTHING, WEIGHTS, "sparsity[2]"), (LENGTH - 2, MEMBERS.repeat(1, 2, 1), torch.ones(3, 4), "sparsity[0]"),
    (LENGTH, MEMBERS.repeat(1, 3, 1), torch.ones(3, 6), "members"),
    (LENGTH, MEMBERS, WEIGHTS * torch.tensor([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), "coefficients[1]"),
    (LENGTH, MEMBERS, WEIGHTS * math.inf, "coefficients[0]"), (LENGTH, MEMBERS, WEIGHTS[:, :1], "members"),
])  # fmt: skip
def test_a_bad_batch_names_the_rule_and_the_target(
    length: torch.Tensor, members: torch.Tensor, weights: torch.Tensor, field: str
) -> None:
    with pytest.raises(InputError) as caught:
        TargetBatch.from_tensors(length, members, weights)
    assert caught.value.field == field


def test_a_good_batch_of_tensors_is_taken() -> None:
    assert TargetBatch.from_tensors(LENGTH, LAST, WEIGHTS).degree.tolist() == [1, 1, 1]
    signs = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    mixed = TargetBatch.from_tensors(LENGTH, TWO_BITS, signs)
    assert mixed.sizes.tolist() == [[1, 1], [2, 1], [1, 1]]
    assert mixed.degree.tolist() == [1, 2, 2]
    assert mixed.room.tolist() == [[0, 0], [0, 1], [1, 1]]
    assert mixed.absolute_sum.tolist() == [2.0, 2.0, 2.0]


def test_stacking_mixed_targets_agrees_with_ready_tensors() -> None:
    stacked = TargetBatch.stack(list(MIXED.values()))
    ready = TargetBatch.from_tensors(stacked.length, stacked.members, stacked.coefficients)
    assert stacked.degree.tolist() == ready.degree.tolist() == [t.grid_degree for t in MIXED.values()]
    assert unstack(stacked) == list(MIXED.values())
