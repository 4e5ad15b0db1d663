"""A label is an address: from labels to modules, and from modules to what they state.

``sharpness.perturbed.rows.printed`` stands in ``checks/sharpness/perturbed/rows.py``, and
``sharpness.norms.total.printed`` in ``checks/sharpness/norms.py``: the longest prefix that is a module; a prefix
that is a package means all its modules. So a command about one claim loads the modules of that claim and of what
it rests on, and no other.
"""

from __future__ import annotations

import functools
import itertools
import os
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from boundaudit.checks.evidence.derivation import Derivation
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.theorem import Theorem, read_cases, read_theorems
from boundaudit.checks.records.study import Study

ENGINE = ("language", "proof", "evidence", "records", "run")
"""The sub-packages of `checks` that hold no claims."""
FIRST = "sharpness"
"""The paper that reports begin with; the others follow by name, and last what several share."""
SHARED = ("pac_bayes", "recursions")
"""What several papers need comes after them."""
CHECKS = Path(__file__).parents[1]
PACKAGE = "boundaudit.checks"

Entry = Claim | Derivation | Study | Theorem


def base(label: str) -> str:
    """A label without its case: ``sharpness.norms.total.printed`` for ``sharpness.norms.total.printed[steep]``."""
    return label.partition("[")[0]


def modules_of(label: str) -> list[str]:
    """The modules where a label, or what a glob means, can stand: one, all of a package, none if it leads nowhere."""
    fixed = re.split(r"[*?\[]", label, maxsplit=1)[0]
    parts = fixed.split(".") if fixed == label or label.startswith(f"{fixed}[") else fixed.split(".")[:-1]
    names = list(itertools.takewhile(str.isidentifier, parts))  # no path, such as /tmp/claims, becomes a module
    if not all(parts) or (parts and (not names or names[0] in ENGINE)):
        return []
    for size in range(len(names), 0, -1):
        place = CHECKS.joinpath(*names[:size])
        if os.path.isfile(place.with_suffix(".py")):  # False of a name too long
            return [".".join([PACKAGE, *names[:size]])]
        if os.path.isfile(place / "__init__.py"):
            return _modules_in(place, ".".join([PACKAGE, *parts[:size]]))
    return [] if parts else every_module()


def _modules_in(folder: Path, package: str) -> list[str]:
    found = pkgutil.walk_packages([str(folder)], f"{package}.")
    return sorted(module.name for module in found if not module.ispkg)


@functools.cache
def every_module() -> list[str]:
    """Every module of every paper."""
    return [name for paper in papers() for name in _modules_in(CHECKS / paper, f"{PACKAGE}.{paper}")]


def members(module: ModuleType) -> list[Entry]:
    """The claims, derivations, studies and theorems that a module states: by name, or in a tuple or list."""
    named: list[Any] = [value if isinstance(value, (tuple, list)) else [value] for value in vars(module).values()]
    entries = {id(item): item for values in named for item in values if isinstance(item, Entry)}
    return list(entries.values())


@functools.cache
def members_of(module: str) -> tuple[Entry, ...]:
    """The claims, derivations, studies and theorems that a module of the suite states, loaded once."""
    return tuple(members(import_module(module)))


@functools.cache
def statements_of(paper: str) -> tuple[Theorem, ...]:
    """The theorems of a paper's sub-package in the order of its file, read once; none where it has no file."""
    path = CHECKS / paper / "theorems.toml"
    return read_theorems(path) if path.is_file() else ()


@functools.cache
def _cases_of(paper: str) -> dict[str, str]:
    path = CHECKS / paper / "theorems.toml"
    return read_cases(path) if paper in papers() and path.is_file() else {}


def case_words(label: str) -> str:
    """The name of a case in words; the name itself where its paper has no words for it.

    Such as ``flanks 2/(4D) wide, any positive coefficients`` for ``….total.printed[wide,no-floor]``.
    """
    name = label.partition("[")[2].removesuffix("]")
    known = _cases_of(base(label).partition(".")[0])
    return known.get(label) or ", ".join(known.get(part, part.replace("-", " ")) for part in name.split(","))


@functools.cache
def papers() -> tuple[str, ...]:
    """The sub-packages of all papers."""
    found = (path.parent.name for path in CHECKS.glob("*/__init__.py") if path.parent.name not in ENGINE)
    return tuple(sorted(found, key=lambda name: (name in SHARED, name != FIRST, name)))


@functools.cache
def _claims_of(module: str) -> dict[str, Claim]:
    """The claims of a module and their cases, by label."""
    claims = [entry for entry in members_of(module) if isinstance(entry, Claim)]
    return {member.label: member for claim in claims for member in (claim, *claim.members)}


def shipped(label: str) -> Claim | None:
    """The claim, or case of one, that ships with the suite under a label; None where there is none."""
    for module in modules_of(base(label)):
        if label in _claims_of(module):
            return _claims_of(module)[label]
    return None


def find_shipped(label: str) -> tuple[Claim, ...]:
    """The members that a label of the suite means, if there are any, loading no more than its modules."""
    claim = shipped(label)
    return () if claim is None else claim.members
