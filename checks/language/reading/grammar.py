"""From tokens to SymPy: recursive descent over a whitelist of functions, bounded in depth and in the size of numbers.

Nothing is evaluated: what SymPy simplifies by itself while a formula is built is noted (`Grammar.risks`), so that who
reads the formula can refuse what has lost a root, a logarithm or a quotient. Every symbol is real and no more.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sympy as sp

from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.reading import sums
from boundaudit.checks.language.reading.parts import RELATIONS, Relation, plain_name, real
from boundaudit.checks.language.reading.tokens import FUNCTIONS, GREEK, MODIFIERS, Token, Unreadable, is_latex
from boundaudit.checks.language.written import KINDS

DEEPEST = 50
"""Brackets, exponents and functions inside of each other."""
LARGEST = 2**15
"""Of a number in an exponent; also the bits of a number that a power makes, in thirties."""
_CLOSING = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩"}
_BEGINS = {
    "number",
    "name",
    "call",
    "modifier",
    "frac",
    "binom",
    "sqrt",
    "mathbb",
    "(",
    "[",
    "{",
    "|",
    "‖",
    "⌊",
    "⌈",
    "⟨",
}
_EXACT = {"Abs", "exp", "floor", "ceiling", "sign", "Max", "Min"}
"""Functions that SymPy would compute with floats to simplify them at numbers: they stay as they are written."""
_ADJACENT = re.compile(r"}*(\s|\\(left|[bB]igg?l?)(?![a-z]))*")
"""What stands between a name and its bracket where LaTeX shows them side by side."""
_PLAIN = {"name", "number", "modifier", "_", "^", "{", "}", "'", "/", "*", "star", "|"}
"""What stands in the brackets of a function, as in f(x): nobody brackets so little for a product."""
_APART = re.compile(r"\n|\\\\|quad")
"""What stands between two statements, and not between two factors."""
_ORDER = re.compile("[Oo](cal|tilde|hat|bar)*")
_COUNT = {"sqrt": (1, 1), "cbrt": (1, 1), "root": (2, 2), "binomial": (2, 2), "Max": (2, 99), "Min": (2, 99)}
_INSTEAD = {
    "kl": "write the sum: \\sum_{i=1}^{n} p_i \\log(p_i/q_i)",
    "tr": "write the sum of the eigenvalues: \\sum_{i=1}^{n} \\lambda_i",
    "det": "write the product of the eigenvalues: \\prod_{i=1}^{n} \\lambda_i",
    **dict.fromkeys(("var", "cov", "pr"), "write E, Var, Cov or P in a Claim on a Space"),
}
"""Functions of more than numbers: what to write instead."""


class Grammar:
    """Reads expressions and relations from tokens."""

    def __init__(
        self, text: str, found: Sequence[Token], vectors: Mapping[str, Any], beside: Iterable[str] = ()
    ) -> None:
        """Read tokens of a text, beside others that have names of their own."""
        self.text = text
        self.names: dict[str, int] = {}  # that stand in the text, in order, each with its first place
        self.bound: set[str] = set()  # indices of sums
        self.sums: list[tuple[str, Any, Any]] = []  # every sum's index, lower and upper end
        self.risks: list[tuple[str, Any]] = []  # denominators, arguments of roots and logarithms, by their word
        self.notes: list[str] = []  # what was decided where the text left a choice
        self.words: dict[str, str] = {}  # names that end in a word, such as x_max, with what stands before it
        self._tokens = list(found)
        self._spelled = {token.text for token in found}.union(beside)
        self._indices = set(_indices_in(found))
        self.notes += [] if not is_latex(text) else _letters_in(found)
        self._latex = is_latex(text)
        self.vectors = vectors  # lengths of those that conditions declare
        self._place = 0
        self._depth = 0
        self._bars: list[str] = []
        self._bare = self._open = -1

    # --- tokens -----------------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self._tokens[self._place]

    def take(self, *kinds: str) -> Token | None:
        """The next token, passed over, where it is of one of these kinds."""
        token = self.next
        if token.kind not in kinds or token.kind == "end":
            return None
        self._place += 1
        return token

    def need(self, kind: str, what: str = "") -> Token:
        """The next token, which has to be of a kind."""
        found = self.take(kind)
        return self.fail(what or kind, f"write {kind} here") if found is None else found

    def fail(self, expected: str, remedy: str, at: int | None = None) -> Any:
        """Say what was expected, where.

        Raises:
            Unreadable: always.
        """
        raise Unreadable(self.text, self.next.at if at is None else at, expected, remedy)

    def ahead(self, *kinds: str) -> bool:
        """Whether the next tokens are of these kinds."""
        return [token.kind for token in self._tokens[self._place : self._place + len(kinds)]] == list(kinds)

    def has(self, name: str) -> bool:
        """Whether a name stands in the text, or was made for it."""
        return name in self.names or name in self._spelled

    @contextmanager
    def inside(self, opening: str) -> Iterator[None]:
        """Read inside of a bracket: a bar there opens another."""
        self._bars.append(opening)
        yield
        self._bars.pop()

    def last_place(self, name: str) -> int:
        """Where a name stands last."""
        return max((token.at for token in self._tokens if token.text == name), default=self.names[name])

    # --- relations and sums of terms ---------------------------------------------------------------

    def relations(self, first: Any = None) -> list[Relation]:
        """A chain of relations, its first side read already or not."""
        sides = [self.expression() if first is None else first]
        signs: list[Token] = []
        while sign := self.take(*RELATIONS):
            signs.append(sign)
            sides.append(self.expression())
        return [Relation(s.kind, sides[i], sides[i + 1], s.at) for i, s in enumerate(signs)]

    def expression(self) -> Any:
        """Terms with plus and minus between them."""
        terms = [self._term()]
        while sign := self.take("+", "-"):
            terms.append(self._term() if sign.kind == "+" else -self._term())
        return sp.Add(*terms)

    def _term(self) -> Any:
        """Factors, as one."""
        return sp.Mul(*self.factors())

    def factors(self) -> list[Any]:
        """Factors, with or without a sign between them; a quotient wants brackets around what is below it."""
        first, barred = self._place, self.next.kind == "|"
        factors, divided = [self._factor()], False
        while True:
            if self.next.kind == "/" and self._place == self._bare:
                self.fail("brackets around an argument", "write log(x/y) or (log x)/y: log x/y may mean either")
            if self.take("*"):
                factors.append(self._factor())
            elif self.take("/"):
                factors.append(self._divided(self._factor()))
                self._require_closed("1/(\\prod_{i=1}^{n} x_i)")
                divided = True
            elif self.next.kind in _BEGINS and not (self.next.kind in ("|", "‖") and self.next.kind in self._bars[-1:]):
                if _APART.search(self.text[self._tokens[self._place - 1].end : self.next.at]):
                    self.fail(
                        "one relation, or a sign where a line ends", "write a product on one line, or with a sign"
                    )
                if divided:
                    self.fail("a sign or a bracket after a quotient", "write a/(b c) or (a/b) c: a/b c may mean either")
                if self.next.kind == "number" and self._tokens[first].kind == "number" and self._place == first + 1:
                    self.fail("one number", "write a sign between two numbers, 1000 or 1{,}000 for thousands")
                if self._is_word(self.next) and self.text[self.next.at - 1].isspace():
                    self._require_sign(self.next)
                if barred and self.next.kind == "|" and self._tokens[first].kind != "|":
                    self.fail("bars that are pairs in one way", "write abs(x) y abs(z), or abs(x abs(y) z)")
                first, barred = self._place, barred or self.next.kind == "|"
                factors.append(self._power())
            else:
                if self.next.kind == "choose" and self._bars[-1:] != ["{"]:
                    self.fail("braces around a binomial", "write \\binom{n}{k}")
                self._open = self._place if divided else self._open
                return factors

    def _is_word(self, token: Token) -> bool:
        """Whether a name is a word that somebody spelled out, and no Greek letter."""
        spelled = token.kind == "name" and token.end - token.at > 1 and self.text[token.at] != "\\"
        return spelled and token.text.isalpha() and token.text not in GREEK

    def _require_sign(self, word: Token) -> None:
        """Nothing stands beside a word without a sign: ``n mod 2``, ``lg x`` and ``n^2 eventually`` are no products."""
        remedy = _INSTEAD.get(word.text.lower(), f"write {word.text}*… for a product, or what it says as a formula")
        self.fail("functions such as log, sqrt, max, sum, or a sign beside a word", remedy, word.at)

    def mark_open(self) -> None:
        """Say that what was read just now might be meant to end elsewhere."""
        self._open = self._place

    def _require_closed(self, shown: str) -> None:
        """Where something else depends on it, it has to be plain where a sum or a product ends."""
        if self._place == self._open:
            self.fail("brackets around a sum or a product", f"write such as {shown}", self.next.at)

    def _divided(self, below: Any) -> Any:
        self.risks.append(("quotient", below))
        return self.raised(below, sp.Integer(-1))

    def _factor(self) -> Any:
        minus = 0
        while sign := self.take("+", "-"):
            minus += sign.kind == "-"
        found = self._power()
        return -found if minus % 2 else found

    def _power(self) -> Any:
        """An atom, a factorial, a power."""
        self._depth += 1
        if self._depth > DEEPEST:
            self.fail(f"at most {DEEPEST} levels of brackets and exponents", "name a part of it by a symbol")
        found = self._atom()
        if mark := self.take("!"):
            found = self._called("factorial", [found], mark.at)
            if self.next.kind == "!":
                self.fail("one factorial", "write a double factorial out")
        while mark := self.take("^"):
            self._require_power(found, mark)
            exponent = self.exponent()
            if self.next.kind == "_" and isinstance(found, sp.Symbol):  # v^2_i
                found = self._subscripted(found.name)
            if isinstance(found, sp.Symbol) and found.name in self.vectors:
                self.fail("a power of a number", "write \\langle x, y\\rangle for x^T y, \\|x\\|^2 for x^2", mark.at)
            found = self._positive_part(found)  # (x - 1)^2_+
            found = self.raised(found, exponent)
            self._require_end(self._tokens[self._place - 1])
            if isinstance(found.as_base_exp()[0], (sp.Symbol, sp.Indexed)):  # f^2(x)
                self._require_product(text_of(found))
            if self._latex and self.next.kind == "^":
                self.fail("one exponent", "write x^{y^z} or {x^y}^z")
        self._depth -= 1
        return found

    def _require_end(self, last: Token) -> None:
        """It is plain where an exponent ends: that of x^n!, e^2x and x^1/2 may be meant to end elsewhere."""
        joined = not self._latex and self.next.kind == "name" and self.next.at == last.end
        if last.kind == "!" or (last.kind == "number" and (joined or (last.text == "1" and self.next.kind == "/"))):
            self.fail("brackets around an exponent, or a sign behind it", "write x^(2y) or x^2*y, x^(1/2), x^(n!)")

    def _require_power(self, base: Any, mark: Token) -> None:
        """A superscript is a power: x^{(t)} counts iterates, and x^T y may be meant as an inner product."""
        if not self._latex or not isinstance(base, (sp.Symbol, sp.Indexed)):
            return
        bracketed = self.ahead("{", "(") or self.ahead("{", "[")
        if bracketed and self._tokens[self._closed(self._place + 1) + 1].kind == "}":
            self.fail("a power, or an index below", "write x_{t} for an index, x^{t} for a power", mark.at)
        if self.next.text == "T" and self._tokens[self._place + 1].kind == "name":
            vectors = "\\langle x, y\\rangle with x, y \\in \\mathbb{R}^d"
            self.notes.append(f"{text_of(base)}^T is read as a power (of vectors write {vectors})")

    def _closed(self, opening: int) -> int:
        """The place of the token that closes a bracket; the last one where there is none."""
        depth = 0
        for place in range(opening, len(self._tokens) - 1):
            depth += (self._tokens[place].kind in ("(", "[", "{")) - (self._tokens[place].kind in (")", "]", "}"))
            if depth == 0:
                return place
        return len(self._tokens) - 2

    def _positive_part(self, found: Any) -> Any:
        """What is above zero of it, where ``_+`` says so."""
        if self.ahead("_", "+"):
            self._place += 2
        elif self.ahead("_", "{", "+", "}"):
            self._place += 4
        else:
            return found
        return self._called("Max", [found, sp.Integer(0)])

    def exponent(self) -> Any:
        """What stands behind ^."""
        if not self._latex:
            return self._factor()
        return -self._script() if self.take("-") else self._script()

    def _script(self) -> Any:
        """A subscript, or LaTeX's exponent: of a number without braces LaTeX takes one digit only."""
        if self.next.kind == "number" and (not self._latex or len(self.next.text) > 1):
            return self.fail("one digit or braces", f"write {{{self.next.text}}}") if self._latex else self._atom()
        return self.argument()

    def argument(self) -> Any:
        """What a LaTeX command takes: braces, or one digit, letter or command."""
        if self.next.kind == "{":
            return self.between("{")
        digits = self.next
        if digits.kind == "number" and len(digits.text) > 1:
            if "." in digits.text:
                self.fail("one digit or braces", f"write {{{digits.text}}}")
            rest = Token("number", digits.text[1:], digits.at + 1, digits.end)
            self._tokens[self._place] = rest
            return sp.Integer(digits.text[0])
        return self._named(digits, alone=True) if digits.kind == "name" else self._atom()

    # --- atoms ------------------------------------------------------------------------------------

    def _atom(self) -> Any:
        token = self.next
        if token.kind == "number":
            self._place += 1
            return self._number(token)
        if token.kind in ("name", "modifier"):
            return self._named(token)
        if token.kind == "call":
            self._place += 1
            return self._call(FUNCTIONS[token.text], token)
        if token.kind in ("(", "[", "{"):
            found = self.between(token.kind)
            if (positive := self._positive_part(found)) is not found:
                return positive
            return self._subscripted(plain_name(found)) if self.next.kind == "_" and plain_name(found) else found
        if token.kind in ("|", "⌊", "⌈"):
            inside, doubled = self.between(token.kind), self._tokens[self._place - 2].kind == "|"
            if token.kind == "|" and doubled and isinstance(inside, sp.Abs):
                self.fail("a number in bars", "write \\|v\\| for the norm of a vector", token.at)
            return self._called({"|": "Abs", "⌊": "floor", "⌈": "ceiling"}[token.kind], [inside])
        if token.kind in ("‖", "⟨"):
            return sums.norm(self) if token.kind == "‖" else sums.inner(self)
        if self.take("frac"):
            above = self.argument()
            return above * self._divided(self.argument())
        if self.take("binom"):
            return self._called("binomial", [self.argument(), self.argument()], token.at)
        if self.take("sqrt"):
            degree = self.between("[") if self.next.kind == "[" else sp.Integer(2)
            return self._root(self.argument() if self._latex else self._power(), degree)
        if token.kind == "mathbb":
            self.fail("no expectation or probability", "write E, Var, Cov or P in a Claim on a Space")
        if token.kind == "∞":
            self.fail("a number", "infinity stands at the upper end of a sum only")
        if token.kind == "…":
            self.fail("every term", "write the terms as a sum: \\sum_{i=1}^{n}; a condition on all as x_{i+1} <= x_i")
        return self.fail("a number, a name or a bracket", "complete the formula here")

    def between(self, opening: str) -> Any:
        """What stands in brackets."""
        at = self.need(opening).at
        with self.inside(opening):
            found = self.expression()
            if opening == "{" and self.take("choose"):
                found = self._called("binomial", [found, self.expression()], at)
        self.need(_CLOSING[opening], f"a sign, or the closing {_CLOSING[opening]}")
        return found

    def _number(self, token: Token) -> Any:
        mantissa, _, exponent = token.text.lower().partition("e")
        if len(exponent) > 4:
            self.fail("numbers of moderate size", "choose a unit in which it is smaller", token.at)
        return sp.Rational(mantissa) * sp.Integer(10) ** int(exponent or 0)

    def name(self) -> str:
        """A name with its modifiers, in braces or not."""
        if modifier := self.take("modifier"):
            return self.name() + MODIFIERS[modifier.text]
        if self.take("{"):
            found = self.name()
            self.need("}")
            return found
        token = self.need("name", "a name")
        name = token.text
        while self.take("'"):
            name += "prime"
        for star in ("star", "*"):
            for kinds in (("^", star), ("^", "{", star, "}")):
                if self.ahead(*kinds):
                    self._place += len(kinds)
                    name += "star"
        self.names.setdefault(name, token.at)
        return name

    def _named(self, token: Token, *, alone: bool = False) -> Any:
        name = self.name()
        closing = self.next.kind in ("|", "‖") and self.next.kind in self._bars[-1:]
        beside = self.next.kind in _BEGINS and not closing and not alone
        order = self.next.kind == "(" and _ORDER.fullmatch(name)
        if (name == "E" and beside) or (name in ("P", "Pr", "Var") and self.next.kind == "[") or order:
            remedy = "write E, Var, Cov or P in a Claim on a Space, and a constant out"
            self.fail("no expectation, probability or order of growth", remedy, token.at)
        constant = name in ("pi", "e") or (name == "E" and not self._latex)
        if constant and (alone or self.next.kind != "_"):
            del self.names[name]
            self._require_product(name)
            return sp.pi if name == "pi" else sp.E
        if alone:
            return real(name)
        adjacent = self.next.kind == "(" and not self.text[token.end : self.next.at].strip("}")
        spelled = token.end - token.at > 1 and self.text[token.at] != "\\"
        if token.text in FUNCTIONS and token.text not in GREEK:
            remedy = f"write {token.text}(…), \\{token.text} in LaTeX, or another name"
            self.fail(f"brackets around an argument of {token.text}", remedy, token.at)
        if (beside and self._is_word(token)) or (adjacent and spelled):
            self._require_sign(token)
        if self.next.kind == "[" and self.next.at == token.end and not self._latex:
            return sp.IndexedBase(name, real=True)[self.between("[")]
        return self._subscripted(name)

    def _subscripted(self, name: str) -> Any:
        """A name, with its subscript as an index: which of them are parts of names, the reader decides."""
        found = self._indexed(name)
        shown = plain_name(found) or text_of(found)
        if self._require_product(shown):
            self.notes.append(f"{shown}(…) is read as a product, {shown} times the bracket")
        return found

    def _require_product(self, shown: str) -> bool:
        """Whether a bracket follows that is a factor; nobody brackets so little for a product as f(x) does."""
        between = self.text[self._tokens[self._place - 1].end : self.next.at]
        if self.next.kind != "(" or not (_ADJACENT.fullmatch(between) if self._latex else not between):
            return False
        inside = [token.kind for token in self._tokens[self._place + 1 : self._closed(self._place)]]
        if {*inside[inside[:1] == ["-"] :]} <= _PLAIN:
            remedy = f"write {shown}*(…) for a product, a name such as y for the value of a function"
            self.fail("functions such as log, sqrt, max, sum", remedy)
        return True

    def _indexed(self, name: str) -> Any:
        self.names.setdefault(name, self.next.at)
        under = self.take("_")
        if under is None:
            return real(name)
        if self.next.kind == "+" or self.ahead("{", "+", "}"):
            self.fail("brackets around what has a positive part", f"write ({name})_+, or another subscript", under.at)
        if word := self._word():
            self.names.setdefault(f"{name}_{word}", under.at)
            self.words[f"{name}_{word}"] = name
            return real(f"{name}_{word}")
        index = self._script()
        if not self._latex and self.next.kind == "name" and self.next.at == self._tokens[self._place - 1].end:
            self.fail(
                "one index", f"write {name}_{{{index}{self.next.text}}}, or {name}_{index}*{self.next.text}", under.at
            )
        if index.is_Mul and len(index.free_symbols) > 1:
            self.fail("one index", "matrices are measured: see Quantity", under.at)
        return sp.IndexedBase(name, real=True)[index]

    def _word(self) -> str | None:
        r"""A subscript that is a word: ``\max``, ``*``, ``{nl}`` where neither n nor l is the index of a sum."""
        braced = self.next.kind == "{"
        first = end = self._place + braced
        while self._tokens[end].kind in ("name", "number", "call"):
            end += 1
        end += self._tokens[end].kind in ("star", "*")
        tokens = self._tokens[first:end] if braced else self._tokens[first : first + 1]
        words = "".join("star" if token.kind in ("star", "*") else token.text for token in tokens)
        counted = all(token.text in self._indices for token in tokens if token.kind == "name")
        alone = words.isalnum() and not counted and [token.kind for token in tokens] != ["number", "name"]  # x_{2n}
        if len(tokens) == 1:
            typed = len(words) > 1 and tokens[0].end - tokens[0].at == len(words) and tokens[0].kind == "name"
            alone = tokens[0].kind in ("call", "star", "*") or words in ("e", "E", "pi") or (typed and not counted)
        if not alone or (braced and self._tokens[end].kind != "}"):
            return None
        self._place = end + 1 if braced else first + 1
        return words

    # --- functions --------------------------------------------------------------------------------

    def _call(self, function: str, token: Token) -> Any:
        if function in ("Max", "Min") and self.next.kind == "_":
            return sums.total(self, f"{function}imum", token)
        if function in ("Sum", "Product", "Maximum", "Minimum"):
            return sums.plain(self, function) if self.next.kind == "(" else sums.total(self, function, token)
        exponent = base = None
        while mark := self.take("^", "_"):
            if function != "log" and (mark.kind == "_" or function in ("Max", "Min")):
                self.fail("listed arguments", f"write such as {token.text}(a, b)", mark.at)
            exponent, base = (self.exponent(), base) if mark.kind == "^" else (exponent, self._script())
        if exponent is not None and not (exponent.is_number and exponent.is_positive):
            self.fail("a positive exponent of a function", "put the whole of it in brackets: (f(x))^{-1}", token.at)
        found = self._called(function, self._arguments(), token.at)
        if base is not None:
            found *= self._divided(self._called("log", [base], token.at))
        return found if exponent is None else self.raised(found, exponent)

    def _arguments(self) -> list[Any]:
        """Brackets with commas; else one factor, or a run of letters and numbers."""
        opening, last = self.next, self._place
        if opening.kind in ("(", "[", "{"):
            if self.ahead("{", "("):  # \log{\left(x\right)}, \max{\left(a, b\right)}
                self._place += 1
                found = self._arguments()
                if self.take("}"):
                    return found
                self._place = last
            self.need(opening.kind)
            with self.inside(opening.kind):
                found = [self.expression()]
                while self.take(","):
                    found.append(self.expression())
            self.need(_CLOSING[opening.kind], f"a comma or the closing {_CLOSING[opening.kind]}")
            self._bare = self._place if opening.kind == "{" else self._bare  # LaTeX shows no braces
            return found
        simple = opening.kind in ("number", "name")
        run = [self._power()]
        while simple and self.next.kind in ("number", "name"):
            run.append(self._power())
        self._bare = self._place if simple else self._bare
        self._require_closed("\\log(\\prod_{i=1}^{n} x_i)")
        return [sp.Mul(*run)]

    def _called(self, function: str, arguments: list[Any], at: int | None = None) -> Any:
        low, high = _COUNT.get(function, (1, 1))
        if not low <= len(arguments) <= high:
            many = str(low) if low == high else f"at least {low}"
            self.fail(f"{many} argument{'s' * (high > 1)} of {function}", "separate them by commas", at)
        if function in ("sqrt", "cbrt", "root"):
            return self._root(arguments[0], arguments[1] if arguments[1:] else 3 if function == "cbrt" else 2)
        if function in KINDS:
            self.risks.append((KINDS[function], arguments[0]))
        if function == "exp":
            self._require_moderate(arguments[0])
        small = all(argument.is_Rational and abs(argument) < 1000 and argument.q < 1000 for argument in arguments)
        numbers = all(argument.is_number for argument in arguments)
        evaluate = small and function != "exp" if function in _EXACT else small or not numbers
        return self._finite(getattr(sp, function)(*arguments, evaluate=evaluate))

    def _root(self, of: Any, degree: Any) -> Any:
        return self.raised(of, 1 / sp.sympify(degree, strict=True))

    def raised(self, base: Any, exponent: Any) -> Any:
        """A power of moderate size, its base noted where the exponent is not whole."""
        self._require_moderate(exponent)
        size = max(abs(base.as_coeff_Mul()[0].p), base.as_coeff_Mul()[0].q)
        if exponent.is_Rational and int(size).bit_length() * abs(exponent) > 30 * LARGEST:
            self.fail("numbers of moderate size", "choose a unit in which it is smaller")
        if not exponent.is_integer:
            self.risks.append(("root", base))
        return self._finite(sp.Pow(base, exponent))

    def _finite(self, found: Any) -> Any:
        if found.is_number and found.has(sp.zoo, sp.nan, sp.oo, sp.I):
            self.fail("numbers that exist", "leave out what divides by zero, or is a root of less than zero")
        return found

    def _require_moderate(self, exponent: Any) -> None:
        """Numbers in exponents stay where SymPy can hold what it makes of them."""
        for part in sp.Add.make_args(exponent):
            if part.is_number and not _is_moderate(part):
                self.fail(f"exponents of at most {LARGEST:,}", "choose a unit in which it is smaller")


