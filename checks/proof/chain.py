"""An engine for chains: each step proved by the portfolio, from instances of what it cites."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from boundaudit import InputError
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import Exhausted
from boundaudit.checks.language.arithmetic import effort as allowance
from boundaudit.checks.language.expression import Tree, names
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.text import to_text
from boundaudit.checks.proof.engine import Attempt, Budget, Context
from boundaudit.checks.proof.factoring import factoring
from boundaudit.checks.proof.general import numbers, signed
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.citing import Known, instance, is_given, step_statements, with_measured
from boundaudit.checks.proof.kernel.domains import on
from boundaudit.checks.proof.portfolio import prove
from boundaudit.checks.proof.substitution import substitution
from boundaudit.checks.proof.sums import identity

BUDGET = Budget(boxes=1_000, steps=2_000_000, columns=800, depth=4)
"""What one step, or one condition of an instance, may cost: a step is small, or wants a node more."""


_WHOLE = Context(lambda statement: prove(statement, budget=BUDGET).certificate, BUDGET)
_ALONE = Context(lambda _: None, BUDGET)


class Link(NamedTuple):
    """A step: the node that it leads to, what it is called, and the instances that it uses."""

    node: Tree
    name: str
    uses: Sequence[Mapping[str, Any]]


def prove_chain(
    statement: Statement, first: Tree, steps: Sequence[tuple[Tree, str, Sequence[Mapping[str, Any]]]], known: Known
) -> Attempt:
    """Look for a proof of every step, with ``known`` statements that stand, by label.

    Steps lead from the first node, the smaller side, upwards: the next node, its name, and the instances that it uses.
    Proved where the checker has accepted the certificate, else unknown with a note for every step that is open.
    """
    links = [Link(*step) for step in steps]
    proofs: list[Certificate] = []
    notes: list[str] = []
    try:
        domain = with_measured(statement.domain, known, [use["cites"] for link in links for use in link.uses])
        needed = step_statements(statement, [first, *(link.node for link in links)], domain)
    except Rejected as problem:
        return Attempt("unknown", "chain", notes=(str(problem),))
    silent = tuple(_silent(statement, first, links))
    if silent:
        return Attempt("unknown", "chain", notes=silent)
    for goal, link in zip(needed, links, strict=True):
        try:
            proofs.append(_step(goal, link, known))
        except (Rejected, InputError) as problem:
            notes.append(f"the step to “{link.name}”: {problem}")
    if notes:
        return Attempt("unknown", "chain", notes=tuple(notes))
    nodes = [first, *(link.node for link in links)]
    certificate: Certificate = {"kind": "chain", "nodes": nodes, "steps": proofs}
    check(statement, certificate, known)
    return Attempt("proved", "chain", certificate)


def _silent(statement: Statement, first: Tree, links: Sequence[Link]) -> Iterator[str]:
    """Steps to or from a measured number of which nothing is said: no engine need try."""
    free = {found["name"] for found in statement.domain["parameters"] if not found.get("measured")}
    for before, link in itertools.pairwise([Link(first, "", ()), *links]):
        ends = (before.node, link.node)
        alone = {node[1] for node in ends if node[0] == "v"} - free
        if alone - (names(before.node) & names(link.node)) and not link.uses:
            yield f"the step to “{link.name}” uses nothing that speaks of {', or of '.join(sorted(alone))}"


def _step(goal: Statement, link: Link, known: Known) -> Certificate:
    """The proof of one step, and those of the conditions of its instances."""
    given = goal.domain
    uses = []
    for use in link.uses:
        conditions, given = instance(given, use, known)
        proofs = [_proof(condition, f"a condition of {use['cites']} is open") for condition in conditions]
        uses.append({**use, "conditions": proofs})
    return {"uses": uses, "proof": _proof(on(goal, given), "no engine proves it from what it cites")}


def _proof(statement: Statement, otherwise: str) -> Certificate:
    if is_given(statement):
        return {"kind": "given"}
    found = _quickly(statement) or signed(statement, _WHOLE) or _WHOLE.prove(statement) or numbers(statement, _WHOLE)
    if found is None:
        raise Rejected(f"{otherwise}: {_text(statement)}")
    return found


def _quickly(statement: Statement) -> Certificate | None:
    """A proof by arithmetic alone, as most steps have one."""
    for engine in (identity, factoring, substitution):
        with suppress(Rejected, Exhausted), allowance(BUDGET.steps):
            found = engine(statement, _ALONE)
            if found is not None:
                check(statement, found)
                return found
    return None


def _text(statement: Statement) -> str:
    """A statement in one line, for a note."""
    left, right = (to_text(side) for side in (statement.left, statement.right))
    whole = f"{left} {statement.relation} {right}"
    return whole if len(whole) <= 400 else whole[:397] + "..."
