"""Other forms of a goal: as a difference of two sides, in another parameter, on the pieces between its kinks."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Atom, Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    children,
    from_json,
    multiply,
    names,
    rational,
    rebuild,
    substitute,
    subtract,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import factors_in, inverse, real
from boundaudit.checks.proof.kernel.domains import Domain

_LARGEST_SHARE = 2
_LARGEST_POWER = 4
_SPLIT_POINTS = (0, 1, -1)


def with_powers(tree: Tree) -> Tree:
    """The same expression with a^b for exp(b·log a): that has a value at a = 0 too, where b is positive."""
    inner = tree[1] if tree[0] == "exp" else ONE
    factors = factors_in(inner)
    for k, factor in enumerate(factors):
        if factor[0] == "log":
            others = [with_powers(other) for other in factors[:k] + factors[k + 1 :]]
            return ("^", with_powers(factor[1]), multiply(*(others or [ONE])))
    return rebuild(tree, [with_powers(part) for part in children(tree)])


def atoms_of(form: NormalForm, tree: Tree) -> list[Atom]:
    """The atoms of the normal form of an expression."""
    value = form.ratio(tree)
    return [form.atoms[k] for k in form.used(value.num * value.den)]


def has_hard_power(form: NormalForm, ratio: Ratio) -> bool:
    """Whether an expression has an exponential of more than a multiple of one parameter."""
    atoms = [form.atoms[k] for k in form.used(ratio.num)]
    return any(atom.key[0] == "exp" and atom.names and not _is_plain(atom) for atom in atoms)


def _is_plain(atom: Atom) -> bool:
    """Whether an atom is the exponential of a multiple of one parameter."""
    inner = atom.argument
    if atom.key[0] != "exp" or inner is None:
        return False
    return inner.den.is_one() and len(inner.num) == 1 and inner.num.total_degree() == 1 and bool(atom.names)


def images(form: NormalForm, goal: Ratio) -> Iterator[tuple[str, Tree, Tree]]:
    """Ways to write a goal as large - small: an increasing function that simplifies both sides, small, and large."""
    heads = {form.atoms[k].key[0] for k in form.used(goal.num) if form.atoms[k].names}
    terms = [form.scale(value, Ratio(monomial)) for value, monomial in form.terms(goal.num)]
    large = functools.reduce(form.add, (term for term in terms if _leading(term) > 0), form.constant(0))
    sides = form.tree(form.subtract(large, goal)), form.tree(large)
    if "exp" in heads and "log" not in heads:
        for single in terms:
            if any(form.atoms[k].key[0] == "exp" for k in form.used(single.num)):
                others, alone = form.subtract(goal, single), form.scale(-1, single)
                if form.bounds(single).positive:
                    others, alone = single, form.scale(-1, others)
                yield "log", form.tree(alone), form.tree(others)
        yield "log", *sides
    if "log" in heads and "exp" not in heads and all(_is_flat(form, term) for term in terms):
        yield "exp", *sides
    if "^" in heads and not heads & {"log", "exp"}:
        yield "square", *sides


def _leading(term: Ratio) -> Any:
    return term.num.leading_coefficient()


def _is_flat(form: NormalForm, term: Ratio) -> bool:
    """Whether a term is a small number times a logarithm, or has none."""
    if all(form.atoms[k].key[0] != "log" for k in form.used(term.num)):
        return True
    return abs(_leading(term)) <= _LARGEST_SHARE and form.single(term.num / _leading(term)) is not None


def kinks(form: NormalForm, domain: Domain, tree: Tree) -> Iterator[list[Any]]:
    """Splits into cases that may fix the sign of an expression: where it is 0, then by that sign."""
    value = form.ratio(tree)
    for declared in domain["parameters"]:
        name = declared["name"]
        if declared["range"] != "reals" or name not in names(tree):
            continue
        others = [("v", found["name"]) for found in domain["parameters"] if found["name"] != name]
        for anchor in [*roots(form, value, name), *others, *map(rational, _SPLIT_POINTS)]:
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


def roots(form: NormalForm, slope: Ratio, name: str) -> Iterator[Tree]:
    """Roots of factors that are linear in a parameter, sums of logarithms, or differences of products of its powers."""
    for poly, _ in form.factors(slope)[1]:
        line = solved(form, Ratio(poly), ("v", name), name)
        if line is not None:
            yield line
            continue
        with suppress(Rejected):
            if len(poly) == 2:
                one, other = (form.scale(value, Ratio(monomial)) for value, monomial in form.terms(poly))
                logs = form.subtract(form.log(one), form.log(form.scale(-1, other)))
                # a·log v + b = 0
                line = solved(form, logs, ("log", ("v", name)), name)
                if line is not None:
                    yield ("exp", line)
        with suppress(Rejected):
            plain = _undone(form, poly)
            factors = [] if plain is None else form.factors(plain)[1]
            lines = [solved(form, Ratio(factor), ("v", name), name) for factor, _ in factors]
            yield from (line for line in lines if line is not None)


def _undone(form: NormalForm, poly: fmpq_mpoly) -> Ratio | None:
    """Of Σ k log a, with whole numbers k, what vanishes where that does: ∏ a^k - 1."""
    product = form.constant(1)
    for value, monomial in form.terms(form.primitive(poly)[1]):
        atom = form.single(monomial)
        if atom is None or atom.key[0] != "log" or abs(value) > _LARGEST_POWER:
            return None
        product = form.multiply(product, form.power(form.ratio(atom.key[1]), int(value)))
    return form.subtract(product, form.constant(1))


def solved(form: NormalForm, ratio: Ratio, key: Tree, name: str) -> Tree | None:
    """The value of an atom at which a numerator vanishes that is linear in it and else free of a parameter."""
    found = form.find(key)
    if found is None:
        return None
    lead = ratio.num.derivative(form.used(found.num)[0])
    rest = ratio.num - lead * found.num
    if lead.is_zero() or name in form.names(lead) | form.names(rest):
        return None
    try:
        return form.tree(form.multiply(Ratio(-rest), form.power(Ratio(lead), -1)))
    except Rejected:
        return None


def substitutions(statement: Statement, form: NormalForm) -> Iterator[tuple[str, dict[str, Any], Tree, Tree]]:
    """New parameters for old: the distance from an end, an exponential, a reciprocal, a real for an integer.

    The old parameter, the declaration of the new, and each in terms of the other.
    """
    taken = {found["name"] for found in statement.domain["parameters"]}
    fresh = next(name for name in map("t{}".format, itertools.count()) if name not in taken)
    here: Tree = ("v", fresh)
    grown = {name for atom in atoms_of(form, statement.goal) if _is_plain(atom) for name in atom.names}
    for declared in statement.domain["parameters"]:
        name, opens = declared["name"], list(declared.get("open", (False, False)))
        old: Tree = ("v", name)
        low, high = (None if declared.get(side) is None else from_json(declared[side]) for side in ("low", "high"))
        if name not in names(statement.goal):
            continue
        if low is not None and names(low):
            yield name, real(fresh, ZERO, opens=(opens[0], False)), add(low, here), subtract(old, low)
        if name in grown:
            falling = [None if end is None else ("exp", multiply(rational(-1), end)) for end in (high, low)]
            growing = [None if end is None else ("exp", end) for end in (low, high)]
            for sign, (start, end), ends_open in ((-1, falling, opens[::-1]), (1, growing, opens)):
                new = real(fresh, start or ZERO, end, (start is None or ends_open[0], ends_open[1]))
                yield name, new, multiply(rational(sign), ("log", here)), ("exp", multiply(rational(sign), old))
        if low is not None and high is None and form.range_of(old).positive:
            top = None if low == ZERO else inverse(low)
            yield name, real(fresh, ZERO, top, (True, opens[0])), inverse(here), inverse(old)
        if declared["range"] == "integers":
            yield name, real(fresh, low, high, opens), here, old
