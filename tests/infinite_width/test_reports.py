"""The law and the experiment as people get them: JSON, figures, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from boundaudit import InputError
from boundaudit.reports.experiment import infinite_width as experiment
from boundaudit.reports.experiment.infinite_width import Profile
from boundaudit.reports.experiment.shared.running import run_at_once
from boundaudit.reports.formats.html import rendered
from boundaudit.reports.limit.infinite_width import infinite_width


def test_the_law_of_four_tokens() -> None:
    found = infinite_width(4, 1)
    json.dumps(found, allow_nan=False)
    assert found["mean_variance"] == pytest.approx(0.39197144, abs=5e-9)
    assert found["excess_kurtosis"] == pytest.approx(0.24331843, abs=5e-9)
    assert found["normal"]["ks"] == pytest.approx(0.004745, abs=1e-5)
    assert found["normal"]["draws_to_see"] == pytest.approx(82_000, rel=0.01)
    assert len(found["score_covariance"]) == 16
    levels = {entry["level"]: entry["value"] for entry in found["quantiles"]}
    assert levels[0.5] == pytest.approx(0, abs=1e-9)
    assert levels[0.025] == pytest.approx(-levels[0.975])
    density = found["density"]
    step = density["y"][1] - density["y"][0]
    assert step * sum(density["limit"]) == pytest.approx(1, abs=1e-3)
    assert density["limit"][60] > density["normal"][60]


@pytest.mark.slow
def test_exact_widths_and_variances() -> None:
    found = infinite_width(gram=[[2.0, 0.0], [0.0, 2.0]], heads=2, query_variance=0.25, widths=(16, 64), inputs="fixed")
    assert found["parameters"]["tokens"] == 2
    assert found["score_covariance"][0][0] == 1.0
    assert found["mean_variance"] == pytest.approx(2 * 0.63683815, abs=1e-7)
    assert found["excess_kurtosis"] == pytest.approx(0.11998083 / 2, abs=5e-9)
    near, far = found["widths"][1], found["widths"][0]
    assert 3.5 < far["ks"] / near["ks"] < 4.5
    assert far["excess_kurtosis"] > near["excess_kurtosis"] > found["excess_kurtosis"]


@pytest.mark.parametrize("given", [{"tokens": 1}, {"tokens": 3, "value_variance": 0.0}, {"gram": [[1, -1], [-1, 1]]}])
def test_degenerate_laws_are_json(given: dict[str, Any]) -> None:
    found = infinite_width(**given, widths=(8,))
    json.dumps(found, allow_nan=False)
    assert found["excess_kurtosis"] >= 0


@pytest.mark.parametrize(("given", "field"), [
    ({"tokens": 0}, "tokens"), ({}, "tokens"), ({"tokens": 3, "gram": [[1.0]]}, "gram"),
    ({"tokens": 2, "heads": 0}, "heads"), ({"tokens": 2, "token": 3}, "token"), ({"tokens": 2, "token": 0}, "token"),
    ({"tokens": 4, "widths": (3,)}, "width"), ({"tokens": 200, "heads": 200}, "heads"),
    ({"gram": [[1.0, 3.0], [3.0, 1.0]]}, "gram"),
])  # fmt: skip
def test_what_is_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        infinite_width(**given)
    assert error.value.field == field


TINY = Profile(3, (1, 2), (16, 64, 128, 256), 2**8, 2, 4000, (16,), 500, (1, 4))


def made() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(experiment.PROFILES, "smoke", TINY)
        return run_at_once("infinite-width", "smoke", seed=1, device="cpu", told=lambda *at: None)


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return made()


@pytest.mark.slow
def test_the_experiment(found: dict[str, Any], tmp_path: Path) -> None:
    json.dumps(found, allow_nan=False)
    assert [(row["inputs"], row["heads"], row["width"]) for row in found["runs"]] == [
        (inputs, heads, width) for heads in (1, 2) for width in (16, 64, 128, 256) for inputs in ("features", "fixed")
    ]
    assert sum("simulated_ks" in row for row in found["runs"]) == 2
    for fit in found["trends"]:
        assert fit["low"] < fit["power"] < fit["high"]
        assert fit["power"] == pytest.approx(fit["expected"], abs=0.25)
    assert all(value > 0 for value in found["floors"]["kde"])
    read = experiment.shown(found)
    assert len(read.conclusions) >= len(found["trends"])
    assert [panel.title for panel in read.panels] == [panel.title for panel in experiment.panels(found)]
    (tmp_path / "page.html").write_text(rendered("experiment.html.j2", found=found, shown=read))
    assert "Kolmogorov-Smirnov" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers(found: dict[str, Any]) -> None:
    assert json.dumps(made()) == json.dumps(found)
