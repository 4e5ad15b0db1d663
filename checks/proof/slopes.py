"""Where a goal may touch zero and rise from there, as far as floats tell: anchors and weights for valleys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from flint import arb

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.expression import Tree, from_json, names, rational, subtract
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.boxes import simplest
from boundaudit.checks.proof.kernel.calculus import along
from boundaudit.checks.proof.rewriting import roots, with_powers
from boundaudit.checks.proof.sampling import points, signs

_WEIGHTS = 6
_TERMS = 48
_GROWTH = 2
_FAR = 2**12
_FADES = 4
"""Times 1/v: so much a goal is offered to fade by; exp(-v²) and 1/v with coefficients of a few take no more."""
_COSTS = {"erf": 8, "log": 8, "exp": 5, "^": 3}


class Way(NamedTuple):
    """A way to see a goal rise: divided by ``weight``, along a parameter, from an anchor, or as it fades."""

    cost: int
    variable: str
    weight: Tree
    goal: Tree
    anchor: Tree
    shape: str


def variables(statement: Statement) -> list[str]:
    """The real parameters of a goal along which one can move: no other range depends on them."""
    declared = statement.domain["parameters"]
    bound = set().union(*(names(tree) for found in declared for tree in trees_of(found).values()))
    used = names(statement.goal) - bound
    return [found["name"] for found in declared if found["range"] == "reals" and found["name"] in used]


def ways(statement: Statement, form: NormalForm, spend: Callable[[Tree], None]) -> Iterator[Way]:
    """The ways along which floats see a goal rise, each slope counted before it is worked on."""
    most = cost_of(form, form.ratio(statement.goal))
    for name in variables(statement):
        domain = along(statement.domain, name)
        inside, columns = NormalForm(domain), points(domain)
        declared = next(found for found in domain["parameters"] if found["name"] == name)
        for weight, goal in weighted(form, statement.goal, name):
            try:
                raw = derivative(goal, name)
                spend(raw)
                slope = inside.ratio(raw)
            except Rejected:
                continue
            if max(map(len, slope)) > _TERMS:
                continue
            cost = cost_of(inside, slope)
            if cost > _GROWTH * most:
                continue
            tree = inside.tree(slope)
            rises = signs(tree, columns)
            for end, shape, sign in (("low", "rising", 1), ("high", "falling", -1)):
                if declared[end] is not None and (rises * sign >= 0).all():
                    yield Way(cost, name, weight, goal, from_json(declared[end]), shape)
            if declared["high"] is None and cost == 0 and (rises <= 0).all() and _fades(goal, name):
                yield Way(cost, name, weight, goal, rational(_FADES), "fading")
            for anchor in _bottoms(inside, slope, name, columns, rises):
                yield Way(cost + 1, name, weight, goal, anchor, "split")


def _fades(goal: Tree, name: str) -> bool:
    """Whether a goal of one parameter seems to tend to 0."""
    with suppress(Undefined):
        return names(goal) == {name} and abs(arb(evaluate(goal, {name: _FAR}))) * _FAR < _FADES
    return False


def _bottoms(form: NormalForm, slope: Ratio, name: str, columns: Any, rises: Any) -> Iterator[Tree]:
    """Anchors below which the goal falls and above which it rises, as far as the points show."""
    if not ((rises > 0).any() and (rises < 0).any()):
        return
    found: list[Tree] = []
    low, high = columns[name][rises < 0].max(), columns[name][rises > 0].min()
    if low <= high:
        found.append(rational(simplest(Fraction(float(low)), Fraction(float(high)))))
    found += [("v", other) for other in columns if other != name]
    found += roots(form, slope, name)
    for anchor in dict.fromkeys(found):
        side = signs(subtract(("v", name), anchor), columns)
        if (side * rises >= 0).all() and (side * rises > 0).any():
            yield anchor


def cost_of(form: NormalForm, slope: Ratio) -> int:
    """How hard the sign of an expression may be: its atoms and terms, factors of known sign left out."""
    if slope.num.is_zero():
        return 0
    total = 0
    for poly, exponent in form.factors(slope)[1]:
        size = form.bounds(Ratio(poly))
        if exponent % 2 and not (size.nonnegative or (-size).nonnegative):
            total += len(poly)
            for k in form.used(poly):
                total += _COSTS.get(form.atoms[k].key[0], 1)
    return total


def weighted(form: NormalForm, goal: Tree, name: str) -> Iterator[tuple[Tree, Tree]]:
    """Positive weights, and the goal divided by each: what stands before its logarithms and powers, and 1."""
    ratio = form.ratio(goal)
    seen: set[str] = set()
    for coefficient in (form.constant(1), *_coefficients(form, ratio, name)):
        if not form.bounds(coefficient).nonzero:
            continue
        # A number, or a factor without the parameter, changes no slope's sign.
        moving = [form.power(Ratio(p), k) for p, k in form.factors(coefficient)[1] if name in form.names(p)]
        weight = form.multiply(*moving)
        weight = weight if form.bounds(weight).positive else form.scale(-1, weight)
        if str(weight) not in seen and form.bounds(weight).positive and len(seen) < _WEIGHTS:
            seen.add(str(weight))
            yield form.tree(weight), with_powers(form.tree(form.multiply(ratio, form.power(weight, -1))))


def _coefficients(form: NormalForm, ratio: Ratio, name: str) -> list[Ratio]:
    """The coefficients of a goal, sorted by error functions, logarithms, exponentials, or powers of a parameter."""
    one = form.constant(1)
    groups: dict[tuple[str, ...], Ratio] = {}
    for value, monomial in form.terms(ratio.num):
        parts = {"erf": one, "log": one, "exp": one, "v": one, "rest": form.constant(value)}
        for k in form.used(monomial):
            atom = form.atoms[k]
            kind = atom.key[0] if atom.key == ("v", name) or (atom.key[0] != "v" and name in atom.names) else "rest"
            kind = kind if kind in parts else "rest"
            parts[kind] = form.multiply(parts[kind], form.power(form.generator(atom), int(monomial.degrees()[k])))
        groups["exp", str(parts["exp"].num)] = parts["exp"]
        for kinds in (("erf",), ("log",), ("log", "exp"), ("log", "v")):
            others = form.multiply(*(part for kind, part in parts.items() if kind not in kinds or kind == "exp"))
            key = (*kinds, *(str(parts[kind].num) for kind in kinds))
            groups[key] = form.add(groups[key], others) if key in groups else others
    return [group for group in groups.values() if not group.num.is_zero()]
