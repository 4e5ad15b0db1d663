"""Experiments that are measured and written as all of them are; those that keep a folder are begun or gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from boundaudit import InputError, __version__
from boundaudit.reports.document.shown import Shown
from boundaudit.reports.experiment.shared.parts import Parts
from boundaudit.reports.formats.files import write_text
from boundaudit.reports.formats.html import rendered


@dataclass(frozen=True)
class Run:
    """One call of an experiment."""

    seed: int  # of everything that is drawn
    device: str  # ``cpu`` or ``cuda``
    kept: Parts  # what has been done
    told: Callable[..., None]  # hears what is being done and how much of it is


def module_of(name: str) -> ModuleType:
    """The module of an experiment, by its name on the command line: it has ``PROFILES``, ``measured`` and ``shown``."""
    return import_module(f"boundaudit.reports.experiment.{name.replace('-', '_')}")


def run_kept(
    name: str, profile: str, asked: Any = None, *, seed: int, device: str, told: Callable[..., None], out: Path | None,
    resume: bool,
) -> dict[str, Any]:  # fmt: skip
    """Run one that keeps what it has done, or go on with it, and write it. Raises InputError for a wrong folder."""
    module = module_of(name)
    asked = asked or module.PROFILES[profile]
    call = {"profile": profile, "seed": seed, "device": device, "asked": asdict(asked)}
    run = Run(seed, device, Parts(out, call, resume=resume), told)
    versions = {"boundaudit": __version__, "torch": metadata.version("torch")}
    named = {"experiment": name, "profile": profile, "seed": seed, "device": device, "versions": versions}
    found: dict[str, Any] = named | module.measured(asked, run)
    if "replications" in found:
        found["replications"] = [asdict(each) for each in found["replications"]]
    run.kept.finish(partial(_write, found, module.shown(found)))
    return found


def run_at_once(name: str, profile: str, *, seed: int, device: str, told: Callable[..., None]) -> dict[str, Any]:
    """The same of an experiment that keeps nothing."""
    module = module_of(name)
    found: dict[str, Any] = module.measured(module.PROFILES[profile], Run(seed, device, Parts(None, {}), told))
    return {"experiment": name, "profile": profile, "seed": seed, "device": device} | found


def _write(found: Mapping[str, Any], shown: Shown, folder: Path) -> None:
    """Write all as JSON, its rows as Parquet, and a page. Raises InputError where they cannot be written."""
    import pyarrow
    from pyarrow import parquet

    write_text(folder / "results.json", json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False))
    rows = folder / "rows.parquet"
    try:
        parquet.write_table(pyarrow.Table.from_pylist(found["rows"]), rows)
    except OSError as error:
        raise InputError("--out", "a writable folder", f"{rows} ({error.strerror})", "make room") from None
    write_text(folder / "page.html", rendered("experiment.html.j2", found=found, shown=shown))
