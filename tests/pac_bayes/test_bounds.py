"""The theorems on named bounds: that their formulas are those of the calculators, and that nothing can be taken off."""

import math

import pytest
import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import from_json
from boundaudit.checks.pac_bayes import bounds, chi_squared, disintegrated
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.derivations.pac_bayes import bounds as theory
from boundaudit.derivations.pac_bayes.bounds import FORMS, a_h, b_h, r_h
from boundaudit.derivations.pac_bayes.symbols import delta, m, rate
from boundaudit.numeric.pac_bayes import pac_bayes_bound

THEOREMS = {claim.label.rpartition(".")[2]: claim for claim in bounds.theorems}

# What a bound says where the sample of probability 1/10 (Catoni: 29/1250) has e^φ just above ξ/δ, and δ next to nothing
# more than that probability: r = 0 there, and elsewhere a risk on the sample that makes e^φ as good as nothing.
_TIGHT = {
    "linear": {"lambda_n": 3, "xi_m": "2.01", "delta": "0.1001", "R_hyp": (1,), "r_all": ((0,), (100,))},
    "relative-entropy": {
        "m": 8, "xi_m": "4.297", "delta": "0.1001", "o_hyp": (1,), "r_all": ((0,), (1,)), "a_all": ("1/4", "1/4"),
    },
    "square-root": {"m": 4, "xi_m": "299", "delta": "0.1004", "R_hyp": (1,), "r_all": ((0,), (1,))},
    "trade-off": {
        "m": 8, "xi_m": "5.477", "delta": "0.1004", "R_hyp": (1,), "r_all": ((0,), (1,)), "a_all": (1, 1),
    },
    "temperature": {
        "m": 8, "delta": "0.0233", "R_hyp": ("1/2",), "R_max": "1/2", "r_all": ((0,), (1,)), "a_h": "1/4",
    },
}  # fmt: skip
_RARE = {"temperature": ("29/1250", "1221/1250")}


def _point(name: str, **others: object) -> dict[str, object]:
    law = {"n_sam": 2, "n_a": 1, "w_pi": (1,), "r_sam": ((1,), (1,)), "q_sam": _RARE.get(name, ("1/10", "9/10"))}
    return from_json({**law, **_TIGHT[name], **others})


def _sides(claim: Claim, point: dict[str, object]) -> tuple[float, float]:
    left, right = (float(side_values(side, [point], "cpu")[0]) for side in (claim.left, claim.right))
    return left, right


@pytest.mark.parametrize("name", FORMS)
def test_next_to_nothing_can_be_taken_off_a_bound(name: str) -> None:
    claim, point = THEOREMS[name], _point(name)
    assert claim.domain.contains(point)
    failure, allowed = _sides(claim, point)
    assert 0.99 * allowed < failure <= allowed


def _lowered(name: str, monkeypatch: pytest.MonkeyPatch) -> Claim:
    """The theorem of a bound with nine tenths of its budget."""
    form = FORMS[name]
    lower = form._replace(threshold=lambda r, b, a: form.threshold(r, sp.Rational(9, 10) * b, a))
    monkeypatch.setitem(FORMS, name, lower)
    return bounds._theorem(next(bound for bound in bounds._BOUNDS if bound.name == name))


@pytest.mark.parametrize("name", FORMS)
def test_a_bound_with_nine_tenths_of_its_budget_is_false(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = _lowered(name, monkeypatch)
    xi = float(_point(name).get("xi_m", 1))
    point = _point(name, delta=str(xi * (float(_point(name)["delta"]) / xi) ** (10 / 9)))
    assert claim.domain.contains(point)
    failure, allowed = _sides(claim, point)
    assert failure > 1.2 * allowed


@pytest.mark.slow
def test_a_bound_with_nine_tenths_of_its_budget_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = _lowered("linear", monkeypatch)
    chain = claim.derivation
    assert chain is not None
    known = {label: member.proof_form for label in chain.claims for member in find_shipped(label)}
    assert prove_chain(claim.proof_form, chain.first, chain.links, known).outcome == "unknown"


_NUMBERS = {m: 50, rate: 7, delta: sp.Rational(1, 20)}
_CALCULATED = {
    "linear": ("subgaussian", {"proxy": 0.5, "rate": 7.0}, 7**2 * 0.25 / 100, None),
    "square-root": ("mcallester", {}, math.log(2 * math.sqrt(50)), None),
    "trade-off": ("lambda", {"tradeoff": 0.4}, math.log(2 * math.sqrt(50)), 0.4),
    "temperature": ("catoni", {"temperature": 1.5}, 0.0, math.exp(-1.5)),
    "relative-entropy": ("maurer", {}, math.log(2 * math.sqrt(50)), None),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_theorem_speaks_of_the_bound_that_is_calculated(name: str) -> None:
    calculator, parameters, log_xi, choice = _CALCULATED[name]
    risk, entropy = 0.2, 3.0
    value = float(pac_bayes_bound(torch.tensor(risk, dtype=torch.float64), entropy, 50, 0.05, calculator, **parameters))
    budget = entropy + log_xi - math.log(0.05)
    if name == "relative-entropy":  # the best tilt of kl(r‖R), at which it is reached
        choice = risk * (1 - value) / (value * (1 - risk))
        value = theory.remaining(value, choice)
    threshold = float(FORMS[name].threshold(r_h, b_h, a_h).subs({**_NUMBERS, r_h: risk, b_h: budget, a_h: choice or 1}))
    reached = FORMS[name].at_least(r_h, sp.Float(value), a_h).subs({**_NUMBERS, r_h: risk, a_h: choice or 1})
    assert float(reached) == pytest.approx(threshold, rel=1e-9)


@pytest.mark.parametrize(
    ("claim", "changes", "share"),
    [
        (
            disintegrated.theorem,
            {"delta": "0.1001", "xi_m": "2.01", "x_all": ((3,), (-100,)), "q_sam": ("1/10", "9/10")},
            0.99,
        ),
        (chi_squared.theorem, {"delta": "1/10", "V_m": "0.4", "x_all": ((2,), (0,)), "q_sam": ("1/10", "9/10")}, 1.0),
    ],
    ids=["disintegrated", "chi-squared"],
)
def test_nothing_can_be_taken_off_the_others(claim: Claim, changes: dict[str, object], share: float) -> None:
    point = from_json({"n_sam": 2, "n_a": 1, "w_pi": (1,), "r_sam": ((1,), (1,)), **changes})
    assert claim.domain.contains(point)
    failure, allowed = _sides(claim, point)
    assert share * allowed <= failure <= allowed
