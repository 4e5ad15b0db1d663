"""Expression trees as a person would type them."""

from __future__ import annotations

from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, names

_BINDS = {"+": 1, "*": 2, "^": 3}
_INDICES = ("i", "j", "k", "l", *(f"i{n}" for n in range(1, 100)))


def to_text(tree: Tree, indices: tuple[str, ...] = ()) -> str:
    """A tree as a person would type it; it is never parsed again.

    ``indices`` names those of the sums around it, the innermost first.

    Example:
        >>> to_text(("+", ("v", "x"), ("q", 1, 2)))
        'x + 1/2'
    """
    head = tree[0]
    if head == "q":
        return str(tree[1]) if tree[2] == 1 else f"{tree[1]}/{tree[2]}"
    if head == "v":
        return str(tree[1])
    if head == "pi":
        return "pi"
    if head == "b":
        return indices[tree[1]]
    if head == "item":
        return f"{tree[1]}[{', '.join(to_text(index, indices) for index in tree[2:])}]"
    if head in FOLDS:
        index = next(name for name in _INDICES if name not in indices and name not in names(tree))
        low, high, body = *(to_text(part, indices) for part in tree[1:3]), to_text(tree[3], (index, *indices))
        return f"{head}({body}, {index}={low}..{high})"
    parts = [_bracketed(part, head, indices) for part in tree[1:]]
    if head == "+":
        return " + ".join(parts).replace("+ -", "- ")
    if head == "*":
        return "-" + "*".join(parts[1:]) if parts[0] == "(-1)" and len(parts) > 1 else "*".join(parts)
    if head in BRANCHES:
        condition, then, other = (to_text(part, indices) for part in tree[1:])
        return f"({then} if {condition} {'==' if head == 'if=' else head[2:]} 0 else {other})"
    if head == "^":
        return f"sqrt({to_text(tree[1], indices)})" if tree[2] == ("q", 1, 2) else f"{parts[0]}^{parts[1]}"
    return f"{head}({', '.join(to_text(part, indices) for part in tree[1:])})"


def _bracketed(tree: Tree, parent: str, indices: tuple[str, ...]) -> str:
    text = to_text(tree, indices)
    weak = _BINDS.get(tree[0], 4) <= _BINDS.get(parent, 0) and tree[0] != parent
    awkward = tree[0] == "q" and parent != "+" and (tree[1] < 0 or (tree[2] != 1 and parent == "^"))
    return f"({text})" if parent in _BINDS and (weak or awkward or (parent == "^" and tree[0] == "^")) else text
