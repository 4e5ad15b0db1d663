"""Engines for normal forms and sums: identity, proofs term by term, telescoping."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.derivatives import NotDifferentiable, derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    is_closed,
    multiply,
    names,
    opened,
    rational,
    replaced,
    substitute,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.relations import trees
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    SIZE_OF_ENTRY,
    Context,
    all_found,
    by_cases,
    by_terms,
    closed,
    fresh_index,
    has,
    ordered_sides,
    quotient,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import declare, signs
from boundaudit.checks.proof.kernel.sums import exchanged, telescoped, terms_statement
from boundaudit.checks.proof.kernel.transformations import case_statements, image_statement

_TERM = "#"
"""Where an index stands while a body is put together: no parameter has this name."""
_ENTRY = "#entry"
"""Where the entry at the index stands while a derivative is taken."""


def identity(statement: Statement, _: Context) -> Certificate | None:
    """Whether the two sides have the same normal form."""
    if NormalForm(statement.domain).vanishes(statement.goal):
        return {"kind": "identity"}
    return None


def both_sides(statement: Statement, context: Context) -> Certificate | None:
    """An equation as two inequalities."""
    if statement.relation != "=":
        return None
    sides = (Statement(statement.left, relation, statement.right, statement.domain) for relation in signs("="))
    proofs = all_found(map(context.prove, sides))
    return None if proofs is None else {"kind": "both", **dict(zip(signs("="), proofs, strict=True))}


# --- term by term --------------------------------------------------------------------------------


def termwise(statement: Statement, context: Context) -> Certificate | None:
    """Write the goal as one sum over common limits and prove each term."""
    if statement.relation == "=":
        return None
    form = NormalForm(statement.domain)
    index = fresh_index(statement.domain)
    goal = form.ratio(statement.goal)
    for total in itertools.chain(_one_sum(form, goal), _tangent_sums(form, goal)):
        try:
            terms = terms_statement(statement, total, index)
        except Rejected:  # this arithmetic does not see the goal as a sum over these limits
            continue
        found = context.prove(terms)
        if found is not None:
            return by_terms(total, index, found)
    return None


def _one_sum(form: NormalForm, goal: Ratio) -> Iterator[Tree]:
    """The goal as a single sum, for each pair of limits among its sums; other terms are spread evenly."""
    sums = [k for k in form.used(goal.num) if form.atoms[k].key[0] == "sum"]
    for low, high in sorted({form.atoms[k].key[1:3] for k in sums}, key=repr):
        chosen = [k for k in sums if form.atoms[k].key[1:3] == (low, high)]
        if any(k in form.used(goal.den) for k in chosen):
            continue
        body = _spread(form, goal, chosen, form.tree(Ratio(goal.den)))
        if body is not None:
            yield summation(_TERM, low, high, body)


def _tangent_sums(form: NormalForm, goal: Ratio) -> Iterator[Tree]:
    """The goal as a sum less the tangent at the mean of the entries of a vector, as in Jensen's inequality."""
    sums = dict.fromkeys(node for k in form.used(goal.num) for node in walk(form.atoms[k].key) if node[0] == "sum")
    for total in [node for node in sums if is_closed(node) and node[3][0] == "item"]:
        low, high, body = total[1:]
        chosen = [k for k in form.used(goal.num) if form.atoms[k].key[:3] == total[:3] and form.atoms[k].key != total]
        if body[2] != ("b", 0) or not chosen or any(k in form.used(goal.den) for k in chosen):
            continue
        spread = _spread(form, goal, chosen, form.tree(Ratio(goal.den)))
        if spread is None:
            continue
        entry = opened(total, ("v", _TERM))
        mean = quotient(total, add(subtract(high, low), ONE))
        try:
            slope = substitute(derivative(replaced(spread, entry, ("v", _ENTRY)), _ENTRY), {_ENTRY: mean})
        except NotDifferentiable:
            continue
        tangent = multiply(slope, subtract(mean, entry))
        yield summation(_TERM, low, high, add(spread, tangent))


