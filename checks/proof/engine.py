"""The protocol between engines that look for proofs and the checker that accepts them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain

LEAST_DEPTH = 5
"""Of the proofs within proofs that are still allowed, where much is tried."""

Outcome = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True)
class Lemma:
    """A statement with its certificate, for use inside another proof."""

    statement: Statement
    certificate: Certificate

    def to_json(self) -> dict[str, Any]:
        """The form in which a certificate carries it.

        Returns:
            A dictionary with the keys statement and certificate.
        """
        return {"statement": self.statement.to_json(), "certificate": self.certificate}


@dataclass(frozen=True)
class Budget:
    """How much an engine may spend: counts only, never seconds, so that a run repeats exactly.

    Attributes:
        boxes: Boxes of a branch-and-bound.
        steps: Steps of work (see `arithmetic.effort`): an engine may take half of those that are left, and a sub-goal
            three quarters of those that its engine has.
        columns: Columns (products of hypotheses) of a linear programme.
        depth: Nested sub-proofs still allowed.
    """

    boxes: int = 4_000
    steps: int = 6_000_000
    columns: int = 1_500
    depth: int = 5


@dataclass(frozen=True)
class Attempt:
    """What an engine found out about a statement.

    Attributes:
        outcome: proved, refuted or unknown.
        engine: Name of the engine that decided, or that gave up.
        certificate: The proof, where the outcome is proved.
        counterexample: An exact point, where the outcome is refuted: int, Fraction, or a tuple of them.
        notes: One line each on what was tried.
        effort: Counts of what was spent.
    """

    outcome: Outcome
    engine: str
    certificate: Certificate | None = None
    counterexample: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    effort: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Context:
    """What an engine may use besides the statement.

    Attributes:
        lemmas: Statements proved before.
        touch_points: Points where the goal is known to vanish, as trees by parameter name.
        prove: Proves a sub-goal with one level less of depth.
        budget: What may be spent.
    """

    lemmas: tuple[Lemma, ...]
    touch_points: tuple[dict[str, Tree], ...]
    prove: Callable[[Statement], Attempt]
    budget: Budget


Engine: TypeAlias = Callable[[Statement, Context], Attempt]


def fresh_index(domain: Domain) -> str:
    """A name for an index that no parameter of a domain has."""
    taken = {found["name"] for found in domain["parameters"]}
    return next(name for name in map("i{}".format, itertools.count(len(taken))) if name not in taken)
