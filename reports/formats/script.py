"""A standalone script for one recorded case: about twenty lines, mpmath only, for the authors of a statement."""

from __future__ import annotations

import keyword
import re
from fractions import Fraction
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.claim import Claim, side_text
from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, names
from boundaudit.checks.run.reproduce import recorded_case

_FUNCTIONS = {"log": "mp.log", "exp": "mp.exp", "sin": "mp.sin", "cos": "mp.cos", "abs": "abs", "floor": "mp.floor",
              "max": "max", "min": "min", "gamma": "mp.gamma", "erf": "mp.erf", "binomial": "mp.binomial"}  # fmt: skip
_TAKEN = {"left", "right", "mp", "mpf", "abs", "int", "max", "min", "print", "range"}
_TEMPLATE = '''\
"""{statement}

{paper}
Recorded case of the claim {label}, in 50-digit arithmetic; needs mpmath only.
"""

from mpmath import mp, mpf

mp.dps = 50

{point}

# {left_name}
left = {left}

# {right_name}
right = {right}

print("left  =", mp.nstr(left, 20))
print("right =", mp.nstr(right, 20))
print("claimed: left {relation} right;", "holds here" if {test} else "violated here")
'''


def standalone(claim: Claim, findings: Findings) -> str:
    """The script for a claim's recorded case. Raises InputError where a side has no definition that it can carry."""
    statement = claim.statement_form
    if statement is None:
        raise InputError(claim.label, "a claim whose sides are defined entry by entry", "a measured side alone",
                         "use `boundaudit reproduce` without --script")  # fmt: skip
    point = recorded_case(claim.label, findings).point
    used = names(statement.left) | names(statement.right)
    lines = [f"{_name(name)} = {_value(value)}" for name, value in point.items() if name in used]
    equal = "abs(left - right) < mpf(10) ** -40 * max(1, abs(left))"
    return _TEMPLATE.format(
        statement=_quoted(claim.statement),
        paper=_quoted(f"{claim.paper}, {', '.join(claim.place)}".strip(", ") or "No source given."),
        label=claim.label, point="\n".join(lines), left_name=_line(side_text(claim.left)),
        right_name=_line(side_text(claim.right)), left=_code(statement.left), right=_code(statement.right),
        relation=claim.relation, test=equal if claim.relation == "=" else f"left {claim.relation} right",
    )  # fmt: skip


def _quoted(text: str) -> str:
    """Words as they may stand in a docstring."""
    return _line(text).replace("\\", "\\\\").replace('"', '\\"')


def _line(text: str) -> str:
    """Words on one line, as they may stand in a comment."""
    return " ".join(text.split())


def _name(name: str) -> str:
    """A parameter's name as a Python name of its own."""
    plain = re.sub(r"\W", "_", name)
    return f"{plain}_" if keyword.iskeyword(plain) or plain in _TAKEN else plain


def _value(value: Any) -> str:
    """An exact value as Python code: a float is the dyadic rational it is."""
    if isinstance(value, tuple):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    exact = Fraction(value)
    return str(exact) if exact.denominator == 1 else f"mpf({exact.numerator}) / {exact.denominator}"


def _code(tree: Tree, indices: tuple[str, ...] = ()) -> str:
    """An expression tree as Python code for mpmath; the indices of the sums around it have these names."""
    head = tree[0]
    if head == "q":
        text = str(tree[1]) if tree[2] == 1 else f"mpf({tree[1]}) / {tree[2]}"
        return text if tree[1] >= 0 and tree[2] == 1 else f"({text})"
    if head == "v":
        return _name(tree[1])
    if head == "pi":
        return "mp.pi"
    if head == "b":
        return indices[tree[1]]
    if head == "item":
        return f"{_name(tree[1])}[{_code(tree[2], indices)} - 1]"
    if head in FOLDS:
        index = f"_{len(indices)}"
        low, high, body = *(_code(part, indices) for part in tree[1:3]), _code(tree[3], (index, *indices))
        return f"mp.{'fsum' if head == 'sum' else 'fprod'}({body} for {index} in range(int({low}), int({high}) + 1))"
    parts = [_code(part, indices) for part in tree[1:]]
    if head in ("+", "*"):
        return f"({f' {head} '.join(parts)})"
    if head == "^":
        return f"mpf({parts[0]}) ** {parts[1]}"
    if head in BRANCHES:
        return f"({parts[1]} if {parts[0]} {head[2:] if head != 'if=' else '=='} 0 else {parts[2]})"
    return f"{_FUNCTIONS[head]}({', '.join(parts)})"
