"""Faults planted in a measurement while the suite looks: a function's code is exchanged, and put back.

The code of the function itself is exchanged, so that whoever holds the function meets the fault, however it was
imported. What was computed before is forgotten, and forgotten again afterwards.
"""

import ast
import contextlib
import functools
import gc
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

PACKAGE = "boundaudit"
KEPT = tuple(f"{PACKAGE}.checks.{name}." for name in ("language.domain", "proof", "records", "run"))
"""Modules in whose caches no measurement is."""


@dataclass(frozen=True)
class Fault:
    """One line of a function, written wrongly.

    Attributes:
        kind: What is wrong, in a few words.
        function: Module and function below ``boundaudit.numeric``, such as ``softmax:jacobian``.
        right: A piece of its source that stands there once.
        wrong: What stands there instead.
        claim: Label of the claim that is expected to notice, or that comes closest to it.
    """

    kind: str
    function: str
    right: str
    wrong: str
    claim: str

    @property
    def name(self) -> str:
        """For tests and tables."""
        return f"{self.function}: {self.kind}"


@contextlib.contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """The fault, for as long as the block runs."""
    function, code = faulty(fault)
    sound, function.__code__ = function.__code__, code
    forget()
    try:
        yield
    finally:
        function.__code__ = sound
        forget()


def faulty(fault: Fault) -> tuple[FunctionType, CodeType]:
    """The function of a fault, and its code with the fault."""
    function = _function(fault.function)
    return function, _exchanged(function, fault.right, fault.wrong)


def forget() -> None:
    """Empty the caches of measurements and of evidence."""
    gc.unfreeze()  # what is frozen is not listed
    # By type itself: asking some objects for their class wakes them up.
    for kept in [found for found in gc.get_objects() if type(found) is functools._lru_cache_wrapper]:
        module = str(getattr(kept, "__module__", ""))
        if module.startswith((f"{PACKAGE}.numeric.", f"{PACKAGE}.checks.")) and not module.startswith(KEPT):
            kept.cache_clear()


def _function(name: str) -> FunctionType:
    """What is called in the end: below decorators, properties and class methods."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(f"{PACKAGE}.numeric.{module}")
    for part in path.split("."):
        found = inspect.getattr_static(found, part)
    for inner in ("fget", "func", "__func__"):
        found = getattr(found, inner, found) if not isinstance(found, FunctionType) else found
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType), name
    return found


def _exchanged(function: FunctionType, right: str, wrong: str) -> CodeType:
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(right) == 1, f"{right!r} stands {source.count(right)} times in {function.__qualname__}"
    tree = ast.parse(source.replace(right, wrong))
    tree.body[0].decorator_list = []  # type: ignore[attr-defined]
    space = dict(function.__globals__)
    exec(compile(tree, function.__code__.co_filename, "exec"), space)
    code = space[function.__name__].__code__
    assert isinstance(code, CodeType)
    return code
