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

from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, from_json, multiply, rational, subtract
from boundaudit.checks.proof.kernel.domains import Domain, parameter, trees_of


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
            case ["log", inner]:
                return self._log(self.derive(inner))
            case ["cauchy" | "square_sum" as rule, vector]:
                return self._of_vector(rule, vector)
            case ["sign" | "above" | "below" | "tangent" | "floor" | "ceiling" as rule, subject]:
                return self._of_tree(rule, from_json(subject))
        raise Rejected(f"unknown hypothesis: {label}")

    def excess(self, label: Any) -> tuple[Ratio, bool]:
        """The non-negative ``large - small`` in normal form, and whether it is known to be positive."""
        found = self.derive(label)
        return self.form.ratio(subtract(found.large, found.small)), found.strict

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

    def _log(self, inner: Hypothesis) -> Hypothesis:
        if not self.form.range_of(inner.small).positive:
            raise Rejected("the logarithm is taken of something not known to be positive")
        return Hypothesis(("log", inner.small), ("log", inner.large), inner.strict)

    def _of_tree(self, rule: str, tree: Tree) -> Hypothesis:
        if rule in ("above", "below"):
            return Hypothesis(tree if rule == "above" else multiply(rational(-1), tree), ("abs", tree))
        if rule == "floor":
            return Hypothesis(("floor", tree), tree)
        if rule == "ceiling":
            return Hypothesis(tree, add(("floor", tree), ONE), True)
        size = self.form.range_of(tree)
        if not (size.positive if rule == "tangent" else size.nonnegative):
            raise Rejected(f"the ranges do not show the sign that is needed: {tree}")
        if rule == "sign":
            return Hypothesis(ZERO, tree, size.positive)
        return Hypothesis(("log", tree), subtract(tree, ONE))

    def _of_vector(self, rule: str, vector: Any) -> Hypothesis:
        declared = trees_of(parameter(self.domain, vector, "vector"))
        total, squares = (_total(vector, declared["length"], power) for power in (1, 2))
        if rule == "cauchy":
            return Hypothesis(("^", total, rational(2)), multiply(declared["length"], squares))
        if "square_sum" not in declared:
            raise Rejected(f"{vector} has no bound on its sum of squares")
        return Hypothesis(squares, declared["square_sum"])


def _total(vector: str, length: Tree, power: int) -> Tree:
    """Σ c_t^power over the whole vector."""
    return ("sum", ONE, length, ("^", ("item", vector, ("b", 0)), rational(power)))
