"""Experiments that keep a folder, as small as they can be: each takes less than a second."""

from typing import Any

from boundaudit.numeric.capped.heads import Plan as Capped
from boundaudit.numeric.sharpness.learner import Plan as Learner
from boundaudit.numeric.sharpness.trained import Plan
from boundaudit.reports.experiment import (
    acceptance,
    chain_of_thought,
    domination,
    interpretability,
    learner_grid,
    norm_bounds,
    perturbation,
)
from boundaudit.reports.experiment.shared.grid import Grid

PLAN = Plan(batch=32, dropout=0.0, stop=0.05, epochs=10)
GRID = Grid(
    length=6, degrees=(1, 2), sparsities=(1, 3), functions=2, samples=64, extra=4, hidden=8, rate=0.01, plan=PLAN
)  # fmt: skip
LEARNER = Learner(starts=2, steps=10, batch=16, posterior_steps=10, posterior_batch=16, draws=100)
TRAINED: dict[str, Any] = {
    "generalization-gap": GRID,
    "domination": domination.Profile(GRID, probes=3, draws=20),
    "interpretability": interpretability.Profile(6, ((2, 1), (2, 3)), functions=2, samples=64, plan=PLAN),
    "chain-of-thought": chain_of_thought.Profile((6,), (16, 32), starts=2, draws=10, plan=PLAN),
}
"""Those that train networks as one stack, of which some do not converge in so few passes."""
TINY: dict[str, Any] = {
    **TRAINED,
    "learner-grid": learner_grid.Profile(6, (1, 2), (1, 3), functions=2, samples=64, plan=LEARNER),
    "norm-bounds": norm_bounds.Profile(
        4, 2, Capped(512, 64, 1, 0.05), 256, (2, 3), (1, 4), (0.0, 0.3), 2, Capped(30, 30, 20, 0.1), 200
    ),
    "perturbation": perturbation.Profile(((4, 1, 1), (4, 2, 2), (6, 2, 2)), (0.002, 0.01), 8, 5, 8),
    "property-testing": acceptance.Profile(6, (1, 2), (1, 3), 3, (0.2, 0.02), 4, (3, 5), 4, (0.0, 1e-3, 1e-2)),
}
