"""The pages that calculators and experiments write, of calls that take no time."""

from pathlib import Path

import numpy as np
import pytest
import torch
from tests.checkpoint.tiny import weights, write

from boundaudit.numeric.sharpness.learner import Plan
from boundaudit.reports.cli.main import main
from boundaudit.reports.experiment import infinite_width, learner

TINY = {
    infinite_width: infinite_width.Profile(2, (1,), (16, 64, 128, 256), 2**8, 2, 1000, (16,), 200, (1, 2)),
    learner: (
        learner.Part(
            "compact", (400,),
            Plan(starts=1, steps=20, batch=64, posterior_steps=5, posterior_batch=64, noise=0.03, draws=50),
        ),
    ),
}  # fmt: skip


def write_pages(folder: Path) -> None:
    """Write one of every kind."""
    small, large = write(folder / "small"), write(folder / "large", weights(1.0))
    for number in (10, 20):
        write(folder / f"step{number}", {"fc.weight": torch.randn(60, 40), "conv.weight": torch.randn(30, 9, 3, 3)})
    np.save(folder / "f.npy", np.arange(8.0))
    np.save(folder / "G.npy", np.array([[1, 0.5], [0.5, 1]]))
    target = ("--length", 6, "--degree", 2, "--sparsity", 2)
    sample = ("--samples", "1e6", "--delta", 0.05, "--subgaussian", 0.01, "--draws", 0)
    calls: list[tuple[object, ...]] = [
        ("model", small, "--format", "html", "--out", folder),
        ("model", "--compare", small, large, "--format", "html", "--out", folder),
        ("model", folder / "step10", folder / "step20", "--spectra", "--format", "html", "--out", folder),
        ("model", folder / "step20", "--spectra", "--format", "html", "--out", folder / "one"),
        ("fourier", folder / "f.npy", "--out", folder / "fourier.html"),
        ("limit", "infinite-width", "--gram", folder / "G.npy", "--out", folder / "limit.html"),
        (
            "limit", "attention-erm", "--alpha", 0.5, "--penalty", 0.1, "--noise", 0.1, "--width-ratio", 0.5, "--out",
            folder / "trained.html",
        ),
        ("bound", "compare", *target, *sample, "--out", folder / "compare.html"),
        ("bound", "learner", *target, "--device", "cpu", "--out", folder / "learned"),
        ("experiment", "infinite-width", "--device", "cpu", "--out", folder / "experiment.html"),
    ]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for module, profile in TINY.items():
            patch.setitem(module.PROFILES, "smoke", profile)
        for call in calls:
            with pytest.raises(SystemExit) as ended:
                main(list(map(str, call)))
            assert ended.value.code == 0, call
