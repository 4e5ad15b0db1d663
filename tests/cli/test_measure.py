"""`boundaudit measure`, whose record `tests/sharpness` checks, also for people; and `boundaudit export --needs`."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from tests.command import CLAIMS, SUITE, Call, refused, strict_json
from tests.statements import some_slow

from boundaudit.numeric.sharpness import Target, measure

TARGET = {"length": 6, "components": [[1, 2], [3, 6], [2, 5]], "coefficients": [0.6, 0.64, 0.48]}
MIXED = {"length": 6, "components": [[1, 2], [3], [2, 4, 5]], "coefficients": [0.6, -0.64, 0.48]}
CALLS: dict[str, dict[str, Any]] = {
    "--mlp wide --scale 3": {"mlp": "wide", "scale": 3.0}, "--scale inf": {"scale": math.inf},
    "--layout separate-data --pruned": {"layout": "separate-data", "pruned": True}, "--at 011011": {"at": "011011"},
    "--inputs random:50 --seed 3": {"inputs": "random:50", "seed": 3}, "--hessian": {"hessian": True},
    "--sigma 0.01 --draws 9 --seed 1": {"sigma": 0.01, "draws": 9, "seed": 1}, "--error 0.01": {"error": 0.01},
}  # fmt: skip


@pytest.fixture
def asked(call: Call) -> Call:
    for name, target in (("target", TARGET), ("mixed", MIXED)):
        Path(f"{name}.json").write_text(json.dumps(target), encoding="utf-8")
    return lambda target, *options: call("measure", f"{target}.json", *options, "--device", "cpu")


def record(target: dict[str, Any], **options: Any) -> Any:
    return json.loads(json.dumps(measure(Target.from_json(target), **options, device="cpu")))


@pytest.mark.parametrize("options", some_slow(CALLS, "--hessian"))
def test_every_option_is_handed_on(asked: Call, options: str) -> None:
    found = asked("target", *options.split(), "--json").json
    assert found == record(TARGET, **CALLS[options]) != record(TARGET)


def test_a_negative_coefficient_has_the_extended_layout(asked: Call) -> None:
    found = asked("mixed", "--json").json
    assert found == record(MIXED)
    assert found["layout"] == "extended"


def test_people_read_the_same_numbers(asked: Call) -> None:
    found, shown = record(TARGET), asked("target").out
    lines = dict(line.rsplit(maxsplit=1) for line in shown.splitlines() if line.strip())
    assert float(lines["norms squared total"]) == pytest.approx(found["norms_squared"]["total"], rel=1e-14)
    assert lines["parameters count"] == str(found["parameters"]["count"])
    assert "perturbation rmse 0.5 value" in asked("target", "--sigma", "0.01", "--draws", 30).out


@pytest.mark.slow
def test_needs_are_printed_or_written(in_suite: Call, tmp_path: Path) -> None:
    printed = in_suite("export", "--needs", *SUITE)
    (version,) = printed.json["versions"].values()
    assert set(CLAIMS) <= {need["label"] for need in version["needs"].values()}
    file = tmp_path / "deep" / "needs.json"
    written = in_suite("export", "--needs", *SUITE, "--out", file, "--json")
    assert written.json == {"written": str(file)}
    assert strict_json(file.read_text(encoding="utf-8")) == printed.json


def test_bad_input_is_one_line(call: Call) -> None:
    Path("file").write_text("", encoding="utf-8")
    for arguments, culprit in (
        ([], "--needs"), (["--needs", "--run", "none"], "none"), (["--needs", "--out", "file/needs.json"], "--out"),
    ):  # fmt: skip
        refused(call("export", *arguments), culprit)
