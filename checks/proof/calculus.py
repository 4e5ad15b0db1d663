"""Proofs for inequalities of one or two real parameters: split, rearrange, differentiate, and again.

A search in depth. What is left of a goal when factors of known sign are taken out is divided by one of its
own coefficients, so that its derivative is simpler than itself; where floats see the derivative change its
sign only at an anchor, the goal rises from there. Before that, kinks are split off, and both sides of a
product of powers are replaced by their logarithms.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.arithmetic import Undefined
from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    ZERO,
    Tree,
    canonical_json,
    multiply,
    names,
    rational,
    walk,
)
from boundaudit.checks.language.statement import Relation, Statement
from boundaudit.checks.proof.boxes import boxes
from boundaudit.checks.proof.engine import Budget, Context, Lemma, Refuted, all_found, by_cases, psatz, times
from boundaudit.checks.proof.kernel import domains
from boundaudit.checks.proof.kernel.calculus import (
    base_statement,
    concave_statements,
    fading_statements,
    slope_statement,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.transformations import case_statements, image_statement, substituted
from boundaudit.checks.proof.multipliers import candidate_labels, multipliers, search
from boundaudit.checks.proof.rewriting import atoms_of, has_hard_power, images, kinks, substitutions, with_powers
from boundaudit.checks.proof.sampling import is_refuted, points, signs
from boundaudit.checks.proof.slopes import Way, cost_of, variables, ways, weighted

_DEPTH = 9
_NESTED = 4
"""Depth that the budget must still have: a search within searches of others would be repeated for each."""
_NODES_IN_ALL = 6_000
"""Nodes of the trees of which normal forms are made, in one search."""
_TERMS = 48
_DEGREE = 48
_NODES = 1500
_COLUMNS = 60
_COMBINED = 12
_BOXES = 60
_SLOPES = 4
_LATEST = 3
_DETOUR = 2

IDENTITY: Certificate = {"kind": "identity"}


def calculus(statement: Statement, context: Context) -> Certificate | None:
    """Look for a proof by derivatives along its parameters, of an inequality of scalar parameters without sums.

    The certificate is one of nested transformations; touch points are not used.

    Raises:
        Rejected: where the statement is an equation.
    """
    if context.budget.depth < _NESTED or not _is_small(statement.goal):
        return None
    if statement.relation == "=":
        raise Rejected("derivatives prove inequalities, not equations")
    with suppress(Spent):
        return _Search(context).prove(statement, _DEPTH)
    return None


def with_calculus(context: Context) -> Context:
    """A context that looks for a proof by derivatives first, however deep it is."""
    allowed = replace(context, budget=replace(context.budget, depth=_NESTED))

    def prove(statement: Statement) -> Certificate | None:
        with suppress(Rejected):
            if (found := calculus(statement, allowed)) is not None:
                return found
        return context.prove(statement)

    return replace(context, prove=prove)


def _is_small(tree: Tree) -> bool:
    """Whether its normal form and derivatives may be asked for."""
    nodes = list(itertools.islice(walk(tree), _NODES + 1))
    powers = (node[2] for node in nodes if node[0] == "^")
    whole = all(abs(power[1]) <= _DEGREE and power[2] <= _DEGREE for power in powers if power[0] == "q")
    return whole and len(nodes) <= _NODES and all(node[0] not in (*FOLDS, "item", "floor") for node in nodes)


class Spent(Exception):
    """The search has made as many normal forms as it may."""


class _Search:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.spent = 0
        self.known: dict[str, Certificate] = {}
        self.failed: dict[str, int] = {}

    def prove(self, statement: Statement, depth: int) -> Certificate | None:
        """The certificate of an inequality, if one is found within a number of nested steps."""
        key = canonical_json(statement.to_json())
        if key in self.known:
            return self.known[key]
        if self.failed.get(key, 0) >= depth or not _is_small(statement.goal):
            return None
        self.failed[key] = depth
        if is_refuted(statement):
            return None
        self.spend(statement.goal)
        try:
            found = self._prove(statement, depth)
        except Rejected:
            return None
        if found is not None:
            self.known[key] = found
        return found

    def spend(self, tree: Tree) -> None:
        """Count the nodes of a tree before work on it."""
        self.spent += sum(1 for _ in walk(tree))
        if self.spent > _NODES_IN_ALL:
            raise Spent

    def _prove(self, statement: Statement, depth: int) -> Certificate | None:
        # Relations that move along with a parameter are of no use on the way along it.
        plain = NormalForm({**statement.domain, "where": []}).has(statement.goal)
        found = self._without_ends(statement, depth, _raised(statement.goal) if plain else names(statement.goal))
        if found is not None:
            return found
        form = NormalForm(statement.domain)
        goal = form.ratio(statement.goal)
        if goal.num.is_zero():
            return None if statement.is_strict else IDENTITY
        if max(map(len, goal)) > _TERMS or max(goal.num.degrees()) > _DEGREE:
            return None
        return self._by_factors(statement, form, goal, depth)

    # --- ends, factors -------------------------------------------------------------------------------

    def _without_ends(self, statement: Statement, depth: int, among: Set[str]) -> Certificate | None:
        """A goal may have a normal form, or slopes, inside alone: its ends along some parameters are cases."""
        for declared in statement.domain["parameters"]:
            if declared["range"] != "reals" or declared["name"] not in among:
                continue
            for side, is_open in zip(("low", "high"), declared["open"], strict=True):
                if declared[side] is not None and not is_open:
                    cases = case_statements(statement, ["end", declared["name"], side])
                    return self._cases(["end", declared["name"], side], cases, depth)
        return None

    def _cases(self, split: list[Any], cases: Sequence[Statement], depth: int) -> Certificate | None:
        return by_cases(split, self._all(cases, depth) or [None])

    def _all(self, statements: Sequence[Statement], depth: int) -> list[Certificate] | None:
        """The certificates of some statements, none of which floats refute."""
        if any(map(is_refuted, statements)):
            return None
        return all_found(self.prove(statement, depth) for statement in statements)

    def _by_factors(self, statement: Statement, form: NormalForm, goal: Ratio, depth: int) -> Certificate | None:
        """Factors of known sign first; each of the others alone, or their product."""
        constant, factors = form.factors(goal)
        known, unknown = [rational(abs(constant))], []
        sign = 1 if constant > 0 else -1
        for poly, exponent in factors:
            size, tree = form.bounds(Ratio(poly)), form.tree(Ratio(poly))
            up, down = (each.positive if statement.is_strict else each.nonnegative for each in (size, -size))
            if up or down:
                turned = tree if up else form.tree(Ratio(-poly))
                sign = sign if up or exponent % 2 == 0 else -sign
                known.append(_power(turned, exponent))
            elif statement.is_strict:
                unknown.append(_power(tree, exponent))
            elif exponent % 2 == 0:
                known.append(_power(tree, exponent))
            else:
                unknown.append(tree)
                known += [_power(tree, exponent - 1)] if exponent != 1 else []
        scale = multiply(*([tree for tree in known if tree != ONE] or [ONE]))
        columns = points(statement.domain)
        orders = [signs(tree, columns) for tree in unknown]
        if all((order >= 0).all() or (order <= 0).all() for order in orders):
            turns = [-1 if (order < 0).any() else 1 for order in orders]
            if int(np.prod([sign, *turns])) < 0:
                return None
            parts = [_scaled(form, turn, tree) for turn, tree in zip(turns, unknown, strict=True)]
        else:
            parts = [_scaled(form, sign, multiply(*unknown))]
        proofs = all_found(self._residual(_claim(part, statement), form, depth) for part in parts)
        shown = psatz(["n"], [["sign", scale]])
        return None if proofs is None else _product([scale, *parts], [shown, *proofs])

    def _residual(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """A goal of unknown sign that does not factor."""
        if depth == 0 or is_refuted(statement):
            return None
        if any(atom.key[0] == "abs" for atom in atoms_of(form, statement.goal)):
            return self._by_kinks(statement, form, depth - 1)
        methods = (
            self._by_multipliers,
            self._by_hard_image,
            self._by_slopes,
            self._by_concavity,
            self._by_image,
            self._by_substitution,
            self._by_boxes,
        )
        for method in methods:
            try:
                found = method(statement, form, depth - 1)
            except Rejected:
                continue
            if found is not None:
                return found
        return None

    # --- one method each -----------------------------------------------------------------------------

    def _by_multipliers(self, statement: Statement, form: NormalForm, _: int) -> Certificate | None:
        if len(names(statement.goal)) < 2 and not statement.domain["where"]:
            return None
        if len(form.ratio(statement.goal).num) > _COMBINED:
            return None
        hypotheses = Hypotheses(statement.domain)
        labels = candidate_labels(hypotheses, statement.goal)
        return search(hypotheses, statement.goal, labels, _COLUMNS, strict=statement.is_strict)

    def _by_kinks(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """Show the sign of what an absolute value is taken of, or split where it changes, or by that sign."""
        tree = next(atom.key[1] for atom in atoms_of(form, statement.goal) if atom.key[0] == "abs")
        order = signs(tree, points(statement.domain))
        relations: tuple[tuple[int, Relation], ...] = ((1, ">="), (-1, "<="))
        for sign, relation in relations:
            if (order * sign >= 0).all():
                lemma = Statement(tree, relation, ZERO, statement.domain)
                proof = self.prove(lemma, depth)
                if proof is not None:
                    rest = self.prove(domains.with_lemmas(statement, [lemma]), depth)
                    # What rests on the lemma may have lemmas of its own: it is one step further in.
                    lemmas = [Lemma(lemma, proof).to_json()]
                    return rest and {**_product([statement.goal], [rest]), "lemmas": lemmas}
        split = next(kinks(form, statement.domain, tree))
        return self._cases(split, case_statements(statement, split), depth)

    def _by_hard_image(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """Logarithms first, where one term has exponents that are more than multiples of a parameter."""
        terms = [Ratio(monomial) for _, monomial in form.terms(form.ratio(statement.goal).num)]
        hard = [term for term in terms if has_hard_power(form, term)]
        return self._by_image(statement, form, depth) if len(hard) == 1 else None

    def _by_image(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """Compare logarithms of products of powers, or exponentials of logarithms."""
        for function, small, large in images(form, form.ratio(statement.goal)):
            lemma = self._positive(statement, form, small, depth) if function == "log" else None
            known = statement if lemma is None else domains.with_lemmas(statement, [lemma.statement])
            try:
                image = image_statement(known, function, small, large)
            except Rejected:
                continue
            found = self.prove(image, depth)
            if found is not None:
                carried = {} if lemma is None else {"lemmas": [lemma.to_json()]}
                return {**carried, "kind": "increasing", "function": function, "small": small, "large": large,
                        "proof": found}  # fmt: skip
        return None

    def _positive(self, statement: Statement, form: NormalForm, side: Tree, depth: int) -> Lemma | None:
        """That a side of which logarithms are to be taken is positive, where ranges do not show it and points do."""
        if form.range_of(side).positive or (signs(side, points(statement.domain)) < 0).any():
            return None
        needed = Statement(ZERO, "<", side, statement.domain)
        proof = self.prove(needed, depth)
        return None if proof is None else Lemma(needed, proof)

    def _by_slopes(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        found_ways = sorted(ways(statement, form, self.spend), key=lambda way: way.cost)
        for way in found_ways[:_SLOPES]:
            # A slope no simpler than its goal may lead nowhere for ever.
            left = depth if way.cost < cost_of(form, form.ratio(statement.goal)) else depth - _DETOUR
            found = self._by_way(statement, form, way, left) if left > 0 else None
            if found is not None:
                return found
        return None

    def _by_way(self, statement: Statement, form: NormalForm, way: Way, depth: int) -> Certificate | None:
        if way.shape == "split":
            split = ["at", way.variable, way.anchor]
            below, above = case_statements(statement, split)
            falls = self._by_way(below, NormalForm(below.domain), way._replace(shape="falling"), depth)
            rises = falls and self._by_way(above, NormalForm(above.domain), way._replace(shape="rising"), depth)
            return by_cases(split, (falls, rises))
        goal = _claim(way.goal, statement)
        if not form.range_of(way.weight).positive:
            return None
        try:
            found = (self._fading if way.shape == "fading" else self._valley)(goal, way, depth)
        except Rejected:
            return None
        return found and times(way.weight, way.goal, found)

    def _valley(self, goal: Statement, way: Way, depth: int) -> Certificate | None:
        parts = [
            base_statement(goal, way.variable, way.anchor),
            slope_statement(goal, way.variable, way.anchor, way.shape),
        ]
        proofs = self._all(parts, depth)
        valley = {"kind": "valley", "variable": way.variable, "anchor": way.anchor, "shape": way.shape}
        return None if proofs is None else {**valley, "base": proofs[0], "slope": proofs[1]}

    def _fading(self, goal: Statement, way: Way, depth: int) -> Certificate | None:
        parts = fading_statements(goal, way.variable, way.anchor)
        slope = self.prove(parts["slope"], depth)
        bound = slope and multipliers(parts["bound"], self.context)  # it speaks of sizes, not of slopes
        fading = {"kind": "fading", "variable": way.variable, "size": way.anchor}
        return bound and {**fading, "bound": bound, "slope": slope}

    def _by_concavity(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        for name in variables(statement):
            for weight, goal in weighted(form, statement.goal, name):
                try:
                    parts = concave_statements(_claim(goal, statement), name)
                except Rejected:
                    continue
                proofs = self._all(list(parts.values())[::-1], depth)
                if proofs is not None:
                    concave = {"kind": "concave", "variable": name, **dict(zip(list(parts)[::-1], proofs, strict=True))}
                    return times(weight, goal, concave)
        return None

    def _by_substitution(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        if depth < _DEPTH - _LATEST:
            return None
        for name, new, value, inverse in substitutions(statement, form):
            try:
                put = substituted(statement, name, new, value, inverse)
            except Rejected:
                continue
            found = self.prove(put, depth)
            if found is not None:
                change = {"variable": name, "new": new, "value": value, "inverse": inverse}
                return {"kind": "substitution", **change, "proof": found}
        return None

    def _by_boxes(self, statement: Statement, _: NormalForm, __: int) -> Certificate | None:
        with suppress(Refuted, Undefined):
            return boxes(statement, replace(self.context, touch_points=(), budget=Budget(boxes=_BOXES)))
        return None


def _raised(tree: Tree) -> Set[str]:
    """The parameters that are raised to powers which are no numbers: at 0 these have no slope."""
    powers = (node for node in walk(tree) if node[0] == "^" and node[1][0] == "v" and names(node[2]))
    return {power[1][1] for power in powers}


# --- certificates ------------------------------------------------------------------------------------


def _product(factors: list[Tree], proofs: list[Certificate]) -> Certificate:
    return {"kind": "product", "factors": factors, "proofs": proofs}


def _claim(goal: Tree, statement: Statement) -> Statement:
    """The claim that an expression is non-negative, or positive where the statement is strict."""
    return Statement(ZERO, domains.sign(statement), goal, statement.domain)


def _power(tree: Tree, exponent: int) -> Tree:
    return tree if exponent == 1 else ("^", tree, rational(exponent))


def _scaled(form: NormalForm, sign: int, tree: Tree) -> Tree:
    return with_powers(form.tree(form.scale(sign, form.ratio(tree))))
