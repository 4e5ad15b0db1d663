"""One form of paper 1's bound as a record: value, σ, parts, constants and assumptions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.derivations.pac_bayes.symbols import sigma as noise
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.taylor import P
from boundaudit.numeric.sharpness.bound import Bound, shared_variance, truncated_optimum
from boundaudit.reports.bound.forms import FORMS
from boundaudit.reports.bound.request import Request

Perturbation = float | Callable[[Tensor], Tensor]


def sharpness_bound(
    asked: Request, form: str = "repaired", *, subgaussian: float | None = None, clip: float | None = None,
    perturbation: str = "none", sigma: float | None = None, budgets: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A bound of paper 1.

    Args:
        asked: class or target, and sample.
        form: a name in `FORMS`.
        subgaussian: S, for the forms that take it.
        clip: M, for the form that takes it; 1 unless given.
        perturbation: none, analytic or a number P.
        sigma: σ, or None for the best.
        budgets: published or repaired; the form's own unless given.

    Returns:
        Plain JSON.

    Raises:
        InputError: for an unknown form, or an option that the form does not take.
    """
    if form not in FORMS:
        raise InputError("--form", ", ".join(FORMS), form, "choose one of these")
    chosen = FORMS[form]
    p = perturbation_at(perturbation, asked)
    options = {"subgaussian": subgaussian, "clip": clip, "sigma": sigma, "perturbation": p or None}
    for name, value in options.items():
        if value is not None and name not in chosen.takes:
            taken = " and ".join(f"--{option}" for option in chosen.takes)
            raise InputError(f"--{name}", f"none, as {form} takes {taken} alone", "one", f"leave --{name} out")
    if subgaussian is None and "subgaussian" in chosen.takes:
        raise InputError("--subgaussian", f"the constant S of {form}", "none", "give it, or use --form clipped-kl")
    if form == "per-group" and asked.is_measured:
        raise InputError("--form", "one that takes totals", form, "measured totals do not say how groups share them")
    used = asked.budgets(budgets or chosen.budgets)
    given = {"proxy" if name == "subgaussian" else name: value for name, value in options.items() if value is not None}
    found = chosen.compute(used, samples=asked.samples, delta=asked.delta, **given)
    baseline = asked.constant_baseline((clip or 1.0) if "clip" in chosen.takes else math.inf)
    record = _plain(found) | {
        "constants": {
            "G_u": used.sharpness_total, "L": used.norm_total, "P": _p(found, p), "parameters": used.count,
            "residual": used.residual,
        },
        "form": form, "budgets": budgets or chosen.budgets, "perturbation": perturbation,
        "constant_baseline": baseline, "vacuous": found.value >= baseline,
        "formula": chosen.formula, "bounds": chosen.bounds, "assumes": list(chosen.assumes),
        "claims": list(chosen.claims),
    }  # fmt: skip
    if chosen.compute is shared_variance and subgaussian is not None:
        best, value = truncated_optimum(used, samples=asked.samples, proxy=subgaussian)
        record["truncated"] = {"sigma": best, "value": value, "parts": {"sharpness": value / 3, "norm": 2 * value / 3}}
    return record


def perturbation_at(text: str, asked: Request) -> Perturbation:
    """P by its name or as a number.

    Args:
        text: none, analytic or a number.
        asked: the class, which the analytic one depends on.

    Returns:
        A number, or Theorem 17's polynomial in σ for the class, with σ restored in G_p and d = T + 2.

    Raises:
        InputError: for anything else.
    """
    if text == "none":
        return 0.0
    if text == "analytic":
        return _polynomial(asked)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InputError("--perturbation", "none, analytic or a number that is at least 0", text, "choose one of these")
    return value


def _polynomial(asked: Request) -> Callable[[Tensor], Tensor]:
    size = {T: asked.length, D: asked.degree, omega: asked.sparsity, d: asked.length + 2}
    terms = sp.Poly(sp.expand(P.subs(size).evalf(30)), noise).terms()
    coefficients = [(power, float(value)) for (power,), value in terms]

    def p(sigma: Tensor) -> Tensor:
        return torch.stack([value * sigma**power for power, value in coefficients]).sum(0)

    return p


def _p(found: Bound, perturbation: Perturbation) -> float:
    """P at the σ that was taken."""
    if not callable(perturbation):
        return perturbation
    return float(perturbation(torch.tensor(found.sigma, dtype=torch.float64)))


def _plain(found: Bound) -> dict[str, Any]:
    sigma = dict(found.sigma) if isinstance(found.sigma, Mapping) else found.sigma
    return {"value": found.value, "sigma": sigma, "parts": dict(found.parts), "kl": found.kl, "floor": found.floor}
