"""The transformers of the first paper's experiments, trained as one stack on random sparse targets."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.trained.architecture import Architecture as Architecture
    from boundaudit.numeric.sharpness.trained.benchmarks import ensemble_speed as ensemble_speed
    from boundaudit.numeric.sharpness.trained.construction import measure_construction as measure_construction
    from boundaudit.numeric.sharpness.trained.ensemble import Plan as Plan
    from boundaudit.numeric.sharpness.trained.ensemble import Trained as Trained
    from boundaudit.numeric.sharpness.trained.ensemble import train_networks as train_networks
    from boundaudit.numeric.sharpness.trained.iteration_head import IterationHead as IterationHead
    from boundaudit.numeric.sharpness.trained.iteration_head import Parities as Parities
    from boundaudit.numeric.sharpness.trained.iteration_head import noisy_wrong as noisy_wrong
    from boundaudit.numeric.sharpness.trained.iteration_head import parities as parities
    from boundaudit.numeric.sharpness.trained.iteration_head import wrong_shares as wrong_shares
    from boundaudit.numeric.sharpness.trained.readout import Readout as Readout
    from boundaudit.numeric.sharpness.trained.risk import mean_risk as mean_risk
    from boundaudit.numeric.sharpness.trained.risk import true_risk as true_risk
    from boundaudit.numeric.sharpness.trained.rows import component_scores as component_scores
    from boundaudit.numeric.sharpness.trained.rows import learned_function as learned_function
    from boundaudit.numeric.sharpness.trained.rows import mean_attention as mean_attention
    from boundaudit.numeric.sharpness.trained.rows import turns as turns
    from boundaudit.numeric.sharpness.trained.sharpness import loss_trace as loss_trace
    from boundaudit.numeric.sharpness.trained.sharpness import noisy_losses as noisy_losses
    from boundaudit.numeric.sharpness.trained.sharpness import squared_norm as squared_norm
    from boundaudit.numeric.sharpness.trained.tasks import Tasks as Tasks

_PACKAGE = "boundaudit.numeric.sharpness.trained"
_PUBLIC = {
    "Architecture": f"{_PACKAGE}.architecture",
    "IterationHead": f"{_PACKAGE}.iteration_head",
    "Parities": f"{_PACKAGE}.iteration_head",
    "Plan": f"{_PACKAGE}.ensemble",
    "Readout": f"{_PACKAGE}.readout",
    "Tasks": f"{_PACKAGE}.tasks",
    "Trained": f"{_PACKAGE}.ensemble",
    "component_scores": f"{_PACKAGE}.rows",
    "ensemble_speed": f"{_PACKAGE}.benchmarks",
    "learned_function": f"{_PACKAGE}.rows",
    "loss_trace": f"{_PACKAGE}.sharpness",
    "mean_attention": f"{_PACKAGE}.rows",
    "mean_risk": f"{_PACKAGE}.risk",
    "measure_construction": f"{_PACKAGE}.construction",
    "noisy_losses": f"{_PACKAGE}.sharpness",
    "noisy_wrong": f"{_PACKAGE}.iteration_head",
    "parities": f"{_PACKAGE}.iteration_head",
    "squared_norm": f"{_PACKAGE}.sharpness",
    "train_networks": f"{_PACKAGE}.ensemble",
    "true_risk": f"{_PACKAGE}.risk",
    "turns": f"{_PACKAGE}.rows",
    "wrong_shares": f"{_PACKAGE}.iteration_head",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
