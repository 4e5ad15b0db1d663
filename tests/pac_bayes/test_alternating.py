"""Alternating minimisation against SciPy on the simplex, and the closed form of λ."""

import numpy as np
import pytest
import torch
from scipy import optimize

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import alternating_minimisation, best_tradeoff, pac_bayes_bound


def test_best_tradeoff_is_where_the_form_is_least() -> None:
    for risk, kl in ((0.02, 5000.0), (0.0, 3.0), (0.9, 10.0)):

        def form(tradeoff: float, risk: float = risk, kl: float = kl) -> float:
            return float(pac_bayes_bound(risk, kl, 60000, 0.025, "lambda", tradeoff=tradeoff))

        found = optimize.minimize_scalar(form, bounds=(1e-6, 1.999), method="bounded", options={"xatol": 1e-12})
        closed = float(best_tradeoff(risk, kl, 60000, 0.025))
        assert closed == pytest.approx(found.x, rel=1e-5)
        assert form(closed) == pytest.approx(float(pac_bayes_bound(risk, kl, 60000, 0.025, "quadratic")), rel=1e-13)


def test_values_fall_to_what_optimisation_over_posteriors_finds() -> None:
    rng = np.random.default_rng(3)
    risks, prior = torch.from_numpy(rng.random(8)), torch.from_numpy(rng.dirichlet(np.ones(8)))
    found = alternating_minimisation(risks, 300, 0.05, prior)
    assert all(later <= earlier for earlier, later in zip(found.values, found.values[1:], strict=False))
    assert float(found.posterior.sum()) == pytest.approx(1)
    assert float(found.kl) == pytest.approx(float((found.posterior * (found.posterior / prior).log()).sum()))
    assert float(found.risk) == pytest.approx(float(found.posterior @ risks))

    def form(logits: np.ndarray) -> float:
        posterior = torch.softmax(torch.from_numpy(logits), 0)
        kl = (posterior * (posterior / prior).log()).sum().clamp_min(0)
        return float(pac_bayes_bound(posterior @ risks, kl, 300, 0.05, "quadratic"))

    best = optimize.minimize(form, np.zeros(8), method="BFGS", options={"gtol": 1e-9})
    assert found.values[-1] == pytest.approx(best.fun, rel=1e-7)


@pytest.mark.parametrize(
    ("risks", "prior", "field"),
    [([0.1, 1.2], None, "risk"), ([0.1, 0.2], [0.5, 0.6], "prior"), ([0.1, 0.2], [1.0], "prior")],
)
def test_bad_input_names_its_field(risks: list[float], prior: list[float] | None, field: str) -> None:
    with pytest.raises(InputError) as caught:
        alternating_minimisation(torch.tensor(risks), 100, 0.05, None if prior is None else torch.tensor(prior))
    assert caught.value.args[0] == field
