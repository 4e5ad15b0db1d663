"""Runs of experiments that ship with the package, so that a report shows them where nobody can run them."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from boundaudit.reports.document.shown import Shown

_FOLDER = Path(__file__).parents[1] / "experiment" / "kept"


@dataclass(frozen=True)
class Kept:
    """A run."""

    name: str  # of the experiment, as on the command line
    found: dict[str, Any]  # all that it gave, with profile, seed, device and versions

    @functools.cached_property
    def shown(self) -> Shown:
        """The same as people read it."""
        read: Shown = import_module(f"boundaudit.reports.experiment.{self.name.replace('-', '_')}").shown(self.found)
        return read

    @property
    def made(self) -> str:
        """How it was made, in a few words."""
        found = self.found
        versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
        return f"profile {found['profile']}, seed {found['seed']}, on {found['device']}; {versions}"

    @property
    def tally(self) -> Counter[str]:
        """How many statements have which verdict."""
        return Counter(each["verdict"] for each in self.found["replications"])


def kept_runs() -> Iterator[Kept]:
    """Every run that ships with the package, by name."""
    for path in sorted(_FOLDER.glob("*.json")):
        yield Kept(path.stem, json.loads(path.read_text(encoding="utf-8")))
