"""`boundaudit export --needs`: to a file or to stdout."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command import CLAIMS, SUITE, Call, refused, strict_json


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
