"""What results depend on beside the claims: versions, sources and the device; read without loading anything."""

from __future__ import annotations

import hashlib
import platform
from importlib import metadata
from pathlib import Path

from boundaudit import __version__

PACKAGES = ("hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy", "torch")
_PACKAGE = Path(__file__).parents[2]
_LAYERS = ("checks", "derivations", "numeric")
_READ = {".py", ".json", ".jsonl"}


def versions() -> dict[str, str]:
    """What is installed, by name; packages that are absent are left out."""
    return {"python": platform.python_version(), "boundaudit": __version__} | {
        package: version for package in PACKAGES if (version := _version(package)) is not None
    }


def sources() -> str:
    """A digest that changes with any file of the suite, code or shipped records."""
    found = hashlib.sha256()
    for layer in _LAYERS:
        root = (_PACKAGE / layer).resolve()
        for file in sorted(file for file in root.rglob("*") if file.suffix in _READ):
            content = file.read_bytes()
            found.update(f"{layer}/{file.relative_to(root).as_posix()}\n{len(content)}\n".encode() + content)
    return found.hexdigest()[:16]


def device_name(device: str) -> str:
    """The name of the GPU, or the machine's architecture for ``cpu``; ``no CUDA device`` where there is none."""
    if device == "cpu":
        return platform.machine()
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else "no CUDA device"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
