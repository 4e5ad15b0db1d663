"""What is measured of one target, as plain data: the keys of the JSON that `measure` returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from boundaudit.numeric.sharpness.choices import Layout, Trapezoid


class InputsRecord(TypedDict):
    """Which inputs were taken; a sample names its seed."""

    mode: str
    count: int
    seed: NotRequired[int]


class MeanAndMax(TypedDict):
    """Of a quantity over the inputs; None where all of them sit on a kink. A sample's mean has an interval."""

    mean: float | None
    max: float | None
    mean_interval: NotRequired[list[float]]


class GradientRecord(MeanAndMax):
    """Of the squared norm of the gradient, whole and by block."""

    by_block: dict[str, MeanAndMax]
    inputs: InputsRecord


class TraceRecord(MeanAndMax):
    """Of the trace of the loss's Hessian, with the means of its two parts."""

    gauss_newton_mean: float | None
    residual_mean: float | None


class OperatorNorm(TypedDict):
    """The largest operator norm over some inputs; None where every one sits on a kink."""

    operator_norm_max: float | None
    operator_norm: Literal["exact", "lower estimate"]
    inputs: InputsRecord


class HessianRecord(OperatorNorm):
    """Of the network's Hessian."""

    trace_mean: float | None


class PerturbationRecord(TypedDict):
    """Noise on every parameter, and quantiles over the draws of two errors over the inputs."""

    sigma: float
    draws: int
    seed: int
    inputs: InputsRecord
    rmse: Mapping[str, Mapping[str, Any]]
    max_abs_error: Mapping[str, Mapping[str, Any]]


class TargetRecord(TypedDict):
    """The target."""

    length: int
    degree: int
    degrees: list[int]
    sparsity: int
    coefficient_sum: float
    absolute_sum: float


class ScaleRecord(TypedDict):
    """The best scale for an error, and the squared norm of all parameters there; None where no scale serves."""

    error: float
    scale: float | None
    norm_squared: float | None


class CurvatureRecord(TypedDict):
    """Gradients, how many inputs were left out because no derivative exists there, and where wanted Hessians."""

    gradient_norm_squared: GradientRecord
    kinks: int
    loss_hessian_trace: NotRequired[TraceRecord]
    network_hessian: NotRequired[HessianRecord]


class Measurement(CurvatureRecord):
    """Everything, with the choices that it belongs to; with a sigma the perturbation, with an error the scale."""

    target: TargetRecord
    layout: Layout
    mlp: Trapezoid
    scale: float | Literal["inf"]
    pruned: bool
    device: str
    parameters: Mapping[str, int]
    norms_squared: Mapping[str, float]
    exactness: Mapping[str, object]
    inputs: InputsRecord
    perturbation: NotRequired[PerturbationRecord]
    needed: NotRequired[ScaleRecord]


class Options(TypedDict):
    """How a network is built, as keyword arguments."""

    layout: Layout
    mlp: Trapezoid
    scale: float
    pruned: bool
