"""Generalized linear estimation in high dimension for a user's own model: fixed points, stability, finite sizes."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.attention_erm.extrapolation import Extrapolation as Extrapolation
    from boundaudit.numeric.attention_erm.targets import Target as Target
    from boundaudit.numeric.attention_erm.targets import discrete_target as discrete_target
    from boundaudit.numeric.attention_erm.targets import gaussian_target as gaussian_target
    from boundaudit.numeric.generalized_linear.losses import check_proximal as check_proximal
    from boundaudit.numeric.generalized_linear.maps import map_state as map_state
    from boundaudit.numeric.generalized_linear.maps import simulate_map as simulate_map
    from boundaudit.numeric.generalized_linear.model import Mixture as Mixture
    from boundaudit.numeric.generalized_linear.model import Model as Model
    from boundaudit.numeric.generalized_linear.model import gaussian as gaussian
    from boundaudit.numeric.generalized_linear.model import rademacher as rademacher
    from boundaudit.numeric.generalized_linear.model import sparse as sparse
    from boundaudit.numeric.generalized_linear.simulation import Runs as Runs
    from boundaudit.numeric.generalized_linear.simulation import extrapolated as extrapolated
    from boundaudit.numeric.generalized_linear.simulation import simulate as simulate
    from boundaudit.numeric.generalized_linear.state_evolution import Deadline as Deadline
    from boundaudit.numeric.generalized_linear.state_evolution import FixedPoints as FixedPoints
    from boundaudit.numeric.generalized_linear.state_evolution import Problems as Problems
    from boundaudit.numeric.generalized_linear.state_evolution import fixed_points as fixed_points
    from boundaudit.numeric.generalized_linear.state_evolution import reached as reached

_PUBLIC = {
    name: f"boundaudit.numeric.{module}"
    for module, names in {
        "attention_erm.extrapolation": "Extrapolation",
        "attention_erm.targets": "Target discrete_target gaussian_target",
        "generalized_linear.losses": "check_proximal",
        "generalized_linear.maps": "map_state simulate_map",
        "generalized_linear.model": "Mixture Model gaussian rademacher sparse",
        "generalized_linear.simulation": "Runs extrapolated simulate",
        "generalized_linear.state_evolution": "Deadline FixedPoints Problems fixed_points reached",
    }.items()
    for name in names.split()
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
