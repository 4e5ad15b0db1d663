"""`boundaudit bound sharpness`: every number against formulas written out in mpmath, and one line for bad input."""

import json
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from mpmath import findroot, log, mp, mpf, sqrt
from tests.command import Call, refused

T, D, OMEGA, M, S, DELTA = 20, 2, 10, mpf(10) ** 6, mpf("0.01"), mpf("0.05")
CLASS = ("--length", 20, "--degree", 2, "--sparsity", 10)
SAMPLE = ("--samples", "1e6", "--delta", 0.05)
G_U = 4 + 4 * OMEGA * (2 + D + 32 * D**2 + 32 * D**3)
PAIRS = {
    "length": 20, "components": [[2 * t + 1, 2 * t + 2] for t in range(10)], "coefficients": [0.31622776601683794] * 10,
}  # fmt: skip


def printed_norm() -> mpf:
    return 16 * D**2 * (D + 1) + 8 * (D + 1) + 1 + OMEGA + 4 * log(T) ** 2 * OMEGA * (D + 1)


def by_hand(sigma: mpf, norm: mpf, sharpness: mpf, kl: Any) -> mpf:
    return sharpness * sigma**2 + S * sqrt(2 * (kl(norm, sigma) + log(1 / DELTA)) / M)


def shared_kl(norm: mpf, sigma: mpf) -> mpf:
    return norm / (2 * sigma**2)


def own_kl(norm: mpf, sigma: mpf) -> mpf:
    return mpf(2014) / 2 * log(1 + norm / (2014 * sigma**2))


def test_the_published_form_and_its_truncated_optimum(bound: Any) -> None:
    found = bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--form", "published")
    norm = printed_norm()
    assert found["constants"]["G_u"] == G_U == 15524
    assert found["constants"]["L"] == pytest.approx(float(norm), rel=1e-14)
    best = (S**2 * norm / (4 * M * G_U**2)) ** (mpf(1) / 6)
    value = 3 * (G_U * S**2 * norm / (4 * M)) ** (mpf(1) / 3)
    assert found["truncated"]["sigma"] == pytest.approx(float(best), rel=1e-13)
    assert found["truncated"]["value"] == pytest.approx(float(value), rel=1e-13)
    assert found["truncated"]["parts"]["norm"] == pytest.approx(2 * found["truncated"]["parts"]["sharpness"])
    repaired = bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01)
    own = repaired["constants"]
    assert repaired["truncated"]["value"] == pytest.approx(
        3 * (own["G_u"] * 1e-10 * own["L"] / 4) ** (1 / 3), rel=1e-13
    )
    exact = findroot(lambda x: mp.diff(lambda y: by_hand(y, norm, mpf(G_U), shared_kl), x), best)
    assert found["sigma"] == pytest.approx(float(exact), rel=1e-10)
    assert found["value"] == pytest.approx(float(by_hand(exact, norm, mpf(G_U), shared_kl)), rel=1e-12)
    assert sum(found["parts"].values()) == pytest.approx(found["value"], rel=1e-14)
    assert found["floor"] <= found["value"] <= found["floor"] * (1 + 2e-6)


def test_a_prior_with_a_variance_of_its_own_on_the_published_budgets(bound: Any) -> None:
    found = bound(
        "sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--form", "decoupled-prior", "--budgets", "published"
    )
    norm = printed_norm()
    exact = findroot(lambda x: mp.diff(lambda y: by_hand(y, norm, mpf(G_U), own_kl), x), mpf("5.75e-5"))
    assert found["sigma"] == pytest.approx(float(exact), rel=1e-9)
    assert found["value"] == pytest.approx(float(by_hand(exact, norm, mpf(G_U), own_kl)), rel=1e-12)
    assert found["kl"] == pytest.approx(float(own_kl(norm, exact)), rel=1e-9)


def test_a_given_sigma_and_perturbation_enter_as_they_are(bound: Any) -> None:
    found = bound(
        "sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--form", "published", "--sigma", 0.002,
        "--perturbation", 17130,
    )  # fmt: skip
    sigma = mpf("0.002")
    value = by_hand(sigma, printed_norm(), mpf(G_U + 17130), shared_kl)
    assert found["value"] == pytest.approx(float(value), rel=1e-12)
    assert found["constants"]["P"] == 17130
    assert found["parts"]["perturbation"] == pytest.approx(17130 * 4e-6)
    assert found["floor"] is None


def test_the_analytic_perturbation_is_the_theorems(bound: Any) -> None:
    from boundaudit.derivations.pac_bayes.symbols import sigma
    from boundaudit.derivations.sharpness.parameters import D as degree
    from boundaudit.derivations.sharpness.parameters import T as length
    from boundaudit.derivations.sharpness.parameters import d as width
    from boundaudit.derivations.sharpness.parameters import omega
    from boundaudit.derivations.sharpness.taylor import p_restored

    found = bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--perturbation", "analytic")
    at = p_restored().subs({length: T, degree: D, omega: OMEGA, width: 22, sigma: found["sigma"]})
    assert found["constants"]["P"] == pytest.approx(float(at.evalf(20)), rel=1e-10)


