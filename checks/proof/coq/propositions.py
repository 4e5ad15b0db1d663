"""Statements and their domains as Coq propositions: parameters are variables over R, ranges and relations premises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boundaudit.checks.language.expression import ONE, Tree, from_json, rational
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text
from boundaudit.checks.proof.kernel.domains import Domain, plain

_ARROWS = {"reals": "R", "integers": "R", "choices": "R", "vector": "R -> R", "matrix": "R -> R -> R"}


@dataclass(frozen=True)
class Premise:
    """A premise of a lemma: a proposition, and what its proof is called."""

    name: str
    claim: str


def is_read(declared: Mapping[str, Any]) -> bool:
    """Whether an expression can mention a parameter: of sets, and of matrices without entries' ranges, none does."""
    return declared["range"] in _ARROWS and not (declared["range"] == "matrix" and "low" not in declared)


def variables(domain: Domain) -> list[tuple[str, str]]:
    """The parameters as variables with their types, in order."""
    return [(identifier(p["name"]), _ARROWS[p["range"]]) for p in domain["parameters"] if is_read(p)]


def premises(domain: Domain) -> list[Premise]:
    """What is known on a domain, each under a name of its own."""
    found = [premise for declared in domain["parameters"] if is_read(declared) for premise in _of_range(declared)]
    if len(plain(domain)) < len(domain["where"]):
        raise NotExported("alternatives, or a relation for all indices, among the hypotheses")
    for k, (relation, left, right) in enumerate(domain["where"]):
        found.append(Premise(where_name(k), f"{text(from_json(left))} {relation} {text(from_json(right))}"))
    return found


def end_name(parameter: str, side: str) -> str:
    """The name of the premise that a parameter, or each entry, lies on the inner side of an end of its range."""
    return f"H_{identifier(parameter)}_{side}"


def where_name(position: int) -> str:
    """The name of the premise that is a relation of the domain."""
    return f"H_where_{position}"


def _of_range(declared: Mapping[str, Any]) -> Iterator[Premise]:
    name, kind = declared["name"], declared["range"]
    subject, around = identifier(name), ""
    if kind == "integers":
        yield Premise(end_name(name, "integer"), f"integer {subject}")
    if kind == "choices":
        values = (f"{subject} = {text(from_json(value))}" for value in declared["values"])
        yield Premise(end_name(name, "choices"), " \\/ ".join(values))
        return
    trees = trees_of(declared)
    if kind == "vector":
        around = f"forall i : R, integer i -> 1 <= i -> i <= {text(trees['length'])} -> "
        subject = f"{subject} i"
    if kind == "matrix":
        rows, columns = text(trees["rows"]), text(trees["columns"])
        around = f"forall i j : R, integer i -> 1 <= i -> i <= {rows} -> integer j -> 1 <= j -> j <= {columns} -> "
        subject = f"{subject} i j"
    opens = declared.get("open", (False, False))
    if "low" in trees:
        yield Premise(end_name(name, "low"), f"{around}{text(trees['low'])} {'<' if opens[0] else '<='} {subject}")
    if "high" in trees:
        yield Premise(end_name(name, "high"), f"{around}{subject} {'<' if opens[1] else '<='} {text(trees['high'])}")
    if "square_sum" in trees:
        yield Premise(end_name(name, "squares"), f"{text(squares(name, trees))} <= {text(trees['square_sum'])}")


def squares(name: str, trees: Mapping[str, Tree]) -> Tree:
    """The sum of the squares of a vector's entries."""
    return ("sum", ONE, trees["length"], ("^", ("item", name, ("b", 0)), rational(2)))


def conclusion(statement: Statement) -> str:
    """What a statement says at each point of its domain."""
    return f"{text(statement.left)} {statement.relation} {text(statement.right)}"


def proposition(statement: Statement, claim: str | None = None) -> str:
    """A statement with its domain, as a Coq proposition; or another claim on that domain."""
    bound = "".join(f" ({name} : {kind})" for name, kind in variables(statement.domain))
    lines = [f"forall{bound},"] if bound else []
    lines += [f"  ({premise.claim}) ->" for premise in premises(statement.domain)]
    return "\n".join([*lines, f"  {claim or conclusion(statement)}"])
