"""The protocol between engines that look for proofs and the checker that accepts them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain

LEAST_DEPTH = 5
"""Of the proofs within proofs that are still allowed, where much is tried."""

SIZE_OF_ENTRY = 3
"""Parts of the tree of a vector's entry; that of a matrix has more."""

Outcome = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True)
class Lemma:
    """A statement with its certificate, for use inside another proof."""

    statement: Statement
    certificate: Certificate

    def to_json(self) -> dict[str, Any]:
        """The form in which a certificate carries it."""
        return {"statement": self.statement.to_json(), "certificate": self.certificate}


@dataclass(frozen=True)
class Budget:
    """How much an engine may spend: counts only, never seconds, so that a run repeats exactly."""

    boxes: int = 4_000  # of a branch-and-bound
    # of work (see `arithmetic.effort`): an engine may take half of those that are left, and a sub-goal three quarters
    # of those that its engine has
    steps: int = 6_000_000
    columns: int = 1_500  # products of hypotheses in a linear programme
    depth: int = 5  # nested sub-proofs still allowed


@dataclass(frozen=True)
class Attempt:
    """What an engine found out about a statement."""

    outcome: Outcome
    engine: str  # that decided, or gave up
    certificate: Certificate | None = None  # where the outcome is proved
    # where the outcome is refuted, an exact point: int, Fraction, or a tuple of them
    counterexample: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()  # one line each on what was tried
    effort: Mapping[str, int] = field(default_factory=dict)  # counts of what was spent


@dataclass(frozen=True)
class Context:
    """What an engine may use besides the statement."""

    lemmas: tuple[Lemma, ...]  # proved before
    touch_points: tuple[dict[str, Tree], ...]  # where the goal is known to vanish, as trees by parameter name
    prove: Callable[[Statement], Attempt]  # a sub-goal, with one level less of depth
    budget: Budget


Engine: TypeAlias = Callable[[Statement, Context], Attempt]


def psatz(*products: Sequence[Any], lemmas: Sequence[Lemma] = ()) -> Certificate:
    """That products of what labels say not to be negative, one of them positive, add up to nothing."""
    terms = [{"weight": [1, 1], "factors": [[label, 1] for label in labels]} for labels in products]
    brought = {"lemmas": [lemma.to_json() for lemma in lemmas]} if lemmas else {}
    return {"kind": "psatz", **brought, "terms": terms}


def through(one: Lemma, other: Lemma) -> Certificate:
    """That something is proved by what is between its sides: the two add up to it."""
    place = len(one.statement.domain["where"])
    return psatz(["n"], [["where", place]], [["where", place + 1]], lemmas=(one, other))


def fresh_index(domain: Domain) -> str:
    """A name for an index that no parameter of a domain has."""
    taken = {found["name"] for found in domain["parameters"]}
    return next(name for name in map("i{}".format, itertools.count(len(taken))) if name not in taken)
