"""The explicit transformer of Lintilhac & Shaikh 2026 as tensors: what a target is and what its network measures."""

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
