"""Traces of loss Hessians for any PyTorch module and loss."""

from boundaudit.numeric.curvature.record import HessianTrace
from boundaudit.numeric.curvature.trace import EXACT_PARAMETERS, hessian_trace

__all__ = ["EXACT_PARAMETERS", "HessianTrace", "hessian_trace"]
