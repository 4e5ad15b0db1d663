"""A bound for somebody's own model as a record, from its measured loss under noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundaudit import InputError
from boundaudit.reports.bound.forms import OWN_MODEL
from boundaudit.reports.bound.request import Request
from boundaudit.reports.bound.sharpness import noise_warnings

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.bound import NoisyRisk


def own_model_record(
    asked: Request, *, risk: float, draws: int | None, draws_delta: float | None, sigma: float | None, clip: float
) -> dict[str, object]:
    """The bound on E min(loss, M) of a model under noise, as plain JSON.

    ``risk`` is the mean of min(loss, M) over so many draws at σ, for which half of δ is spent unless ``draws_delta`` is
    given; ‖θ‖² and p are among what is measured, a class gives its constant baseline alone.

    Raises:
        InputError: where something is missing or out of range.
    """
    needed = {
        "--sigma": sigma, "--noisy-draws": draws, "--norm-squared": asked.measured.norm_squared,
        "--parameters": asked.measured.parameters,
    }  # fmt: skip
    for name, value in needed.items():
        if value is None:
            raise InputError(name, "a number beside --noisy-risk", "none", "say at which noise what was measured")
    found = _noisy_risk(asked, risk, draws or 0, sigma or 0.0, clip)

    from boundaudit.numeric.sharpness.bound import own_model_bound

    bound = own_model_bound(found, samples=asked.samples, delta=asked.delta, draws_delta=draws_delta)
    baseline = asked.constant_baseline(clip)
    informs = bound.value < baseline
    return {
        "value": bound.value, "sigma": sigma,
        "parts": {"noisy_risk": risk, "draws": bound.limit - risk, "norm": bound.value - bound.limit},
        "kl": bound.kl, "constants": {"L": found.norm_squared, "parameters": found.parameters, "prior": bound.tau},
        "form": "clipped-kl", "constant_baseline": baseline, "vacuous": not informs,
        "assumptions_checked": True, "informative": informs,
        "formula": "M kl⁻¹(u/M, (K + ln(2√m/δ'))/m), u ≥ the clipped loss under noise on the sample",
        "bounds": "E over posterior draws of min(loss, M), at the model itself",
        "assumes": [
            "the draws are independent: noise on every parameter, with random inputs of the sample or all of them",
            "the losses are clipped before they are averaged", "the prior's centre depends on no input of the sample",
        ],
        "claims": list(OWN_MODEL), "ledger": [entry._asdict() for entry in bound.union.entries],
        "warnings": noise_warnings(found.noise_to_norm),
        "advice": [] if asked.target else ["the baseline is M, as no target is named: compare with your best constant"],
    }  # fmt: skip


def _noisy_risk(asked: Request, risk: float, draws: int, sigma: float, clip: float) -> NoisyRisk:
    from boundaudit.numeric.sharpness.bound import NoisyRisk

    norm, count = asked.measured.norm_squared or 0.0, asked.measured.parameters or 0
    if not 0 <= risk <= clip:
        raise InputError("--noisy-risk", f"from 0 to {clip:g}", risk, "give the mean of min(loss, M)")
    if draws < 1:
        raise InputError("--noisy-draws", "at least 1", draws, "correct --noisy-draws")
    return NoisyRisk(risk, draws, sigma, norm, count, clip)