def _is_moderate(number: Any) -> bool:
    try:
        return bool(number.is_extended_real and abs(sp.N(number, 5)) <= LARGEST)
    except ValueError:  # a series that has no value
        return False


def _indices_in(found: Sequence[Token]) -> Iterator[str]:
    r"""The names that sums count with: those in ``_{i, j =``, ``_{i \in`` and ``\le i \le``."""
    for place, token in enumerate(found):
        if token.kind == "{" and place and found[place - 1].kind == "_":
            inside = list(itertools.takewhile(lambda t: t.kind in ("name", ","), found[place + 1 :]))
            if inside and found[place + 1 + len(inside)].kind in ("=", "in"):
                yield from (name.text for name in inside)
            within = list(itertools.takewhile(lambda t: t.kind != "}", found[place + 1 :]))
            for before, name, behind in zip(within, within[1:], within[2:], strict=False):
                if before.kind == behind.kind == "<=":
                    yield name.text


def _letters_in(found: Sequence[Token]) -> list[str]:
    """Runs of letters that LaTeX sets as a product, and that may have been meant as a word."""
    runs: list[str] = []
    last = None
    for token in found:
        letter = token.kind == "name" and token.end - token.at == 1
        joined = letter and last is not None and last.end == token.at
        runs += [] if not letter or joined else [""]
        if letter:
            runs[-1] += token.text
        last = token if letter else None
    return [
        f"{run} is read as the product of its letters (else write \\mathrm{{{run}}})" for run in runs if len(run) > 2
    ]
