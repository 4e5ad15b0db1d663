"""Speed of training as one stack beside the same networks one after another, and of the exact risk at T = 20."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from boundaudit.numeric.sharpness.trained.architecture import Architecture
from boundaudit.numeric.sharpness.trained.ensemble import Plan, train_networks
from boundaudit.numeric.sharpness.trained.risk import true_risk
from boundaudit.numeric.sharpness.trained.tasks import Tasks
from boundaudit.numeric.threads import one_thread
from boundaudit.numeric.timing import timed

_SIZES = {
    "width 12, 8 units": (Architecture(6, extra=5, hidden=8), 64),
    "width 23, 64 units": (Architecture(10, extra=12, hidden=64), 512),
    "the paper's, width 51, 128 units": (Architecture(20), 2048),
}
_NETWORKS = 8
_EPOCHS = 2
_EVERYWHERE = Architecture(20)


def ensemble_speed(device: str) -> dict[str, Any]:
    """Seconds of both ways for a few passes over the training sets, on one thread, and of the risk on all 2^20 inputs.

    In rows: what, seconds together and one after another, their ratio, the largest relative difference of losses.
    """
    with one_thread():
        rows = [_stacked(name, architecture, samples, device) for name, (architecture, samples) in _SIZES.items()]
        return {"rows": [*rows, _exact(device)], "threads": 1, "device": device, "networks": _NETWORKS}


def _stacked(name: str, architecture: Architecture, samples: int, device: str) -> dict[str, str]:
    tasks = Tasks.draw(architecture.length, [(1, 2), (2, 2)], _NETWORKS // 2, samples, seed=0)
    plan = Plan(batch=64, epochs=_EPOCHS, every=_EPOCHS, stop=0.0)
    rates = torch.full((_NETWORKS,), 1e-3)

    def some(numbers: np.ndarray) -> torch.Tensor:
        chosen = torch.from_numpy(numbers)
        classes = tuple(tasks.classes[number] for number in numbers)
        few = Tasks(tasks.members[chosen], tasks.coefficients[chosen], tasks.inputs[chosen], classes)
        return train_networks(
            architecture, few, plan, rates[chosen], seed=0, device=device, numbers=numbers
        ).loss  # fmt: skip

    some(np.arange(1))
    every = np.arange(_NETWORKS)
    first, together = timed(lambda: some(every), device)
    second, alone = timed(lambda: torch.cat([some(every[number : number + 1]) for number in every]), device)
    difference = ((together - alone).abs() / alone).max().item()
    return {
        "what": f"{_NETWORKS} networks, {name}", "seconds": f"{first:.3g}", "one after another": f"{second:.3g}",
        "times": f"{second / first:.3g}", "largest difference": f"{difference:.1e}",
    }  # fmt: skip


def _exact(device: str) -> dict[str, str]:
    tasks = Tasks.draw(20, [(2, 7)], 1, 1, seed=0).to(device)
    weights = {name: tensor.to(device) for name, tensor in _EVERYWHERE.start(np.arange(1), seed=0).items()}
    seconds = timed(lambda: true_risk(_EVERYWHERE, weights, tasks), device)[0]
    said = {"what": "risk on all 2^20 inputs, the paper's size", "seconds": f"{seconds:.3g}"}
    return said | dict.fromkeys(("one after another", "times", "largest difference"), "–")
