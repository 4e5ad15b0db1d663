"""Formulas as MathML, which a browser draws without a script and a screen reader speaks."""

from __future__ import annotations

import functools
import html
import itertools
import re
import xml.etree.ElementTree as ET

from latex2mathml.converter import Converter
from markupsafe import Markup

_ELEMENTS = frozenset(
    {
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mpadded", "mphantom", "mstyle", "menclose"),
        *("mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover"),
        *("mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd"),
    }
)
_ATTRIBUTES = frozenset(
    {
        *("display", "displaystyle", "scriptlevel", "mathvariant", "notation", "linethickness"),
        *("stretchy", "fence", "form", "separator", "largeop", "movablelimits", "accent", "accentunder"),
        *("lspace", "rspace", "minsize", "maxsize", "width", "height", "depth"),
        *("columnalign", "rowspacing", "columnspacing"),
    }
)


LONGEST = 1500
"""Characters of LaTeX up to which a formula is drawn; a longer one would fill a page."""


@functools.lru_cache(maxsize=4096)
def mathml(latex: str) -> Markup:
    """A formula as MathML, safe to put into a page; its source where it cannot be converted whole.

    The formula may come from anybody's claims file, so the converter's tree is cut down to the elements and
    attributes of presentation MathML and serialised anew: no link, style or foreign element gets through.
    """
    tree = _convert(latex)
    if tree is None or not all(_clean(element) for element in tree.iter()):
        return Markup('<code class="latex">{}</code>').format(latex)
    _join_names(tree)
    _unwrap(tree)
    return Markup(ET.tostring(tree, encoding="unicode"))


def flowing(latex: str) -> Markup:
    """A formula in pieces that a narrow screen sets one below the other, where a wide one holds them in a line."""
    return Markup("<wbr>").join(mathml(piece) for piece in pieces(latex))


def pieces(latex: str) -> list[str]:
    r"""A formula cut before its relations and sums, and after wide spaces, outside of all brackets but large ones.

    Such as ``['a', r'{} \le b', '{} + c']`` for ``a \le b + c``.
    """
    if re.search(r"\\(begin|left)\b", latex):
        return [latex]
    cuts, depth, before = [0], 0, ""
    for token in _TOKEN.finditer(latex):
        if before not in _SIZES:
            depth += (token[0] in _OPEN) - (token[0] in _CLOSE)
        if depth == 0 and token[0] in _JOINTS and before not in ("", "_", "^", r"\not", *_JOINTS):
            cuts.append(token.start())
        elif depth == 0 and token[0] == r"\quad":
            cuts.append(token.end())
        before = token[0]
    parts = (latex[start:end].strip() for start, end in itertools.pairwise([*cuts, len(latex)]))
    return [f"{{}} {part}" if n and part.startswith(_JOINTS) else part for n, part in enumerate(parts) if part]


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s\\]")
_OPEN, _CLOSE = ("{", "(", "[", r"\{"), ("}", ")", "]", r"\}")
_SIZES = (r"\big", r"\Big", r"\bigg")
_JOINTS = ("+", "-", "=", r"\le", r"\ge", r"\to", r"\Rightarrow")


_ALONE = (["mi"], ["mn"])


def _convert(latex: str) -> ET.Element | None:
    try:
        tree: ET.Element = Converter(display="block").convert_to_element(latex)
    except Exception:  # the converter raises a dozen unrelated kinds, IndexError and StopIteration among them
        return None
    return tree


def _join_names(tree: ET.Element) -> None:
    """Upright letters in a row are one name, which is upright by itself and is spoken as a word."""
    for row in tree.iter("mrow"):
        letters = [part.text or "" for part in row if part.tag == "mi" and part.get("mathvariant") == "normal"]
        if len(letters) == len(row) > 1:
            row[:] = []
            ET.SubElement(row, "mi").text = "".join(letters)


def _unwrap(tree: ET.Element) -> None:
    """A formula is a row as it is; so is a name or a number, alone in one of its own."""
    if [part.tag for part in tree] == ["mrow"]:
        tree[:] = list(tree[0])
    for parent in tree.iter():
        parent[:] = [row[0] if row.tag == "mrow" and [part.tag for part in row] in _ALONE else row for row in parent]


def _clean(element: ET.Element) -> bool:
    """Keep what is presentation MathML; say whether the element is, and was understood."""
    if element.text:
        element.text = html.unescape(element.text)  # the converter leaves "&#x02264;" for a later pass
    for name in set(element.attrib) - _ATTRIBUTES:
        del element.attrib[name]
    understood = not (element.text or "").lstrip().startswith("\\")
    return element.tag in _ELEMENTS and understood
