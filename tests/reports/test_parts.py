"""An experiment's parts: none is lost before the folder has its name, whatever stands there by then."""

from collections.abc import Callable
from pathlib import Path

import pytest

from boundaudit import InputError
from boundaudit.reports.experiment.shared.parts import Parts

IN_THE_WAY: list[Callable[[Path], object]] = [
    lambda path: path.symlink_to("nowhere"),
    lambda path: (path / "of another process").mkdir(parents=True),
]


@pytest.mark.parametrize("stands", IN_THE_WAY)
def test_what_stands_in_the_way_loses_no_part(tmp_path: Path, stands: Callable[[Path], object]) -> None:
    run = tmp_path / "run"
    kept = Parts(run, {"seed": 0})
    assert kept.part("first", lambda: {"value": 1}) == {"value": 1}
    stands(run)
    with pytest.raises(InputError, match=r"--out: expected a writable folder.*add --resume"):
        kept.finish(lambda folder: None)
    with pytest.raises(InputError, match="--out: expected a folder that does not exist yet"):
        Parts(run, {"seed": 0}, resume=True)
    run.rename(tmp_path / "elsewhere")
    again = Parts(run, {"seed": 0}, resume=True)
    assert again.part("first", lambda: {"value": 2}) == {"value": 1}
    again.finish(lambda folder: (folder / "results.json").touch())
    assert [path.name for path in run.iterdir()] == ["results.json"]


def test_a_part_nested_without_end_is_one_line(tmp_path: Path) -> None:
    part = tmp_path / "run.partial" / "parts" / "first.json"
    Parts(tmp_path / "run", {"seed": 0})
    part.parent.mkdir()
    part.write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"first\.json"):
        Parts(tmp_path / "run", {"seed": 0}, resume=True).part("first", dict)
