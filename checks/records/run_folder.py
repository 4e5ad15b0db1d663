"""A run on disk: manifest, one receipt per claim, one file per derivation and study, timings beside them.

A run is written into ``DIR.partial`` and renamed when it is complete, so that a
folder that exists is whole and an interrupted run can be resumed.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundaudit import InputError

SCHEMA = 2
_CALL = "call.json"


@dataclass(frozen=True)
class Run:
    """A finished run, read from disk.

    Attributes:
        path: Its folder.
        manifest: Profile, seed, device, versions, git revision.
        receipts: One dictionary per claim, by label, in the order of the registry.
        derivations: One dictionary per derivation.
        studies: One dictionary per study.
        timings: Seconds by label; empty for reference receipts.
    """

    path: Path
    manifest: dict[str, Any]
    receipts: dict[str, dict[str, Any]]
    derivations: list[dict[str, Any]]
    studies: list[dict[str, Any]]
    timings: dict[str, Any]

    @classmethod
    def load(cls, path: Path) -> Run:
        """Read a run folder.

        Returns:
            The run.

        Raises:
            InputError: where the folder is none, or is damaged.
        """
        remedy = "give a folder that `boundaudit verify --out` wrote"
        if not (path / "manifest.json").is_file():
            raise InputError("run folder", "a folder with manifest.json", path, remedy)
        try:
            manifest = _read(path / "manifest.json")
            if manifest.get("schema") != SCHEMA:
                raise InputError("manifest.schema", str(SCHEMA), manifest.get("schema"), "run verify again")
            receipts = {label: _receipt(path, label) for label in manifest["claims"]}
            derivations = [_read(path / "derivations" / f"{label}.json") for label in manifest["derivations"]]
            studies = [_read(path / "studies" / f"{label}.json") for label in manifest["studies"]]
            timings = _read(path / "timings.json") if (path / "timings.json").is_file() else {}
        except InputError:
            raise
        except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError("run folder", "complete, readable receipts", f"{path} ({error})", remedy) from None
        return cls(path, manifest, receipts, derivations, studies, timings)


def _receipt(path: Path, label: str) -> dict[str, Any]:
    """One receipt, which must be that claim's."""
    receipt: dict[str, Any] = _read(path / "receipts" / f"{label}.json")
    if receipt["claim"]["label"] != label:
        raise ValueError(f"{label}.json speaks of {receipt['claim']['label']}")
    return receipt


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


class RunWriter:
    """Writes a run folder; nothing appears under its name until `finish`."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Prepare ``DIR.partial`` beside the target.

        Raises:
            InputError: where the target exists or cannot be written.
        """
        try:
            if path.exists():
                raise InputError("--out", "a folder that does not exist yet", path, "choose another name or remove it")
            self.path = path
            self.partial = path.with_name(path.name + ".partial")
            if self.partial.exists() and not resume:
                raise InputError("--out", "no interrupted run of that name", self.partial, "add --resume, or remove it")
            for folder in ("receipts", "derivations", "studies"):
                (self.partial / folder).mkdir(parents=True, exist_ok=True)
            probe = self.partial / ".writable"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise InputError("--out", "a writable folder", f"{path} ({error.strerror})", "choose another") from None

    def bind(self, call: Mapping[str, Any]) -> None:
        """Note how the run is made, so that it is resumed as the same run.

        Args:
            call: Whatever its receipts depend on beside the claims.

        Raises:
            InputError: where the interrupted run was made otherwise.
        """
        note = self.partial / _CALL
        before = _read(note) if note.is_file() else call
        for name, value in call.items():
            if before[name] != value:
                expected = f"{name} {before[name]}, as in the interrupted run"
                raise InputError("--resume", expected, value, "repeat its options or choose another --out")
        write_json(note, call)

    def discard(self) -> None:
        """Leave nothing half written."""
        shutil.rmtree(self.partial)

    def done(self, label: str, key: str) -> dict[str, Any] | None:
        """The receipt that an interrupted run left for a claim.

        Returns:
            The receipt, or None where there is none with this evidence key.
        """
        path = self.partial / "receipts" / f"{label}.json"
        if not path.is_file():
            return None
        receipt = _read(path)
        return receipt if isinstance(receipt, dict) and receipt.get("evidence_key") == key else None

    def write(self, folder: str, label: str, data: Mapping[str, Any]) -> None:
        """Write one receipt, derivation or study."""
        write_json(self.partial / folder / f"{label}.json", data)

    def finish(self, manifest: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Write the manifest and the timings, and give the folder its name."""
        write_json(self.partial / "timings.json", timings)
        write_json(self.partial / "manifest.json", {"schema": SCHEMA, **manifest})
        (self.partial / _CALL).unlink(missing_ok=True)
        self.partial.rename(self.path)


def write_json(path: Path, data: Any) -> None:
    """Write JSON in one step: the file is either the old one or the whole new one."""
    draft = path.with_name(path.name + ".draft")
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
    draft.write_text(text + "\n", encoding="utf-8")
    os.replace(draft, path)
