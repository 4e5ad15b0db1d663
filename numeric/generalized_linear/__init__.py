"""Generalized linear estimation in high dimension for a user's own model: fixed points, stability, finite sizes."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.generalized_linear.envelopes import least_value as least_value
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

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
