"""The results of an experiment in files: everything as JSON, its rows as Parquet for other programs, and a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from boundaudit import InputError, __version__
from boundaudit.reports.document.shown import Shown
from boundaudit.reports.experiment.page import write_page
from boundaudit.reports.formats.files import write_text

RESULTS, ROWS, PAGE = "results.json", "rows.parquet", "page.html"


def about(experiment: str, profile: str, seed: int, device: str) -> dict[str, Any]:
    """What every result begins with, with the versions that numbers depend on."""
    versions = {"boundaudit": __version__, "torch": metadata.version("torch")}
    return {"experiment": experiment, "profile": profile, "seed": seed, "device": device, "versions": versions}


def write_results(found: Mapping[str, Any], shown: Shown, folder: Path) -> None:
    """Write them into a folder that exists; ``rows`` is a list of flat mappings with the same keys.

    Raises:
        InputError: where they cannot be written.
    """
    import pyarrow
    from pyarrow import parquet

    write_text(folder / RESULTS, json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False))
    try:
        parquet.write_table(pyarrow.Table.from_pylist(found["rows"]), folder / ROWS)
    except OSError as error:
        raise InputError("--out", "a writable folder", f"{folder / ROWS} ({error.strerror})", "make room") from None
    write_page(shown, found, folder / PAGE)
