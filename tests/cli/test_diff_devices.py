"""`boundaudit diff` of two machines: ratios within the stated tolerance are one, and verdicts have none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call

from boundaudit.checks.records.run_folder import Run


def second_machine(run: Run, device: str, factor: float) -> Path:
    """A copy of a run whose measured left sides differ by a factor."""
    folder = Path(shutil.copytree(run.path, "second"))

    def other(value: Any) -> Any:
        if isinstance(value, list):
            return [other(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        return {name: entry * factor if name == "left" and isinstance(entry, float) else other(entry)
                for name, entry in value.items()}  # fmt: skip

    for file in (folder / "receipts").iterdir():
        lines = [json.dumps(other(json.loads(line))) for line in file.read_text(encoding="utf-8").splitlines()]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"device": device}), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("device", "factor", "tolerance", "same"),
    [("cpu", 1 + 1e-12, 1e-9, True), ("cpu", 1 + 1e-7, 1e-9, False), ("cuda", 1 + 1e-7, 1e-6, True),
     ("cuda", 1 + 1e-5, 1e-6, False)],
)  # fmt: skip
def test_ratios_within_the_tolerance_of_the_device_are_one(
    call: Call, example_run: Run, device: str, factor: float, tolerance: float, same: bool
) -> None:
    ended = call("diff", example_run.path, second_machine(example_run, device, factor), "--json")
    assert (ended.code, ended.json["tolerance"], ended.json["changed"] == []) == (0, tolerance, same)
