r"""What may be used in a proof: hypotheses that the checker derives again from the domain.

A certificate names a hypothesis by a label, a JSON list whose first word is a rule:

===========================  ===================================================================
``["low", subject]``         lower end of a parameter or vector entry ≤ subject (a tree)
``["high", subject]``        subject ≤ upper end
``["where", k]``             relation k of the domain, counted from 0
``["log", label]``           log a ≤ log b, where the labelled hypothesis says 0 < a ≤ b
``["sign", tree]``           0 ≤ tree, because the ranges of the parameters show it
``["above", tree]``          tree ≤ \\|tree\\|
``["below", tree]``          -tree ≤ \\|tree\\|
``["tangent", tree]``        log tree ≤ tree - 1, for a tree known to be positive
``["floor", tree]``          floor tree ≤ tree
``["ceiling", tree]``        tree < floor tree + 1
``["cauchy", vector]``       (Σ c_t)² ≤ length · Σ c_t² (Cauchy-Schwarz)
``["square_sum", vector]``   Σ c_t² ≤ the bound in the declaration of the vector
===========================  ===================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, from_json, multiply, rational, subtract
from boundaudit.checks.proof.domains import Domain, parameter
from boundaudit.checks.proof.engine import Rejected


class Hypothesis(NamedTuple):
    """``small ≤ large``, or ``<`` where strict."""

    small: Tree
    large: Tree
    strict: bool

    @property
    def excess(self) -> Tree:
        """``large - small``, which is non-negative."""
        return subtract(self.large, self.small)


class Hypotheses:
    """Derives hypotheses on one domain from their labels."""

    def __init__(self, domain: Domain) -> None:
        """Prepare the normal forms of a domain.

        Raises:
            Rejected: where the domain is malformed.
        """
        self.domain = domain
        self.form = NormalForm(domain)

    def derive(self, label: Any) -> Hypothesis:
        """The hypothesis with a label.

        Returns:
            Its two sides and whether it is strict.

        Raises:
            Rejected: where the label names nothing that holds on this domain.
        """
        rules: dict[str, Callable[[Any], Hypothesis]] = {
            "low": lambda subject: self._end(from_json(subject), "low"),
            "high": lambda subject: self._end(from_json(subject), "high"),
            "where": self._where,
            "log": self._log,
            "sign": lambda tree: self._sign(from_json(tree)),
            "above": lambda tree: Hypothesis(from_json(tree), ("abs", from_json(tree)), False),
            "below": lambda tree: Hypothesis(multiply(rational(-1), from_json(tree)), ("abs", from_json(tree)), False),
            "tangent": lambda tree: self._tangent(from_json(tree)),
            "floor": lambda tree: Hypothesis(("floor", from_json(tree)), from_json(tree), False),
            "ceiling": lambda tree: Hypothesis(from_json(tree), add(("floor", from_json(tree)), ONE), True),
            "cauchy": self._cauchy,
            "square_sum": self._square_sum,
        }
        if not isinstance(label, (list, tuple)) or len(label) != 2 or label[0] not in rules:
            raise Rejected(f"unknown hypothesis: {label}")
        return rules[label[0]](label[1])

    def excess(self, label: Any) -> tuple[Ratio, bool]:
        """The non-negative expression of a hypothesis in normal form.

        Returns:
            The normal form, and whether it is known to be positive.
        """
        found = self.derive(label)
        return self.form.ratio(found.excess), found.strict

    def _end(self, subject: Tree, side: str) -> Hypothesis:
        kinds = {"v": ("integers", "reals"), "item": ("vector",)}
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
        if type(position) is not int or not 0 <= position < len(relations):
            raise Rejected(f"the domain has no relation {position}")
        relation, left, right = relations[position]
        small, large = (left, right) if relation[0] == "<" else (right, left)
        return Hypothesis(from_json(small), from_json(large), "=" not in relation)

    def _log(self, label: Any) -> Hypothesis:
        small, large, strict = self.derive(label)
        if not self.form.range_of(small).positive:
            raise Rejected("the logarithm is taken of something not known to be positive")
        return Hypothesis(("log", small), ("log", large), strict)

    def _sign(self, tree: Tree) -> Hypothesis:
        size = self.form.range_of(tree)
        if not size.nonnegative:
            raise Rejected(f"the ranges do not show this to be non-negative: {tree}")
        return Hypothesis(ZERO, tree, size.positive)

    def _tangent(self, tree: Tree) -> Hypothesis:
        if not self.form.range_of(tree).positive:
            raise Rejected(f"the ranges do not show this to be positive: {tree}")
        return Hypothesis(("log", tree), subtract(tree, ONE), False)

    def _cauchy(self, vector: Any) -> Hypothesis:
        length = from_json(parameter(self.domain, vector, "vector")["length"])
        return Hypothesis(
            ("^", _total(vector, length, 1), rational(2)), multiply(length, _total(vector, length, 2)), False
        )

    def _square_sum(self, vector: Any) -> Hypothesis:
        declared = parameter(self.domain, vector, "vector")
        if declared["square_sum"] is None:
            raise Rejected(f"{vector} has no bound on its sum of squares")
        return Hypothesis(_total(vector, from_json(declared["length"]), 2), from_json(declared["square_sum"]), False)


def _total(vector: str, length: Tree, power: int) -> Tree:
    """Σ c_t^power over the whole vector; the index has a name that no parameter can have."""
    entry: Tree = ("item", vector, ("v", "#t"))
    return ("sum", "#t", ONE, length, entry if power == 1 else ("^", entry, rational(power)))
