"""The protocol between engines that look for proofs and the checker that accepts them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypeVar, final

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, Tree, children, is_closed, multiply, rational, rebuild, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain
from boundaudit.checks.proof.kernel.sums import terms_statement

_Found = TypeVar("_Found")

LEAST_DEPTH = 5
"""Of the proofs within proofs that are still allowed, where much is tried."""

SIZE_OF_ENTRY = 3
"""Parts of the tree of a vector's entry; that of a matrix has more."""

WEAK = ("<=", ">=")
"""The relations that most engines prove."""


class Refuted(Exception):
    """A statement fails at an exact point: int, Fraction, or a tuple of them, by the name of the parameter."""

    def __init__(self, point: dict[str, Any]) -> None:
        super().__init__(f"it fails at {point}")
        self.point = point


@final
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
class Context:
    """What an engine may use besides the statement."""

    prove: Callable[[Statement], Certificate | None]  # a sub-goal, with one level less of depth
    budget: Budget
    touch_points: tuple[dict[str, Tree], ...] = ()  # where the goal is known to vanish, as trees by parameter name

    def lemma(self, statement: Statement) -> Lemma | None:
        """A sub-goal with its proof, where there is one."""
        return with_proof(statement, self.prove(statement))


Engine: TypeAlias = Callable[[Statement, Context], Certificate | None]
"""Looks for a certificate; raises `Refuted` where it finds a point against it, `Rejected` with why it gives up."""


@dataclass(frozen=True)
class Attempt:
    """What the engines found out about a statement."""

    outcome: Literal["proved", "refuted", "unknown"]
    engine: str  # that decided, or gave up
    certificate: Certificate | None = None  # where the outcome is proved
    counterexample: dict[str, Any] | None = None  # where the outcome is refuted, as `Refuted` has it
    notes: tuple[str, ...] = ()  # one line each on what was tried


# --- certificates --------------------------------------------------------------------------------

Term: TypeAlias = dict[str, Any]


def term(*labels: Any, weight: Fraction | int = 1, square: Tree | None = None) -> Term:
    """A product of what labels say not to be negative, of a positive number and of a square."""
    factors = [[label, len(list(alike))] for label, alike in itertools.groupby(labels)]
    found: Term = {"weight": [weight.numerator, weight.denominator], "factors": factors}
    return found if square is None else {**found, "square": square}


def psatz(*products: Sequence[Any] | Term, lemmas: Sequence[Lemma] = ()) -> Certificate:
    """That products, one of them positive, add up to nothing; those with weight 1 as the labels of their factors."""
    terms = [product if isinstance(product, dict) else term(*product) for product in products]
    brought = {"lemmas": [lemma.to_json() for lemma in lemmas]} if lemmas else {}
    return {"kind": "psatz", **brought, "terms": terms}


def lemma_at(statement: Statement, number: int = 0) -> list[Any]:
    """The label of what a lemma of a proof says: they follow the relations of the domain."""
    return ["where", len(statement.domain["where"]) + number]


def from_lemma(statement: Statement, lemma: Lemma, *products: Sequence[Any] | Term) -> Certificate:
    """That a lemma and products which are not negative add up to a goal."""
    return psatz(["n"], [lemma_at(statement)], *products, lemmas=[lemma])


def through(one: Lemma, other: Lemma) -> Certificate:
    """That something is proved by what is between its sides: the two add up to it."""
    return psatz(["n"], [lemma_at(one.statement)], [lemma_at(one.statement, 1)], lemmas=(one, other))


def with_proof(statement: Statement, proof: Certificate | None) -> Lemma | None:
    """A statement as a lemma, where it has a proof."""
    return None if proof is None else Lemma(statement, proof)


def all_found(found: Iterable[_Found | None]) -> list[_Found] | None:
    """What is looked for one after the other; None at the first that is not found."""
    every = []
    for each in found:
        if each is None:
            return None
        every.append(each)
    return every


def by_cases(split: list[Any], proofs: Iterable[Certificate | None]) -> Certificate | None:
    """That each case of a split has its proof, where it has."""
    shown = all_found(proofs)
    return None if shown is None else {"kind": "cases", "split": split, "proofs": shown}


def times(known: Tree, rest: Tree, proof: Certificate) -> Certificate:
    """That a goal is not negative: the product of what ranges show not to be so and of a rest that has a proof."""
    return {"kind": "product", "factors": [known, rest], "proofs": [psatz(["n"], [["sign", known]]), proof]}


def by_terms(total: Tree, index: str, proof: Certificate) -> Certificate:
    """That a sum is not negative, as is each of its terms."""
    return {"kind": "termwise", "sum": total, "index": index, "proof": proof}


def sum_of_terms(total: Tree, domain: Domain, prove: Callable[[Statement], Certificate | None]) -> Lemma | None:
    """That a sum is not negative, where each of its terms is proved not to be; None also where one has no value."""
    lemma, index = Statement(ZERO, "<=", total, domain), fresh_index(domain)
    try:
        proof = prove(terms_statement(lemma, total, index))
    except Rejected:
        return None
    return with_proof(lemma, proof and by_terms(total, index, proof))


# --- statements and trees ------------------------------------------------------------------------


def fresh_index(domain: Domain) -> str:
    """A name for an index that no parameter of a domain has."""
    taken = {found["name"] for found in domain["parameters"]}
    return next(name for name in map("i{}".format, itertools.count(len(taken))) if name not in taken)


def ordered_sides(statement: Statement) -> tuple[Tree, Tree]:
    """The smaller side and the larger one."""
    return (statement.right, statement.left) if statement.relation == ">=" else (statement.left, statement.right)


def without(domain: Domain, place: int) -> Domain:
    """The domain without one of its relations."""
    return {**domain, "where": [given for k, given in enumerate(domain["where"]) if k != place]}


def real(name: str, low: Tree | None = None, high: Tree | None = None, opens: Sequence[bool] = ()) -> dict[str, Any]:
    """The declaration of a real parameter."""
    return {"name": name, "range": "reals", "low": low, "high": high, "open": list(opens or (False, False))}


def put_for(tree: Tree, new: Mapping[Tree, Tree]) -> Tree:
    """The tree with others put in the place of some of its parts, of the larger ones first."""
    return new[tree] if tree in new else rebuild(tree, [put_for(part, new) for part in children(tree)])


def negative(tree: Tree) -> Tree:
    """What an expression adds up to nothing with."""
    return multiply(rational(-1), tree)


def inverse(tree: Tree) -> Tree:
    """One over an expression."""
    return ("^", tree, rational(-1))


def quotient(above: Tree, below: Tree) -> Tree:
    """One expression over another."""
    return multiply(above, inverse(below))


def factors_in(tree: Tree) -> list[Tree]:
    """The factors of a product as it is written; another expression is the only one of its own."""
    return list(tree[1:]) if tree[0] == "*" else [tree]


def has(tree: Tree, *heads: str) -> bool:
    """Whether a part of an expression has one of some heads."""
    return any(node[0] in heads for node in walk(tree))


def closed(trees: Sequence[Tree], *heads: str) -> list[Tree]:
    """The parts of some expressions with one of some heads that use no index of a sum around them, each once."""
    nodes = (node for tree in trees for node in walk(tree) if node[0] in heads and is_closed(node))
    return list(dict.fromkeys(nodes))
