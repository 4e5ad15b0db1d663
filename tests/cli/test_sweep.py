"""`boundaudit sweep`: rows that repeat to the last bit, whole files or none, memory that does not grow; the report."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
import sympy as sp
from pyarrow import parquet
from tests.command import Call, refused
from tests.statements import UNIT, c, claim, measured, n, t, x, y

from boundaudit import Domain, InputError, Integers, Probability, Reals, Vector
from boundaudit.checks.evidence import sweep_stream
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.evidence.sweep_stream import sweep_to
from boundaudit.checks.evidence.sweep_table import COUNTS, read_sample

LABEL = "example.variance"
SMALL = Domain({n: Integers(1, 9), c: Vector(n, Reals(-1, 1))})
CAUCHY = claim(sp.Sum(c[t], (t, 1, n)) ** 2, "<=", n * sp.Sum(c[t] ** 2, (t, 1, n)), SMALL)
VARIANCE = claim(x * (1 - x), "<=", sp.Rational(6, 25))


# --- rows -----------------------------------------------------------------------------------------


def test_the_columns_are_parameters_and_sides(call: Call) -> None:
    (swept,) = call("sweep", "sharpness.norms.F.printed[upper,wide]", "--points", "90", "--out", "a/b", "--json").json
    assert swept["path"] == "a/b/sharpness.norms.F.printed[upper,wide].parquet"
    table = parquet.read_table(swept["path"])
    assert table.column_names == ["T", "D", "omega", "u", "c", "S", "left", "right", "ratio", "violation", "holds"]
    rows = table.to_pylist()
    assert len(rows) == swept["points"] == swept["holds"] == 90
    for row in rows:
        assert len(row["c"]) == len(row["S"]) == row["omega"]
        assert all(len(positions) == row["D"] for positions in row["S"])
        assert row["right"] == 16 * row["D"] ** 2 * (row["D"] + 1)
        assert row["ratio"] == row["left"] / row["right"]
        assert row["holds"] is (row["violation"] <= 0)
    assert json.loads(parquet.read_metadata(swept["path"]).metadata[COUNTS])["points"] == 90


@pytest.mark.slow
def test_it_repeats_whatever_is_kept_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_stream, "FIRST", 300)
    paths = [tmp_path / f"{name}.parquet" for name in ("one", "small", "longer", "other")]
    swept = [
        sweep_to(path, CAUCHY, points, seed=seed, group=group)
        for path, points, seed, group in zip(paths, (900, 900, 1200, 900), (0, 0, 0, 1), (2**22, 1, 2**22, 2**22),
                                             strict=True)
    ]  # fmt: skip
    one, small, longer, other = map(parquet.read_table, paths)
    assert parquet.ParquetFile(paths[0]).num_row_groups == 1 < parquet.ParquetFile(paths[1]).num_row_groups
    assert swept[0] == swept[1]
    assert one.equals(small)
    assert longer.slice(0, 767).equals(one.slice(0, 767))  # what is measured together ends there: 1 + 2 + … + 256 + 256
    assert longer.select(["n", "c"]).slice(0, 900).equals(one.select(["n", "c"]))
    assert not one.equals(other)
    monkeypatch.setattr(sweep_stream, "MEASURED", 7)
    sweep_to(tmp_path / "seven.parquet", CAUCHY, 900)
    seven = parquet.read_table(tmp_path / "seven.parquet")
    assert seven.select(["n", "c"]).equals(one.select(["n", "c"]))
    for side in ("left", "right"):
        np.testing.assert_allclose(seven[side].to_numpy(), one[side].to_numpy(), rtol=1e-13)


def test_the_first_points_are_those_of_the_evidence(tmp_path: Path) -> None:
    sweep_to(tmp_path / "s.parquet", VARIANCE, 50, seed=3)
    assert parquet.read_table(tmp_path / "s.parquet")["x"].to_pylist() == [
        float(point["x"]) for point in sweep_points(UNIT, 50, 3)
    ]


def test_one_point_is_a_sweep(tmp_path: Path) -> None:
    assert sweep_to(tmp_path / "one.parquet", VARIANCE, 1).points == 1


def test_a_small_domain_is_swept_whole(tmp_path: Path) -> None:
    swept = sweep_to(tmp_path / "s.parquet", claim(n**2, ">=", n, Domain({n: Integers(-4, 5)})), 10**6)
    assert (swept.points, swept.whole_domain, swept.holds) == (10, True, 10)
    assert parquet.read_table(tmp_path / "s.parquet")["n"].to_pylist() == list(range(-4, 6))


def test_counts_and_worst_case(tmp_path: Path) -> None:
    swept = sweep_to(tmp_path / "s.parquet", VARIANCE, 700)
    table = parquet.read_table(tmp_path / "s.parquet")
    beyond = [value * (1 - value) > 0.24 * (1 + 1e-12) for value in table["x"].to_pylist()]
    assert swept.violations == sum(beyond) > 0
    assert table["holds"].to_pylist() == [not found for found in beyond]
    assert swept.worst is not None
    assert swept.worst.ratio == max(table["ratio"].to_pylist()) > 1
    assert swept.holds_there is False


def test_what_has_no_value_is_null(tmp_path: Path) -> None:
    side = measured(lambda point: [1.0, float("nan"), float("inf")][point["n"]], except_at="n = 1")
    swept = sweep_to(tmp_path / "s.parquet", claim(side, "<=", 2, Domain({n: Integers(0, 2)})), 10)
    table = parquet.read_table(tmp_path / "s.parquet")
    assert table["left"].to_pylist() == [1.0, None, float("inf")]
    assert table["ratio"].to_pylist() == [0.5, None, None]
    assert table["holds"].to_pylist() == [True, None, False]
    assert (swept.holds, swept.violations, swept.without_value) == (1, 1, 1)


@pytest.mark.slow
def test_relations_that_reject_most_points_are_drawn_against(tmp_path: Path) -> None:
    thin = claim(x, "<=", 1, Domain({x: Reals(-1, 1), y: Reals(-1, 1)}, where=[x + y <= sp.Rational(-17, 10)]))
    assert sweep_to(tmp_path / "s.parquet", thin, 60).points == 60
    nowhere = claim(x, "<=", 1, Domain({x: Reals(-1, 1)}, where=[x >= 2]))
    with pytest.raises(InputError, match="a domain whose points can be drawn"):
        sweep_to(tmp_path / "none.parquet", nowhere, 3)
    assert [path.name for path in tmp_path.iterdir()] == ["s.parquet"]


PEAKS = """
import resource, sys
from pathlib import Path
import sympy as sp
from boundaudit import Claim, Domain, Reals
from boundaudit.checks.evidence.sweep_stream import sweep_to