def _spread(form: NormalForm, goal: Ratio, chosen: list[int], den: Tree) -> Tree | None:
    """The common body at the index `_TERM`; None where the goal is not linear in the chosen sums."""
    parts: list[Tree] = []
    free = form.constant(0)
    for coefficient, monomial in form.terms(goal.num):
        degrees = [int(degree) for degree in monomial.degrees()]
        inside = [k for k in chosen if degrees[k]]
        if sum(degrees[k] for k in inside) > 1:
            return None
        if inside:
            sum_key = form.atoms[inside[0]].key
            rest = multiply(rational(coefficient), *_powers(form, degrees, inside[0]))
            parts.append(multiply(rest, opened(sum_key, ("v", _TERM))))
        else:
            free = form.add(free, form.scale(coefficient, Ratio(monomial)))
    parts.append(_share(form, free, form.atoms[chosen[0]].key))
    return add(*parts) if den == ONE else add(*(quotient(part, den) for part in parts))


def _share(form: NormalForm, free: Ratio, key: Tree) -> Tree:
    """What each term of a sum gets of the rest, which may divide by a count that may be 0."""
    count = add(subtract(key[2], key[1]), ONE)
    share, left = divmod(free.num, form.ratio(count).num)
    return form.tree(Ratio(share)) if left.is_zero() else quotient(form.tree(free), count)


def _powers(form: NormalForm, degrees: list[int], without: int) -> list[Tree]:
    """The factors of a monomial except one atom."""
    return [("^", form.atoms[k].key, rational(degree)) for k, degree in enumerate(degrees) if degree and k != without]


# --- under a logarithm or a root -----------------------------------------------------------------

_INVERSES = {"log": "exp", "^": "square"}
"""An increasing function that takes away another one."""
_INSIDE = {"log": {"sum", "exp"}, "^": {"sum"}}
"""What that is done for."""


def under_function(statement: Statement, context: Context) -> Certificate | None:
    """Compare a logarithm of sums or exponentials, or a root of sums, with the rest by exponentials or squares."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    for number, monomial in form.terms(goal.num) if statement.relation != "=" else ():
        keys = [form.atoms[k].key for k in form.used(monomial)]
        for key in (key for key in keys if key[0] in _INVERSES and _is_worth_it(statement, key)):
            term = form.multiply(form.constant(number), Ratio(monomial, goal.den))
            sides = {"small": form.subtract(term, goal), "large": term}
            if number < 0:
                sides = {"small": form.scale(-1, term), "large": form.subtract(goal, term)}
            images = {side: form.tree(value) for side, value in sides.items()}
            with suppress(Rejected):  # where a side may be negative
                if not all(key in walk(tree) for tree in images.values()):
                    found = by_images(statement, _INVERSES[key[0]], context.prove, **images)
                    if found is not None:
                        return found
    return None


def _is_worth_it(statement: Statement, key: Tree) -> bool:
    """Whether what is inside speaks of sums or exponentials, or a logarithm meets entries that grow by exponentials."""
    said = (tree for given in statement.domain["where"] if given[0] == "all" for tree in trees(given))
    return has(key[1], *_INSIDE[key[0]]) or (key[0] == "log" and any(has(tree, "exp") for tree in said))


def by_logarithms(statement: Statement, context: Context) -> Certificate | None:
    """Compare products by their logarithms, which are sums."""
    sides = ordered_sides(statement)
    if statement.relation == "=" or not any(has(side, "product") for side in sides):
        return None
    return by_images(statement, "log", lambda image: termwise(image, context) or context.prove(image), *sides)


def by_images(
    statement: Statement, function: str, prove: Callable[[Statement], Certificate | None], small: Tree, large: Tree
) -> Certificate | None:
    """Two sides by their images under an increasing function; `Rejected` where they are not the statement's."""
    found = prove(image_statement(statement, function, small, large))
    return found and {"kind": "increasing", "function": function, "small": small, "large": large, "proof": found}


