"""The grid of classes of Lintilhac & Shaikh 2026 (Section 2, Appendix A): random functions, each with its network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from boundaudit.numeric.sharpness.trained import Architecture, Plan, Tasks, Trained, train_networks
from boundaudit.reports.experiment.shared.running import Run


@dataclass(frozen=True)
class Grid:
    """Classes of targets, and how a network is trained for each function."""

    length: int = 20  # T
    degrees: tuple[int, ...] = (1, 2, 3, 4, 5)  # values of D
    sparsities: tuple[int, ...] = (1, 7, 14, 20)  # values of ω
    functions: int = 11  # targets in each class
    samples: int = 8192  # m
    extra: int = 30  # channels beside positions
    hidden: int = 128  # units of each MLP
    rate: float = 1e-3
    plan: Plan = field(default_factory=Plan)  # everything else of the training

    @property
    def classes(self) -> list[tuple[int, int]]:
        """D and ω of each class."""
        return [(degree, sparsity) for degree in self.degrees for sparsity in self.sparsities]

    @property
    def architecture(self) -> Architecture:
        """Of all networks."""
        return Architecture(self.length, self.extra, self.hidden)

    def tasks(self, seed: int) -> Tasks:
        """All functions with their training sets."""
        return Tasks.draw(self.length, self.classes, self.functions, self.samples, seed=seed)

    def parameters(self) -> dict[str, Any]:
        """What readers are told."""
        return {
            "T": self.length, "m": self.samples, "D": self.degrees, "ω": self.sparsities, "functions": self.functions,
            "channels": self.architecture.width, "hidden_units": self.hidden, "weights": self.architecture.count,
            "rate": self.rate, "batch": self.plan.batch, "dropout": self.plan.dropout, "decay": self.plan.decay,
            "stop": self.plan.stop, "epochs": self.plan.epochs,
        }  # fmt: skip

    def train(self, tasks: Tasks, run: Run, told: Callable[[int, int], None]) -> Trained:
        """A network for each function, converged or not, all as one stack, going on from what was kept."""
        rates = torch.full((len(tasks),), self.rate)
        return train_networks(
            self.architecture, tasks, self.plan, rates, seed=run.seed, device=run.device,
            state=run.kept.file("networks.safetensors"), told=told,
        )  # fmt: skip