x, y = sp.symbols("x y", real=True)
domain = Domain({x: Reals(0, 1), y: Reals(0, 1)})
claim = Claim(label="a.b", statement="s", left=x * y, right=(x**2 + y**2) / 2, domain=domain)
for points in (20_000, 200_000):
    print(sweep_to(Path(sys.argv[1]), claim, points).points, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_many_points_take_no_more_memory_than_a_tenth_of_them(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    ended = subprocess.run([sys.executable, "-c", PEAKS, path], capture_output=True, check=True)
    few, before, many, after = map(int, ended.stdout.split())
    assert (few, many, parquet.read_metadata(path).num_rows) == (20_000, 200_000, 200_000)
    assert after - before < 8 * 1024  # kilobytes: the columns alone are 10 megabytes


# --- whole files or none --------------------------------------------------------------------------


def test_an_interrupted_sweep_leaves_what_was_there(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("sweep", "sharpness.mlp.slope", "--out", "s.parquet", "--points")
    assert call(*arguments, "5").code == 0
    before = Path("s.parquet").read_bytes()
    measure, calls = Batch.measure, iter(range(5))

    def stopped(*given: Any) -> Batch:
        if next(calls) == 4:
            raise KeyboardInterrupt
        return measure(*given)

    monkeypatch.setattr(Batch, "measure", stopped)
    assert call(*arguments, "2000").code == 3
    assert [path.name for path in Path().iterdir()] == ["s.parquet"]
    assert Path("s.parquet").read_bytes() == before


WRONG = {
    "an unknown label": (["nothing.there"], "a label of the suite"),
    "no point": (["sharpness.mlp.slope", "--points", "0"], "--points: expected 1 to"),
    "too many": (["sharpness.mlp.slope", "--points", "1e10"], "--points: expected 1 to"),
    "half a point": (["sharpness.mlp.slope", "--points", "1.5"], "no whole number"),
    "a negative seed": (["sharpness.mlp.slope", "--seed", "-1"], "--seed"),
    "a device": (["sharpness.mlp.slope", "--device", "tpu"], "--device"),
    "a file as folder": (["sharpness.mlp.slope", "--out", "file/s.parquet"], "a place that can be written"),
    "a folder as file": (["sharpness.mlp.slope", "--out", "folder.parquet"], "a place for a file"),
    "one file for cases": (["sharpness.norms.F.printed", "--out", "s.parquet"], "a folder, for several cases"),
    "two places": (["sharpness.mlp.slope", "--out", "a", "--run", "b"], "either --out or --run"),
    "no run": (["sharpness.mlp.slope", "--run", "b"], "manifest.json"),
    "nothing": ([], "LABEL"),
}


@pytest.mark.parametrize(("arguments", "culprit"), WRONG.values(), ids=WRONG.keys())
def test_wrong_calls(call: Call, arguments: list[str], culprit: str) -> None:
    Path("file").touch()
    Path("folder.parquet").mkdir()
    refused(call("sweep", *arguments), culprit)
    assert sorted(path.name for path in Path().iterdir()) == ["file", "folder.parquet"]


def test_claims_that_have_no_columns(tmp_path: Path) -> None:
    left, huge = sp.Symbol("left", real=True), 2**80
    counted = Probability("heads", lambda points, trials, seed, device: np.zeros(len(points), int), "p")
    for stated, culprit in (
        (claim(counted, "<=", x), "a probability"),
        (claim(left, "<=", 1, Domain({left: Reals(0, 1)})), "no parameter named left"),
        (claim(n, "<=", huge, Domain({n: Integers(huge - 1, huge)})), "values that fit int64"),
        (claim(x, "<=", 1, missing="a constant"), "not testable"),
    ):
        with pytest.raises(InputError, match=culprit):
            sweep_to(tmp_path / "s.parquet", stated, 3)
    assert list(tmp_path.iterdir()) == []


# --- the report -----------------------------------------------------------------------------------


def test_a_report_samples_the_sweeps_of_its_run(call: Call, copied: Path) -> None:
    ended = call("sweep", LABEL, "--run", copied, "--points", "5000")
    assert ended.code == 0
    assert f"{copied}/sweeps/{LABEL}.parquet" in ended.out
    call("report", copied, "--single-file")
    page = (copied / "report.html").read_text(encoding="utf-8")
    assert page.count("A sweep of ") == 1
    counted = re.search(r"<figcaption>(Swept at 5,000 points of its domain: [^<]*)", page)
    assert counted is not None
    assert "Drawn are 2,000 points" in counted[1]
    assert re.sub(r"\s+", " ", counted[1]).split(" Drawn")[0] in ended.out
    figure = next(svg for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL) if f"Sweep of {LABEL}" in svg)
    assert 0 < figure.count("h0") <= 2001
    assert "var(--refuted)" in figure


def test_a_sweep_of_another_meaning_is_not_drawn(call: Call, copied: Path) -> None:
    sweep_to(copied / "sweeps" / "other.parquet", claim(x, "<=", 1, label=LABEL), 10)
    assert call("report", copied, "--single-file").code == 0
    assert "A sweep of " not in (copied / "report.html").read_text(encoding="utf-8")


def test_a_damaged_sweep_is_told_in_one_line(call: Call, copied: Path) -> None:
    path = copied / "sweeps" / f"{LABEL}.parquet"
    call("sweep", LABEL, "--run", copied, "--points", "20")
    whole, table = path.read_bytes(), parquet.read_table(path)
    metadata = parquet.read_metadata(path).metadata
    counts = json.loads(metadata[COUNTS])
    damaged = [whole[:-9], b""]
    for change in ({"points": "many"}, {"worst": [1]}, {"worst": {"point": {}, "left": "1", "right": {}}}, None):
        text = "{" if change is None else json.dumps(counts | change)
        parquet.write_table(table.replace_schema_metadata({COUNTS: text}), path)
        damaged.append(path.read_bytes())
    for columns in (["x"], {"left": ["a"], "right": ["b"], "holds": ["c"]}):
        other = pyarrow.table({name: [1.0] for name in columns} if isinstance(columns, list) else columns)
        parquet.write_table(other.replace_schema_metadata({COUNTS: metadata[COUNTS]}), path)
        damaged.append(path.read_bytes())
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(InputError, match="sweep of a claim"):
            read_sample(path, 2000)
    refused(call("report", copied), f"sweeps/{LABEL}.parquet")
