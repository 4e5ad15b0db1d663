"""The page on PAC-Bayes bounds runs, and nothing is missing on it."""

import re
import runpy
from pathlib import Path

import pytest

from boundaudit.numeric.pac_bayes import FORMS

PAGE = Path(__file__).parents[2] / "reports" / "PAC-BAYES.md"


@pytest.mark.slow
def test_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    file = tmp_path / "page.py"
    file.write_text("\n\n".join(blocks), encoding="utf-8")
    runpy.run_path(str(file))
    sizes = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [int(size) for size, _ in sizes] == [100, 1000, 10_000]


def test_the_page_has_every_form_with_what_it_takes() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    table = {name: takes for name, takes in rows if name in FORMS}
    assert set(table) == set(FORMS)
    for name, takes in table.items():
        assert [parameter for parameter in FORMS[name].parameters if f"`{parameter}`" not in takes] == []
