"""Studies: what their figures draw and say, the values behind them, and colours that stay apart."""

import itertools
import re
import xml.etree.ElementTree as ET
from importlib import resources
from typing import Any

import numpy as np
import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.study import Panel
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.figures.drawing import Scale, power, tick
from boundaudit.reports.figures.studies import Figure, omitted, panel_svg, values
from boundaudit.reports.formats.html import render_site

from .sample_run import curve

SVG = ""  # in a page the parser knows what an svg is


def study_of(*series: dict[str, Any], log: str = "") -> Figure:
    panel = {"title": "panel", "x": "m", "y": "gap", "log": log, "series": list(series)}
    return Figure(label="a.study", title="Study", panels=[Panel.from_json(panel)])


@pytest.fixture
def study(run: Run, known: Catalogue) -> Figure:
    return Figure.from_json(known.studies["coins.gap-by-samples"], run.studies["coins.gap-by-samples"])


def words(drawing: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(drawing).iter(f"{SVG}text")]


def test_the_text_alternative_names_every_series_with_its_ends(study: Figure) -> None:
    description = ET.fromstring(panel_svg(study, 0)).findtext(f"{SVG}desc") or ""
    assert "gap against samples m, both axes logarithmic." in description
    assert "1/√m from 0.316228 at 10 to 0.0316228 at 1000;" in description
    assert "measured | mean from 0.25 at 10 to 0 at 1000." in description
    assert "1 value of measured | mean" in description
    description = ET.fromstring(panel_svg(study, 1)).findtext(f"{SVG}desc") or ""
    assert "1/√m from 1 at 1 to 0.25 at 4; nothing has no values." in description


def test_the_legend_lists_curves_as_they_end(study: Figure) -> None:
    texts = words(panel_svg(study, 0))
    assert texts[-3:] == ["1/√m", "1/m", "measured | mean"]
    assert {"samples m", "gap", "10", "1000"} <= set(texts)


def test_a_long_name_is_wrapped_and_complete() -> None:
    name = "a name that somebody made so long that it explains the whole of the curve by itself"
    texts = words(panel_svg(study_of(curve(name, [1, 2], [1, 2])), 0))
    assert name in " ".join(texts)
    assert max(map(len, texts)) <= 52


def test_what_a_logarithmic_axis_cannot_show_is_counted() -> None:
    series = [curve("a", [0, 1, 2], [1, 0, 3]), curve("b", [1, 2], [-1, None]), curve("c", [1], [1])]
    assert omitted(study_of(*series, log="y").panels[0]).endswith("axis: 1 value of a, 1 value of b.")
    assert omitted(study_of(*series, log="xy").panels[0]).endswith("axis: 2 values of a, 1 value of b.")
    assert omitted(study_of(*series).panels[0]) == ""


@pytest.mark.parametrize("y", [[None, None], [0, 0], [-1, 1], [2.5, 2.5], [1e-100, 1e100]])
def test_every_kind_of_panel_is_drawn(y: list[float | None]) -> None:
    for log, drawn in itertools.product(("", "x", "y", "xy"), ("line", "points")):
        series = curve("a", [0, 5], y, low=[None, -2e100], high=[None, 2e100], drawn=drawn)
        texts = words(panel_svg(study_of(series, log=log), 0))
        assert "a" in texts, (log, drawn)
        assert not [text for text in texts if "nan" in text or "inf" in text], (log, drawn)


def test_a_series_looks_the_same_in_every_panel(study: Figure) -> None:
    first, second = (panel_svg(study, i) for i in range(2))
    assert first.count("var(--curve-1)") >= 2  # the curve and its entry in the legend
    assert second.count("var(--curve-1)") >= 2
    assert "var(--curve-2)" not in second


def test_six_series_differ_without_colour() -> None:
    lines = [curve(f"s{i}", [1, 2], [i, i + 1]) for i in range(5)]
    dashes = re.findall(r'stroke-dasharray="([\d. ]+)"', panel_svg(study_of(*lines), 0))
    assert len(set(dashes)) == 4  # and one without dashes
    marks = [curve(f"s{i}", [1, 2], [i, i + 1], drawn="points") for i in range(6)]
    shapes = {path.partition(" ")[2] for path in re.findall(r'<path d="M13 ([^"]+)"', panel_svg(study_of(*marks), 0))}
    assert len(shapes) >= 6


