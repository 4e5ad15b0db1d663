"""The transformers of the first paper's experiments, trained as one stack on random sparse targets."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.trained.architecture import Architecture as Architecture
    from boundaudit.numeric.sharpness.trained.ensemble import Plan as Plan
    from boundaudit.numeric.sharpness.trained.ensemble import Trained as Trained
    from boundaudit.numeric.sharpness.trained.ensemble import train_networks as train_networks
    from boundaudit.numeric.sharpness.trained.risk import mean_risk as mean_risk
    from boundaudit.numeric.sharpness.trained.risk import true_risk as true_risk
    from boundaudit.numeric.sharpness.trained.tasks import Tasks as Tasks

_PACKAGE = "boundaudit.numeric.sharpness.trained"
_PUBLIC = {
    "Architecture": f"{_PACKAGE}.architecture",
    "Plan": f"{_PACKAGE}.ensemble",
    "Tasks": f"{_PACKAGE}.tasks",
    "Trained": f"{_PACKAGE}.ensemble",
    "mean_risk": f"{_PACKAGE}.risk",
    "train_networks": f"{_PACKAGE}.ensemble",
    "true_risk": f"{_PACKAGE}.risk",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
