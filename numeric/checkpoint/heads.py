"""A checkpoint's head on frozen features: its weights, an update of low rank, and that its body is as it was."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.checkpoint.reader import Checkpoint
from boundaudit.numeric.stored import stored_arrays

FEWEST = 10
"""Samples that a bound is worth computing for."""
_AT_ONCE = 1024
"""Samples whose logits are in memory together."""
_AGREES = 0.01
"""How far outputs in half precision may be from ours, relative to the largest."""


@dataclass(frozen=True, eq=False)
class Head:
    """The last linear map of a classifier: float32, weight classes × features, bias one a class or nothing."""

    weight: Tensor
    bias: Tensor | None

    @classmethod
    def read(cls, checkpoint: Checkpoint, name: str, features: int) -> Head:
        """A head from NAME.weight and NAME.bias; InputError where there is none that takes so many features."""
        shapes = {key: stored.shape for key, stored in checkpoint.tensors.items()}
        shape = shapes.get(f"{name}.weight", ())
        if len(shape) != 2 or shape[1] != features or shape[0] < 2:
            fits = [key for key, of in shapes.items() if len(of) == 2 and of[1] == features and key.endswith(".weight")]
            known = ", ".join(key.removesuffix(".weight") for key in fits[-4:]) or "none of its matrices"
            got = f"{shape or 'nothing'} in {checkpoint.path.name}; {known} would fit"
            raise InputError(f"{name}.weight", f"classes × {features} features", got, "name the head with --head")
        names = _of_head(name)
        found = {key: value.float() for key, value in checkpoint.read(key for key in names if key in shapes).items()}
        bias = found.get(names[1])
        if bias is not None and bias.shape != shape[:1]:
            raise InputError(names[1], f"{shape[0]} numbers", tuple(bias.shape), "name the head with --head")
        return cls(found[names[0]], bias)

    @property
    def zero(self) -> Head:
        """Of the same sizes, nothing in it."""
        return Head(torch.zeros_like(self.weight), None if self.bias is None else torch.zeros_like(self.bias))

    def module(self) -> nn.Linear:
        """All of it, to be trained."""
        classes, features = self.weight.shape
        made = nn.Linear(features, classes, bias=self.bias is not None)
        with torch.no_grad():
            made.weight.copy_(self.weight)
            if self.bias is not None:
                made.bias.copy_(self.bias)
        return made

    def update(self, rank: int, seed: int, tuned: Head | None = None) -> LowRank:
        """The head with an update of low rank, to be trained.

        It starts from the difference of a tuned head, cut to the rank; where none is given the outer matrix is zero and
        the inner one drawn by the seed (Hu et al. 2022).

        Raises:
            InputError: for a rank that is none.
        """
        most = min(self.weight.shape)
        if not 1 <= rank <= most:
            raise InputError("--rank", f"a whole number from 1 to {most}", rank, "correct --rank")
        if tuned is None:
            noise = torch.randn(rank, self.weight.shape[1], generator=torch.Generator().manual_seed(seed))
            factors = self.weight.new_zeros(self.weight.shape[0], rank), noise / math.sqrt(self.weight.shape[1])
        else:
            left, values, right = torch.linalg.svd(tuned.weight - self.weight, full_matrices=False)
            root = values[:rank].sqrt()
            factors = left[:, :rank] * root, root[:, None] * right[:rank]
        return LowRank(self.weight, *factors, self.bias if tuned is None else tuned.bias)


class LowRank(nn.Module):
    """x ↦ (W + U D) x + b with W fixed."""

    def __init__(self, weight: Tensor, up: Tensor, down: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.register_buffer("weight", weight.clone())
        self.up, self.down = nn.Parameter(up.clone()), nn.Parameter(down.clone())
        self.bias = None if bias is None else nn.Parameter(bias.clone())

    def forward(self, features: Tensor) -> Tensor:
        """Logits."""
        fixed = nn.functional.linear(features, self.get_buffer("weight"), self.bias)
        return fixed + features @ self.down.T @ self.up.T


def same_body(tuned: Checkpoint, before: Checkpoint, head: str) -> int:
    """Compare all but the head, tensor by tensor, and count: a body that was tuned has features that saw the labels.

    Raises:
        InputError: for the first tensor that is not equal.
    """
    names = [name for name in tuned.tensors if name not in _of_head(head)]
    for name in names:
        known = before.tensors.get(name)
        if known is None or known.shape != tuned.tensors[name].shape or not _equal(name, tuned, before):
            got = "another" if known is not None else "none of that name"
            remedy = "compute features with a body that no label of the samples has changed"
            raise InputError(name, "the same tensor as in --pretrained", got, remedy)
    return len(names)


def _equal(name: str, *checkpoints: Checkpoint) -> bool:
    first, second = (checkpoint.read([name])[name].double() for checkpoint in checkpoints)
    return torch.equal(first, second)


def _of_head(name: str) -> tuple[str, str]:
    return f"{name}.weight", f"{name}.bias"


@dataclass(frozen=True, eq=False)
class LabelledFeatures:
    """Samples as a frozen body sees them.

    Attributes:
        features: float32, samples × features.
        labels: classes from 0.
        logits: what the checkpoint itself makes of them; nothing where the file has none.
    """

    features: Tensor
    labels: Tensor
    logits: Tensor | None

    @classmethod
    def read(cls, path: Path) -> LabelledFeatures:
        """Samples from an .npz file with ``features``, ``labels`` and perhaps ``logits``; nothing in it is unpickled.

        Raises:
            InputError: where something is missing, or no number.
        """
        found = stored_arrays(path, {"features": ("fiu", 2), "labels": ("iu", 1), "logits": ("f", 2)})
        for key in ("features", "labels"):
            if key not in found:
                raise InputError(key, f"an array of that name in {path.name}", "none", "write it with numpy.savez")
        count, labels = len(found["features"]), found["labels"]
        for key in found.keys() - {"features"}:
            if len(found[key]) != count:
                raise InputError(key, f"one for each of {count} samples", len(found[key]), "correct the file")
        if count < 2 * FEWEST:
            raise InputError("features", f"at least {2 * FEWEST} samples", count, "collect more")
        if labels.min() == labels.max():
            raise InputError("labels", "at least two classes", f"{labels.min()} alone", "collect samples of others")
        logits = _single("logits", found["logits"]) if "logits" in found else None
        return cls(_single("features", found["features"]), torch.from_numpy(labels.astype("int64")), logits)

    def check(self, head: Head) -> None:
        """InputError where labels are not the checkpoint's head's classes, or logits not those of that head."""
        low, high, classes = int(self.labels.min()), int(self.labels.max()), len(head.weight)
        if low < 0 or high >= classes:
            raise InputError(
                "labels", f"from 0 to {classes - 1}, as the head", f"{low} to {high}", "number the classes"
            )
        if self.logits is None:
            return
        if self.logits.shape[1] != classes:
            raise InputError("logits", f"{classes} a sample", self.logits.shape[1], "compute them with the checkpoint")
        with torch.no_grad():
            apart = float((head.module()(self.features) - self.logits).abs().max() / self.logits.abs().max())
        if not apart <= _AGREES:
            got = f"{apart:.2g} of the largest away"
            raise InputError("logits", "what the head makes of the features", got, "take features just before the head")

    def errors(self, logits: Callable[[Tensor], Tensor], at: Tensor | None = None) -> int:
        """How many samples, of all or at these places, a classifier's logits of features get wrong."""
        parts = (torch.arange(len(self.labels)) if at is None else at).split(_AT_ONCE)  # type: ignore[no-untyped-call]
        with torch.no_grad():
            return sum(int((logits(self.features[i]).argmax(-1) != self.labels[i]).sum()) for i in parts)

    @property
    def repeated(self) -> int:
        """How many samples have the features of an earlier one, bit by bit."""
        return len(self.labels) - len({hash(row.tobytes()) for row in self.features.numpy()})

    @property
    def constant_error(self) -> float:
        """The share of these samples that the best constant prediction gets wrong."""
        return 1 - int(self.labels.bincount().max()) / len(self.labels)


def _single(name: str, values: np.ndarray) -> Tensor:
    with np.errstate(all="ignore"):  # of what single precision does not hold
        found = torch.from_numpy(values.astype("float32"))
    if not bool(found.isfinite().all()):
        raise InputError(name, "finite numbers in single precision", "others", "correct the file")
    return found
