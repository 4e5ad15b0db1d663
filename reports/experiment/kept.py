"""Runs of experiments that ship with the package, so that a report shows them where nobody can run them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from boundaudit.reports.experiment.page import Shown

_FOLDER = Path(__file__).with_name("kept")


class Kept(NamedTuple):
    """A run.

    Attributes:
        name: Of the experiment, as on the command line.
        found: All that it gave, with profile, seed, device and versions.
        shown: The same as people read it.
    """

    name: str
    found: dict[str, Any]
    shown: Shown


def kept_runs() -> Iterator[Kept]:
    """Every run that ships with the package, by name.

    Yields:
        The runs.
    """
    for path in sorted(_FOLDER.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        module = import_module(f"boundaudit.reports.experiment.{path.stem.replace('-', '_')}")
        yield Kept(path.stem, found, module.shown(found))
