"""The registry: every claim, derivation, study and theorem under its unique label, and what rests on what.

A label is an address: ``sharpness.norms.total.printed`` stands in ``checks/sharpness/norms/total.py`` or
``checks/sharpness/norms.py``, the longest prefix that is a module; a prefix that is a package means all its modules.
So a command about one claim loads the modules of that claim and of what it rests on, and no other.
"""

from __future__ import annotations

import functools
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.derivation import Derivation
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.expression import digest
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.study import Study

ENGINE = ("language", "proof", "evidence", "records", "run")
"""The sub-packages of `checks` that hold no claims."""
SHARED = ("pac_bayes",)
"""What several papers need comes after them."""
_CHECKS = Path(__file__).parents[1]
_PACKAGE = "boundaudit.checks"
_FILE_NAME = re.compile(r"\w[\w.-]*")

Entry = Claim | Derivation | Study | Theorem


def base(label: str) -> str:
    """A label without its case.

    Returns:
        Such as ``sharpness.norms.total.printed`` for ``sharpness.norms.total.printed[steep]``.
    """
    return label.partition("[")[0]


class Registry:
    """Claims, derivations and studies by label, theorems by number; no two of them share one.

    Args:
        entries: Claims, derivations, studies and theorems, in the order in which reports list them.

    Attributes:
        claims: Claims by label, each with all its cases.
        members: What evidence is gathered for: claims without cases, and the cases of the others.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.claims: dict[str, Claim] = {}
        self.members: dict[str, Claim] = {}
        self.derivations: dict[str, Derivation] = {}
        self.studies: dict[str, Study] = {}
        self.theorems: dict[tuple[str, str], Theorem] = {}
        for entry in {id(entry): entry for entry in entries}.values():
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        if isinstance(entry, Theorem):
            self.theorems[entry.paper, entry.number] = entry
            return
        self._require_free(entry)
        if isinstance(entry, Claim):
            self.claims[entry.label] = entry
            self.members |= {member.label: member for member in entry.members}
        elif isinstance(entry, Derivation):
            self.derivations[entry.label] = entry
        else:
            self.studies[entry.label] = entry

    def _require_free(self, entry: Claim | Derivation | Study) -> None:
        kind = type(entry).__name__.lower()
        if not _FILE_NAME.fullmatch(entry.label):
            raise InputError(f"label of a {kind}", "letters, digits, dots and dashes", entry.label, "rename it")
        for taken in (self.claims, self.derivations, self.studies):
            other = taken.get(entry.label)
            if isinstance(other, Claim) and isinstance(entry, Claim):
                places = f"{other.source} and {entry.source}"
                raise InputError(f"{entry.label} ({places})", "a label used once", "two claims", "rename one")
            if other is not None:
                got = f"a {type(other).__name__.lower()} and a {kind}"
                raise InputError(entry.label, "a label used once", got, "rename one")

    def check_references(self) -> None:
        """Check that every label and number that is named exists, and that nothing rests on itself.

        Raises:
            InputError: where one does not, or in a circle.
        """
        for claim in self.claims.values():
            for label in _named(claim):
                if not self._exists(label):
                    raise InputError(f"{claim.label} ({claim.source})", "labels that exist", label, "correct the label")
            if claim.label in self.blast_radius(claim.label):
                field = f"{claim.label}.rests_on ({claim.source})"
                raise InputError(field, "claims that do not rest on it", "a circle", "break the circle")
        for study in self.studies.values():
            for label in study.claims:
                if not self._exists(label):
                    raise InputError(f"{study.label}.claims", "labels that exist", label, "correct the label")
        for theorem in self.theorems.values():
            for label in filter(None, (*theorem.printed, theorem.successor, theorem.improvement)):
                if not self._exists(label):
                    raise InputError(f"{theorem.number}", "labels that exist", label, "correct the label")
            for number in theorem.derived_from:
                if (theorem.paper, number) not in self.theorems:
                    raise InputError(f"{theorem.number}.derived_from", "numbers that exist", number, "correct it")

    def _exists(self, label: str) -> bool:
        """Here, or among the shipped claims: a user's claim may rest on any of them."""
        return label in self.claims or label in self.members or shipped(label) is not None

    def find(self, label: str) -> tuple[Claim, ...]:
        """The members that a label means: the case that it names, or all of a claim's.

        Returns:
            Members; none where there is no such claim.
        """
        if label in self.members:
            return (self.members[label],)
        return self.claims[label].members if label in self.claims else find_shipped(label)

    def studies_of(self, chosen: Sequence[str]) -> list[str]:
        """The studies that can be computed with a choice of claims.

        Returns:
            Labels of the studies all of whose claims are chosen, in the order of the registry.
        """
        there = {*chosen, *map(base, chosen)}
        return [study.label for study in self.studies.values() if study.claims and set(study.claims) <= there]

    def select(self, patterns: Sequence[str]) -> list[str]:
        """The members that match any of the patterns.

        Args:
            patterns: Labels, with a case or without, or globs over labels; none selects everything.

        Returns:
            Labels of members in the order of the registry.

        Raises:
            InputError: where a pattern matches nothing.
        """
        if not patterns:
            return list(self.members)
        for pattern in patterns:
            if not any(_matches(label, pattern) for label in self.members):
                raise InputError("label", "a known label or glob", pattern, "see `boundaudit list`")
        return [label for label in self.members if any(_matches(label, pattern) for pattern in patterns)]

    @functools.cached_property
    def _users(self) -> dict[str, list[str]]:
        """By member, the members that rest on it directly: a label without a case means all its cases."""
        found: dict[str, list[str]] = {}
        for member in self.members.values():
            for label in dict.fromkeys(member.rests_on):
                meant = [label] if label in self.members else [m.label for m in self.find(label)]
                for one in meant:
                    found.setdefault(one, []).append(member.label)
        return found

    def used_by(self, label: str) -> list[str]:
        """The claims that rest on a claim directly.

        Args:
            label: A claim, which means all its cases, or one of its cases.

        Returns:
            Labels of claims in the order of the registry.
        """
        return self._folded({user for member in self.find(label) for user in self._users.get(member.label, [])})

    def blast_radius(self, label: str) -> list[str]:
        """Everything that falls with a claim.

        Args:
            label: A claim, or one of its cases. Of a claim some of whose cases are pinned as refuted, only these fall.

        Returns:
            Labels of all claims that rest on it, directly or not, in the order of the registry.
        """
        meant = self.find(label)
        refuted = [member.label for member in meant if member.expected == "refuted"]
        fallen: set[str] = set()
        more = set(refuted or [member.label for member in meant])
        while more:
            more = {other for known in more for other in self._users.get(known, [])} - fallen
            fallen |= more
        return self._folded(fallen)

    def _folded(self, members: set[str]) -> list[str]:
        """Members as the claims that they belong to, in the order of the registry."""
        named = {base(member) for member in members}
        return [label for label in self.claims if label in named]

    def repair_of(self, label: str) -> str | None:
        """The claim that stands in for a refuted one.

        Returns:
            Its label, or None.
        """
        return self._repairs.get(label) or self._repairs.get(base(label))

    @functools.cached_property
    def _repairs(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for claim in self.claims.values():
            for label in (label for member in (claim, *claim.members) for label in member.repairs):
                found.setdefault(label, claim.label)
        return found


def _named(claim: Claim) -> Iterator[str]:
    """Every label that a claim or one of its cases names."""
    for member in claim.members:
        yield from (*member.rests_on, *member.repairs, *([] if member.improves is None else [member.improves]))


def _matches(label: str, pattern: str) -> bool:
    """Brackets name a case, so that they are no part of a glob."""
    return pattern in (label, base(label)) or ("[" not in pattern and fnmatchcase(base(label), pattern))


# --- the claims that ship with the suite -----------------------------------------------------------------


def modules_of(label: str) -> list[str]:
    """The modules in which a label, or what a glob means, can stand.

    Args:
        label: A label or a glob.

    Returns:
        Names of modules: one, or all of a package; none where the address leads nowhere.
    """
    fixed = re.split(r"[*?\[]", label, maxsplit=1)[0]
    parts = fixed.split(".") if fixed == label or label.startswith(f"{fixed}[") else fixed.split(".")[:-1]
    if any(not part.isidentifier() for part in parts[:1]) or (parts and parts[0] in ENGINE):
        return []
    for size in range(len(parts), 0, -1):
        place = _CHECKS.joinpath(*parts[:size])
        if place.with_suffix(".py").is_file():
            return [".".join([_PACKAGE, *parts[:size]])]
        if (place / "__init__.py").is_file():
            return _modules_in(place, ".".join([_PACKAGE, *parts[:size]]))
    return [] if parts else _every_module()


def _modules_in(folder: Path, package: str) -> list[str]:
    found = pkgutil.walk_packages([str(folder)], f"{package}.")
    return sorted(module.name for module in found if not module.ispkg)


@functools.cache
def _every_module() -> list[str]:
    """Every module of every paper."""
    found = (path.parent for path in _CHECKS.glob("*/__init__.py") if path.parent.name not in ENGINE)
    papers = sorted(found, key=lambda folder: (folder.name in SHARED, folder.name))
    return [name for paper in papers for name in _modules_in(paper, f"{_PACKAGE}.{paper.name}")]


@functools.cache
def _members_of(module: str) -> tuple[Entry, ...]:
    return tuple(members(import_module(module)))


@functools.cache
def _claims_of(module: str) -> dict[str, Claim]:
    """The claims of a module and their cases, by label."""
    claims = [entry for entry in _members_of(module) if isinstance(entry, Claim)]
    return {member.label: member for claim in claims for member in (claim, *claim.members)}


def shipped(label: str) -> Claim | None:
    """A claim that ships with the suite, or one of its cases.

    Args:
        label: Its label.

    Returns:
        The claim; None where there is none of that label.
    """
    for module in modules_of(base(label)):
        if label in _claims_of(module):
            return _claims_of(module)[label]
    return None


def find_shipped(label: str) -> tuple[Claim, ...]:
    """The members that a label of the suite means, loading no more than its modules.

    Returns:
        Members; none where there is no such claim.
    """
    claim = shipped(label)
    return () if claim is None else claim.members


@functools.cache
def built_in() -> Registry:
    """Everything that ships with the suite.

    Returns:
        The registry, loaded once and checked.
    """
    registry = Registry(entry for module in _every_module() for entry in _members_of(module))
    registry.check_references()
    return registry


@functools.cache
def registry_for(patterns: tuple[str, ...]) -> Registry:
    """The shipped claims that labels or globs mean, with what they rest on.

    Args:
        patterns: Labels or globs; none means everything.

    Returns:
        A registry of the modules in which they stand, with the statements of their papers.

    Raises:
        InputError: where a pattern matches nothing.
    """
    if not patterns:
        return built_in()
    found = list(dict.fromkeys(module for pattern in patterns for module in modules_of(pattern)))
    for module in found:
        for entry in _members_of(module):
            if isinstance(entry, Claim):
                needed = (name for label in _named(entry) for name in modules_of(base(label)))
                found.extend(name for name in dict.fromkeys(needed) if name not in found)
    found.extend(name for name in _statements_of(found) if name not in found)
    registry = Registry(entry for module in found for entry in _members_of(module))
    registry.select(patterns)
    return registry


def _statements_of(modules: Sequence[str]) -> list[str]:
    """The modules in which the papers of some claims list their statements, which load fast."""
    papers = dict.fromkeys(name.removeprefix(f"{_PACKAGE}.").split(".")[0] for name in modules)
    return [f"{_PACKAGE}.{paper}.theorems" for paper in papers if (_CHECKS / paper / "theorems.py").is_file()]


def modules_registry(label: str) -> Registry:
    """Everything in the modules in which a label can stand: a study or a chain is found like a claim.

    Returns:
        The registry.
    """
    return Registry(entry for module in modules_of(label) for entry in _members_of(module))


def members(module: ModuleType) -> list[Entry]:
    """The claims, derivations, studies and theorems that a module states: by name, or in a tuple or list.

    Returns:
        All of them, in the order of the module.
    """
    named: list[Any] = [value if isinstance(value, (tuple, list)) else [value] for value in vars(module).values()]
    entries = {id(item): item for values in named for item in values if isinstance(item, Entry)}
    return list(entries.values())


# --- a user's own files ------------------------------------------------------------------------------------


def load_files(paths: Sequence[Path]) -> Registry:
    """The claims, derivations and studies of a user's own files.

    Args:
        paths: Python files; each is run, as pytest runs a test file.

    Returns:
        The registry of all files together.

    Raises:
        InputError: where a file is missing, does not run, or states no claim.
    """
    for path in paths:
        if not path.is_file() or path.suffix != ".py":
            raise InputError("claims file", "a readable Python file (.py)", path, "check the path")
    found: list[Entry] = []
    for path in paths:
        entries = members(_run(path))
        if not any(isinstance(entry, Claim) for entry in entries):
            raise InputError(str(path), "at least one Claim at module level", "none", "assign a Claim to a name")
        found.extend(entries)
    registry = Registry(found)
    registry.check_references()
    for claim in registry.members.values():
        claim.validate()
    return registry


def _run(path: Path) -> ModuleType:
    """Run a claims file as a module; whatever it raises becomes one line."""
    name = f"boundaudit_claims_{path.stem}_{digest(str(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("claims file", "a Python file (.py)", path, "rename it")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except InputError:
        raise
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno}", "Python", error.msg, "correct the syntax") from None
    except (Exception, SystemExit) as error:
        line = _line_in(path, error)
        got = f"{type(error).__name__}: {error}"
        raise InputError(f"{path}:{line}", "a file that runs", got, "correct the file") from None
    return module


def _line_in(path: Path, error: BaseException) -> int:
    """The last line of the user's own file in a traceback."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
