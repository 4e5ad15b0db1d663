"""An engine for sums under equations between sums, such as probabilities that add up to 1.

Where Σ g = c, every multiple of Σ g - c may be added to a goal. Five choices of the multiple make the goal one sum
whose terms are non-negative where a textbook's proof goes through: the tangent to the terms where all entries are equal
is taken away (Gibbs); or what stands outside of all sums is spread by the weights g (Markov), less the tangent of it at
the means of other sums (Jensen), or where that is a square, in the middle of where its terms lie (Popoviciu); or the
tangent to the terms where entries are at their means.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    BRANCHES,
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    names,
    opened,
    rational,
    replaced,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    Context,
    Lemma,
    Term,
    closed,
    has,
    inverse,
    lemma_at,
    negative,
    psatz,
    quotient,
    sum_of_terms,
    term,
)
from boundaudit.checks.proof.equations import (
    INDEX,
    TERM,
    Equation,
    Limits,
    Multiples,
    by_equations,
    equations_of,
    reduced,
    slope_of,
    smooth_slope,
    totals_of,
)
from boundaudit.checks.proof.factoring import known_sign, rational_factors
from boundaudit.checks.proof.general import numbers
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import parameter
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.quadratics import quadratics
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.substitution import coefficients

_SIZE = "#size"
"""Where a size stands while a body is put together: no parameter has this name."""


class _Goal(NamedTuple):
    """``Σ body + rest``, over limits; the rest may speak of other sums."""

    body: Tree
    rest: Tree
    limits: Limits


class Choice(NamedTuple):
    """The terms of a sum, the multiples of equations and the squares that are left of the goal."""

    body: Tree
    multiples: Multiples
    squares: Sequence[Term] = ()


_Way = Callable[[_Goal, Sequence[Equation]], Iterator[Choice]]


def weighted(statement: Statement, context: Context) -> Certificate | None:
    """Add multiples of equations between sums until the goal is a sum of non-negative terms."""
    if statement.relation == "=" or not has(statement.goal, "sum"):
        return None
    hypotheses, prove = Hypotheses(statement.domain), functools.partial(proved_without_weights, context=context)
    form = hypotheses.form
    for limits, _, choice in choices(hypotheses, form.ratio(statement.goal)):
        lemma = sum_of_terms(summation(TERM, *limits, choice.body), statement.domain, prove)
        if lemma is not None:
            return by_equations(form, statement, [lemma], choice.multiples, *choice.squares)
    return None


def choices(hypotheses: Hypotheses, goal: Ratio) -> Iterator[tuple[Limits, Sequence[Equation], Choice]]:
    """What may be left of a goal, with the limits of the sum and the equations about sums over these."""
    said, totals = equations_of(hypotheses), totals_of(hypotheses.form, goal)
    for limits in dict.fromkeys([*totals, *said]):
        known = said.get(limits) or totals[limits]
        beside = [each for each in totals.get(limits, ()) if all(each.weight != other.weight for other in known)]
        left, spent = reduced(hypotheses.form, goal, limits, known)
        ways: tuple[_Way, ...] = (
            functools.partial(_tangents, beside), _spread, functools.partial(_parabola, hypotheses), _at_mean,
            _by_totals, _turned,
        )  # fmt: skip
        for each, way in itertools.product(goals_of(hypotheses.form, left, limits), ways):
            for found in way(each, known):
                yield limits, known, found._replace(multiples=[*found.multiples, *spent])


def proved_without_weights(term: Statement, context: Context) -> Certificate | None:
    """Prove a term of a sum, of which factors of known sign, such as weights, are first taken off."""
    if is_refuted(term):
        return None
    form = NormalForm(term.domain)
    try:
        goal = form.ratio(term.goal)
    except Rejected:  # branches have to be split first: to them, what is summed up is a number
        return numbers(term, context) or context.prove(term)
    factors = rational_factors(form, goal)
    known = [each for each in factors if known_sign(form, [each]) is not None]
    if len(known) <= 1 or len(known) == len(factors):  # the constant is one
        return context.prove(term)
    rest = multiply(*(("^", tree, rational(power)) for tree, power in factors if (tree, power) not in known))
    lemma = Statement(ZERO, "<=", rest, term.domain)
    if is_refuted(lemma):
        return None
    # Quadratics decide most, and cost less than to look for a point against it.
    found = quadratics(lemma, context) or context.prove(lemma)
    share = known_sign(form, known, [[lemma_at(term), 1]])
    return found and share and psatz(["n"], share, lemmas=[Lemma(lemma, found)])


def goals_of(form: NormalForm, goal: Ratio, limits: Limits) -> Iterator[_Goal]:
    """The goal as the terms in which one sum over the limits stands alone, and the rest."""
    here = {k for k in form.used(goal.num) if form.atoms[k].key[0] == "sum" and form.atoms[k].key[1:3] == limits}
    if here & set(form.used(goal.den)):
        return
    yield _split(form, goal, here, frozenset(), limits)
    # A multiple of a mean that other terms speak of may be a number to them, as in X ≤ t m + X [X > t m].
    inside = {k for k in here for other in here - {k} if form.atoms[k].key in walk(form.atoms[other].key)}
    if inside:
        yield _split(form, goal, here, frozenset(inside), limits)
    for k in inside:
        yield from _at_thresholds(form, goal, k, _split(form, goal, here, frozenset(), limits))


def _at_thresholds(form: NormalForm, goal: Ratio, position: int, split: _Goal) -> Iterator[_Goal]:
    """A mean m alone as (m - r m)/(1 - r), its second part a number, where the terms of another jump at r m."""
    mean, parts = form.atoms[position].key, coefficients(goal.num, position)
    conditions = (node[1] for node in walk(split.body) if node[0] in BRANCHES and mean in walk(node[1]))
    for condition in dict.fromkeys(conditions if len(parts) == 2 and parts[1].is_constant() else ()):
        entry = next((node for node in walk(condition) if node[0] == "item" and TERM in names(node)), None)
        slopes = (entry and slope_of(condition, part) for part in (mean, entry or mean))
        moved, own = (None if slope is None else number_of(form, slope) for slope in slopes)
        if moved is None or not own or moved + own == 0:
            continue
        share = -moved / own
        more = multiply(rational(share / (1 - share)), form.tree(Ratio(parts[1], goal.den)))
        yield _Goal(
            add(split.body, multiply(more, opened(mean, INDEX))),
            subtract(split.rest, multiply(more, mean)), split.limits,
        )  # fmt: skip


def number_of(form: NormalForm, tree: Tree) -> Fraction | None:
    """The number that an expression is; None where it is none."""
    return form.number(form.ratio(tree)) if form.has(tree) else None


def _split(form: NormalForm, goal: Ratio, here: set[int], numbers: frozenset[int], limits: Limits) -> _Goal:
    """The goal taken apart, multiples of some sums as numbers."""
    body, rest, under = [ZERO], [ZERO], inverse(form.tree(Ratio(goal.den)))
    for coefficient, monomial in form.terms(goal.num):
        degrees = {k: int(degree) for k, degree in enumerate(monomial.degrees()) if degree}
        powers = {k: ("^", form.atoms[k].key, rational(degree)) for k, degree in degrees.items()}
        alone = [k for k in degrees if k in here and not (k in numbers and len(degrees) > 1)]
        if len(alone) == 1 and degrees[alone[0]] == 1:
            total = form.atoms[alone[0]].key
            outside = (power for k, power in powers.items() if k != alone[0])
            body.append(multiply(rational(coefficient), under, *outside, opened(total, INDEX)))
        else:
            rest.append(multiply(rational(coefficient), under, *powers.values()))
    return _Goal(add(*body), add(*rest), limits)


def _spread(goal: _Goal, equations: Sequence[Equation]) -> Iterator[Choice]:
    """The rest of the goal spread by weights: by those of several equations alike, or of one less a tangent."""
    means = closed([goal.rest], "sum")
    fixed = set(means) <= set(walk(goal.body))  # the terms speak of the means, too
    for chosen in _subsets(equations) if fixed else ():
        shares = [quotient(goal.rest, multiply(rational(len(chosen)), equation.total)) for equation in chosen]
        moved = (multiply(share, equation.weight) for share, equation in zip(shares, chosen, strict=True))
        yield Choice(add(goal.body, *moved), [(e, negative(share)) for e, share in zip(chosen, shares, strict=True)])
    slopes = {mean: slope for mean in means if (slope := slope_of(goal.rest, mean)) and mean[1:3] == goal.limits}
    if not means or len(slopes) < len(means):
        return
    for equation in equations:
        if equation.total == ONE:
            terms = {mean: quotient(opened(mean, INDEX), equation.weight) for mean in means}
            moved = (multiply(slope, subtract(terms[mean], mean)) for mean, slope in slopes.items())
            at_zero = add(goal.rest, *(negative(multiply(slope, mean)) for mean, slope in slopes.items()))
            body = add(goal.body, multiply(equation.weight, add(goal.rest, *moved)))
            yield Choice(body, [(equation, negative(at_zero))])


def _parabola(hypotheses: Hypotheses, goal: _Goal, equations: Sequence[Equation]) -> Iterator[Choice]:
    """The rest of the goal, a parabola in one mean: its tangent in the middle of where terms lie, and a square."""
    means = [mean for mean in closed([goal.rest], "sum") if mean[1:3] == goal.limits]
    for mean, equation in itertools.product(means if len(means) == 1 else (), equations):
        entry = _entry(opened(mean, INDEX), equation)
        slope = slope_of(goal.rest, mean) if equation.total == ONE else None
        bend = None if slope is None else slope_of(slope, mean)
        if entry is None or slope is None or bend is None:
            continue
        declared = parameter(hypotheses.domain, entry[1], "vector", "matrix")
        twice = hypotheses.form.number(hypotheses.form.ratio(bend))
        if declared["low"] is None or declared["high"] is None or twice is None or twice <= 0:
            continue
        middle = multiply(rational(Fraction(1, 2)), add(from_json(declared["low"]), from_json(declared["high"])))
        at, rise = (replaced(part, mean, middle) for part in (goal.rest, slope))
        level = add(at, multiply(rise, subtract(entry, middle)))
        at_zero = subtract(at, multiply(rise, middle))
        body = add(goal.body, multiply(equation.weight, level))
        apart = term(weight=twice / 2, square=subtract(mean, middle))
        yield Choice(body, [(equation, negative(at_zero))], [apart])


def _at_mean(goal: _Goal, equations: Sequence[Equation]) -> Iterator[Choice]:
    """The terms less their tangent where entries are at their means, which equations tell or the goal speaks of."""
    spoken = closed([goal.rest], "sum")
    for ones in (each for each in equations if each.total == ONE):
        own = [Equation(opened(mean, INDEX), mean, ()) for mean in spoken if mean[1:3] == goal.limits]
        means = {entry: each for each in (*own, *equations) if (entry := _entry(each.weight, ones)) is not None}
        at = {entry: mean.total for entry, mean in means.items()}
        body = replaced(goal.body, ones.weight, ONE)
        rises = [(mean, smooth_slope(body, entry, at)) for entry, mean in means.items()]
        known = [(mean, rise) for mean, rise in rises if rise is not None and TERM not in names(rise)]
        if set(spoken) <= set(at.values()) and len(known) == len(means) and any(rise != ZERO for _, rise in known):
            level = add(goal.rest, *(multiply(rise, mean.total) for mean, rise in known))
            taken = (negative(multiply(rise, mean.weight)) for mean, rise in known)
            yield Choice(add(goal.body, multiply(level, ones.weight), *taken), [(ones, negative(level)), *known])


def _entry(weight: Tree, ones: Equation) -> Tree | None:
    """The entry that a term is the product of with the weight of an equation."""
    head, *parts = weight
    others = [part for part in parts if part != ones.weight]
    simple = (head, len(parts), len(others)) == ("*", 2, 1) and others[0][0] == "item"
    return others[0] if simple else None


def _by_totals(goal: _Goal, equations: Sequence[Equation]) -> Iterator[Choice]:
    """The rest of the goal by what other equations have for totals, as far as it is linear in them, and spread."""
    for ones in equations:
        slopes = ((other, slope_of(goal.rest, other.total)) for other in equations if other != ones)
        known = [(other, slope) for other, slope in slopes if slope not in (None, ZERO)]
        if ones.total == ONE and known:
            level = subtract(goal.rest, add(*(multiply(slope, other.total) for other, slope in known)))
            moved = (multiply(slope, other.weight) for other, slope in known)
            body = add(goal.body, multiply(level, ones.weight), *moved)
            yield Choice(body, [(ones, negative(level)), *((other, negative(slope)) for other, slope in known)])


def _turned(goal: _Goal, equations: Sequence[Equation]) -> Iterator[Choice]:
    """The rest spread by weights after the terms less their tangent at equal entries, or with positive parts for sizes.

    Where p and q add up to the same, Σ |p - q| is Σ |p - q| + (p - q), and Σ |p - q| - (p - q).
    """
    if has(goal.rest, "sum"):
        return
    equal = {each.weight: ONE for each in equations if each.weight[0] == "item"}
    slopes = [(each, slope_of(goal.body, each.weight, equal)) for each in equations]
    ways = [[(each, slope) for each, slope in slopes if slope is not None and TERM not in names(slope)]]
    for size in dict.fromkeys(node for node in walk(goal.body) if node[0] == "abs"):
        factor = slope_of(replaced(goal.body, size, ("v", _SIZE)), ("v", _SIZE))
        inside = [(each, slope_of(size[1], each.weight)) for each in equations]
        if factor is None or names(factor) & {TERM, _SIZE} or any(slope is None for _, slope in inside):
            continue
        parts = [(each, multiply(factor, slope)) for each, slope in inside if slope is not None]
        ways += [parts, [(each, negative(slope)) for each, slope in parts]]
    for way in ways:
        used = [(each, slope) for each, slope in way if slope != ZERO]
        taken = (negative(multiply(slope, each.weight)) for each, slope in used)
        left = (multiply(slope, each.total) for each, slope in used)
        moved = goal._replace(body=add(goal.body, *taken), rest=add(goal.rest, *left))
        for choice in _spread(moved, equations) if used else ():
            yield choice._replace(multiples=[*used, *choice.multiples])


def _subsets(equations: Sequence[Equation]) -> Iterator[tuple[Equation, ...]]:
    return itertools.chain.from_iterable(
        itertools.combinations(equations, size) for size in range(1, len(equations) + 1)
    )


def _tangents(beside: Sequence[Equation], goal: _Goal, known: Sequence[Equation]) -> Iterator[Choice]:
    """The terms less their tangent where all entries of each vector are equal, those of vectors of any total too."""
    equations = [*known, *beside]
    count = add(subtract(goal.limits[1], goal.limits[0]), ONE)
    # A sum at each index is as good as an entry, beside entries.
    heads = ("item", "sum") if any(equation.weight[0] == "item" for equation in equations) else ()
    equal = {equation.weight: quotient(equation.total, count) for equation in equations if equation.weight[0] in heads}
    slopes = [slope_of(goal.body, equation.weight, equal) for equation in equations]
    multiples = [(e, slope) for e, slope in zip(equations, slopes, strict=True) if slope and TERM not in names(slope)]
    used = [equation for equation, _ in multiples]
    totals = {equation.total for equation in beside if equation in used}
    spoken = {node for node in walk(goal.rest) if node[0] == "sum"}
    if not spoken <= totals or any(equation not in used for equation in known):
        return
    taken = (
        negative(multiply(slope, subtract(equation.weight, quotient(equation.total, count))))
        for equation, slope in multiples
    )
    yield Choice(add(goal.body, *taken, quotient(goal.rest, count)), multiples)
