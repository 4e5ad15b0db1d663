"""The claims that ship with the suite: a registry of all of them, or of what some labels mean."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.run.addresses import PACKAGE, base, every_module, members_of, modules_of, papers, statements_of
from boundaudit.checks.run.registry import Registry, named_by


@functools.cache
def built_in() -> Registry:
    """Everything that ships with the suite, loaded once and checked."""
    registry = _registry(every_module(), papers())
    registry.check_references()
    return registry


@functools.cache
def registry_for(patterns: tuple[str, ...]) -> Registry:
    """The shipped claims that labels or globs mean, with what they rest on; none means everything.

    The modules in which they stand are loaded, with the statements of their papers.

    Raises:
        InputError: where a pattern matches nothing.
    """
    if not patterns:
        return built_in()
    found = list(dict.fromkeys(module for pattern in patterns for module in modules_of(pattern)))
    for module in found:
        for entry in members_of(module):
            if isinstance(entry, Claim):
                needed = (name for label in named_by(entry) for name in modules_of(base(label)))
                found.extend(name for name in dict.fromkeys(needed) if name not in found)
    registry = _registry(found, dict.fromkeys(name.removeprefix(f"{PACKAGE}.").split(".")[0] for name in found))
    registry.select(patterns)
    return registry


def _registry(modules: Iterable[str], papers: Iterable[str]) -> Registry:
    """What modules state, with the statements of papers."""
    claims = (entry for module in modules for entry in members_of(module))
    return Registry([*claims, *(theorem for paper in papers for theorem in statements_of(paper))])