@pytest.mark.slow
def test_the_proved_loss_under_noise_takes_the_place_of_taylors_terms(bound: Any, tmp_path: Path) -> None:
    from boundaudit.derivations.pac_bayes.symbols import sigma
    from boundaudit.derivations.sharpness.bound.noisy import theorem_2
    from boundaudit.derivations.sharpness.noisy_loss import kappa_nl

    options = ("--subgaussian", 0.01, "--form", "published", "--perturbation", "derived")
    target = tmp_path / "pairs.json"
    target.write_text(json.dumps(PAIRS), encoding="utf-8")
    found = bound("sharpness", "--target", target, *SAMPLE, *options)
    formula = sp.lambdify(kappa_nl, theorem_2(1, "sample").subs(sigma, found["sigma"]).evalf(30), "math")
    assert found["value"] == pytest.approx(min(formula(kappa / 20) for kappa in range(80, 140)), rel=1e-9)
    assert sum(found["parts"].values()) == pytest.approx(found["value"], rel=1e-12)
    assert any(words.startswith("the loss is clipped at 1") for words in found["assumes"])
    assert found["value"] < bound("sharpness", *CLASS, *SAMPLE, *options)["value"]


@pytest.mark.parametrize(
    ("options", "field"), [(("--clip", 2), "--clip"), (("--trace", 10, "--norm-squared", 3), "--perturbation")]
)
def test_the_proved_loss_is_the_constructions_clipped_at_one(call: Call, options: tuple[Any, ...], field: str) -> None:
    asked = ("--form", "clipped-kl", "--perturbation", "derived", *options)
    ended = call("bound", "sharpness", *CLASS, *SAMPLE, *asked)
    assert ended.code == 2
    assert f"{field}: expected" in ended.err


def test_clipped_kl_solves_its_equation(bound: Any) -> None:
    found = bound("sharpness", *CLASS, *SAMPLE, "--form", "clipped-kl", "--clip", 2)
    risk = (mpf(found["parts"]["residual"]) + mpf(found["parts"]["sharpness"])) / 2
    share = mpf(found["value"]) / 2
    kl = risk * log(risk / share) + (1 - risk) * log((1 - risk) / (1 - share))
    assert float(kl * M) == pytest.approx(found["kl"] + float(log(2 * sqrt(M) / DELTA)), rel=1e-10)


def test_groups_are_no_worse_than_one_variance(bound: Any) -> None:
    one = bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01)
    groups = bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--form", "per-group")
    assert set(groups["sigma"]) == {"W1", "V1", "M", "Gamma", "F", "W2", "V2"}
    assert groups["value"] < one["value"]


def test_a_targets_baseline_is_its_variance(bound: Any) -> None:
    Path("target.json").write_text(json.dumps(PAIRS), encoding="utf-8")
    options = ("sharpness", "--target", "target.json", *SAMPLE, "--subgaussian", 0.01)
    found = bound(*options, "--perturbation", 17130)
    assert found["constant_baseline"] == pytest.approx(0.25, rel=1e-12)
    assert found["vacuous"] is True
    assert bound(*options, "--form", "decoupled-prior")["vacuous"] is False
    assert bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--perturbation", 17130)["constant_baseline"] == 1


def test_measured_numbers_replace_the_constructions(bound: Any) -> None:
    Path("measured.json").write_text('{"trace": 5911.0, "norm_squared": 400, "parameters": 1002}', encoding="utf-8")
    found = bound(
        "sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--measured", "measured.json", "--risk", 0.02,
        "--norm-squared", 438.6,
    )  # fmt: skip
    assert found["constants"] == {"G_u": 2955.5, "L": 438.6, "P": 0, "parameters": 1002, "residual": 0.02}
    assert found["parts"]["residual"] == 0.02


OWN = ("--samples", 8192, "--norm-squared", 400, "--parameters", 2482)


def test_a_model_of_ones_own_needs_no_class_and_is_never_called_informative(bound: Any, call: Call) -> None:
    options = ("sharpness", *OWN, "--trace", 0.001, "--risk", 0.001, "--form", "clipped-kl")
    found = bound(*options)
    assert found["value"] < 0.05 < found["constant_baseline"]
    assert found["vacuous"] is False
    assert found["assumptions_checked"] is False
    assert found["informative"] is None
    assert found["budgets"] == "measured"
    assert any("Taylor step" in text for text in found["assumes"])
    assert any("times as long as the weights" in text for text in found["warnings"])
    assert any("bound learner" in text for text in found["advice"])
    assert not any(label.startswith("sharpness.gradients") for label in found["claims"])
    assert bound(*options, "--sigma", 1e-3)["warnings"] == []
    shown = call("bound", *options).out
    assert "unchecked" in shown
    assert "vacuous" not in shown


