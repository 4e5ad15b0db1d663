"""The versions on which results depend, read without loading anything."""

from __future__ import annotations

import platform
from importlib import metadata

from boundaudit import __version__

PACKAGES = ("hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy", "torch")


def versions() -> dict[str, str]:
    """What is installed.

    Returns:
        Versions by name; packages that are absent are left out.
    """
    return {"python": platform.python_version(), "boundaudit": __version__} | {
        package: version for package in PACKAGES if (version := _version(package)) is not None
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
