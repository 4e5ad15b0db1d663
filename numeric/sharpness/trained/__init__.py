"""The transformers of the first paper's experiments, trained as one stack on random sparse targets."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.trained.architecture import Architecture as Architecture
    from boundaudit.numeric.sharpness.trained.benchmarks import ensemble_speed as ensemble_speed
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
    from boundaudit.numeric.sharpness.trained.sharpness import measure_construction as measure_construction
    from boundaudit.numeric.sharpness.trained.sharpness import noisy_losses as noisy_losses
    from boundaudit.numeric.sharpness.trained.sharpness import squared_norm as squared_norm
    from boundaudit.numeric.sharpness.trained.tasks import Tasks as Tasks

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
