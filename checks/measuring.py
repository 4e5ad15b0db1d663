"""The code behind a measurement, as hashes: what other code has found is stale."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from boundaudit.checks.claim import Claim, Quantity
from boundaudit.checks.study import Study

_LAYERS = Path(__file__).parents[1]


def measuring_code(claim: Claim) -> list[str]:
    """What the measurement of a claim consists of.

    Its functions, the functions outside the measurements' own layer that they call, and the whole sub-package of the
    measurements of its paper.

    Args:
        claim: The claim.

    Returns:
        Hashes of all sources, sorted; empty where nothing is measured.
    """
    measures = [side.measure for side in (claim.left, claim.right) if isinstance(side, Quantity)]
    if not measures:
        return []
    sources = [inspect.getsource(function) for measure in measures for function in _reached(measure, set())]
    return _hashes([*sources, *_chapter("numeric", claim.label)])


def study_code(study: Study) -> list[str]:
    """What the curves of a study depend on.

    The modules of its chapter in which the functions that compute it stand, with their constants, the functions of
    the engine that they call, and the whole sub-packages of the measurements and of the closed forms of its paper.

    Args:
        study: The study.

    Returns:
        Hashes of all sources, sorted.
    """
    chapter = _chapter_of(study.label)
    sources = [_source_in_study(function, chapter) for function in _reached(study.compute, set())]
    return _hashes([*sources, *_chapter("numeric", study.label), *_chapter("derivations", study.label)])


def _hashes(sources: Iterable[str]) -> list[str]:
    return sorted({hashlib.sha256(source.encode()).hexdigest() for source in sources})


def _chapter(layer: str, label: str) -> list[str]:
    """All modules of a paper's sub-package in a layer."""
    return [path.read_text(encoding="utf-8") for path in (_LAYERS / layer / _chapter_of(label)).glob("*.py")]


def _chapter_of(label: str) -> str:
    return label.split(".")[0]


def _source_in_study(function: FunctionType, chapter: str) -> str:
    """The whole module of a chapter's or a user's function, as constants count too; else the function alone."""
    if function.__module__.startswith("boundaudit.") and chapter not in function.__module__.split("."):
        return inspect.getsource(function)
    return Path(function.__code__.co_filename).read_text(encoding="utf-8")


def _reached(function: Any, seen: set[CodeType]) -> Iterator[FunctionType]:
    """A function and the functions that it reaches, outside the layer of measurements."""
    if isinstance(function, partial):
        for part in (function.func, *function.args, *function.keywords.values()):
            yield from _reached(part, seen)
    if not isinstance(function, FunctionType) or function.__code__ in seen:
        return
    seen.add(function.__code__)
    module = function.__module__
    if module.startswith("boundaudit.numeric") or not (module.startswith("boundaudit") or _is_users(function)):
        return
    yield function
    reached = [cell.cell_contents for cell in function.__closure__ or ()]
    reached += [function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__]
    for value in reached:
        yield from _reached(value, seen)


def _is_users(function: FunctionType) -> bool:
    """A user's own code, not an installed library's."""
    return "site-packages" not in function.__code__.co_filename


def _names(code: CodeType) -> Iterator[str]:
    """The global names that a function and the functions written inside it use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
