"""The code that measures a claim, as a hash: evidence gathered by other code is stale."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from boundaudit.checks.claim import Claim, Quantity

_NUMERIC = Path(__file__).parents[1] / "numeric"


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
    sources: set[str] = set()
    for measure in measures:
        sources |= set(_sources(measure, set()))
    sources |= {path.read_text(encoding="utf-8") for path in (_NUMERIC / claim.label.split(".")[0]).glob("*.py")}
    return sorted(hashlib.sha256(source.encode()).hexdigest() for source in sources)


def _sources(function: Callable[..., Any], seen: set[CodeType]) -> Iterator[str]:
    """The source of a function and of the functions that it reaches, outside the layer of measurements."""
    if not isinstance(function, FunctionType) or function.__code__ in seen:
        return
    seen.add(function.__code__)
    module = function.__module__
    if module.startswith("boundaudit.numeric") or not (module.startswith("boundaudit") or _is_users(function)):
        return
    yield inspect.getsource(function)
    reached = [cell.cell_contents for cell in function.__closure__ or ()]
    reached += [function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__]
    for value in reached:
        yield from _sources(value, seen)


def _is_users(function: FunctionType) -> bool:
    """A user's own code, not an installed library's."""
    return "site-packages" not in function.__code__.co_filename


def _names(code: CodeType) -> Iterator[str]:
    """The global names that a function and the functions written inside it use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
