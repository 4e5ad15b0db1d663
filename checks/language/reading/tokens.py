"""From LaTeX or plain text to tokens: the same few kinds for both, each with its place in the text.

Nothing is looked up outside of the tables here: a command that is in none of them is an error with a caret.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from boundaudit import InputError

LONGEST_TEXT = 10_000
"""Characters of a text: far more than a display has."""

FUNCTIONS = {
    "log": "log", "ln": "log", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "erf": "erf", "erfc": "erfc", "sign": "sign", "sgn": "sign", "sqrt": "sqrt", "cbrt": "cbrt",
    "root": "root", "abs": "Abs", "Abs": "Abs", "floor": "floor", "ceil": "ceiling", "ceiling": "ceiling",
    "max": "Max", "Max": "Max", "min": "Min", "Min": "Min", "gamma": "gamma", "loggamma": "loggamma",
    "factorial": "factorial", "binomial": "binomial", "binom": "binomial", "sum": "Sum", "Sum": "Sum",
    "asinh": "asinh", "arsinh": "asinh", "arcsinh": "asinh", "acosh": "acosh", "arcosh": "acosh", "arccosh": "acosh",
    "atanh": "atanh", "artanh": "atanh", "arctanh": "atanh", "prod": "Product", "Product": "Product",
    "Maximum": "Maximum", "Minimum": "Minimum",
}  # fmt: skip
"""What may be called, and what it is called here."""
_ALONE = {"log", "ln", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh"}
"""What plain text calls without brackets."""
_OPENERS = ("for", "forall", "where", "with", "when", "whenever", "if", "provided", "such")
_KINDS = ("integer", "integers", "natural", "real", "reals", "positive", "nonnegative")
_FILLERS = ("all", "any", "every", "each", "that", "the", "numbers", "number")
_LOGIC = (
    "or", "not", "iff", "unless", "then", "implies", "some", "exists", "there", "but", "only", "else", "otherwise",
)  # fmt: skip
"""What joins statements in ways that no claim has: none of them is a name."""
_WORDS = {
    "in": "in", "and": "and", "choose": "choose", **dict.fromkeys(("oo", "inf", "infinity"), "∞"),
    **dict.fromkeys(_OPENERS, "for"), **dict.fromkeys(_KINDS, "kind"),
    **dict.fromkeys(_FILLERS, "filler"),
}  # fmt: skip
"""Words of conditions; "for" stands for all that begin them."""
GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "varphi", "chi", "psi", "omega", "Gamma",
    "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "ell",
}  # fmt: skip
MODIFIERS = {
    "hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar", "tilde": "tilde", "widetilde": "tilde",
    "vec": "vec", "dot": "dot", "mathcal": "cal", "mathbf": "bold", "boldsymbol": "bold", "bm": "bold",
}  # fmt: skip
"""What makes another name of a name, with the ending by which SymPy prints it."""
_TEXT = {"text", "textrm", "mbox", "mathrm", "operatorname", "mathit", "mathsf"}
_SPACE = {
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr",
    "quad", "qquad", "displaystyle", "textstyle", "limits", "nolimits", "nonumber",
}  # fmt: skip
_SIGNS = {
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">",
    "ne": "!=", "neq": "!=", "cdot": "*", "times": "*", "div": "/", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|",
    "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋",
    "lceil": "⌈", "rceil": "⌉", "{": "(", "}": ")", "lbrace": "(", "rbrace": ")", "in": "in", "forall": "for",
    "land": "and", "wedge": "and", "colon": ":", "prime": "'", "star": "star", "ast": "star", "infty": "∞",
    "dots": "…", "ldots": "…", "cdots": "…", "mathbb": "mathbb", "frac": "frac", "tfrac": "frac", "dfrac": "frac",
    "tbinom": "binom", "dbinom": "binom", "binom": "binom", "sqrt": "sqrt", "choose": "choose",
}  # fmt: skip
"""Commands, and what they are in either notation."""
_UNICODE = {
    "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!=", "−": "-", "–": "-", "·": "*", "⋅": "*", "×": "*", "∗": "*",
    "∈": "in", "∀": "for", "∧": "and", "∥": "‖", "**": "^", "==": "=", "...": "…", "√": "sqrt", "′": "'",
    "∞": "∞", "∑": "Sum", "∏": "Product",
}  # fmt: skip
_OPEN = {
    **dict.fromkeys(
        ("lesssim", "gtrsim", "approx", "sim", "asymp", "ll", "gg", "propto", "simeq"),
        "a relation without an open constant; write the constant out, and <= or >=",
    ),
    **dict.fromkeys(("int", "iint", "oint"), "no integral; write its value"),
    **dict.fromkeys(("sup", "inf", "argmax", "argmin"), "a maximum of listed numbers; write \\max(a, b)"),
    **dict.fromkeys(("begin", "end", "substack"), "one formula on one line; write it without an environment"),
    **dict.fromkeys(("arccos", "arcsin", "arctan"), "no angles of numbers; name the angle, and write \\cos \\theta"),
    **dict.fromkeys(("top", "intercal"), "numbers; write \\langle v, w\\rangle with v, w \\in \\mathbb{R}^d"),
}  # fmt: skip
"""What is known and cannot be said: what to write instead."""

_PIECES = re.compile(
    r"""(?P<space>\s+|[~$&]|\\[ ,;:!>()\[\]]|\\\\)
      | (?P<command>\\(?:[A-Za-z]+|[{}|%]))
      | (?P<number>\d{1,3}(?:\{,\}\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
      | (?P<word>[^\W\d_]+)
      | (?P<sign><=|>=|!=|==|\*\*|\.\.\.|[-+*/^_(){}\[\],;:!|<>='.]|[≤⩽≥⩾≠−–·⋅×∗∈∀∧∥‖√′∞∑∏⟨⟩⌊⌋⌈⌉…])""",
    re.VERBOSE,
)
_CALLED = re.compile(r"\}?\s*(\^\{?\d+\}?)?\s*\{?\s*(\\left\s*)?\(")
"""What follows the name of a function that is called; a power may stand between."""
_SIDE = re.compile(r"\\(?:(?:big|Big|bigg|Bigg)(?=[lr])|(?=left|right))([lr])(?:eft|ight)?\s*\Z")
"""What stands before a bar that opens, or closes."""
_POWER_OF_TEN = re.compile(r"[eE]([+-]?\d+)")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})*,0\d\d(?:,\d{3})*(?!\d)")
"""A number with commas between its thousands, which is no list: nobody writes 000 for a number of its own."""
_PLAIN_NUMBER = re.compile(r"(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?")
_PLAIN_WORD = re.compile(r"[^\W\d_][^\W_]*")


class Unreadable(InputError):
    """A text that cannot be read, and where."""

    def __init__(self, text: str, at: int, expected: str, remedy: str) -> None:
        """Mark the place, with a little of what stands around it."""
        around = f"{text[max(0, at - 30) : at]}▸{text[at : at + 30]}"
        got = f"{around} (character {at + 1})" if at < len(text) else f"{around} (its end)"
        super().__init__("text", expected, got, remedy)
        self.text, self.at = text, at


@dataclass(frozen=True)
class Token:
    """A piece of a text, and where it begins and ends."""

    kind: str  # number, name, call, modifier, kind (of number), filler, end, or the sign or command itself
    text: str
    at: int
    end: int


def is_latex(text: str) -> bool:
    """Whether letters stand for themselves, as in LaTeX, or make words, as in plain text."""
    return re.search(r"\\[A-Za-z{|]|[_^]\{", text) is not None


def tokens(text: str) -> list[Token]:
    """The tokens of LaTeX or plain text in order, an end behind them.

    Raises:
        InputError: where it is too long, and an `Unreadable` at a character or a command that is none of ours.
    """
    if len(text) > LONGEST_TEXT:
        got = f"{len(text):,} characters"
        raise InputError("text", f"at most {LONGEST_TEXT:,} characters", got, "read one relation at a time")
    found = list(_pieces(text, 0, len(text), is_latex(text)))
    while found and found[-1].kind in (".", ",", ";"):
        found.pop()
    return [*found, Token("end", "", len(text), len(text))]


def _pieces(text: str, at: int, end: int, latex: bool) -> Iterator[Token]:
    while at < end:
        piece = _PIECES.match(text, at, end)
        if piece is None:
            raise Unreadable(text, at, "a formula in LaTeX or plain text", "leave this character out")
        if piece.lastgroup == "number" and (grouped := _GROUPED.match(text, at, end)):
            number = grouped[0].replace(",", "")
            raise Unreadable(text, at, "a number without commas", f"write {number}")
        kind, words, start, at = str(piece.lastgroup), piece[0], at, piece.end()
        if kind == "number" and not latex:
            longer = _PLAIN_NUMBER.match(text, start, end)
            assert longer is not None
            at = longer.end()
            yield Token(kind, longer[0], start, at)
        elif kind == "number":
            if power := _POWER_OF_TEN.match(text, at, end):
                remedy = f"write {words} \\cdot 10^{{{power[1]}}}, or a space before e"
                raise Unreadable(text, start, "a number without e", remedy)
            yield Token(kind, words.replace("{,}", ""), start, at)
        elif kind == "word" and (odd := next((char for char in words if not char.isalpha()), None)):
            raise Unreadable(text, start + words.index(odd), "powers and indices of digits", "write x^2, x_1, 1/2")
        elif (words, kind) == ("|", "sign") and (side := _SIDE.search(text, 0, start)):
            yield from _bar(side[1] == "l", start, at)
        elif words in ("\\lvert", "\\rvert"):
            yield from _bar(words[1] == "l", start, at)
        elif kind == "sign":
            known = _UNICODE.get(words, words)
            yield Token("call" if known in FUNCTIONS else known, known, start, at)
        elif kind == "word" and latex and words not in {*FUNCTIONS, *_WORDS, *_LOGIC}:
            at = start + 1
            yield Token("name", _letter(words[0]), start, at)
        elif kind == "word":
            whole = words if latex else _PLAIN_WORD.match(text, start, end)[0]  # type: ignore[index]
            at = start + len(whole)
            yield _word(whole, text, start, at)
        elif kind == "command" and words[1:] in _TEXT:
            inside = _group(text, at, end)
            yield from _pieces(text, *inside, latex=False)
            at = inside[1] + 1
        elif kind == "command" and words[1:] not in _SPACE:
            yield _command(words[1:], text, start, at)


def _bar(opens: bool, at: int, end: int) -> Iterator[Token]:
    """A bar of a size that shows which way it turns; of two bars alone the nearest are a pair."""
    yield from (Token("call", "abs", at, end), Token("(", "(", at, end)) if opens else (Token(")", ")", at, end),)


def _group(text: str, at: int, end: int) -> tuple[int, int]:
    """Where what stands in braces begins and ends."""
    piece = re.compile(r"\s*\{([^{}]*)\}").match(text, at, end)
    if piece is None:
        raise Unreadable(text, at, "words in braces", "write such as \\text{for}")
    return piece.start(1), piece.end(1)


def _letter(name: str) -> str:
    """A name; a Greek letter by its English name."""
    words = unicodedata.name(name, "").replace("LAMDA", "LAMBDA").split() if len(name) == 1 else []
    greek = words[-1].lower() if words[:1] == ["GREEK"] and len(words) == 4 else ""
    return (greek.capitalize() if words[1] == "CAPITAL" else greek) if greek in GREEK else name


def _word(word: str, text: str, at: int, end: int) -> Token:
    """A word of plain text."""
    called = _CALLED.match(text, end) is not None
    if word in FUNCTIONS and (called or word in _ALONE):
        return Token("call", word, at, end)
    if word.lower() in _LOGIC:
        remedy = "state one relation, or a chain of them; conditions may follow “for”"
        raise Unreadable(text, at, f"a statement without “{word}”", remedy)
    return Token(_WORDS.get(word.lower(), "name"), _letter(word), at, end)


def _command(command: str, text: str, at: int, end: int) -> Token:
    if command == "Gamma" and _CALLED.match(text, end):
        return Token("call", "gamma", at, end)
    if command in GREEK:
        return Token("name", command, at, end)
    if command in MODIFIERS:
        return Token("modifier", command, at, end)
    if command in _SIGNS:
        return Token(_SIGNS[command], command, at, end)
    if command in FUNCTIONS:
        return Token("call", command, at, end)
    if command in _OPEN:
        expected, remedy = _OPEN[command].split("; ", 1)
        raise Unreadable(text, at, expected, remedy)
    known = "functions such as \\log, \\sqrt, \\max and Greek letters"
    raise Unreadable(text, at, known, f"write \\{command} out")