def test_a_measured_loss_under_noise_takes_the_place_of_the_taylor_step(bound: Any) -> None:
    options = ("--noisy-risk", 0.507, "--noisy-draws", 2000, "--sigma", 2.52)
    found = bound("sharpness", *OWN, *options, "--delta", 0.05, "--noisy-delta", 0.01)
    assert found["value"] > 0.507
    assert found["assumptions_checked"] is True
    assert found["informative"] is (found["value"] < 1)
    assert sum(entry["delta"] for entry in found["ledger"]) == pytest.approx(0.05)
    assert sum(found["parts"].values()) == pytest.approx(found["value"])
    q, u = mpf(0.507), mpf(0.507) + mpf(found["parts"]["draws"])
    limit = q * log(q / u) + (1 - q) * log((1 - q) / (1 - u))
    assert float(limit * 2000 / log(100)) == pytest.approx(1, rel=1e-9)


NOISY = {"--noisy-risk": 0.5, "--noisy-draws": 100, "--sigma": 0.1, "--norm-squared": 3, "--parameters": 10}


@pytest.mark.parametrize(("changed", "names"), [
    ({"--sigma": None}, "--sigma"), ({"--noisy-draws": None}, "--noisy-draws"), ({"--noisy-draws": 0}, "--noisy-draws"),
    ({"--noisy-risk": 1.5}, "--noisy-risk"), ({"--noisy-risk": None}, "--noisy-draws"),
    ({"--norm-squared": None}, "--norm-squared"), ({"--noisy-delta": 0.05}, "delta"),
    ({"--form": "repaired"}, "--form"), ({"--subgaussian": 0.01}, "--subgaussian"),
    ({"--perturbation": "derived"}, "--perturbation"),
])  # fmt: skip
def test_one_line_names_what_is_wrong_with_a_measured_loss(call: Call, changed: dict[str, object], names: str) -> None:
    options = [part for name, value in (NOISY | changed).items() if value is not None for part in (name, value)]
    refused(call("bound", "sharpness", "--samples", 1000, *options), names)


@pytest.mark.slow
def test_what_is_assumed_is_said(bound: Any) -> None:
    repaired, derived = (
        bound("sharpness", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--sigma", 1e-4, "--perturbation", p)["assumes"]
        for p in ("none", "derived")
    )
    assert any("E S(θ)² ≤ S²" in text for text in repaired)
    assert not any("at every posterior draw" in text for text in repaired)
    assert any(text.startswith("P = 0") for text in repaired)
    assert any(text.endswith("every target of the class, as derived") for text in repaired)
    assert not any(text.startswith("P = 0") for text in derived)


GIVEN = {"--length": 20, "--degree": 2, "--sparsity": 10, "--samples": "1e6", "--subgaussian": 0.01}


@pytest.mark.parametrize(("changed", "names"), [
    ({"--samples": 0}, "samples"), ({"--samples": "nan"}, "samples"), ({"--samples": "inf"}, "samples"),
    ({"--delta": 0}, "delta"), ({"--delta": 1}, "delta"), ({"--subgaussian": 0}, "subgaussian"),
    ({"--subgaussian": None}, "--subgaussian"), ({"--sigma": 0}, "sigma"), ({"--sigma": -1}, "sigma"),
    ({"--degree": 21}, "degree"), ({"--sparsity": 0}, "sparsity"), ({"--length": None}, "--length"),
    ({"--length": 3, "--sparsity": 3}, "length"), ({"--form": "best"}, "--form"),
    ({"--form": "clipped-kl"}, "--subgaussian"), ({"--form": "clipped-kl", "--subgaussian": None, "--clip": 0}, "clip"),
    ({"--form": "per-group", "--perturbation": 3}, "--perturbation"), ({"--form": "per-group", "--trace": 3}, "--form"),
    ({"--clip": 1}, "--clip"), ({"--perturbation": -1}, "--perturbation"),
    ({"--perturbation": "much"}, "--perturbation"), ({"--budgets": "own"}, "--budgets"), ({"--mlp": "thin"}, "--mlp"),
    ({"--trace": -1}, "trace"), ({"--parameters": 0}, "parameters"), ({"--risk": -0.5}, "risk"),
    ({"--measured": "nowhere.json"}, "--measured"), ({"--target": "nowhere.json"}, "--target"),
])  # fmt: skip
def test_one_line_names_what_is_wrong(call: Call, changed: dict[str, object], names: str) -> None:
    options = [part for name, value in (GIVEN | changed).items() if value is not None for part in (name, value)]
    refused(call("bound", "sharpness", *options), names)


def test_a_coefficient_below_the_budgets_floor_is_refused(call: Call) -> None:
    target = {"length": 6, "components": [[1, 2], [3, 6]], "coefficients": [0.6, 1e-4]}
    Path("target.json").write_text(json.dumps(target), encoding="utf-8")
    ended = call("bound", "sharpness", "--target", "target.json", *SAMPLE, "--subgaussian", 0.01)
    assert ended.code == 2
    assert "coefficients" in ended.err
