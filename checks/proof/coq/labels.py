"""The hypotheses that a certificate names by labels, each with its proof in Coq."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from boundaudit.checks.language.expression import ONE, Tree, from_json, subtract
from boundaudit.checks.language.statement import trees_of
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.propositions import end_name, where_name
from boundaudit.checks.proof.coq.terms import NotExported, identifier, less, text
from boundaudit.checks.proof.kernel.domains import parameter
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses


class Labels:
    """Hypotheses on one ground, met after a goal and each other as our checker meets them: what it notes is known."""

    def __init__(self, ground: Ground, goal: Tree) -> None:
        self._ground = ground
        self._hypotheses = Hypotheses(ground.domain)
        self._hypotheses.form.ratio(goal)

    def excess(self, label: Any) -> tuple[str, str, bool]:
        """What a label of a certificate says to be non-negative.

        The term in atoms, the name of the proof of its sign, and whether it is positive.

        Raises:
            NotExported: where there is no proof yet.
        """
        ground = self._ground
        found = self._hypotheses.derive(label)
        self._hypotheses.form.ratio(subtract(found.large, found.small))
        if label[0] == "sign":
            tree = from_json(label[1])
            shown, _ = ground.lifted(tree)
            value = ground.ratio(tree)
            name = (ground.signs.positive if found.strict else ground.signs.nonnegative)(value, shown)
            return shown, name, found.strict
        _, name = self._derive(label)
        (small, large), way = ground.lifted_together(found.small, found.large)
        shown = f"({large} - {small})"
        proof = f"pose proof {name} as known; revert known; {way}; intros known; lra"
        return shown, ground.script.have("hy", f"0 {less(found.strict)} {shown}", proof), found.strict

    def _derive(self, label: Any) -> tuple[Any, str]:
        """What a label says, and the name of its proof in the words of the statement."""
        script, found = self._ground.script, self._hypotheses.derive(label)
        claim = f"{text(found.small)} {less(found.strict)} {text(found.large)}"
        return found, script.name_of(claim) or script.have("la", claim, self._proof(label))

    def _proof(self, label: Any) -> str:
        match label:
            case ["low" | "high" as side, subject]:
                return self._end(from_json(subject), side)
            case ["where", position]:
                name = where_name(position)
                return f"first [exact {name} | apply Rge_le; exact {name} | apply Rgt_lt; exact {name}]"
            case ["log", inner]:
                return self._log(inner)
            case ["above" | "below" as rule, subject]:
                lemma = f"abs_{rule}"
                term = text(from_json(subject))
                return f"pose proof ({lemma} {term}); lra"
            case ["floor" | "ceiling" as rule, subject]:
                lemma = "floor_low" if rule == "floor" else "floor_high"
                return f"apply {lemma}"
            case ["tangent" | "pade" as rule, subject]:
                return self._logarithmic(rule, from_json(subject))
            case ["square_sum", vector]:
                return f"exact {end_name(vector, 'squares')}"
            case ["cauchy", vector]:
                return self._cauchy_of_vector(vector)
            case ["cauchy", _, _]:
                return "apply cauchy"
            case ["squares", _]:
                return "apply squares_of_sum; whole_or_more"
            case ["power", inner, exponent]:
                return self._power(inner, from_json(exponent))
            case ["part", total, index]:
                return self._part(from_json(total), from_json(index))
            case ["each", position, index]:
                return self._each(position, from_json(index))
        raise NotExported(f"the hypothesis {label[0]}")

    def _end(self, subject: Tree, side: str) -> str:
        ground = self._ground
        if subject[0] == "v":
            return f"exact {end_name(subject[1], side)}"
        declared = parameter(ground.domain, subject[1], "vector", "matrix")
        ground.lifted(subject)
        return f"exact {ground.signs.entry_premise(subject, declared, side)}"

    def _log(self, inner: Any) -> str:
        found, name = self._derive(inner)
        lemma = "ln_increasing" if found.strict else "ln_increases"
        return f"apply {lemma}; [{self._ground.signs.shown(found.small, strict=True)} | exact {name}]"

    def _power(self, inner: Any, exponent: Tree) -> str:
        found, name = self._derive(inner)
        base = self._ground.signs.shown(found.small)
        order = f"apply Rlt_le; exact {name}" if found.strict else f"exact {name}"
        if exponent[0] == "q":
            value = Fraction(*exponent[1:])
            root = f"apply root_increases; [lia | {base} | {order}]"
            if value.denominator == 1:
                return f"apply pow_incr; split; [{base} | {order}]"
            return root if value.numerator == 1 else f"apply pow_incr; split; [apply root_nonneg | {root}]"
        return f"apply power_monotone; [{base} | {self._ground.signs.shown(exponent)} | {order}]"

    def _part(self, total: Tree, index: Tree) -> str:
        low, high, place = (text(tree) for tree in (*total[1:3], index))
        function = f"(fun i_0 : R => {text(total[3], ('i_0',))})"
        inside = " | ".join(f"exact {name}" for name in self._ground.signs.index_within(*total[1:3], index))
        return f"apply (term_of_sum {low} {high} {function} {place}); [whole | whole | {inside}]"

    def _each(self, position: int, index: Tree) -> str:
        ends = map(from_json, self._ground.domain["where"][position][1:3])
        entry = f"({where_name(position)} {text(index)} {' '.join(self._ground.signs.index_within(*ends, index))})"
        return f"first [exact {entry} | apply Rge_le; exact {entry} | apply Rgt_lt; exact {entry}]"

    def _logarithmic(self, rule: str, tree: Tree) -> str:
        ground = self._ground
        term, rewriting = ground.lifted(tree)
        if rule == "tangent":
            sign = ground.signs.positive(ground.ratio(tree), term)
            middle = f"apply Rle_trans with ({text(tree)} - 1)"
            return f"{middle}; [apply tangent; {rewriting}; exact {sign} | lra]"
        gap = subtract(tree, ONE)
        shown, _ = ground.lifted(gap)
        sign = ground.signs.nonnegative(ground.ratio(gap), shown)
        return f"apply pade; {rewriting}; clear - {sign}; lra"

    def _cauchy_of_vector(self, vector: str) -> str:
        length = trees_of(parameter(self._ground.domain, vector, "vector"))["length"]
        return f"apply (cauchy_length (fun i => {identifier(vector)} i) {text(length)}); whole_or_more"
