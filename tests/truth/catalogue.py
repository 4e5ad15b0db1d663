"""All statements of the suite, by subject."""

from __future__ import annotations

from . import (
    appendix,
    chance,
    combinatorial,
    corners,
    elementary,
    entropy,
    false_forms,
    learning,
    needles,
    no_value,
    spaces,
    sums,
    surfaces,
    vectors,
)
from .statement import Truth

_MODULES = (
    elementary,
    entropy,
    sums,
    vectors,
    combinatorial,
    learning,
    false_forms,
    no_value,
    needles,
    corners,
    surfaces,
    appendix,
    spaces,
    chance,
)
SUBJECTS: dict[str, list[Truth]] = {
    module.__name__.rpartition(".")[2].replace("_", " "): module.STATEMENTS for module in _MODULES
}
STATEMENTS = [truth for found in SUBJECTS.values() for truth in found]