def test_the_values_are_those_of_the_run(study: Figure) -> None:
    assert values(study.panels[0]) == [
        ["10", "0.316228", "0.1", "0.25 [0.125, 0.5]"],
        ["100", "0.1", "0.01", "0.0625 [0, 0.25]"],
        ["1000", "0.0316228", "0.001", "0 [0, 0.125]"],
    ]
    assert values(study.panels[1])[2:] == [["3", "-", "-"], ["4", "0.25", "-"], ["5", "-", "-"]]


def test_the_values_stand_on_the_page(run: Run, known: Catalogue) -> None:
    page = render_site(run, known)["theorems/theorem-3.html"]
    assert '<td data-label="measured | mean" class="n">0.0625 [0, 0.25]</td>' in page


def test_large_numbers_are_written_out() -> None:
    panel = study_of(curve("a", [1, 2, 3, 4], [4194304.25, 16384, 2e12, -123456])).panels[0]
    assert [row[1] for row in values(panel)] == ["4194304", "16384", "2e+12", "-123456"]


def test_of_many_values_those_at_measured_points_are_listed() -> None:
    line = curve("line", list(range(101)), list(range(101)))
    assert [row[0] for row in values(study_of(line).panels[0])][:4] == ["0", "4", "9", "13"]
    measured = curve("m", [3, 50, 7], [1, 2, 3], drawn="points")
    panel = study_of(line, measured).panels[0]
    assert values(panel) == [["3", "3", "1"], ["7", "7", "3"], ["50", "50", "2"]]
    assert values(study_of(curve("m", [3], [None])).panels[0]) == [["3", "-"]]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.5, "0.5"), (-2000, "-2000"), (1e6, "10⁶"), (-1e6, "-10⁶"), (2.5e-7, "2.5·10⁻⁷"), (1e5, "10⁵")],
)
def test_ticks_are_short(value: float, shown: str) -> None:
    assert tick(value) == shown


def test_an_axis_of_few_whole_numbers_names_each() -> None:
    assert [words for _, words in Scale.over([1, 7], 0, 100, whole=True).ticks()] == list("1234567")


def test_an_axis_of_powers_keeps_one_and_ten() -> None:
    assert [power(10.0**n) for n in range(-1, 4)] == ["10⁻¹", "1", "10", "10²", "10³"]


# --- colours --------------------------------------------------------------------------------------

SIMULATED = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
"""Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB."""
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def palettes() -> list[dict[str, str]]:
    """The variables of each theme: light, dark, paper."""
    sheet = resources.files("boundaudit.reports").joinpath("templates", "palette.css").read_text(encoding="utf-8")
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in sheet.split(":root")[1:]]


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def oklab(light: np.ndarray) -> np.ndarray:
    return np.array(TO_OKLAB) @ np.cbrt(np.array(TO_CONES) @ light)


@pytest.mark.parametrize("palette", palettes(), ids=["light", "dark", "paper"])
@pytest.mark.parametrize("seen", SIMULATED.values(), ids=SIMULATED.keys())
def test_curves_stay_apart_for_every_eye(palette: dict[str, str], seen: Any) -> None:
    curves = [np.clip(np.array(seen) @ linear(palette[f"curve-{i}"]), 0, 1) for i in range(1, 7)]
    apart = [np.linalg.norm(oklab(a) - oklab(b)) for a, b in itertools.combinations(curves, 2)]
    assert min(apart) > 0.14


@pytest.mark.parametrize("palette", palettes(), ids=["light", "dark", "paper"])
def test_curves_have_contrast(palette: dict[str, str]) -> None:
    luminance = {name: float(linear(palette[name]) @ [0.2126, 0.7152, 0.0722]) for name in palette}
    for i in range(1, 7):
        dark, light = sorted((luminance[f"curve-{i}"], luminance["paper"]))
        assert (light + 0.05) / (dark + 0.05) >= 3
