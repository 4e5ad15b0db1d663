"""The explicit transformer of Lintilhac & Shaikh 2026 as tensors: what a target is and what its network measures."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.benchmarks import BENCHMARKS as BENCHMARKS
    from boundaudit.numeric.sharpness.choices import Layout as Layout
    from boundaudit.numeric.sharpness.choices import Trapezoid as Trapezoid
    from boundaudit.numeric.sharpness.constant_baseline import constant_risk as constant_risk
    from boundaudit.numeric.sharpness.measurement import measure as measure
    from boundaudit.numeric.sharpness.one_target import Target as Target
    from boundaudit.numeric.sharpness.one_target import load_target as load_target

_PUBLIC = {
    "BENCHMARKS": "boundaudit.numeric.sharpness.benchmarks",
    "Layout": "boundaudit.numeric.sharpness.choices",
    "Target": "boundaudit.numeric.sharpness.one_target",
    "Trapezoid": "boundaudit.numeric.sharpness.choices",
    "constant_risk": "boundaudit.numeric.sharpness.constant_baseline",
    "load_target": "boundaudit.numeric.sharpness.one_target",
    "measure": "boundaudit.numeric.sharpness.measurement",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
