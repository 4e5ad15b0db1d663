"""An engine for hypotheses about sums, such as that events are not likely: multiples of them are taken off a goal.

Where a hypothesis says Σ a ≤ δ, and the goal that Σ b is at most something with δ in it, the multiples are those with
which all that stands outside of sums is gone; what is left of the goal speaks of sums alone. Where a hypothesis speaks
of an exponential, as E exp(λ X) ≤ exp(λ² σ²/2), its logarithm is one too.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ZERO
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, Lemma, from_lemma, has
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.sums import termwise
from boundaudit.checks.proof.weighted import weighted

_MOST = 4
"""Hypotheses about sums, of which all subsets are tried."""
_FINEST = 64
"""The largest denominator of a multiple that is a number."""

_Label = tuple[Any, ...]
"""Of a relation of the domain, ``("where", place)``, or of its logarithm, ``("log", ("where", place))``."""
_Multiples = dict[_Label, Ratio]


def supposed(statement: Statement, context: Context) -> Certificate | None:
    """Take multiples of hypotheses about sums off the goal, until what is left speaks of sums alone."""
    if statement.relation == "=" or not has(statement.goal, "sum"):
        return None
    hypotheses = Hypotheses(statement.domain)
    form, goal = hypotheses.form, hypotheses.form.ratio(statement.goal)
    about_sums = _about_sums(hypotheses)
    places = {_place(label) for label in about_sums}
    others = [given for place, given in enumerate(statement.domain["where"]) if place not in places]
    rest = {**statement.domain, "where": others}
    for chosen in _subsets(list(about_sums)):
        for multiples in _multiples(form, goal, {label: about_sums[label] for label in chosen}):
            taken = (form.multiply(by, about_sums[label]) for label, by in multiples.items())
            left = functools.reduce(form.subtract, taken, goal)
            lemma = Statement(ZERO, "<=", form.tree(left), rest)
            inside = any(_is_sum(form, k) and form.atoms[k].key[0] != "sum" for k in form.used(left.num))
            found = (weighted if inside else termwise)(lemma, context) or context.prove(lemma)
            if found is not None:
                products = ([label, ["sign", form.tree(by)]] for label, by in multiples.items())
                return from_lemma(statement, Lemma(lemma, found), *products)
    return None


def _about_sums(hypotheses: Hypotheses) -> dict[_Label, Ratio]:
    """What inequalities between sums and other numbers say not to be negative; not the two that make an equation."""
    form = hypotheses.form
    excess = {k: hypotheses.excess(["where", k])[0] for k in plain(hypotheses.domain)}
    found: dict[_Label, Ratio] = {
        ("where", k): value
        for k, value in excess.items()
        if any(_is_sum(form, position) for position in form.used(value.num))
        and not any(form.add(value, other).num.is_zero() for other in excess.values())
    }
    for label, value in list(found.items()):
        if any(form.atoms[position].key[0] == "exp" for position in form.used(value.num)):
            with suppress(Rejected):
                found["log", label] = hypotheses.excess(["log", list(label)])[0]
    return found


def _place(label: _Label) -> int:
    """The place of the relation of which a label speaks."""
    return int(label[1]) if label[0] == "where" else _place(label[1])


def _subsets(labels: Sequence[_Label]) -> Iterator[tuple[_Label, ...]]:
    """All of them first; of a relation and its logarithm one."""
    most = len({_place(label) for label in labels})
    sizes = range(most, 0, -1) if most <= _MOST else [most]
    for chosen in itertools.chain.from_iterable(itertools.combinations(labels, size) for size in sizes if size):
        if len({_place(label) for label in chosen}) == len(chosen):
            yield chosen


def _multiples(form: NormalForm, goal: Ratio, chosen: Mapping[_Label, Ratio]) -> Iterator[_Multiples]:
    """Numbers times hypotheses that have, up to a number, all that the goal has outside of sums; or a quotient."""
    wanted, given = _outside(form, goal), [_outside(form, value) for value in chosen.values()]
    if wanted.num.is_constant():
        return
    if all(part.den.is_one() for part in (wanted, *given)):
        numbers = _combined(*(_coefficients(form, part) for part in (wanted, *given)))
        if numbers is not None:
            yield {label: form.constant(by) for label, by in zip(chosen, numbers, strict=True)}
    if len(given) == 1 and not given[0].num.is_zero():
        by = _quotient(form, wanted, given[0])
        if form.bounds(by).nonnegative:
            yield dict.fromkeys(chosen, by)


def _quotient(form: NormalForm, above: Ratio, below: Ratio) -> Ratio:
    """A quotient, of which only what does not cancel has to be known not to be zero."""
    common = above.num.gcd(below.num)
    top, bottom = Ratio(above.num / common, above.den), Ratio(below.num / common, below.den)
    return form.multiply(top, form.power(bottom, -1))


def _outside(form: NormalForm, ratio: Ratio) -> Ratio:
    """The terms that speak of no sum."""
    parts = [
        form.multiply(form.constant(number), Ratio(monomial))
        for number, monomial in form.terms(ratio.num)
        if not any(_is_sum(form, position) for position in form.used(monomial))
    ]
    total = functools.reduce(form.add, parts, form.constant(0))
    return form.multiply(total, form.power(Ratio(ratio.den), -1))


def _is_sum(form: NormalForm, position: int) -> bool:
    return has(form.atoms[position].key, "sum")


def _coefficients(form: NormalForm, ratio: Ratio) -> dict[str, Fraction]:
    """By monomial, without the number that stands alone."""
    return {str(monomial): number for number, monomial in form.terms(ratio.num) if not monomial.is_constant()}


def _combined(wanted: Mapping[str, Fraction], *given: Mapping[str, Fraction]) -> list[Fraction] | None:
    """Positive numbers with which the given coefficients add up to the wanted ones, as equal as they can be."""
    rows = sorted(set(itertools.chain.from_iterable(given)))
    table = np.array([[float(part.get(row, 0)) for part in given] for row in rows])
    found = np.linalg.lstsq(table, np.array([float(wanted.get(row, 0)) for row in rows]), rcond=None)[0]
    numbers = [Fraction(value).limit_denominator(_FINEST) for value in found.tolist()]
    sums = {row: sum(by * part.get(row, 0) for by, part in zip(numbers, given, strict=True)) for row in rows}
    return numbers if min(numbers) > 0 and all(sums[row] == wanted.get(row, 0) for row in rows) else None
