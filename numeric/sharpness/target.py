"""Targets of paper 1 in batches: sets and coefficients as tensors, padded to common shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.sharpness.one_target import Target as Target
from boundaudit.numeric.sharpness.one_target import load_target as load_target


@dataclass(frozen=True)
class TargetBatch:
    """Many targets of different T, D and ω, padded to common shapes."""

    length: Tensor  # T, int64, (B,)
    degree: Tensor  # of the MLP: D, or `Target.grid_degree` of several sizes or signs; int64, (B,)
    sparsity: Tensor  # ω, int64, (B,)
    members: Tensor  # whether a position lies in a component, bool, (B, w_max, T_max)
    coefficients: Tensor  # c_t, zero beyond ω, float64, (B, w_max)

    @classmethod
    def from_tensors(cls, length: Tensor, members: Tensor, coefficients: Tensor) -> TargetBatch:
        """Take T, members and coefficients, 0 from the entry ω on and nowhere before, and derive the degree and ω.

        The batch lives on the device of the members; a set that comes twice is not looked for.

        Raises:
            InputError: when shapes disagree or a target breaks the rules of `Target`.
        """
        count, rows, columns = members.shape
        if rows > columns or length.shape != (count,) or coefficients.shape != (count, rows):
            expected = "(B, w_max, T_max) with w_max <= T_max, length (B,) and coefficients (B, w_max)"
            got = ", ".join(str(tuple(tensor.shape)) for tensor in (members, length, coefficients))
            raise InputError("members", expected, got, "match the shapes")
        size = members.sum(-1)
        degree = (size + (coefficients < 0)).amax(-1)
        batch = cls(length.long(), degree, (size > 0).sum(-1), members, coefficients.double())
        _check_batch(batch, columns)
        return batch

    @classmethod
    def stack(cls, targets: Sequence[Target], *, device: torch.device | str = "cpu") -> TargetBatch:
        """Stack targets in their order, padding each to the largest T and ω; InputError when there is none."""
        if not targets:
            raise InputError("targets", "at least one target", "none", "pass a target")
        length, degree, sparsity = np.array([(t.length, t.grid_degree, t.sparsity) for t in targets]).T
        rows = int(sparsity.max())
        owner = np.repeat(np.arange(len(targets)), sparsity)
        row = np.arange(len(owner)) - np.repeat(np.cumsum(sparsity) - sparsity, sparsity)
        sizes = np.fromiter(chain.from_iterable(t.degrees for t in targets), dtype=np.int64, count=len(owner))
        flat = chain.from_iterable(chain.from_iterable(t.components) for t in targets)
        position = np.fromiter(flat, dtype=np.int64, count=int(sizes.sum())) - 1
        members = np.zeros((len(targets), rows, int(length.max())), dtype=bool)
        members[np.repeat(owner, sizes), np.repeat(row, sizes), position] = True
        coefficients = np.zeros((len(targets), rows))
        coefficients[owner, row] = np.fromiter(chain.from_iterable(t.coefficients for t in targets), dtype=float)
        tensors = (torch.from_numpy(a.copy()) for a in (length, degree, sparsity, members, coefficients))
        return cls(*(tensor.to(device) for tensor in tensors))

    def __len__(self) -> int:
        """Return the number B of targets."""
        return len(self.length)

    def __getitem__(self, part: slice) -> TargetBatch:
        """Return a run of targets, with the padding of the whole batch."""
        return TargetBatch(*(getattr(self, field.name)[part] for field in fields(self)))

    def repeat(self, count: int) -> TargetBatch:
        """Return the only target of a batch of one ``count`` times, without copying it."""
        return TargetBatch(
            *(getattr(self, f.name).expand(count, *getattr(self, f.name).shape[1:]) for f in fields(self))
        )

    @property
    def device(self) -> torch.device:
        """Where the tensors live."""
        return self.members.device

    @property
    def max_length(self) -> int:
        """T_max, the padded number of bits."""
        return self.members.shape[-1]

    @property
    def max_sparsity(self) -> int:
        """The padded number of components."""
        return self.members.shape[-2]

    @property
    def absolute_sum(self) -> Tensor:
        """A of each target, which is C where all coefficients are positive, shape (B,)."""
        return self.coefficients.abs().sum(-1)

    @property
    def sizes(self) -> Tensor:
        """D_t of each component, zero beyond ω, int64, shape (B, w_max)."""
        return self.members.sum(-1)

    @property
    def room(self) -> Tensor:
        """By how much each component is smaller than the degree, zero beyond ω, int64, shape (B, w_max)."""
        return torch.where(self.active, self.degree[:, None] - self.sizes, 0)

    @property
    def active(self) -> Tensor:
        """Whether component t exists, bool, shape (B, w_max)."""
        return torch.arange(self.max_sparsity, device=self.device) < self.sparsity[:, None]

    @property
    def real_positions(self) -> Tensor:
        """Whether a position is an input bit and not padding, bool, shape (B, T_max)."""
        return torch.arange(self.max_length, device=self.device) < self.length[:, None]


def _check_batch(batch: TargetBatch, columns: int) -> None:
    """Apply the rules of `Target` to a batch at once; InputError names the rule and the first target that breaks it."""
    first = (batch.sizes > 0) == batch.active
    padding = (batch.members & ~batch.real_positions[:, None]).flatten(1).any(-1)
    weighted = (batch.coefficients != 0) == batch.active
    finite = batch.coefficients.isfinite()
    rules = {
        "length": ((batch.length >= 2) & (batch.length <= columns), f"from 2 to {columns}"),
        "members": (~padding & first.all(-1), "positions within the length, in the first rows"),
        "sparsity": (
            (batch.sparsity >= 1) & (batch.sparsity <= batch.length),
            "at least one component and at most as many as positions",
        ),
        "coefficients": ((weighted & finite).all(-1), "one number other than zero for each component, zeros after"),
    }
    for name, (holds, expected) in rules.items():
        if not bool(holds.all()):
            index = int((~holds).nonzero()[0])
            got = getattr(batch, name)[index].tolist()
            raise InputError(f"{name}[{index}]", expected, got, "mend this target of the batch")
