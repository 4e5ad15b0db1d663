"""The explicit transformer of Lintilhac & Shaikh 2026 as tensors: what a target is and what its network measures.

What stands for the same everywhere, unless said otherwise: `batch`, B targets, padded to T_max bits and w components;
`blocks`, the weights of a network each, with E channels, H hidden units and p parameters, on P = T_max + 1 rows, the
output position's last; `bits`, 0/1 inputs, those beyond T ignored; `mlp`, the trapezoid of Theorem 9; `scale`, λ of the
logits λ log T, infinite for the ideal network, whose softmaxes are restricted to their intended support; `layout`, what
the channels are; `pruned`, without the hidden units of output weight zero; `noise`, standard normal in the shapes of
the blocks, zero on padding, and `sigma` what it is multiplied by; `seed`, of what is drawn on the CPU and hence the
same for every device; `chunk`, how many numbers are held at once.
"""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.benchmarks import BENCHMARKS as BENCHMARKS
    from boundaudit.numeric.sharpness.choices import Layout as Layout
    from boundaudit.numeric.sharpness.choices import Trapezoid as Trapezoid
    from boundaudit.numeric.sharpness.constant_baseline import constant_risk as constant_risk
    from boundaudit.numeric.sharpness.measurement import measure as measure
    from boundaudit.numeric.sharpness.one_target import Target as Target
    from boundaudit.numeric.sharpness.one_target import load_target as load_target
    from boundaudit.numeric.sharpness.perturbation import quantile as quantile
    from boundaudit.numeric.sharpness.trace_flow import NoiseTraces as NoiseTraces
    from boundaudit.numeric.sharpness.trace_flow import noise_traces as noise_traces
    from boundaudit.numeric.sharpness.trace_flow import random_functions as random_functions
    from boundaudit.numeric.sharpness.trace_flow import tilings as tilings

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
