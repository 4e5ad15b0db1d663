"""Expression trees as a person would type them."""

from __future__ import annotations

from boundaudit.checks.language.expression import Tree

_BINDS = {"+": 1, "*": 2, "^": 3}


def to_text(tree: Tree) -> str:
    """A tree as a person would type it.

    Returns:
        Plain text; it is never parsed again.

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
    if head == "item":
        return f"{tree[1]}[{to_text(tree[2])}]"
    if head == "sum":
        low, high, body = (to_text(part) for part in tree[2:])
        return f"sum({body}, {tree[1]}={low}..{high})"
    parts = [_bracketed(part, head) for part in tree[1:]]
    if head == "+":
        return " + ".join(parts).replace("+ -", "- ")
    if head == "*":
        return "-" + "*".join(parts[1:]) if parts[0] == "(-1)" and len(parts) > 1 else "*".join(parts)
    if head == "^":
        return f"sqrt({to_text(tree[1])})" if tree[2] == ("q", 1, 2) else f"{parts[0]}^{parts[1]}"
    return f"{head}({', '.join(to_text(part) for part in tree[1:])})"


def _bracketed(tree: Tree, parent: str) -> str:
    text = to_text(tree)
    weak = _BINDS.get(tree[0], 4) <= _BINDS.get(parent, 0) and tree[0] != parent
    awkward = tree[0] == "q" and parent != "+" and (tree[1] < 0 or (tree[2] != 1 and parent == "^"))
    return f"({text})" if parent in _BINDS and (weak or awkward or (parent == "^" and tree[0] == "^")) else text
