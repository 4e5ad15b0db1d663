"""Proofs for inequalities of one or two real parameters: split, rearrange, differentiate, and again.

A search in depth. What is left of a goal when factors of known sign are taken out is divided by one of its
own coefficients, so that its derivative is simpler than itself; where floats see the derivative change its
sign only at an anchor, the goal rises from there. Before that, kinks are split off, and both sides of a
product of powers are replaced by their logarithms.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Atom, Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    canonical_json,
    children,
    from_json,
    multiply,
    names,
    rational,
    rebuild,
    substitute,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.boxes import boxes, simplest
from boundaudit.checks.proof.engine import Attempt, Budget, Context
from boundaudit.checks.proof.kernel.cases import case_statements, on
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.differentiate import NotDifferentiable, derivative
from boundaudit.checks.proof.kernel.domains import Domain, trees_of, with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.transformations import image_statement, substituted
from boundaudit.checks.proof.kernel.valley import along, base_statement, concave_statements, slope_statement
from boundaudit.checks.proof.multipliers import candidate_labels, search
from boundaudit.checks.proof.sampling import is_refuted, points, signs

NAME = "calculus"
_DEPTH = 9
_NESTED = 4
"""Depth that the budget must still have: a search within searches of others would be repeated for each."""
_NODES_IN_ALL = 8_000
"""Nodes of the trees of which normal forms are made, in one search."""
_TERMS = 48
_DEGREE = 48
_NODES = 1500
_COLUMNS = 60
_COMBINED = 12
_BOXES = 60
_WEIGHTS = 6
_SLOPES = 4
_LATEST = 3
_GROWTH = 2
_DETOUR = 2
_LARGEST_SHARE = 2
_SPLIT_POINTS = (0, 1, -1)

IDENTITY: Certificate = {"kind": "identity"}


def calculus(statement: Statement, context: Context) -> Attempt:
    """Look for a proof by derivatives along its parameters.

    Args:
        statement: An inequality between expressions of scalar parameters, without sums.
        context: Its lemmas and touch points are not used.

    Returns:
        Proved with a certificate of nested transformations, or unknown.
    """
    if context.budget.depth < _NESTED:
        return Attempt("unknown", NAME)
    if statement.relation == "=":
        return Attempt("unknown", NAME, notes=("derivatives prove inequalities, not equations",))
    kinds = {found["range"] for found in statement.domain["parameters"]}
    if not kinds <= {"reals", "integers", "choices"} or not _is_small(statement.goal):
        return Attempt("unknown", NAME)
    looking = _Search(context)
    try:
        certificate = looking.prove(statement, _DEPTH)
    except Spent:
        return Attempt("unknown", NAME, notes=("the search was too long",), effort={"nodes": looking.spent})
    if certificate is None:
        return Attempt("unknown", NAME, effort={"nodes": looking.spent})
    return Attempt("proved", NAME, certificate, effort={"nodes": looking.spent})


def _is_small(tree: Tree) -> bool:
    """Whether its normal form and derivatives may be asked for."""
    nodes = list(itertools.islice(walk(tree), _NODES + 1))
    powers = (node[2] for node in nodes if node[0] == "^")
    whole = all(abs(power[1]) <= _DEGREE and power[2] <= _DEGREE for power in powers if power[0] == "q")
    return whole and len(nodes) <= _NODES and all(node[0] not in ("sum", "item", "floor") for node in nodes)


class Spent(Exception):
    """The search has made as many normal forms as it may."""


class Way(NamedTuple):
    """A way to see a goal rise: divided by ``weight``, along a parameter, from an anchor."""

    cost: int
    variable: str
    weight: Tree
    goal: Tree
    anchor: Tree
    shape: str


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
        except (Rejected, NotDifferentiable):
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
        try:
            # Relations that move along with a parameter are of no use on the way along it.
            NormalForm({**statement.domain, "where": []}).ratio(statement.goal)
        except Rejected:
            found = self._without_ends(statement, depth)
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

    def _without_ends(self, statement: Statement, depth: int) -> Certificate | None:
        """A goal without a normal form may have one inside: its ends are cases of their own."""
        for declared in statement.domain["parameters"]:
            if declared["range"] != "reals" or declared["name"] not in names(statement.goal):
                continue
            for side, is_open in zip(("low", "high"), declared["open"], strict=True):
                if declared[side] is not None and not is_open:
                    cases = case_statements(statement, ["end", declared["name"], side])
                    return self._cases(["end", declared["name"], side], cases, depth)
        return None

    def _cases(self, split: list[Any], cases: Sequence[Statement], depth: int) -> Certificate | None:
        proofs = self._all(cases, depth)
        return None if proofs is None else {"kind": "cases", "split": split, "proofs": proofs}

    def _all(self, statements: Sequence[Statement], depth: int) -> list[Certificate] | None:
        """The certificates of some statements, none of which floats refute."""
        proofs = []
        if any(map(is_refuted, statements)):
            return None
        for statement in statements:
            found = self.prove(statement, depth)
            if found is None:
                return None
            proofs.append(found)
        return proofs

    def _by_factors(self, statement: Statement, form: NormalForm, goal: Ratio, depth: int) -> Certificate | None:
        """Factors of known sign first; each of the others alone, or their product."""
        constant, factors = form.factors(goal)
        known, unknown = [rational(abs(constant))], []
        sign = 1 if constant > 0 else -1
        for poly, exponent in factors:
            size, tree = form.bounds(Ratio(poly)), form.tree(Ratio(poly))
            if size.nonnegative or (-size).nonnegative:
                turned = tree if size.nonnegative else form.tree(Ratio(-poly))
                sign = sign if size.nonnegative or exponent % 2 == 0 else -sign
                known.append(_power(turned, exponent))
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
        proofs = [_sign_proof(scale)]
        for part in parts:
            found = self._residual(_claim(part, statement), form, depth)
            if found is None:
                return None
            proofs.append(found)
        return {"kind": "product", "factors": [scale, *parts], "proofs": proofs}

    def _residual(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """A goal of unknown sign that does not factor."""
        if depth == 0 or is_refuted(statement):
            return None
        if any(atom.key[0] == "abs" for atom in _atoms(form, statement.goal)):
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
            except (Rejected, NotDifferentiable):
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
        return search(hypotheses, statement.goal, labels, _COLUMNS).certificate

    def _by_kinks(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """Show the sign of what an absolute value is taken of, or split where it changes, or by that sign."""
        tree = next(atom.key[1] for atom in _atoms(form, statement.goal) if atom.key[0] == "abs")
        order = signs(tree, points(statement.domain))
        for sign, relation in ((1, ">="), (-1, "<=")):
            if (order * sign >= 0).all():
                lemma = Statement(tree, relation, ZERO, statement.domain)
                proof = self.prove(lemma, depth)
                if proof is not None:
                    rest = self.prove(with_lemmas(statement, [lemma]), depth)
                    return rest and {**rest, "lemmas": [{"statement": lemma.to_json(), "certificate": proof}]}
        split = next(_kinks(form, statement.domain, tree))
        return self._cases(split, case_statements(statement, split), depth)

    def _by_hard_image(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """Logarithms first, where one term has exponents that are more than multiples of a parameter."""
        terms = [monomial for _, monomial in form.terms(form.ratio(statement.goal).num)]
        hard = [term for term in terms if any(_is_hard(form.atoms[k]) for k in form.used(term))]
        return self._by_image(statement, form, depth) if len(hard) == 1 else None

    def _by_image(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        """Compare logarithms of products of powers, or exponentials of logarithms."""
        for function, small, large in _images(form, form.ratio(statement.goal)):
            try:
                image = image_statement(statement, function, small, large)
            except Rejected:
                continue
            found = self.prove(image, depth)
            if found is not None:
                return {"kind": "increasing", "function": function, "small": small, "large": large, "proof": found}
        return None

    def _by_slopes(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        ways = sorted(_ways(statement, form, self.spend), key=lambda way: way.cost)
        for way in ways[:_SLOPES]:
            # A slope no simpler than its goal may lead nowhere for ever.
            left = depth if way.cost < _cost(form, form.ratio(statement.goal)) else depth - _DETOUR
            found = self._by_way(statement, form, way, left) if left > 0 else None
            if found is not None:
                return found
        return None

    def _by_way(self, statement: Statement, form: NormalForm, way: Way, depth: int) -> Certificate | None:
        if way.shape == "split":
            split = ["at", way.variable, way.anchor]
            below, above = case_statements(statement, split)
            proofs = [
                self._by_way(part, NormalForm(part.domain), way._replace(shape=shape), depth)
                for part, shape in ((above, "rising"), (below, "falling"))
            ]
            if proofs[0] is None or proofs[1] is None:
                return None
            return {"kind": "cases", "split": split, "proofs": proofs[::-1]}
        goal = _claim(way.goal, statement)
        if not form.range_of(way.weight).positive:
            return None
        try:
            parts = [
                base_statement(goal, way.variable, way.anchor),
                slope_statement(goal, way.variable, way.anchor, way.shape, None),
            ]
        except (Rejected, NotDifferentiable):
            return None
        proofs = self._all(parts, depth)
        if proofs is None:
            return None
        valley = {"kind": "valley", "variable": way.variable, "anchor": way.anchor, "shape": way.shape}
        return _product(
            [way.weight, way.goal], [_sign_proof(way.weight), {**valley, "base": proofs[0], "slope": proofs[1]}]
        )

    def _by_concavity(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        for name in _variables(statement):
            for weight, goal in _weighted(form, statement.goal, name):
                try:
                    parts = concave_statements(_claim(goal, statement), name)
                except Rejected:
                    continue
                proofs = self._all(list(parts.values())[::-1], depth)
                if proofs is not None:
                    concave = {"kind": "concave", "variable": name, **dict(zip(list(parts)[::-1], proofs, strict=True))}
                    return _product([weight, goal], [_sign_proof(weight), concave])
        return None

    def _by_substitution(self, statement: Statement, form: NormalForm, depth: int) -> Certificate | None:
        if depth < _DEPTH - _LATEST:
            return None
        for name, new, value, inverse in _substitutions(statement, form):
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
        return boxes(statement, replace(self.context, touch_points=(), budget=Budget(boxes=_BOXES))).certificate


def _is_hard(atom: Atom) -> bool:
    """Whether an atom is an exponential of more than a multiple of one parameter."""
    inner = atom.argument
    return atom.key[0] == "exp" and bool(atom.names) and inner is not None and not _is_multiple(inner)


def _is_multiple(ratio: Ratio) -> bool:
    return ratio.den.is_one() and len(ratio.num) == 1 and ratio.num.total_degree() == 1


# --- certificates ------------------------------------------------------------------------------------


def _sign_proof(tree: Tree) -> Certificate:
    """That the ranges show an expression to be non-negative."""
    return {
        "kind": "psatz",
        "terms": [{"weight": [1, 1], "factors": [["n", 1]]}, {"weight": [1, 1], "factors": [[["sign", tree], 1]]}],
    }


def _product(factors: list[Tree], proofs: list[Certificate]) -> Certificate:
    return {"kind": "product", "factors": factors, "proofs": proofs}


def _claim(goal: Tree, statement: Statement) -> Statement:
    """The claim that an expression is non-negative, or positive where the statement is strict."""
    return Statement(ZERO, "<" if statement.is_strict else "<=", goal, statement.domain)


def _power(tree: Tree, exponent: int) -> Tree:
    return tree if exponent == 1 else ("^", tree, rational(exponent))


def _scaled(form: NormalForm, sign: int, tree: Tree) -> Tree:
    return _with_powers(form.tree(form.scale(sign, form.ratio(tree))))


def _with_powers(tree: Tree) -> Tree:
    """The same expression with a^b for exp(b·log a): that has a value at a = 0 too, where b is positive."""
    inner = tree[1] if tree[0] == "exp" else ONE
    factors = list(inner[1:]) if inner[0] == "*" else [inner]
    for k, factor in enumerate(factors):
        if factor[0] == "log":
            others = [_with_powers(other) for other in factors[:k] + factors[k + 1 :]]
            return ("^", _with_powers(factor[1]), multiply(*(others or [ONE])))
    return rebuild(tree, [_with_powers(part) for part in children(tree)])


def _atoms(form: NormalForm, tree: Tree) -> list[Atom]:
    value = form.ratio(tree)
    return [form.atoms[k] for k in form.used(value.num * value.den)]


# --- where a goal may touch zero ---------------------------------------------------------------------


def _variables(statement: Statement) -> list[str]:
    """The real parameters of a goal along which one can move: no other range depends on them."""
    declared = statement.domain["parameters"]
    bound = set().union(*(names(tree) for found in declared for tree in trees_of(found).values()))
    used = names(statement.goal) - bound
    return [found["name"] for found in declared if found["range"] == "reals" and found["name"] in used]


def _ways(statement: Statement, form: NormalForm, spend: Callable[[Tree], None]) -> Iterator[Way]:
    most = _cost(form, form.ratio(statement.goal))
    for name in _variables(statement):
        domain = along(statement.domain, name)
        inside, columns = NormalForm(domain), points(domain)
        declared = next(found for found in domain["parameters"] if found["name"] == name)
        for weight, goal in _weighted(form, statement.goal, name):
            try:
                raw = derivative(goal, name)
                spend(raw)
                slope = inside.ratio(raw)
            except (Rejected, NotDifferentiable):
                continue
            if max(map(len, slope)) > _TERMS:
                continue
            cost = _cost(inside, slope)
            if cost > _GROWTH * most:
                continue
            tree = inside.tree(slope)
            rises = signs(tree, columns)
            for end, shape, sign in (("low", "rising", 1), ("high", "falling", -1)):
                if declared[end] is not None and (rises * sign >= 0).all():
                    yield Way(cost, name, weight, goal, from_json(declared[end]), shape)
            for anchor in _bottoms(inside, slope, name, columns, rises):
                yield Way(cost + 1, name, weight, goal, anchor, "split")


def _bottoms(form: NormalForm, slope: Ratio, name: str, columns: Any, rises: Any) -> Iterator[Tree]:
    """Anchors below which the goal falls and above which it rises, as far as the points show."""
    if not ((rises > 0).any() and (rises < 0).any()):
        return
    found: list[Tree] = []
    low, high = columns[name][rises < 0].max(), columns[name][rises > 0].min()
    if low <= high:
        found.append(rational(simplest(Fraction(float(low)), Fraction(float(high)))))
    found += [("v", other) for other in columns if other != name]
    found += _roots(form, slope, name)
    for anchor in dict.fromkeys(found):
        side = signs(subtract(("v", name), anchor), columns)
        if (side * rises >= 0).all() and (side * rises > 0).any():
            yield anchor


def _roots(form: NormalForm, slope: Ratio, name: str) -> Iterator[Tree]:
    """Roots of factors that are linear in a parameter, or the difference of two products of its powers."""
    for poly, _ in form.factors(slope)[1]:
        line = linear(form, poly, name)
        if line is not None:
            yield line
        elif len(poly) == 2:
            one, other = (form.scale(value, Ratio(monomial)) for value, monomial in form.terms(poly))
            try:
                logs = form.subtract(form.log(one), form.log(form.scale(-1, other)))
                # a·log v + b = 0
                growth = form.find(("log", ("v", name)))
                line = None if growth is None else _solved(form, logs, form.single(growth.num), name)
            except Rejected:
                continue
            if line is not None:
                yield ("exp", line)


def linear(form: NormalForm, poly: fmpq_mpoly, name: str) -> Tree | None:
    """The root of a polynomial that is linear in a parameter, and in nothing made of it."""
    generator = form.find(("v", name))
    atom = None if generator is None else form.single(generator.num)
    return None if atom is None else _solved(form, Ratio(poly), atom, name)


def _solved(form: NormalForm, ratio: Ratio, atom: Atom, name: str) -> Tree | None:
    """The value of an atom at which a numerator vanishes that is linear in it and else free of a parameter."""
    generator = form.generator(atom).num
    lead = ratio.num.derivative(form.used(generator)[0])
    rest = ratio.num - lead * generator
    if lead.is_zero() or name in form.names(lead) | form.names(rest):
        return None
    try:
        return form.tree(form.multiply(Ratio(-rest), form.power(Ratio(lead), -1)))
    except Rejected:
        return None


def _cost(form: NormalForm, slope: Ratio) -> int:
    """How hard the sign of an expression may be: its atoms and terms, factors of known sign left out."""
    total = 0
    if slope.num.is_zero():
        return 0
    for poly, exponent in form.factors(slope)[1]:
        size = form.bounds(Ratio(poly))
        if exponent % 2 and not (size.nonnegative or (-size).nonnegative):
            total += len(poly)
            for k in form.used(poly):
                total += {"log": 8, "exp": 5, "^": 3}.get(form.atoms[k].key[0], 1)
    return total


# --- rearranging a goal ------------------------------------------------------------------------------


def _weighted(form: NormalForm, goal: Tree, name: str) -> Iterator[tuple[Tree, Tree]]:
    """Pairs (positive weight, goal divided by it): the weights are the coefficients of its logarithms and powers."""
    ratio = form.ratio(goal)
    seen = set()
    groups: dict[tuple[str, str], Ratio] = {}
    for value, monomial in form.terms(ratio.num):
        one = form.constant(1)
        parts = {"log": one, "exp": one, "line": one, "curve": form.constant(value)}
        for k in form.used(monomial):
            head = form.atoms[k].key[0]
            kind = head if head in ("log", "exp") and name in form.atoms[k].names else "curve"
            kind = "line" if form.atoms[k].key == ("v", name) else kind
            power = form.power(form.generator(form.atoms[k]), int(monomial.degrees()[k]))
            parts[kind] = form.multiply(parts[kind], power)
        parts["rest"] = form.multiply(parts["line"], parts["curve"])
        for key, part in (
            (("log", str(parts["log"].num)), form.multiply(parts["rest"], parts["exp"])),
            (("exp", str(parts["exp"].num)), parts["exp"]),
            (("both", str((parts["log"].num, parts["exp"].num))), form.multiply(parts["rest"], parts["exp"])),
            (("line", str((parts["log"].num, parts["line"].num))), form.multiply(parts["curve"], parts["exp"])),
        ):
            known = groups.get(key)
            groups[key] = part if known is None or key[0] == "exp" else form.add(known, part)
    weights = [form.constant(1), *groups.values()]
    for weight in weights:
        if weight.num.is_zero():
            continue
        size = form.bounds(weight)
        turned = weight if size.positive else form.scale(-1, weight)
        # A number or a factor without the parameter changes no sign.
        constant, factors = form.factors(turned)
        moving = [form.power(Ratio(p), k) for p, k in factors if name in form.names(p)] if size.nonzero else []
        turned = form.multiply(*moving) if moving else form.constant(1)
        if not form.bounds(turned).positive:
            turned = form.scale(-1, turned)
        key_text = str(turned)
        if key_text not in seen and form.bounds(turned).positive and len(seen) < _WEIGHTS:
            seen.add(key_text)
            yield form.tree(turned), _with_powers(form.tree(form.multiply(ratio, form.power(turned, -1))))


def _images(form: NormalForm, goal: Ratio) -> Iterator[tuple[str, Tree, Tree]]:
    """Ways to write a goal as large - small, with an increasing function that simplifies both sides."""
    atoms = [form.atoms[k] for k in form.used(goal.num)]
    heads = {atom.key[0] for atom in atoms if atom.names}
    terms = [form.scale(value, Ratio(monomial)) for value, monomial in form.terms(goal.num)]
    if "exp" in heads and "log" not in heads:
        for single in terms:
            if any(form.atoms[k].key[0] == "exp" for k in form.used(single.num)):
                rest = form.subtract(goal, single)
                sides = (rest, form.scale(-1, single)) if len(terms) > 1 else None
                if sides is not None and form.bounds(single).positive:
                    sides = (single, form.scale(-1, rest))
                if sides is not None:
                    yield "log", form.tree(sides[1]), form.tree(sides[0])
        large = functools.reduce(form.add, (t for t in terms if _leads(t) > 0), form.constant(0))
        if not large.num.is_zero():
            yield "log", form.tree(form.subtract(large, goal)), form.tree(large)
    if "log" in heads and "exp" not in heads and all(_is_flat(form, term) for term in terms):
        large = functools.reduce(form.add, (t for t in terms if _leads(t) > 0), form.constant(0))
        yield "exp", form.tree(form.subtract(large, goal)), form.tree(large)
    if any(atom.key[0] == "^" for atom in atoms if atom.names) and not heads & {"log", "exp"}:
        large = functools.reduce(form.add, (t for t in terms if _leads(t) > 0), form.constant(0))
        yield "square", form.tree(form.subtract(large, goal)), form.tree(large)


def _leads(term: Ratio) -> int:
    return 1 if term.num.leading_coefficient() > 0 else -1


def _is_flat(form: NormalForm, term: Ratio) -> bool:
    """Whether a term is a small number times a logarithm, or has none."""
    if all(form.atoms[k].key[0] != "log" for k in form.used(term.num)):
        return True
    share = term.num.leading_coefficient()
    return abs(share) <= _LARGEST_SHARE and form.single(term.num / share) is not None


def _kinks(form: NormalForm, domain: Domain, tree: Tree) -> Iterator[list[Any]]:
    value = form.ratio(tree)
    for declared in domain["parameters"]:
        name = declared["name"]
        if declared["range"] != "reals" or name not in names(tree):
            continue
        others = [("v", found["name"]) for found in domain["parameters"] if found["name"] != name]
        for anchor in [*_roots(form, value, name), *others, *map(rational, _SPLIT_POINTS)]:
            ends = [from_json(declared[side]) for side in ("low", "high") if declared[side] is not None]
            if anchor not in ends and _vanishes_at(domain, tree, name, anchor):
                yield ["at", name, anchor]
    yield ["sign", tree]


def _vanishes_at(domain: Domain, tree: Tree, name: str, anchor: Tree) -> bool:
    """Whether an expression is 0 where a parameter has some value."""
    others = {**domain, "parameters": [found for found in domain["parameters"] if found["name"] != name]}
    try:
        return NormalForm({**others, "where": []}).vanishes(substitute(tree, {name: anchor}))
    except Rejected:
        return False


def _substitutions(statement: Statement, form: NormalForm) -> Iterator[tuple[str, dict[str, Any], Tree, Tree]]:
    """New parameters for old: the distance from an end, an exponential, a reciprocal, a real for an integer."""
    taken = {found["name"] for found in statement.domain["parameters"]}
    fresh = next(name for name in map("t{}".format, itertools.count()) if name not in taken)
    atoms = _atoms(form, statement.goal)
    new = {"name": fresh, "range": "reals", "low": None, "high": None, "open": [False, False]}
    for declared in statement.domain["parameters"]:
        name, low, high = declared["name"], declared["low"], declared["high"]
        old: Tree = ("v", name)
        here: Tree = ("v", fresh)
        low_open, high_open = declared.get("open", (False, False))
        if name not in names(statement.goal):
            continue
        if low is not None and names(from_json(low)):
            step = subtract(old, from_json(low))
            yield name, {**new, "low": ZERO, "open": [low_open, False]}, ("+", from_json(low), here), step
        if any(atom.key[0] == "exp" and name in atom.names and not _is_hard(atom) for atom in atoms):
            for sign in (-1, 1):
                ends = [
                    None if end is None else ("exp", multiply(rational(sign), from_json(end))) for end in (low, high)
                ]
                opens = [low_open, high_open]
                ends, opens = (ends, opens) if sign > 0 else (ends[::-1], opens[::-1])
                if ends[0] is None:
                    ends, opens = [ZERO, ends[1]], [True, opens[1]]
                shape = {**new, "low": ends[0], "high": ends[1], "open": opens}
                yield name, shape, multiply(rational(sign), ("log", here)), ("exp", multiply(rational(sign), old))
        if high is None and low is not None and form.range_of(old).positive:
            turned: Tree = ("^", old, rational(-1))
            edge = from_json(low)
            top = None if edge == ZERO else ("^", edge, rational(-1))
            shape = {**new, "low": ZERO, "high": top, "open": [True, low_open]}
            yield name, shape, ("^", here, rational(-1)), turned
        if declared["range"] == "integers":
            yield name, {**new, "low": low, "high": high}, here, old