def exchange(statement: Statement, context: Context) -> Certificate | None:
    """Let a double sum begin with the index with which other sums of the goal begin."""
    index = fresh_index(statement.domain)
    every, indices = _closed_sums(statement), [index, f"{index}'"]
    inside = {node for total in every for node in walk(total[3])}
    for total in (sums := [total for total in every if total not in inside]):
        known = {other[1:3] for other in sums if other != total}
        inner = next((node[1:3] for node in walk(total[3]) if node[0] == "sum"), None)
        if inner not in known or (total[1:3] in known and total[1:3] != inner):
            continue
        try:
            other = exchanged(statement, total, *indices)
        except Rejected:
            continue
        found = termwise(other, context) or context.prove(other)
        if found is not None:
            return {"kind": "exchange", "sum": total, "indices": indices, "proof": found}
    return None


# --- telescoping ---------------------------------------------------------------------------------


def telescope(statement: Statement, context: Context) -> Certificate | None:
    """Replace every sum of powers of its index, times geometric factors such as x^i, by its closed form."""
    steps: list[dict[str, Any]] = []
    goal, index = statement, fresh_index(statement.domain)
    for total in _closed_sums(statement):
        antidifference = _antidifference(goal, total, index)
        if antidifference is not None:
            goal = telescoped(goal, total, index, antidifference)
            steps.append({"sum": total, "index": index, "antidifference": antidifference})
    if not steps:
        return _without_one(statement, context)
    found = context.prove(goal)
    for step in reversed(steps):
        found = found and {"kind": "telescope", **step, "proof": found}
    return found


def _without_one(statement: Statement, context: Context) -> Certificate | None:
    """Geometric sums of a number that may be 1, where no closed form divides by 0: 1 itself, and the rest."""
    nodes = (node for total in _closed_sums(statement) for node in walk(total[3]) if node[0] == "^")
    bases = {base for _, base, exponent in nodes if not is_closed(exponent)}
    for declared in statement.domain["parameters"]:
        for side, is_open in zip(("low", "high"), declared.get("open", ()), strict=False):
            if ("v", declared["name"]) in bases and not is_open and declared[side] in (ONE, list(ONE)):
                split = ["end", declared["name"], side]
                if (proof := by_cases(split, map(context.prove, case_statements(statement, split)))) is not None:
                    return proof
    return None


def _closed_sums(statement: Statement) -> list[Tree]:
    """The sums of a statement that use no index of a sum around them."""
    return sorted(closed((statement.left, statement.right), "sum"), key=repr)


def _antidifference(statement: Statement, total: Tree, name: str) -> Tree | None:
    """A(i) - A(low - 1), where the body leads from an entry to the next, or is polynomial and geometric in i."""
    low, high, body = total[1], total[2], opened(total, ("v", name))
    form = NormalForm(declare(statement.domain, {"name": name, "range": "integers", "low": low, "high": high}))
    try:
        ratio = form.ratio(body)
        for vector in sorted({node[1] for node in walk(body) if node[0] == "item" and len(node) == SIZE_OF_ENTRY}):
            here, after = (("item", vector, index) for index in (("v", name), add(("v", name), ONE)))
            if form.has(after) and form.vanishes(subtract(body, subtract(after, here))):
                return subtract(after, substitute(after, {name: subtract(low, ONE)}))
        under = ratio.den if len(ratio.den) == 1 else ratio.den / ratio.den
        parts = [
            _term(form, coefficient, _quotient(monomial, under), name)
            for coefficient, monomial in form.terms(ratio.num)
        ]
    except Rejected:
        return None
    rest = ratio.den / under
    if name in form.names(rest) or None in parts:
        return None
    found = quotient(add(*(part for part in parts if part)), form.tree(Ratio(rest))) if parts else ZERO
    return subtract(found, substitute(found, {name: subtract(low, ONE)}))


