"""`boundaudit bound pac-bayes`: the library's bounds, what grids, draws and choices cost, one line for bad input."""

from typing import Any

import pytest
import torch
from mpmath import log, mpf, sqrt
from tests.command import Call, refused

from boundaudit.numeric.pac_bayes import certified_bound, pac_bayes_bound


def test_draws_and_choices_are_paid_for(bound: Any) -> None:
    plain = bound("pac-bayes", "--risk", 0.02, "--kl", 5000, "--samples", 60000, "--delta", 0.025)
    paid = bound(
        "pac-bayes", "--risk", 0.02, "--kl", 5000, "--samples", 60000, "--delta", 0.025, "--draws", 150000,
        "--draws-delta", 0.01, "--choices", "sigma-grid=40", "--choices", "prior=7",
    )  # fmt: skip
    assert plain["vacuous"] is False
    assert plain["ledger"] == [{"name": "maurer bound", "delta": 0.025, "choices": 1}]
    assert paid["value"] > plain["value"]
    assert sum(entry["delta"] for entry in paid["ledger"]) == pytest.approx(0.025, rel=1e-15)
    assert paid["delta_of_each_bound"] == pytest.approx(0.015 / 280, rel=1e-12)
    q, p = mpf(0.02), mpf(paid["parts"]["risk"])
    kl = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))
    assert float(kl * 150000 / log(100)) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(("form", "options", "least"), [
    ("catoni", (), None),
    ("subgaussian", ("--subgaussian", 0.5), mpf("0.5") * sqrt(2 * (5000 + log(64 / mpf("0.05"))) / 60000)),
    ("second-moment", ("--moment", 0.25), mpf("0.5") * sqrt(2 * (5000 + log(64 / mpf("0.05"))) / 60000)),
])  # fmt: skip
def test_a_grid_of_what_has_to_be_fixed_is_paid_for(bound: Any, form: str, options: Any, least: Any) -> None:
    found = bound("pac-bayes", "--risk", 0.02, "--kl", 5000, "--samples", 60000, "--form", form, *options)
    count = found["ledger"][0]["choices"]
    assert count == (65 if form == "catoni" else 64)
    assert found["delta_of_each_bound"] == pytest.approx(0.05 / count)
    if least is None:  # at its best temperature Catoni's form is the inverse of kl
        q, p = mpf(0.02), mpf(found["value"])
        kl = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))
        assert 1 <= float(kl * 60000 / (5000 + log(count / mpf("0.05")))) < 1.01
    else:
        assert 1 <= (found["value"] - 0.02) / float(least) < 1.02


@pytest.mark.parametrize(
    ("form", "options", "parameters"),
    [
        ("maurer", (), {}),
        ("seeger", (), {}),
        ("lambda", ("--tradeoff", 0.5), {"tradeoff": 0.5}),
        ("disintegrated", (), {}),
        ("disintegrated-renyi", ("--order", 2), {"order": 2.0}),
        ("unexpected-bernstein", ("--sample-moment", 0.02, "--rate", 9000), {"sample_moment": 0.02, "rate": 9000.0}),
        (
            "empirical-bernstein", ("--sample-variance", 0.02, "--rate", 9000, "--variance-rate", 8000),
            {"sample_variance": 0.02, "rate": 9000.0, "variance_rate": 8000.0},
        ),
        ("chi-squared", ("--variance", 0.25), {"variance": 0.25}),
    ],
)  # fmt: skip
def test_every_form_is_the_librarys(bound: Any, form: str, options: Any, parameters: dict[str, float]) -> None:
    found = bound("pac-bayes", "--risk", 0.02, "--kl", 500, "--samples", 60000, "--form", form, *options)
    assert found["value"] == certified_bound(0.02, 500.0, 60000.0, 0.05, form, **parameters)


def test_the_best_tradeoff_costs_nothing(bound: Any) -> None:
    asked = ("pac-bayes", "--risk", 0.02, "--kl", 500, "--samples", 60000, "--form")
    found = bound(*asked, "lambda")
    assert found["value"] == pytest.approx(bound(*asked, "quadratic")["value"], rel=1e-12)
    assert found["delta_of_each_bound"] == 0.05


@pytest.mark.parametrize(("form", "seen", "name"), [
    ("unexpected-bernstein", "--sample-moment", "rate"),
    ("empirical-bernstein", "--sample-variance", "rate and variance_rate"),
])  # fmt: skip
def test_a_grid_of_rates_comes_close_to_the_best(bound: Any, form: str, seen: str, name: str) -> None:
    asked = ("pac-bayes", "--risk", 0.02, "--kl", 500, "--samples", 60000, "--form", form, seen, 0.02)
    found = bound(*asked)
    assert found["ledger"][0]["name"] == f"{form} bound × 64 {name}"
    rates = torch.logspace(2, 4.7, 400, dtype=torch.float64)
    given = dict.fromkeys(name.split(" and "), rates) | {seen[2:].replace("-", "_"): 0.02}
    best = float(pac_bayes_bound(0.02, 500, 60000, 0.05, form, **given).min())
    assert 1 <= found["value"] / best < 1.03


def test_the_logarithm_of_densities_may_be_negative(bound: Any) -> None:
    found = bound("pac-bayes", "--risk", 0.02, "--kl", -3, "--samples", 60000, "--form", "disintegrated")
    assert 0.02 < found["value"] < 0.03


@pytest.mark.parametrize(("changed", "names"), [
    ({"--risk": 2}, "risk"), ({"--kl": "nan"}, "kl"), ({"--form": "pinsker"}, "form"),
    ({"--form": "subgaussian"}, "--subgaussian"), ({"--form": "subgaussian", "--subgaussian": 0}, "--subgaussian"),
    ({"--form": "second-moment", "--moment": "nan"}, "--moment"), ({"--form": "second-moment"}, "--moment"),
    ({"--form": "catoni", "--temperature": 0}, "temperature"), ({"--rate": 3}, "rate"),
    ({"--form": "disintegrated-renyi"}, "--order"), ({"--form": "chi-squared"}, "--variance"),
    ({"--form": "unexpected-bernstein"}, "--sample-moment"),
    ({"--form": "empirical-bernstein", "--sample-variance": 0.1, "--rate": 3}, "variance_rate"),
    ({"--form": "empirical-bernstein", "--sample-variance": 0.1, "--samples": 1}, "variance_rate"),
    ({"--form": "disintegrated", "--draws": 10}, "--draws"), ({"--draws": 0}, "--draws"),
    ({"--draws": 10, "--draws-delta": 0.5}, "delta"), ({"--draws": 10, "--draws-delta": 0}, "delta"),
    ({"--draws-delta": 0.01}, "--draws-delta"), ({"--choices": "grid"}, "--choices"),
    ({"--choices": "grid=0"}, "--choices"),
])  # fmt: skip
def test_one_line_names_what_is_wrong_in_general(call: Call, changed: dict[str, object], names: str) -> None:
    given = {"--risk": 0.1, "--kl": 1, "--samples": 100, "--delta": 0.05} | changed
    refused(call("bound", "pac-bayes", *(part for pair in given.items() for part in pair)), names)
