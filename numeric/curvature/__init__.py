"""Traces of loss Hessians for any PyTorch module and loss."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.curvature.peers import trace_speed as trace_speed
    from boundaudit.numeric.curvature.record import HessianTrace as HessianTrace
    from boundaudit.numeric.curvature.trace import EXACT_PARAMETERS as EXACT_PARAMETERS
    from boundaudit.numeric.curvature.trace import hessian_trace as hessian_trace

_PUBLIC = {
    "EXACT_PARAMETERS": "boundaudit.numeric.curvature.trace",
    "HessianTrace": "boundaudit.numeric.curvature.record",
    "hessian_trace": "boundaudit.numeric.curvature.trace",
    "trace_speed": "boundaudit.numeric.curvature.peers",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
