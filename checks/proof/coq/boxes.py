"""Covers by boxes in Coq: the splitting that a certificate gives, and interval arithmetic on each leaf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.expression import FOLDS, names, walk
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.coq.book import Book, Certificate
from boundaudit.checks.proof.coq.terms import NotExported, fraction, identifier, less, number, text
from boundaudit.checks.proof.kernel.boxes import Box, halves, root_box


def by_boxes(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """A cover by boxes: the splitting that the certificate gives, and interval arithmetic on each leaf."""
    box = root_box(statement.domain)
    kinds = {declared["name"]: declared for declared in statement.domain["parameters"]}
    lines = [f"assert (sign : 0 {less(statement.is_strict)} {text(statement.goal)}); [|lra]."]
    if not names(statement.goal) <= box.keys():
        raise NotExported("boxes over what is no bounded number")
    if any(node[0] in (*FOLDS, "floor") for node in walk(statement.goal)):
        raise NotExported("boxes over a sum, a product or a floor")
    ends = (end for declared in kinds.values() for end in trees_of(declared).values())
    spoken = names(statement.goal).union(*map(names, ends))
    for parameter, (low, high) in box.items():
        if parameter in spoken:
            lines += _in_box(kinds[parameter], identifier(parameter), fraction(low), fraction(high))
    lines.append("in_elementary_functions.")
    _split_box(certificate["tree"], box, kinds, sorted(names(statement.goal)), "", lines)
    return lines


def _in_box(declared: Mapping[str, Any], word: str, low: Fraction, high: Fraction) -> list[str]:
    """The rational ends of a parameter of the root box."""
    if low == high and declared["range"] == "choices":
        return [f"subst {word}."]
    lines = [f"assert (in_{word} : {number(low)} <= {word} <= {number(high)}) by split_ends."]
    if low == high:
        lines += [f"assert (is_{word} : {word} = {number(low)}) by lra.", f"subst {word}."]
    return lines


def _split_box(
    node: Sequence[Any], box: Box, kinds: Mapping[str, Any], axes: Sequence[str], indent: str, lines: list[str]
) -> None:
    """The lines for a node of the subdivision."""
    if node[0] == "split":
        _, parameter, *nodes = node
        parts, word = halves(kinds[parameter], box[parameter]), identifier(parameter)
        middle, after = number(fraction(parts[0][1])), number(fraction(parts[1][0]))
        case = f"side_{len(indent)}"
        lines.append(f"{indent}destruct (Rle_or_lt {word} {middle}) as [{case}|{case}].")
        for k, (part, inner) in enumerate(zip(parts, nodes, strict=True)):
            lines.append(f"{indent}{{")
            if k == 1 and kinds[parameter]["range"] == "integers":
                end = f"{middle} + 1"
                by = "(apply integer_less; [whole|whole|lra])"
                lines.append(f"{indent}  assert (next_{len(indent)} : {end} <= {word}) by {by}.")
            if k == 1 and kinds[parameter]["range"] == "choices":
                lines.append(f"{indent}  assert (next_{len(indent)} : {after} <= {word}) by lra.")
            _split_box(inner, {**box, parameter: part}, kinds, axes, indent + "  ", lines)
            lines.append(f"{indent}}}")
        return
    if node[0] == "touch":
        raise NotExported("boxes that touch zero")
    if node[0] == "outside":
        lines.append(f"{indent}exfalso; lra.")
        return
    moving = [axis for axis in axes if box[axis][0] != box[axis][1]]
    ranges = [
        f"in_box {number(fraction(box[axis][0]))} {identifier(axis)} {number(fraction(box[axis][1]))}"
        for axis in moving
    ]
    ways = ["interval with (i_prec 100)"]
    if moving:
        bisected = ", ".join(f"i_bisect {identifier(axis)}" for axis in moving)
        ways += [
            f"interval with ({bisected}, i_taylor {identifier(moving[0])}, i_prec 100)",
            f"interval with ({bisected}, i_autodiff {identifier(moving[0])}, i_prec 100)",
            f"interval with ({bisected}, i_prec 100, i_depth 24)",
        ]
    lines.append(f"{indent}{'; '.join([*ranges, ''])}first [ {' | '.join(ways)} ].")
