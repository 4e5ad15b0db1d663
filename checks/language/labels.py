"""Labels: the grammar of names that become addresses, names of files and words on a terminal."""

from __future__ import annotations

import re

from boundaudit import InputError, visible

LONGEST = 200
"""Characters of a label: with an ending, the name of a file has room for them."""
_CLAIM = re.compile(r"[a-z][a-z0-9_]*(\.[A-Za-z0-9_-]+)+")
_NAME = re.compile(r"\w[\w.-]*")
_CASE = re.compile(r"(?P<base>[^\[\]]+)(\[(?P<case>[^][\\\n]+)\])?")


def is_label(text: object) -> bool:
    """Whether a text can be the label of a claim, without a case."""
    return _short(text) and _CLAIM.fullmatch(str(text)) is not None


def is_member(text: object) -> bool:
    """Whether a text can be the label of a claim or, with brackets, of one of its cases."""
    found = _CASE.fullmatch(str(text)) if _short(text) else None
    return found is not None and is_label(found["base"]) and visible(str(text)) == text


def is_name(text: object) -> bool:
    """Whether a text can be the label of a chain or a study."""
    return _short(text) and _NAME.fullmatch(str(text)) is not None


def require_visible(field: str, *words: str) -> None:
    """Require that words hold nothing that a terminal obeys, or that turns text around.

    Raises:
        InputError: where one of them does.
    """
    for text in words:
        if visible(text) != text:
            raise InputError(field, "words without control or bidirectional characters", text, "rewrite them")


def _short(text: object) -> bool:
    return isinstance(text, str) and len(text.encode(errors="replace")) <= LONGEST
