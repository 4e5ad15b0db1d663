"""Statements and their domains as Coq propositions: parameters are variables over R, ranges and relations premises."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundaudit.checks.language.expression import ONE, Tree, from_json, rational
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text
from boundaudit.checks.proof.kernel.domains import Domain

_ARROWS = {"reals": "R", "integers": "R", "choices": "R", "vector": "R -> R", "matrix": "R -> R -> R"}


@dataclass(frozen=True)
class Premise:
    """A premise of a lemma: a proposition, and what its proof is called."""

    name: str
    claim: str


def is_read(declared: Mapping[str, Any]) -> bool:
    """Whether an expression can mention a parameter: of sets, and of matrices without entries' ranges, none does."""
    return declared["range"] in _ARROWS and not (declared["range"] == "matrix" and "low" not in declared)


def variables(domain: Domain, held: Container[str] = ()) -> list[tuple[str, str]]:
    """The parameters, but those that are ``held``, as variables with their types, in order.

    Raises:
        NotExported: where two of them have one name in Coq.
    """
    found = [(identifier(p["name"]), _ARROWS[p["range"]]) for p in domain["parameters"] if is_read(p)]
    if len({name for name, _ in found}) < len(found):
        raise NotExported("two parameters that have one name in Coq")
    return [each for each, p in zip(found, filter(is_read, domain["parameters"]), strict=True) if p["name"] not in held]


def point_of(domain: Domain) -> set[str]:
    """What is measured on a domain, and the parameters that it is a function of."""
    measured = [p for p in domain["parameters"] if p.get("measured")]
    own = {p["name"] for p in domain["parameters"] if not p.get("measured")}
    of = (own if p["measured"] is True else {*p["measured"]} for p in measured)
    return {p["name"] for p in measured}.union(*of)


def premises(domain: Domain) -> list[Premise]:
    """What is known on a domain, each under a name of its own."""
    found = [premise for declared in domain["parameters"] if is_read(declared) for premise in range_premises(declared)]
    return [*found, *(Premise(where_name(k), _relation(entry)) for k, entry in enumerate(domain["where"]))]


def _relation(entry: Sequence[Any], indices: Sequence[str] = ()) -> str:
    """A relation of a domain: an inequality, alternatives, or an inequality for all indices."""
    match entry:
        case ["or", *ways]:
            return " \\/ ".join("(" + " /\\ ".join(map(_relation, way)) + ")" for way in ways)
        case ["all", low, high, each]:
            ends = (text(from_json(end)) for end in (low, high))
            return "forall i_0 : R, integer i_0 -> {} <= i_0 -> i_0 <= {} -> ".format(*ends) + _relation(each, ("i_0",))
    relation, *sides = entry
    left, right = (text(from_json(side, len(indices)), indices) for side in sides)
    return f"{left} {relation} {right}"


def end_name(parameter: str, side: str) -> str:
    """The name of the premise that a parameter, or each entry, lies on the inner side of an end of its range."""
    return f"H_{identifier(parameter)}_{side}"


def where_name(position: int) -> str:
    """The name of the premise that is a relation of the domain."""
    return f"H_where_{position}"


def range_premises(declared: Mapping[str, Any]) -> list[Premise]:
    """What is known of a parameter, or of each entry, by its range."""
    return list(_of_range(declared))


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
        around = f"forall i_0 : R, integer i_0 -> 1 <= i_0 -> i_0 <= {text(trees['length'])} -> "
        subject = f"{subject} i_0"
    if kind == "matrix":
        rows, columns = text(trees["rows"]), text(trees["columns"])
        around = (
            f"forall i_0 i_1 : R, integer i_0 -> 1 <= i_0 -> i_0 <= {rows} -> "
            f"integer i_1 -> 1 <= i_1 -> i_1 <= {columns} -> "
        )
        subject = f"{subject} i_0 i_1"
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


def axiom_name(label: str) -> str:
    """The name of the premise that is an axiom."""
    return f"H_{identifier(label)}_stands"


def proposition(
    statement: Statement,
    claim: str | None = None,
    axioms: Mapping[str, Statement] | None = None,
    held: Container[str] = (),
) -> str:
    """A statement with its domain, as a Coq proposition; or another claim on that domain.

    Each axiom that it rests on is a further premise, of what is measured at this point; ``held`` parameters are not
    bound here.
    """
    bound = "".join(f" ({name} : {kind})" for name, kind in variables(statement.domain, held))
    lines = [f"forall{bound},"] if bound else []
    lines += [f"  ({premise.claim}) ->" for premise in premises(statement.domain)]
    lines += [f"  ({assumed(axiom)}) ->" for axiom in (axioms or {}).values()]
    return "\n".join([*lines, f"  {claim or conclusion(statement)}"])


def assumed(axiom: Statement) -> str:
    """An axiom as a premise: what is measured, and what that is a function of, are variables of the lemma."""
    return proposition(axiom, held=point_of(axiom.domain))
