"""The best scale for a stated error: the smallest λ of the logits λ log T that meets it.

It keeps layer 1 on its plateaus and brings the leak of layer 2 down to the error (our derivation from Appendix B).
Where all |c_t| ≥ T^-λ the norm rises with λ, so that no larger λ meets the error at a smaller norm.
"""

from __future__ import annotations

import math

from boundaudit import InputError
from boundaudit.numeric.sharpness.choices import MAX_SCALE, check_error
from boundaudit.numeric.sharpness.exactness import power_for_plateaus
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target


def scale_needed(target: Target, error: float, mlp: Trapezoid = "steep") -> float:
    """The smallest scale at which the network is proved to err by no more than ε, rounded up by a part in 10^12.

    From (A + N) (T+1-ω) / (A T^λ + T+1-ω) = ε follows T^λ = (T+1-ω) (A + N - ε) / (A ε); 0 where every positive scale
    will do.

    Raises:
        InputError: when the error is no positive number, or no scale up to 100 reaches it.
    """
    check_error(error)
    widest, idle = target.absolute_sum + target.negative_sum, target.length + 1 - target.sparsity
    # Two logarithms, because the quotient of small numbers may leave the range of floats.
    leak = (
        math.log(idle * (widest - error)) - math.log(target.absolute_sum) - math.log(error) if error < widest else 0.0
    )
    needed = power_for_plateaus(target, mlp)
    plateaus = math.log(needed) if needed > 0 else 0.0
    scale = max(leak, plateaus, 0.0) / math.log(target.length) * (1 + 1e-12)
    if scale > MAX_SCALE:
        raise InputError("error", f"one that a scale up to {MAX_SCALE:g} reaches", repr(error), "allow a larger error")
    return scale
