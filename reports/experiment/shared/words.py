"""The words of each experiment, as `words.toml` has them."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any


@functools.cache
def experiments() -> Mapping[str, Mapping[str, Any]]:
    """By name on the command line: help, profiles, what is said meanwhile, title and question, and notes."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def headed(name: str) -> tuple[str, str]:
    """Title and question of an experiment's page."""
    return experiments()[name]["title"], experiments()[name]["question"]


def notes(name: str, where: Mapping[str, bool] = MappingProxyType({}), **numbers: object) -> list[str]:
    """What a reader has to know before the numbers; a note that is named in ``where``, only if it says so."""
    return [text.format(**numbers) for key, text in experiments()[name]["notes"].items() if where.get(key, True)]
