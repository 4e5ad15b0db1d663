r"""What may be used in a proof: hypotheses that the checker derives again from the domain.

A certificate names a hypothesis by a label, a JSON list whose first word is a rule:

===========================  ===================================================================
``["low", subject]``         lower end of a parameter or vector entry ≤ subject (a tree)
``["high", subject]``        subject ≤ upper end
``["where", k]``             relation k of the domain, counted from 0
``["each", k, tree]``        relation k of the domain, one for all indices, at a tree known to be one of them
``["log", label]``           log a ≤ log b, where the labelled hypothesis says 0 < a ≤ b
``["sign", tree]``           0 ≤ tree, because the ranges of the parameters show it
``["above", tree]``          tree ≤ \\|tree\\|
``["below", tree]``          -tree ≤ \\|tree\\|
``["tangent", tree]``        log tree ≤ tree - 1, for a tree known to be positive
``["floor", tree]``          floor tree ≤ tree
``["ceiling", tree]``        tree < floor tree + 1
``["pade", tree]``           2 (tree - 1)/(tree + 1) ≤ log tree, for a tree known to be at least 1
``["power", label, tree]``   a^tree ≤ b^tree, where the labelled hypothesis says 0 ≤ a ≤ b, for a tree known to be ≥ 0
``["part", sum, tree]``      \\|body at tree\\| ≤ Σ \\|body\\|, for a tree known to be a value of the index
``["within", sum, a, b]``    Σ \\|body\\| from a to b ≤ Σ \\|body\\|, for a and b known to be between the limits
``["newton", n, x, y]``      Σ binomial(n, k) x^k y^(n - k) over k = 0 … n ≤ (x + y)^n, for positive x and y
``["expansion", n, x, y]``   (x + y)^n ≤ the same sum
``["hölder", a, b]``         gamma((a + b)/2)² ≤ gamma(a) gamma(b), for positive a and b (log-convexity)
``["stirling", tree]``       log √(2 π/tree) + tree log tree - tree ≤ log gamma(tree), for a positive tree
``["tail", tree]``           1 - erf(tree) ≤ exp(-tree²), for a tree known to be ≥ 0
``["squares", sum]``         Σ body² ≤ (Σ \\|body\\|)²
``["cauchy", sum, sum]``     (Σ a b)² ≤ Σ a² · Σ b² (Cauchy-Schwarz), for the bodies of sums with the same limits
``["cauchy", vector]``       (Σ c_t)² ≤ length · Σ c_t²
``["square_sum", vector]``   Σ c_t² ≤ the bound in the declaration of the vector
===========================  ===================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    opened,
    rational,
    square,
    subtract,
)
from boundaudit.checks.language.statement import trees_of
from boundaudit.checks.proof.kernel.domains import Domain, at_index, lies_within, parameter, plain

_SIGN = "the ranges do not show the sign that is needed"


class Hypothesis(NamedTuple):
    """``small ≤ large``, or ``<`` where strict."""

    small: Tree
    large: Tree
    strict: bool = False


class Hypotheses:
    """Derives hypotheses on one domain from their labels."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.form = NormalForm(domain)

    def derive(self, label: Any) -> Hypothesis:
        """The hypothesis with a label, if it names one that holds on this domain."""
        match label:
            case ["low" | "high" as side, subject]:
                return self._end(from_json(subject), side)
            case ["where", position]:
                return self._where(position)
            case ["each", position, index]:
                return self._each(position, from_json(index))
            case ["log", inner]:
                return self._log(self.derive(inner))
            case ["power", inner, exponent]:
                return self._power(self.derive(inner), from_json(exponent))
            case ["part", total, index]:
                return self._part(_sum(total), from_json(index))
            case ["within", total, low, high]:
                return self._within(_sum(total), from_json(low), from_json(high))
            case ["newton" | "expansion" as rule, n, x, y]:
                total, power = self._binomial_theorem(from_json(n), from_json(x), from_json(y))
                return Hypothesis(total, power) if rule == "newton" else Hypothesis(power, total)
            case ["hölder", a, b]:
                return self._gamma_convex(from_json(a), from_json(b))
            case ["squares", total]:
                absolute = _mapped(_sum(total), lambda body: ("abs", body))
                return Hypothesis(_mapped(absolute, square), square(absolute))
            case ["cauchy", one, other]:
                return _cauchy(_sum(one), _sum(other))
            case ["cauchy" | "square_sum" as rule, vector]:
                return self._of_vector(rule, vector)
            case [str(rule), subject]:
                return self._of_tree(rule, from_json(subject))
        raise Rejected(f"unknown hypothesis: {label}")

    def excess(self, label: Any) -> tuple[Ratio, bool]:
        """The non-negative ``large - small`` in normal form, and whether it is known to be positive."""
        found = self.derive(label)
        return self.form.ratio(subtract(found.large, found.small)), found.strict

    def _end(self, subject: Tree, side: str) -> Hypothesis:
        kinds = {"v": ("integers", "reals"), "item": ("vector", "matrix")}
        if subject[0] not in kinds:
            raise Rejected(f"neither a parameter nor an entry: {subject}")
        declared = parameter(self.domain, subject[1], *kinds[subject[0]])
        if declared[side] is None:
            raise Rejected(f"{subject} has no end called {side}")
        self.form.ratio(subject)
        end, strict = from_json(declared[side]), bool(declared.get("open", (False, False))[side == "high"])
        return Hypothesis(end, subject, strict) if side == "low" else Hypothesis(subject, end, strict)

    def _where(self, position: Any) -> Hypothesis:
        relations = self.domain["where"]
        if type(position) is not int or position not in plain(self.domain):
            raise Rejected(f"the domain has no relation {position}")
        relation, left, right = relations[position]
        return inequality(relation, from_json(left), from_json(right))

    def _each(self, position: Any, index: Tree) -> Hypothesis:
        relations = self.domain["where"]
        if type(position) is not int or not 0 <= position < len(relations) or relations[position][0] != "all":
            raise Rejected(f"the domain has no relation {position} for all indices")
        self._require_index(index, *relations[position][1:3])
        return inequality(*at_index(relations[position], index))

    def _log(self, inner: Hypothesis) -> Hypothesis:
        self._require_positive(inner.small)
        return Hypothesis(("log", inner.small), ("log", inner.large), inner.strict)

    def _power(self, inner: Hypothesis, exponent: Tree) -> Hypothesis:
        _require(self.form.range_of(inner.small).nonnegative, "the base of a power may be negative", inner.small)
        _require(self.form.range_of(exponent).nonnegative, "the exponent of a power may be negative", exponent)
        return Hypothesis(("^", inner.small, exponent), ("^", inner.large, exponent))

    def _part(self, total: Tree, index: Tree) -> Hypothesis:
        self._require_index(index, *total[1:3])
        return Hypothesis(("abs", opened(total, index)), _mapped(total, lambda body: ("abs", body)))

    def _within(self, total: Tree, low: Tree, high: Tree) -> Hypothesis:
        for gap in (subtract(low, total[1]), subtract(total[2], high)):
            _require(self.form.range_of(gap).nonnegative, "not known to be between the limits of the sum", gap)
        absolute = _mapped(total, lambda body: ("abs", body))
        return Hypothesis((*absolute[:1], low, high, absolute[3]), absolute)

    def _binomial_theorem(self, n: Tree, x: Tree, y: Tree) -> tuple[Tree, Tree]:
        self._require_natural(n)
        self._require_positive(x, y)  # of 0^0 nothing is said
        k = ("b", 0)
        term = multiply(("binomial", n, k), ("^", x, k), ("^", y, subtract(n, k)))
        return ("sum", ZERO, n, term), ("^", add(x, y), n)

    def _gamma_convex(self, a: Tree, b: Tree) -> Hypothesis:
        self._require_positive(a, b)
        middle = multiply(rational(Fraction(1, 2)), add(a, b))
        return Hypothesis(square(("gamma", middle)), multiply(("gamma", a), ("gamma", b)))

    def _require_positive(self, *trees: Tree) -> None:
        for tree in trees:
            _require(self.form.range_of(tree).positive, "not known to be positive", tree)

    def _require_natural(self, tree: Tree) -> None:
        natural = self.form.is_integer(self.form.ratio(tree)) and self.form.range_of(tree).nonnegative
        _require(natural, "not known to be a natural number", tree)

    def _require_index(self, index: Tree, low: Tree, high: Tree) -> None:
        inside = lies_within(self.form, index, {"low": low, "high": high})
        _require(inside and self.form.is_integer(self.form.ratio(index)), "a value beyond those of the index", index)

    def _of_tree(self, rule: str, tree: Tree) -> Hypothesis:
        match rule:
            case "above":
                return Hypothesis(tree, ("abs", tree))
            case "below":
                return Hypothesis(multiply(rational(-1), tree), ("abs", tree))
            case "floor":
                return Hypothesis(("floor", tree), tree)
            case "ceiling":
                return Hypothesis(tree, add(("floor", tree), ONE), True)
            case "sign":
                size = self.form.range_of(tree)
                _require(size.nonnegative, _SIGN, tree)
                return Hypothesis(ZERO, tree, size.positive)
            case "tangent":
                self._require_positive(tree)
                return Hypothesis(("log", tree), subtract(tree, ONE))
            case "stirling":
                self._require_positive(tree)
                root = ("log", multiply(rational(2), ("pi",), ("^", tree, rational(-1))))
                main = subtract(multiply(tree, ("log", tree)), tree)
                return Hypothesis(add(multiply(rational(Fraction(1, 2)), root), main), ("log", ("gamma", tree)))
            case "tail":
                _require(self.form.range_of(tree).nonnegative, _SIGN, tree)
                return Hypothesis(subtract(ONE, ("erf", tree)), ("exp", multiply(rational(-1), square(tree))))
            case "basel":  # Euler's, of which every part is less than the whole
                self._require_natural(tree)
                whole = multiply(rational(Fraction(1, 6)), square(("pi",)))
                return Hypothesis(("sum", ONE, tree, ("^", ("b", 0), rational(-2))), whole, True)
            case "pade":  # the difference vanishes at 1, and its derivative is (t - 1)²/(t (t + 1)²)
                _require(self.form.range_of(subtract(tree, ONE)).nonnegative, "not known to be at least 1", tree)
                quotient = multiply(subtract(tree, ONE), ("^", add(tree, ONE), rational(-1)))
                return Hypothesis(multiply(rational(2), quotient), ("log", tree))
        raise Rejected(f"unknown hypothesis: {rule}")

    def _of_vector(self, rule: str, vector: Any) -> Hypothesis:
        declared = trees_of(parameter(self.domain, vector, "vector"))
        terms = (("^", ("item", vector, ("b", 0)), rational(power)) for power in (1, 2))
        total, squares = (("sum", ONE, declared["length"], term) for term in terms)
        if rule == "cauchy":
            return Hypothesis(square(total), multiply(declared["length"], squares))
        if "square_sum" not in declared:
            raise Rejected(f"{vector} has no bound on its sum of squares")
        return Hypothesis(squares, declared["square_sum"])


def inequality(relation: str, left: Tree, right: Tree) -> Hypothesis:
    """What a relation between two sides says."""
    small, large = (left, right) if relation[0] == "<" else (right, left)
    return Hypothesis(small, large, "=" not in relation)


def _cauchy(one: Tree, other: Tree) -> Hypothesis:
    if one[1:3] != other[1:3]:
        raise Rejected("two sums over different indices")
    product = _mapped(one, lambda body: multiply(body, other[3]))
    return Hypothesis(square(product), multiply(_mapped(one, square), _mapped(other, square)))


def _require(is_known: bool, reason: str, tree: Tree) -> None:
    if not is_known:
        raise Rejected(f"{reason}: {tree}")


def _sum(data: Any) -> Tree:
    tree = from_json(data)
    if tree[0] != "sum":
        raise Rejected("not a sum")
    return tree


def _mapped(total: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """The sum with another body over the same index."""
    return (*total[:3], change(total[3]))
