"""Lemmas in the order in which they rest on each other, and their use at a point of another statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.propositions import axiom_name, point_of, premises, proposition, variables
from boundaudit.checks.proof.coq.terms import NotExported, identifier
from boundaudit.checks.proof.kernel.citing import with_measured
from boundaudit.checks.proof.kernel.domains import on, with_lemmas

Certificate: TypeAlias = Mapping[str, Any]
Known: TypeAlias = Mapping[str, tuple[Statement, Certificate | None]]
"""Statements that a chain may cite, with their certificates; an axiom has none."""
Rule: TypeAlias = "Callable[[Book, Statement, Certificate, str], list[str]]"
"""The lines of a proof from a certificate of one kind; the lemmas that it rests on are written under the name."""
Axioms: TypeAlias = Mapping[str, Statement]

_WRITTEN: dict[str, list[str]] = {}
"""Lemmas that were written of what is cited, by its key."""


@dataclass(frozen=True)
class Cited:
    """What a chain cites: the name of a lemma or premise, with all that is measured in it and below, and its axioms."""

    name: str
    statement: Statement
    axioms: Axioms
    is_axiom: bool
    key: str = ""
    """A hash of its statement and certificate, and of those below."""

    @property
    def point(self) -> set[str]:
        """What is measured here and below, and the parameters that it is a function of."""
        return point_of(self.statement.domain).union(*(point_of(axiom.domain) for axiom in self.axioms.values()))


class Book:
    """Lemmas in the order in which they rest on each other."""

    def __init__(self, rules: Mapping[str, Rule], known: Known) -> None:
        """Begin a book; a chain of steps may cite the ``known`` statements, proved elsewhere, and axioms."""
        self.lemmas: list[str] = []
        self._counts: dict[str, int] = {}
        self._rules, self._known = rules, known
        self._cited: dict[str, Cited] = {}

    def cited(self, label: str) -> Cited:
        """What a chain cites: an axiom, or a lemma, which is proved here where it is cited first."""
        if label not in self._known:
            raise NotExported(f"it cites {label}, of which there is no certificate")
        if label not in self._cited:
            statement, certificate = self._known[label]
            if certificate is None:
                key = digest([label, statement.to_json()])
                self._cited[label] = Cited(axiom_name(label), statement, {label: statement}, is_axiom=True, key=key)
                return self._cited[label]
            try:
                grounded = self.grounded(statement, certificate)
                below = [self.cited(other).key for other in labels_of(certificate)]
                key = digest([label, statement.to_json(), certificate, below])
                name = self._prove_cited(statement, certificate, f"{identifier(label)}_cited", key)
            except NotExported as reason:
                raise NotExported(f"it cites {label}: {reason}") from reason
            self._cited[label] = Cited(name, *grounded, is_axiom=False, key=key)
        return self._cited[label]

    def _prove_cited(self, statement: Statement, certificate: Certificate, name: str, key: str) -> str:
        """Write what is cited, in the same words in every document: they are found once; its name."""
        if key not in _WRITTEN:
            outer, self._counts, before = self._counts, {}, len(self.lemmas)
            self.prove(statement, certificate, name)
            self._counts = outer
            _WRITTEN[key] = self.lemmas[before:]
            del self.lemmas[before:]
        self.lemmas += _WRITTEN[key]
        return name

    def grounded(self, statement: Statement, certificate: Certificate) -> tuple[Statement, Axioms]:
        """A statement with all that is measured in what its chain cites, and the axioms that it rests on."""
        cited = {label: self.cited(label) for label in labels_of(certificate)}
        below = {label: found.statement for label, found in cited.items()}
        axioms = {label: axiom for found in cited.values() for label, axiom in found.axioms.items()}
        return on(statement, with_measured(statement.domain, below, [*below])), axioms

    def prove(self, statement: Statement, certificate: Certificate, name: str) -> str:
        """Write a lemma of some name and those that it rests on, from the certificate that our checker reads; the name.

        Raises:
            NotExported: where a part of the proof has no Coq proof yet.
        """
        kind = certificate["kind"]
        if kind not in self._rules:
            raise NotExported(f"certificates of the kind {kind}")
        statement, axioms = self.grounded(statement, certificate)
        known = [*introduced(statement), *map(axiom_name, axioms)]
        lines = [f"intros {' '.join(known)}."] if known else []
        target = statement
        if certificate.get("lemmas"):
            target, more = self._with_lemmas(statement, certificate["lemmas"], name)
            lines += more
        lines += self._rules[kind](self, target, certificate, name)
        self.write(name, proposition(statement, axioms=axioms), lines)
        return name

    def part(self, statement: Statement, certificate: Certificate, name: str) -> str:
        """A lemma that another one rests on, under a name of its own."""
        return self.prove(statement, certificate, self.name_under(name))

    def name_under(self, name: str) -> str:
        """A fresh name for a lemma that another one rests on."""
        self._counts[name] = self._counts.get(name, 0) + 1
        return f"{name}_{self._counts[name]}"

    def write(self, name: str, claim: str, lines: Sequence[str]) -> None:
        """Add a lemma with the lines of its proof."""
        body = "\n".join(f"  {line}" for line in lines)
        self.lemmas.append(f"Lemma {name} :\n{claim}.\nProof.\n{body}\nQed.\n")

    def _with_lemmas(self, statement: Statement, entries: Sequence[Any], name: str) -> tuple[Statement, list[str]]:
        """The statement on its domain with lemmas, and the lines that add them to what is known."""
        lines: list[str] = []
        found: list[Statement] = []
        for entry in entries:
            lemma = Statement.from_json(entry["statement"])
            before = with_lemmas(statement, found) if found else statement
            found.append(lemma)
            after = with_lemmas(statement, found)
            label = self.part(lemma, entry["certificate"], name)
            use = application(label, lemma, before)
            added = [p for p in premises(after.domain) if p not in premises(before.domain)]
            by = f"(pose proof {use} as known; lra)"
            lines += [f"assert ({premise.name} : {premise.claim}) by {by}." for premise in added]
        return with_lemmas(statement, found), lines


def introduced(statement: Statement) -> list[str]:
    """The names of variables and premises of a statement, in order."""
    return [name for name, _ in variables(statement.domain)] + [p.name for p in premises(statement.domain)]


def labels_of(certificate: Certificate) -> list[str]:
    """What a chain cites, each once, in order."""
    steps = certificate["steps"] if certificate["kind"] == "chain" else ()
    return list(dict.fromkeys(use["cites"] for step in steps for use in step["uses"]))


def instance_of(cited: Cited, here: Statement, put: Mapping[str, str]) -> str:
    """What is cited at the point of another statement; what is measured stays there.

    Raises:
        NotExported: where something that it rests on is a function of what moves.
    """
    if {*map(identifier, cited.point)} & put.keys():
        raise NotExported("an instance at another point than what it rests on")
    axioms = () if cited.is_axiom else map(axiom_name, cited.axioms)
    held = cited.point if cited.is_axiom else ()
    return application(cited.name, cited.statement, here, put, held=held, more=axioms)


def application(
    label: str,
    lemma: Statement,
    here: Statement,
    put: Mapping[str, str] | None = None,
    way: str = "known_here",
    *,
    held: Container[str] = (),
    more: Iterable[str] = (),
) -> str:
    """A lemma at the point of another statement, as a term with holes that ``known_here`` fills.

    ``held`` are parameters that it does not bind; ``more`` are proofs of what it rests on.
    """
    changed = re.compile(rf"\b({'|'.join(map(re.escape, put))})\b") if put else None
    given = {
        premise.claim: premise.name
        for premise in premises(here.domain)
        if changed is None or not changed.search(premise.claim)
    }
    values = [(put or {}).get(name, name) for name, _ in variables(lemma.domain, held)]
    proofs = [given.get(premise.claim) or f"ltac:({way})" for premise in premises(lemma.domain)]
    return f"({' '.join([label, *values, *proofs, *more])})"
