"""Hessians of losses for any PyTorch module: traces and operator norms; and the norms of its parameters."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.curvature.norm import hessian_norm as hessian_norm
    from boundaudit.numeric.curvature.peers import trace_speed as trace_speed
    from boundaudit.numeric.curvature.record import HessianNorm as HessianNorm
    from boundaudit.numeric.curvature.record import HessianTrace as HessianTrace
    from boundaudit.numeric.curvature.record import ParameterNorms as ParameterNorms
    from boundaudit.numeric.curvature.trace import QUICK as QUICK
    from boundaudit.numeric.curvature.trace import hessian_trace as hessian_trace
    from boundaudit.numeric.curvature.weights import parameter_norms as parameter_norms

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
