"""A claim: ``left REL right`` on a domain, with where it is said and what is expected of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.atoms import Atom, Family, atoms_of, shown_alone
from boundaudit.checks.language.built import Built
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.domain import Domain, Matrix, Reals, Vector
from boundaudit.checks.language.domain.assumptions import unearned_in
from boundaudit.checks.language.ends import broken_end
from boundaudit.checks.language.expression import ZERO, Tree, names, walk
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.labels import LONGEST, is_label, is_member, require_visible
from boundaudit.checks.language.modes import unclear
from boundaudit.checks.language.notebook import Formula, card
from boundaudit.checks.language.points import Point, from_json
from boundaudit.checks.language.printing import latex_of, text_of
from boundaudit.checks.language.statement import Relation, Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.language.verdicts import READINGS, ROLES, VERDICTS, Kind, Reading, Role
from boundaudit.checks.language.written import closed, lost

KINDS: dict[str, tuple[str, ...]] = {
    "Tight": ("<=", ">="),
    "Upper": ("<=",),
    "Lower": (">=",),
    "Identity": ("=",),
    "Rate": ("<=", ">="),
}
_KIND_OF = {"<=": "Upper", ">=": "Lower", "=": "Identity"}
_SYMPYS: dict[Any, str] = {sp.Le: "<=", sp.Ge: ">=", sp.Eq: "="}
LATEX = {"<=": r"\le", ">=": r"\ge", "=": "="}

Measure = Callable[[Sequence[Point], str], Array]
"""From points, whose numbers are ints and floats, and a device to one float64 per point."""


Enclosure = Callable[[Point], tuple[Any, Any]]
"""From one exact point to two exact numbers or Arb balls that certainly hold the value between them."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """Something measured on the points of a domain.

    Example:
        >>> from boundaudit import Quantity
        >>> cubes = Quantity("volume", lambda points, device: np.array([a["x"] ** 3.0 for a in points]), "x^3")
        >>> cubes.measure([{"x": 2}, {"x": 3}], "cpu").tolist()
        [8.0, 27.0]

    Attributes:
        name: What is measured, in a few words.
        measure: From points and a device (``"cpu"``, ``"cuda"``) to one float64 per point.
        latex: How the report writes it.
        definition: What is measured, entry by entry, as a SymPy expression or a function that makes it when it is
            first needed: ball arithmetic and proofs stand on it. None where there is none; then only numeric methods
            apply.
        rounding: Error budget of the measurement, relative to its value or to ``scale``, whichever is larger.
        scale: The size of the numbers that a value near zero is computed from.
        enclosure: From one exact point to a pair of exact rationals (int, Fraction, or float as the dyadic rational
            it is) or Arb balls that certainly hold the value between them: what confirms a counterexample of a
            quantity without a definition. None where there is none.
        except_at: Where it has no value, in words, such as ``inputs that put a hidden unit on its kink``: points of
            which claims about it do not speak. Empty where it has a value everywhere.
        nonnegative: Whether it is at least 0 by what it is, such as a squared length: proofs may use that.
        of: The parameters that it is a function of, where these are not all of the point's: what is said of it where
            there are no others then holds beside others too.

    Raises:
        InputError: where a budget is no number from 0 up to 1, or a scale is negative or infinite.
    """

    name: str
    measure: Measure
    latex: str
    definition: Any = Built()
    rounding: float = 1e-12
    scale: float = 0.0
    enclosure: Enclosure | None = None
    except_at: str = ""
    nonnegative: bool = False
    of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """A budget that clears everything, or that nothing satisfies, would make a check that cannot fail."""
        object.__setattr__(self, "measure", shown_alone(self.of, self.measure))
        for name, value, most in (("rounding", self.rounding, 1.0), ("scale", self.scale, math.inf)):
            known = isinstance(value, Real) and 0 <= value < most
            expected = "a number from 0 up to 1" if name == "rounding" else "a finite number of at least 0"
            if not known:
                raise InputError(f"{self.name}.{name}", expected, value, "state the error of the measurement")

    @cached_property
    def atom(self) -> Atom:
        """It as a part of formulas: a number that is measured where the formula is evaluated."""
        return Atom(self)

    def declaration(self) -> dict[str, Any]:
        """What a proof knows of it."""
        measured = list(self.of) or True
        return {"name": self.name, **Reals(0 if self.nonnegative else None).to_json(), "measured": measured}


@dataclass(frozen=True, eq=False)
class Estimate(Quantity):
    r"""A mean over draws or an integral by random nodes: an inequality has to hold by more than three standard errors.

    Example:
        >>> from boundaudit import Estimate
        >>> def share(points, device):
        ...     return np.array([0.5 for _ in points])
        >>> half = Estimate("share", share, "q", standard_error=lambda points, device: share(points, device) / 2)
        >>> half.spread.measure([{}, {}], "cpu").tolist()
        [0.25, 0.25]

    Attributes:
        standard_error: One standard error at each point, a function like ``measure``.
    """

    standard_error: Measure = field(kw_only=True)

    @cached_property
    def spread(self) -> Quantity:
        """Its standard error, as something measured."""
        return Quantity(f"standard error of {self.name}", self.standard_error, rf"\mathrm{{se}}({self.latex})")


Count = Callable[[Sequence[Point], int, int, str], npt.NDArray[np.int64]]
"""From points, a number of trials, a seed and a device to how often the event happened at each point."""


@dataclass(frozen=True, eq=False)
class Probability(Quantity):
    r"""The probability of an event, known by counting it in independent trials.

    Example:
        >>> from boundaudit import Probability
        >>> def heads(points, trials, seed, device):
        ...     return np.random.default_rng(seed).binomial(trials, [a["p"] for a in points])
        >>> coin = Probability("heads", heads, r"\mathbb{P}[1]")
        >>> coin.measure([{"p": 0}, {"p": 1}], 300, 0, "cpu").tolist()
        [0, 300]

    Attributes:
        measure: From n points, a number of trials, a seed and a device to n counts of the event.
    """

    measure: Count  # type: ignore[assignment]


Side = Any
"""A SymPy expression, with atoms or without, a number, a Quantity or, on the left of an inequality, a Probability."""


class Case:
    """One reading or variant of a claim: what of the claim it changes.

    Example:
        >>> Case("steep", expected="refuted").changes
        {'expected': 'refuted'}

    Args:
        name: As it stands in brackets after the claim's label, such as ``steep`` or ``wide,ideal``.
        **changes: Fields of the claim that differ, such as ``domain``, ``right``, ``expected`` or ``limitations``.
    """

    def __init__(self, name: str, **changes: Any) -> None:
        self.name = name
        self.changes = changes


class _WrittenOut(Built):
    """What a `Space` writes out, in numbers."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The value in numbers; as built, where the domain is one of numbers."""
        written = super().__get__(instance, owner)
        if instance is None or not isinstance(instance.written("domain"), Space):
            return written
        return instance.in_numbers[self._place]


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """``left relation right`` for every point of ``domain``.

    Sides, domain and equality cases may be functions of no arguments, which are called when they are first needed.

    Example:
        >>> from boundaudit import Claim, Domain, Reals
        >>> x = sp.Symbol("x", nonnegative=True)
        >>> claim = Claim(
        ...     label="example.logarithm",
        ...     statement="The logarithm grows no faster than its argument.",
        ...     left=sp.log(1 + x),
        ...     relation="<=",
        ...     right=x,
        ...     domain=Domain({x: Reals(0)}),
        ...     expected="proved",
        ... )
        >>> claim.text
        'log(x + 1) <= x'

    Attributes:
        label: Unique name, ``<sub-package>.<module>.<name>…``: an address.
        statement: The statement in one sentence of our own.
        left: What is bounded: a SymPy expression or a `Quantity`.
        relation: ``<=``, ``>=`` or ``=``; or, without ``left`` and ``right``, a relation of SymPy's such as
            ``sp.Le(a, b)``, which stands for all three.
        right: The bound.
        domain: Where it is claimed.
        role: printed (what the paper asserts), successor, improvement, lemma or control; follows from ``repairs`` and
            ``improves`` unless given, and is lemma otherwise.
        cases: Readings or variants, each judged by itself; empty where there is only one.
        kind: Tight, Upper, Lower, Identity or Rate; follows from the relation unless given.
        mode: Such as ``always``. ``as T→∞``, or ``eventually`` where one parameter alone has no upper limit, promises
            something from some value of that parameter on; ``with probability …`` wants a `Probability` on the left.
        paper: Short citation.
        place: Canonical references, such as ``("Theorem 10",)``.
        reading: How surely the statement was recovered.
        expected: The verdict that is expected; for a claim that stands, the weakest accepted one.
        rests_on: Labels of claims it uses, shipped ones included; a label without a case means all its cases.
        repairs: Labels of the refuted claims it stands in for.
        improves: Label of the true claim it sharpens.
        equality: Points where both sides are equal, values as SymPy expressions or as ``"1/3"``, by parameter name.
        limitations: What the claim does not say.
        missing: For a statement that leaves a constant open: what is missing.
        derivation: The `Derivation` that leads from one side to the other and, where each of its steps is a proved
            claim or a fact of textbooks, proves the claim; it rests on what the steps cite.
        case: The name of the case, for a member of a claim with cases.
    """

    label: str
    statement: str
    relation: Relation = "<="
    left: Side = _WrittenOut()
    right: Side = _WrittenOut()
    domain: Any = _WrittenOut()
    role: Role | None = None
    cases: tuple[Case, ...] = ()
    kind: Kind | None = None
    mode: str = "always"
    paper: str = ""
    place: tuple[str, ...] = ()
    reading: Reading = "derived here"
    expected: str = "supported"
    rests_on: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    improves: str | None = None
    equality: Any = Built()
    limitations: tuple[str, ...] = ()
    missing: str | None = None
    derivation: Any = None
    case: str | None = None
    source: str = ""

    def __post_init__(self) -> None:
        """Validate what can be told without building a side, and note where the claim was written."""
        if not self.source:
            object.__setattr__(self, "source", _caller())
        if not isinstance(self.relation, str):
            self._unpack()
        if self.__dict__["_equality"] is None:
            object.__setattr__(self, "equality", ())
        if self.kind is None and self.relation in _KIND_OF:
            object.__setattr__(self, "kind", _KIND_OF[self.relation])
        if self.role is None:
            role = "successor" if self.repairs else "improvement" if self.improves else "lemma"
            object.__setattr__(self, "role", role)
        listed = isinstance(self.cases, (tuple, list)) and all(isinstance(case, Case) for case in self.cases)
        self._require("cases", listed, 'a tuple such as (Case("steep", …),)', self.cases, told=repr)
        if self.derivation is not None:
            self._require("derivation", hasattr(self.derivation, "claims"), "a Derivation", self.derivation, told=repr)
            rests_on = dict.fromkeys((*self.rests_on, *self.derivation.claims))
            object.__setattr__(self, "rests_on", tuple(rests_on))
        self._check_words()
        names_ = [case.name for case in self.cases]
        self._require("cases", len(set(names_)) == len(names_), "different names", ", ".join(names_))

    def _unpack(self) -> None:
        """Take sides and sign from a relation of SymPy's."""
        stated: Any = self.relation
        sign = _SYMPYS.get(type(stated))
        alone = self.__dict__["_left"] is None and self.__dict__["_right"] is None
        got = f"{stated!s:.200}" + ("" if alone else " beside left or right")
        if isinstance(stated, (sp.Lt, sp.Gt)):
            got += ", which is strict"
        if isinstance(stated, (bool, sp.logic.boolalg.BooleanAtom)):
            got += ", which SymPy made of a relation"
        if sign is None or not alone:
            remedy = "write such as relation=sp.Le(a, b) alone, or left=a, relation='<=', right=b"
            raise InputError(f"{self.label}.relation ({self.source})", "<=, >= or =", got, remedy)
        for name, value in (("left", stated.lhs), ("relation", sign), ("right", stated.rhs)):
            object.__setattr__(self, name, value)

    def _check_words(self) -> None:
        named = is_member(self.label) if self.case else is_label(self.label)
        grammar = f"lower.case-name with at least one dot, of at most {LONGEST} characters"
        self._require("label", named, grammar, self.label)
        self._require("relation", self.relation in _KIND_OF, "<=, >= or =", self.relation)
        self._require("kind", self.kind in KINDS, ", ".join(KINDS), self.kind)
        self._require("kind", self.relation in KINDS[str(self.kind)], f"a kind of {self.relation}", self.kind)
        self._require("role", self.role in ROLES, ", ".join(ROLES), self.role)
        self._require("expected", self.expected in VERDICTS, ", ".join(VERDICTS), self.expected)
        for name in ("place", "rests_on", "repairs", "limitations"):
            value = getattr(self, name)
            listed = isinstance(value, (tuple, list)) and all(isinstance(entry, str) for entry in value)
            self._require(name, listed, 'a tuple of strings such as ("Step 1",)', value, told=repr)
        self._require("reading", self.reading in READINGS, "a reading", self.reading)
        self._require("statement", self.statement, "a sentence", repr(self.statement))
        for name in ("statement", "mode", "paper", "place", "missing", "limitations"):
            self._require_visible(name, getattr(self, name))

    def _require_visible(self, name: str, words: Any) -> None:
        for text in words if isinstance(words, (tuple, list)) else [words or ""]:
            self._require(name, isinstance(text, str), "words", text)
            require_visible(f"{self.label}.{name} ({self.source})", text)

    def written(self, name: Literal["left", "right", "domain"]) -> Any:
        """A side or the domain as its author wrote it; attributes of these names are about numbers alone."""
        return Built.__get__(vars(Claim)[name], self)

    @cached_property
    def in_numbers(self) -> dict[str, Any]:
        """What a `Space` makes of the sides and of itself, by the place where they are kept."""
        domain, (left, right) = self.written("domain").written_out([self.written("left"), self.written("right")])
        return {"_left": left, "_right": right, "_domain": domain}

    @property
    def is_measured(self) -> bool:
        """Whether a side is a measurement, not an expression alone."""
        return any(map(measured_in, (self.left, self.right)))

    @cached_property
    def members(self) -> tuple[Claim, ...]:
        """What evidence is gathered for: the claim itself, or its cases under ``label[case]``."""
        if not self.cases:
            return (self,)
        stated = {f.name: self.__dict__.get(f"_{f.name}", self.__dict__.get(f.name)) for f in fields(self)}
        base = {name: value for name, value in stated.items() if name not in ("cases", "label", "case")}
        return tuple(
            Claim(**{**base, **case.changes}, label=f"{self.label}[{case.name}]", case=case.name) for case in self.cases
        )

    def validate(self) -> None:
        """Build both sides and the domain, and check that they fit together.

        Raises:
            InputError: where they do not; it names the field.
        """
        self._require("domain", isinstance(self.domain, Domain), "a Domain", self.domain)
        led = self.derivation is not None and isinstance(self.written("domain"), Space)
        self._require("derivation", not led, "none on a Space: its steps would speak of numbers", "a chain")
        counted = [isinstance(side, Probability) for side in (self.left, self.right)]
        inequality = not counted[1] and (self.relation != "=" or not counted[0])
        self._require("left", inequality, "a Probability only on the left of <= or >=", self.relation)
        self._check_sides()
        self._check_written()
        unknown = sorted((_free_names(self.left) | _free_names(self.right)) - set(self.domain.ranges))
        self._check_assumptions()
        self._require("equality", self.kind != "Tight" or self.equality, "a case for a tight claim", "none")
        points = isinstance(self.equality, (list, tuple)) and all(isinstance(case, Mapping) for case in self.equality)
        self._require("equality", points, "a list of points such as {n: 1}", self.equality)
        for point in self.equality:
            stated = {str(name) for name in point}
            got = ", ".join(sorted(stated))
            self._require("equality", stated == set(self.domain.ranges), "a value for every parameter", got)
            try:
                from_json(point)
            except InputError as error:
                self._require("equality", False, 'expressions such as sp.Rational(1, 2), or "1/2"', repr(error.args[2]))
        self._require("domain", not unknown, "a range for every symbol", f"none for {', '.join(unknown)}")
        open_ = unclear(self.mode, self.domain)
        self._require("mode", open_ is None, "the one parameter that grows, such as 'as n→∞'", open_)
        for name, side in (("left", self.left), ("right", self.right)):
            if not isinstance(side, Quantity) or side.definition is not None:
                self.domain.require_readable(f"{self.label}.{name} ({self.source})", open_form(side))
        misused = sorted(_misused(self.left, self.domain) | _misused(self.right, self.domain))
        got = f"{', '.join(misused)} used otherwise"
        self._require("domain", not misused, "vectors with an index and numbers without", got)

    def _check_sides(self) -> None:
        """What a side cannot be is told with the claim's own label."""
        self._require_visible("domain", list(self.domain.ranges))
        for name, side in (("left", self.left), ("right", self.right)):
            inside = () if isinstance(side, Quantity) else measured_in(side)
            drawn = [part.name for part in inside if isinstance(part, Estimate)]
            self._require(name, not drawn, "an Estimate only as a whole side", ", ".join(drawn))
            for family in (part for part in inside if isinstance(part, Family)):
                self._check_family(name, family)
            for part in measured_in(side):
                self._check_parameters(name, part.name, {*part.of})
            taken = sorted({part.name for part in measured_in(side)} & set(self.domain.ranges))
            self._require(name, not taken, "measurements with names of their own", f"the parameter {', '.join(taken)}")
            if isinstance(side, Quantity):
                self._require_visible(name, [side.name, side.latex])
            try:
                definition(side)
            except InputError as error:
                raise InputError(f"{self.label}.{name} ({self.source})", *error.args[1:]) from None
            written = side.definition if isinstance(side, Quantity) else side
            if isinstance(written, sp.Basic):
                self._require_visible(name, sorted(found.name for found in written.atoms(sp.Symbol)))

    def _check_family(self, name: str, family: Family) -> None:
        """A measured vector has a whole number of entries, and is a function of parameters that there are."""
        lengths = family.lengths
        whole = (isinstance(n, int) or (isinstance(n, sp.Expr) and n.is_integer is not False) for n in lengths)
        broken = [str(length) for length, holds in zip(lengths, whole, strict=True) if not holds]
        self._require(name, not broken, f"a whole number of entries of {family.name}", ", ".join(broken))
        self._check_parameters(name, family.name, set().union(*(names(to_tree(length)) for length in lengths)))

    def _check_parameters(self, name: str, measured: str, used: set[str]) -> None:
        unknown = sorted(used - set(self.domain.ranges))
        self._require(name, not unknown, f"{measured} in the domain's parameters", ", ".join(unknown))

    def _check_written(self) -> None:
        """SymPy may not have dropped where a side has no value; sums have whole ends."""
        sides = (("left", self.left, self.written("left")), ("right", self.right, self.written("right")))
        parameters = {*self.domain.ranges, *map(str, self.written("domain").ranges)}
        domain = self.domain.to_json()
        for name, side, own in sides:
            where = (self.source, self.case, name)
            if (written := lost(*where, (side, own), parameters, domain) or closed(*where, own)) is not None:
                remedy = (
                    "write what is meant, or keep it: Pow(sqrt(x), 2, evaluate=False), Sum(k, (k, 1, n)) * Trace(M)"
                )
                field = f"{self.label}.{name} ({self.source})"
                raise InputError(field, f"{written} as it is written", f"{side}, which SymPy made of it", remedy)
            end = None if isinstance(side, Quantity) else broken_end(to_tree(side), self.domain)
            self._require(name, end is None, "sums with whole ends, such as floor(n/2)", end)
        relations = sp.Tuple(*self.written("domain").where)
        if (written := closed(self.source, self.case, "domain", relations)) is not None:
            field, remedy = f"{self.label}.domain ({self.source})", "write what is meant, or the sum before the Trace"
            raise InputError(field, f"{written} as it is written", f"{relations}, which SymPy made of it", remedy)
        for _, low, high, _ in self.domain.each:
            anywhere = Domain({sp.Symbol(name): found for name, found in self.domain.ranges.items()})
            end = broken_end(("sum", low, high, ZERO), anywhere)
            self._require("domain", end is None, "ForAll with whole ends, such as floor(n/2)", end)

    def _check_assumptions(self) -> None:
        """SymPy may have simplified with an assumption only where the domain grants it."""
        for side in (self.left, self.right):
            gap = unearned_in(side.definition if isinstance(side, Quantity) else side, self.domain.ranges)
            if gap is not None:
                name, assumption = gap
                found = self.domain.ranges.get(name)
                got = "a sum's limits" if found is None else found.sentence(name)
                self._require("domain", False, f"a range that makes {name} {assumption}, as its symbol says", got)

    def _require(
        self, name: str, holds: object, expected: str, got: object, *, told: Callable[[object], str] = str
    ) -> None:
        """Require it; what was got is told only where it is wrong, as the words of a chain take long to write."""
        if not holds:
            raise InputError(f"{self.label}.{name} ({self.source})", expected, told(got), "correct the claim")

    @cached_property
    def statement_form(self) -> Statement | None:
        """The canonical statement that proofs and balls speak of; None where a side has no definition."""
        left, right = definition(self.left), definition(self.right)
        if left is None or right is None:
            return None
        return Statement(left, self.relation, right, self.domain.to_json())

    @cached_property
    def proof_form(self) -> Statement | None:
        """What proofs speak of: what is measured without a definition is a parameter of which little is known."""
        if isinstance(self.left, Probability):
            return None
        domain = self.domain.to_json()
        domain = {**domain, "parameters": [*domain["parameters"], *unknowns((self.left, self.right))]}
        return Statement(open_form(self.left), self.relation, open_form(self.right), domain)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the meaning: statement, mode and domain."""
        return digest([meaning(self.left), self.relation, meaning(self.right), self.mode, self.domain.to_json()])

    @cached_property
    def touch_points(self) -> tuple[dict[str, Tree], ...]:
        """The equality cases as trees."""
        return tuple({k: to_tree(v) for k, v in point.items() if not _is_vector(v)} for point in self.equality_points)

    @cached_property
    def equality_points(self) -> tuple[dict[str, Any], ...]:
        """The equality cases by name; ``"1/3"`` stands for the fraction, as in JSON."""
        return tuple(from_json({str(name): value for name, value in point.items()}) for point in self.equality)

    @property
    def scope(self) -> str:
        """The sentence of the domain as it is written, and where measured sides have no value."""
        sides = [*measured_in(self.left), *measured_in(self.right)]
        left_out = dict.fromkeys(side.except_at for side in sides if isinstance(side, Quantity) and side.except_at)
        taken = [f"{side.name}: {side.entries.sentence('each')}" for side in sides if isinstance(side, Family)]
        return "; but for ".join(
            ["; ".join([str(self.written("domain").sentence()), *dict.fromkeys(taken)]), *left_out]
        )

    @property
    def latex(self) -> str:
        """The whole formula."""
        return f"{side_latex(self.written('left'))} {LATEX[self.relation]} {side_latex(self.written('right'))}"

    @property
    def text(self) -> str:
        """The whole formula as plain text."""
        return f"{side_text(self.written('left'))} {self.relation} {side_text(self.written('right'))}"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        facts = {"statement": self.statement}
        for member in self.members:
            case = f" [{member.case}]" if member.case else ""
            facts[f"formula{case}"] = Formula(member.latex)
            facts[f"domain{case}"] = member.scope
            facts[f"expected{case}"] = member.expected
        facts["place"] = ": ".join(filter(None, [self.paper, ", ".join(self.place)]))
        facts["rests on"] = ", ".join(dict.fromkeys(label for member in self.members for label in member.rests_on))
        facts["limitations"] = "; ".join(
            dict.fromkeys(words for member in self.members for words in member.limitations)
        )
        return card(self.label, facts)

    @property
    def rounding(self) -> float:
        """Error budget of a comparison in float64, relative to the larger side or to `scale`."""
        return max((part.rounding for side in (self.left, self.right) for part in measured_in(side)), default=1e-12)

    @property
    def scale(self) -> float:
        """The size of the numbers that a side near zero is computed from."""
        return max((part.scale for side in (self.left, self.right) for part in measured_in(side)), default=0.0)


def side_latex(side: Side) -> str:
    """One side in LaTeX: the quantity's own, or SymPy's."""
    return side.latex if isinstance(side, Quantity) else latex_of(side)


def side_text(side: Side) -> str:
    """One side as plain text: the quantity's name, or SymPy's string with ``^`` for powers."""
    return side.name if isinstance(side, Quantity) else text_of(side)


def definition(side: Side) -> Tree | None:
    """What a side means, entry by entry; None for a quantity without a definition, and for a formula with atoms."""
    if isinstance(side, Quantity):
        return None if side.definition is None else to_tree(side.definition)
    return None if atoms_of(side) else to_tree(side)


def measured_in(side: Side) -> list[Quantity | Family]:
    """What is measured in a side: the quantity that it is, or the atoms of a formula."""
    return [side] if isinstance(side, Quantity) else atoms_of(side)


def open_form(side: Side) -> Tree:
    """A side as proofs see it: what is measured without a definition is a parameter that has its name."""
    if isinstance(side, Quantity):
        return to_tree(side.atom if side.definition is None else side.definition)
    return to_tree(side)


def unknowns(sides: Sequence[Side]) -> list[dict[str, Any]]:
    """What proofs know of the measurements in some sides, but for quantities that stand for their definitions."""
    open_ = [part for side in sides for part in measured_in(side) if definition(side) is None]
    named = {part.name: part.declaration() for part in open_}
    return [named[name] for name in sorted(named)]


def meaning(side: Side) -> Any:
    """What a side says: of a quantity its name and its definition, of an expression its tree."""
    if isinstance(side, Quantity):
        return ["quantity", side.name, definition(side), *([side.except_at] if side.except_at else [])]
    return to_tree(side)


def _free_names(side: Side) -> frozenset[str]:
    if isinstance(side, Quantity) and side.definition is None:
        return frozenset()
    return names(open_form(side)) - {part.name for part in measured_in(side)}


def _misused(side: Side, domain: Domain) -> set[str]:
    """Vectors that stand without an index, and numbers that stand with one."""
    tree = definition(side)
    nodes = [] if tree is None else list(walk(tree))
    numbers = {name for name, found in domain.ranges.items() if not isinstance(found, (Vector, Matrix))}
    indexed = {node[1] for node in nodes if node[0] == "item"}
    plain = {node[1] for node in nodes if node[0] == "v"} & set(domain.ranges)
    return (indexed & numbers) | (plain - numbers)


def _is_vector(value: Any) -> bool:
    return isinstance(value, (tuple, list))


def _caller() -> str:
    """Where the claim was written: what its author's file calls, be it a function of the same file that makes it."""
    frame = sys._getframe(1)
    while frame.f_back and (frame.f_code.co_filename == __file__ or frame.f_code.co_filename == "<string>"):
        frame = frame.f_back
    while frame.f_back and frame.f_back.f_code.co_filename == frame.f_code.co_filename:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