def _quotient(over: fmpq_mpoly, under: fmpq_mpoly) -> dict[int, int]:
    """The exponents of a quotient of monomials by the position of the atom."""
    degrees = zip(over.degrees(), under.degrees(), strict=True)
    return {position: int(up) - int(down) for position, (up, down) in enumerate(degrees) if up != down}


def _term(form: NormalForm, coefficient: Fraction, powers: Mapping[int, int], name: str) -> Tree | None:
    """The antidifference of one term of the body; None where a factor is neither a power of i nor geometric."""
    degree, growing, rest = 0, list[Tree](), [rational(coefficient)]
    for position, power in powers.items():
        key = form.atoms[position].key
        if key == ("v", name) and power > 0:
            degree = power
        else:
            (growing if name in names(key) else rest).append(("^", key, rational(power)))
    if not all(_is_exponential(factor[1], name) for factor in growing):
        return None
    for way in (1, -1):  # x^(n - i) leads from i + 1 to i, where x may be 0
        with suppress(Rejected):
            ratio = _geometric(form, growing, name, way)
            return ratio and multiply(*rest, _antigeometric(form, growing, ratio, degree, name, way))
    return None


def _is_exponential(key: Tree, name: str) -> bool:
    return key[0] == "exp" or (key[0] == "^" and name not in names(key[1]))


def _geometric(form: NormalForm, factors: Sequence[Tree], name: str, way: int) -> Ratio | None:
    """The quotient of a product of powers at i ± 1 by the same at i, where it is free of i."""
    ratio = form.constant(1)
    for _, key, power in factors:
        exponent = key[-1]
        step = form.ratio(subtract(substitute(exponent, {name: add(("v", name), rational(way))}), exponent))
        if name in form.names(step.num * step.den):
            return None
        factor = form.exp(step) if key[0] == "exp" else form.real_power(form.ratio(key[1]), step)
        ratio = form.multiply(ratio, form.power(factor, power[1]))
    return ratio


def _antigeometric(form: NormalForm, growing: Sequence[Tree], ratio: Ratio, degree: int, name: str, way: int) -> Tree:
    """The antidifference of r^i i^degree, from the quotient to the next or to the one before."""
    if form.number(ratio) == 1:
        return multiply(*growing, _polynomial([form.constant(value) for value in _power_sum(degree)], form, name))
    one, other = (ratio, form.constant(1))[::way]
    closed = _polynomial(_weighted_sum(form, one, other, degree), form, name)
    shift = add(("v", name), ONE) if way > 0 else ("v", name)
    return multiply(substitute(multiply(ONE, *growing), {name: shift}), closed)


def _polynomial(coefficients: Sequence[Ratio], form: NormalForm, name: str) -> Tree:
    return add(*(multiply(form.tree(c), ("^", ("v", name), rational(k))) for k, c in enumerate(coefficients)))


def _weighted_sum(form: NormalForm, one: Ratio, other: Ratio, degree: int) -> list[Ratio]:
    """Coefficients of R with a R(i) - b R(i-1) = i^degree, the highest first: a ≠ b divides."""
    inverse = form.power(form.subtract(one, other), -1)
    result = [form.constant(int(k == degree)) for k in range(degree + 1)]
    for k in reversed(range(degree + 1)):
        above = (form.scale(math.comb(j, k) * (-1) ** (j - k), result[j]) for j in range(k + 1, degree + 1))
        higher = form.multiply(other, functools.reduce(form.add, above, form.constant(0)))
        result[k] = form.multiply(inverse, form.add(result[k], higher))
    return result


@functools.cache
def _power_sum(degree: int) -> tuple[Fraction, ...]:
    """Coefficients of P with P(i) - P(i-1) = i^degree, from i^(d+1) - (i-1)^(d+1) by induction."""
    result = [Fraction(0)] * (degree + 1) + [Fraction(1)]
    for lower in range(degree):
        share = math.comb(degree + 1, lower) * (-1) ** (degree - lower)
        for k, value in enumerate(_power_sum(lower)):
            result[k] -= share * value
    return tuple(value / (degree + 1) for value in result)
