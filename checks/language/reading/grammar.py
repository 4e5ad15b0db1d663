"""From tokens to SymPy: recursive descent over a whitelist of functions, bounded in depth and in the size of numbers.

Nothing is evaluated: what SymPy simplifies by itself while a formula is built is noted (`Grammar.risks`), so that who
reads the formula can refuse what has lost a root, a logarithm or a quotient. Every symbol is real and no more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from boundaudit.checks.language.abstract.extremes import Maximum, Minimum
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.reading.tokens import FUNCTIONS, MODIFIERS, Token, Unreadable, is_latex

DEEPEST = 50
"""Brackets, exponents and functions inside of each other."""
LARGEST = 2**15
"""Of a number in an exponent; also the bits of a number that a power makes, in thirties."""
RELATIONS = {"<=", ">=", "=", "<", ">", "!="}
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
INDICES = ("k", "j", "l", "m", "r", *(f"k{n}" for n in range(DEEPEST)))
"""What the indices of norms and of conditions are called, the first that the text has not."""
_COUNT = {"sqrt": (1, 1), "cbrt": (1, 1), "root": (2, 2), "binomial": (2, 2), "Max": (2, 99), "Min": (2, 99)}


@dataclass(frozen=True)
class Relation:
    """Two sides and the sign between them.

    Attributes:
        sign: Between the sides.
        left: What stands before it.
        right: What stands behind it.
        at: Its place in the text.
        over: The index at each value of which it holds, with its ends; of a relation between numbers, nothing.
    """

    sign: str
    left: Any
    right: Any
    at: int = field(compare=False)
    over: tuple[Any, Any, Any] | None = None

    @property
    def sides(self) -> tuple[Any, Any]:
        """Left and right."""
        return self.left, self.right

    @property
    def text(self) -> str:
        """The relation as it is told."""
        return f"{text_of(self.left)} {self.sign} {text_of(self.right)}"

    @property
    def free(self) -> set[str]:
        """The names that it speaks of."""
        index, *ends = self.over or (None,)
        symbols = set().union(*(part.free_symbols for part in self.sides)) - {index}
        return {s.name for s in symbols.union(*(end.free_symbols for end in ends)) if s.is_Symbol}


def real(name: str) -> Any:
    """The symbol of a name, of which nothing is assumed but that it is real."""
    return sp.Symbol(name, real=True)


def plain_name(of: Any) -> str:
    """The name that a symbol has, or that a name with a subscript makes; empty for anything else."""
    if isinstance(of, sp.Indexed):
        index = of.indices[0]
        return f"{of.base}_{index}" if index.is_Symbol or index.is_Integer else ""
    return str(of.name) if of.is_Symbol else ""


class Grammar:
    """Reads expressions and relations from tokens.

    Attributes:
        names: The names that stand in the text, in order, each with its first place.
        bound: Indices of sums.
        sums: Every sum's index, lower and upper end.
        risks: Roots' and logarithms' arguments and denominators, by the word for each.
        notes: What was decided where the text left a choice.
    """

    def __init__(self, text: str, found: Sequence[Token], vectors: Mapping[str, Any]) -> None:
        self.text = text
        self.names: dict[str, int] = {}
        self.bound: set[str] = set()
        self.sums: list[tuple[str, Any, Any]] = []
        self.risks: list[tuple[str, Any]] = []
        self.notes: list[str] = []
        self._tokens = list(found)
        self._words = {token.text for token in found}
        self._indices = set(_indices_in(found))
        self.notes += [] if not is_latex(text) else _letters_in(found)
        self._latex = is_latex(text)
        self._vectors = vectors
        self._place = 0
        self._depth = 0
        self._bars: list[str] = []

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
        """Factors, with or without a sign between them; a quotient wants brackets around what is below it."""
        factors, divided = [self._factor()], False
        while True:
            if self.take("*"):
                factors.append(self._factor())
            elif self.take("/"):
                factors.append(self._divided(self._factor()))
                divided = True
            elif self.next.kind in _BEGINS and not (self.next.kind in ("|", "‖") and self.next.kind in self._bars[-1:]):
                if divided:
                    self.fail("a sign or a bracket after a quotient", "write a/(b c) or (a/b) c: a/b c may mean either")
                factors.append(self._power())
            else:
                return sp.Mul(*factors)

    def _divided(self, below: Any) -> Any:
        self.risks.append(("quotient", below))
        return self._raised(below, sp.Integer(-1))

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
        while self.take("^"):
            exponent = self.exponent()
            if self.next.kind == "_" and isinstance(found, sp.Symbol):  # v^2_i
                found = self._subscripted(found.name)
            found = self._raised(found, exponent)
            if self._latex and self.next.kind == "^":
                self.fail("one exponent", "write x^{y^z} or {x^y}^z")
        self._depth -= 1
        return found

    def exponent(self) -> Any:
        """What stands behind ^."""
        if not self._latex:
            return self._factor()
        return -self._script() if self.take("-") else self._script()

    def _script(self) -> Any:
        """A subscript, or LaTeX's exponent: of a number without braces LaTeX takes one digit only."""
        if self.next.kind == "number" and (not self._latex or len(self.next.text) > 1):
            return self.fail("one digit or braces", f"write {{{self.next.text}}}") if self._latex else self._atom()
        return self._argument()

    def _argument(self) -> Any:
        """What a LaTeX command takes: braces, or one digit, letter or command."""
        if self.next.kind == "{":
            return self._between("{")
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
            found = self._between(token.kind)
            return self._subscripted(plain_name(found)) if self.next.kind == "_" and plain_name(found) else found
        if token.kind in ("|", "⌊", "⌈"):
            inside, doubled = self._between(token.kind), self._tokens[self._place - 2].kind == "|"
            if token.kind == "|" and doubled and isinstance(inside, sp.Abs):
                self.fail("a number in bars", "write \\|v\\| for the norm of a vector", token.at)
            return self._called({"|": "Abs", "⌊": "floor", "⌈": "ceiling"}[token.kind], [inside])
        if token.kind in ("‖", "⟨"):
            return self._norm() if token.kind == "‖" else self._inner()
        if self.take("frac"):
            above = self._argument()
            return above * self._divided(self._argument())
        if self.take("binom"):
            return self._called("binomial", [self._argument(), self._argument()], token.at)
        if self.take("sqrt"):
            degree = self._between("[") if self.next.kind == "[" else sp.Integer(2)
            return self._root(self._argument() if self._latex else self._power(), degree)
        if token.kind == "mathbb":
            self.fail("no expectation or probability", "write E, Var, Cov or P in a Claim on a Space")
        if token.kind == "∞":
            self.fail("a number", "infinity stands at the upper end of a sum only")
        if token.kind == "…":
            self.fail("every term", "write the terms as a sum: \\sum_{i=1}^{n}")
        return self.fail("a number, a name or a bracket", "complete the formula here")

    def _between(self, opening: str) -> Any:
        """What stands in brackets."""
        self.need(opening)
        self._bars.append(opening)
        found = self.expression()
        self._bars.pop()
        self.need(_CLOSING[opening], f"a sign, or the closing {_CLOSING[opening]}")
        return found

    def _number(self, token: Token) -> Any:
        mantissa, _, exponent = token.text.lower().partition("e")
        if len(exponent) > 4:
            self.fail("numbers of moderate size", "choose a unit in which it is smaller", token.at)
        return sp.Rational(mantissa) * sp.Integer(10) ** int(exponent or 0)

    def _name(self) -> str:
        """A name with its modifiers, in braces or not."""
        if modifier := self.take("modifier"):
            return self._name() + MODIFIERS[modifier.text]
        if self.take("{"):
            found = self._name()
            self.need("}")
            return found
        token = self.need("name", "a name")
        name = token.text
        while self.take("'"):
            name += "prime"
        if self.ahead("^", "star") or self.ahead("^", "*"):
            self._place += 2
            name += "star"
        self.names.setdefault(name, token.at)
        return name

    def _named(self, token: Token, *, alone: bool = False) -> Any:
        name = self._name()
        constant = name in ("pi", "e") or (name == "E" and not self._latex)
        if constant and (alone or self.next.kind != "_"):
            del self.names[name]
            return sp.pi if name == "pi" else sp.E
        if alone:
            return real(name)
        if self.next.kind == "(" and not self.text[token.end : self.next.at].strip("}"):
            if token.end - token.at > 1 and self.text[token.at] != "\\":
                known = "functions such as log, sqrt, max, sum"
                self.fail(known, f"write {name}*(…) for a product, or the function out", token.at)
            self.notes.append(f"{name}(…) is read as a product, {name} times the bracket")
        if self.next.kind == "[" and self.next.at == token.end and not self._latex:
            return sp.IndexedBase(name, real=True)[self._between("[")]
        return self._subscripted(name)

    def _subscripted(self, name: str) -> Any:
        """A name, with its subscript as an index: which of them are parts of names, the reader decides."""
        self.names.setdefault(name, self.next.at)
        under = self.take("_")
        if under is None:
            return real(name)
        if word := self._word():
            self.names.setdefault(f"{name}_{word}", under.at)
            return real(f"{name}_{word}")
        index = self._script()
        if index.is_Mul and len(index.free_symbols) > 1:
            self.fail("one index", "matrices are measured: see Quantity", under.at)
        return sp.IndexedBase(name, real=True)[index]

    def _word(self) -> str | None:
        r"""A subscript that is a word: ``\max``, ``*``, ``{nl}`` where neither n nor l is the index of a sum."""
        braced = self.next.kind == "{"
        first = end = self._place + braced
        while self._tokens[end].kind in ("name", "number", "call", "star", "*"):
            end += 1
        tokens = self._tokens[first:end] if braced else self._tokens[first : first + 1]
        words = "".join("star" if token.kind in ("star", "*") else token.text for token in tokens)
        counted = all(token.text in self._indices for token in tokens if token.kind == "name")
        alone = words.isalnum() and not counted
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
            return self._sum(f"{function}imum", token)
        if function in ("Sum", "Product", "Maximum", "Minimum"):
            return self._plain_sum(function) if self.next.kind == "(" else self._sum(function, token)
        exponent = base = None
        while mark := self.take("^", "_"):
            if function != "log" and (mark.kind == "_" or function in ("Max", "Min")):
                self.fail("listed arguments", f"write such as {token.text}(a, b)", mark.at)
            exponent, base = (self.exponent(), base) if mark.kind == "^" else (exponent, self._argument())
        if exponent is not None and not (exponent.is_number and exponent.is_positive):
            self.fail("a positive exponent of a function", "put the whole of it in brackets: (f(x))^{-1}", token.at)
        found = self._called(function, self._arguments(), token.at)
        if base is not None:
            found *= self._divided(self._called("log", [base], token.at))
        return found if exponent is None else self._raised(found, exponent)

    def _arguments(self) -> list[Any]:
        """Brackets with commas; else one factor, or a run of letters and numbers."""
        if self.next.kind in ("(", "[", "{"):
            opening, last = self.next, self._place
            if self.ahead("{", "("):  # \log{\left(x\right)}, \max{\left(a, b\right)}
                self._place += 1
                found = self._arguments()
                if self.take("}"):
                    return found
                self._place = last
            self.need(opening.kind)
            self._bars.append(opening.kind)
            found = [self.expression()]
            while self.take(","):
                found.append(self.expression())
            self._bars.pop()
            self.need(_CLOSING[opening.kind], f"a comma or the closing {_CLOSING[opening.kind]}")
            return found
        simple = self.next.kind in ("number", "name")
        run = [self._power()]
        while simple and self.next.kind in ("number", "name"):
            run.append(self._power())
        return [sp.Mul(*run)]

    def _called(self, function: str, arguments: list[Any], at: int | None = None) -> Any:
        low, high = _COUNT.get(function, (1, 1))
        if not low <= len(arguments) <= high:
            many = str(low) if low == high else f"at least {low}"
            self.fail(f"{many} argument{'s' * (high > 1)} of {function}", "separate them by commas", at)
        if function in ("sqrt", "cbrt", "root"):
            return self._root(arguments[0], arguments[1] if arguments[1:] else 3 if function == "cbrt" else 2)
        if function == "log":
            self.risks.append(("logarithm", arguments[0]))
        if function == "exp":
            self._require_moderate(arguments[0])
        small = all(argument.is_Rational and abs(argument) < 1000 and argument.q < 1000 for argument in arguments)
        numbers = all(argument.is_number for argument in arguments)
        evaluate = small and function != "exp" if function in _EXACT else small or not numbers
        return self._finite(getattr(sp, function)(*arguments, evaluate=evaluate))

    def _root(self, of: Any, degree: Any) -> Any:
        return self._raised(of, 1 / sp.sympify(degree, strict=True))

    def _raised(self, base: Any, exponent: Any) -> Any:
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
            if part.is_number and not (part.is_extended_real and abs(sp.N(part, 5)) <= LARGEST):
                self.fail(f"exponents of at most {LARGEST:,}", "choose a unit in which it is smaller")

    # --- sums, norms ------------------------------------------------------------------------------

    def _sum(self, function: str, token: Token) -> Any:
        r"""``\sum_{t=1}^{T} …``: up to the next plus, minus or relation."""
        limits: dict[str, Any] = {}
        while mark := self.take("_", "^"):
            limits[mark.kind] = self._range() if mark.kind == "_" else self._upper()
        indices, low, high = limits.get("_") or self.fail("a range", f"write such as \\{token.text}_{{t=1}}^{{T}}")
        high = limits.get("^") if high is None else high
        if high is None:
            self.fail("an upper end", f"write such as \\{token.text}_{{t=1}}^{{T}}")
        return self._summed(function, self._term(), indices, low, high)

    def _range(self) -> tuple[list[str], Any, Any]:
        r"""``t=1``, ``i,j=1`` or ``1 \le i \le n``."""
        self.need("{", "a range in braces")
        first = self.expression()
        if self.take("<="):
            index = self._name()
            self.need("<=", "an upper end")
            found = [index], first, self.expression()
        else:
            indices = [plain_name(first) or self.fail("an index", "write such as {t=1}")]
            while self.take(","):
                indices.append(self._name())
            self.need("=", "where the index begins")
            found = indices, self.expression(), None
        self.need("}")
        return found

    def _upper(self) -> Any:
        """An upper end, infinity among them."""
        braced = bool(self.take("{"))
        found = sp.oo if self.take("∞") else self.expression() if braced else self._argument()
        if braced:
            self.need("}")
        return found

    def _plain_sum(self, function: str) -> Any:
        """``sum(1/t, t, 1, T)`` or ``Sum(1/t, (t, 1, T))``."""
        self.need("(")
        self._bars.append("(")
        body = self.expression()
        self.need(",", "a comma and the index")
        braced = bool(self.take("("))
        index = self._name()
        self.need(",", "a comma and the lower end")
        low = self.expression()
        self.need(",", "a comma and the upper end")
        high = sp.oo if self.take("∞") else self.expression()
        for _ in range(1 + braced):
            self.need(")")
        self._bars.pop()
        return self._summed(function, body, [index], low, high)

    def _summed(self, function: str, body: Any, indices: list[str], low: Any, high: Any) -> Any:
        make: Callable[..., Any] = {"Maximum": Maximum, "Minimum": Minimum}.get(function) or getattr(sp, function)
        for index in reversed(indices):
            if index in {*map(str, low.free_symbols), *map(str, high.free_symbols)}:
                self.fail(f"ends that do not speak of {index}", "give the index a name of its own")
            self.bound.add(index)
            self.sums.append((index, low, high))
            body = make(body, (real(index), low, high))
        return body

    def _entries(self, of: Any, at: int) -> tuple[Any, Any, Any]:
        """An expression in vectors entry by entry: with its index, and the vectors' length."""
        inside = [symbol for symbol in of.free_symbols if symbol.name in self._vectors]
        lengths = {self._vectors[symbol.name] for symbol in inside}
        if len(lengths) != 1:
            self.fail("vectors of one length", "say it: … for v \\in \\mathbb{R}^d", at)
        index = real(next(name for name in INDICES if name not in self.names and name not in self._words))
        self.names.setdefault(index.name, at)
        self.bound.add(index.name)
        self.sums.append((index.name, sp.Integer(1), *lengths))
        entries = of.xreplace({symbol: sp.IndexedBase(symbol.name, real=True)[index] for symbol in inside})
        return entries, index, lengths.pop()

    def _norm(self) -> Any:
        at = self.next.at
        entry, index, length = self._entries(self._between("‖"), at)
        degree = self._upper() if self.take("_") else sp.Integer(2)
        if degree not in (1, 2, sp.oo):
            self.fail("the norm of degree 1, 2 or infinity", "write it out", at)
        if degree is sp.oo:
            return Maximum(sp.Abs(entry), (index, 1, length))
        total = sp.Sum(sp.Abs(entry) if degree == 1 else entry**2, (index, 1, length))
        return total if degree == 1 else sp.sqrt(total)

    def _inner(self) -> Any:
        at = self.need("⟨").at
        self._bars.append("⟨")
        first = self.expression()
        self.need(",", "a comma and the other vector")
        second = self.expression()
        self._bars.pop()
        self.need("⟩")
        left, index, length = self._entries(first, at)
        right = second.xreplace(
            {
                symbol: sp.IndexedBase(symbol.name, real=True)[index]
                for symbol in second.free_symbols
                if symbol.name in self._vectors
            }
        )
        return sp.Sum(left * right, (index, 1, length))


def _indices_in(found: Sequence[Token]) -> Iterator[str]:
    """The names that sums count with: those in ``_{i, j =``."""
    for place, token in enumerate(found):
        if token.kind == "{" and place and found[place - 1].kind == "_":
            inside = list(itertools.takewhile(lambda t: t.kind in ("name", ","), found[place + 1 :]))
            if inside and found[place + 1 + len(inside)].kind == "=":
                yield from (name.text for name in inside)


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
