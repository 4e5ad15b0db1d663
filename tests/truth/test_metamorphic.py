"""The same statement in a needlessly complicated way gets the same verdict, and is refuted at the same point."""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
import sympy as sp
from tests.statements import collected

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.run.addresses import find_shipped

from .catalogue import named
from .exactly import holds
from .statement import Truth

FLIPPED = {"<=": ">=", ">=": "<=", "=": "="}
Values = Mapping[sp.Symbol, sp.Expr]


def numbers(truth: Truth) -> dict[str, sp.Symbol]:
    """The parameters that are numbers, as the sides write them."""
    free = {symbol.name: symbol for side in (truth.left, truth.right) for symbol in sp.sympify(side).free_symbols}
    ranges = truth.domain.ranges
    return {name: free.get(name, sp.Symbol(name)) for name in ranges if isinstance(ranges[name], (Reals, Integers))}


def scaled(truth: Truth) -> Truth:
    """Both sides times a positive expression."""
    factor = 2 + sum(symbol**2 for symbol in numbers(truth).values())
    return replace(truth, left=truth.left * factor, right=truth.right * factor)


def swapped(truth: Truth) -> Truth:
    """The sides exchanged, and the relation with them."""
    return replace(truth, left=truth.right, relation=FLIPPED[truth.relation], right=truth.left)


def shifted(truth: Truth) -> Truth:
    """The same term on both sides."""
    term = 3 + sum((-1) ** i * symbol**2 for i, symbol in enumerate(numbers(truth).values()))
    return replace(truth, left=truth.left + term, right=truth.right + term)


def gathered(truth: Truth) -> Truth:
    """Everything on one side."""
    return replace(truth, left=sp.Integer(0), relation=FLIPPED[truth.relation], right=truth.left - truth.right)


def split(truth: Truth) -> Truth:
    """The left side in two parts that are not added up, its sums without their first terms."""
    left = sp.sympify(truth.left)
    for total in left.atoms(sp.Sum):
        index, low, high = total.limits[0]
        left = left.subs(total, total.function.subs(index, low) + sp.Sum(total.function, (index, low + 1, high)))
    return replace(truth, left=sp.Add(left / 3, 2 * left / 3, evaluate=False))


def exponentiated(truth: Truth) -> Truth:
    """Both sides as exponents."""
    return replace(truth, left=sp.exp(truth.left), right=sp.exp(truth.right))


def in_logarithms(truth: Truth) -> Truth:
    """Logarithms of both sides, which must be positive."""
    return replace(truth, left=sp.log(truth.left), right=sp.log(truth.right))


def renamed(truth: Truth) -> Truth:
    """Other names, which sort the other way round."""
    named = numbers(truth)
    new = {s: sp.Symbol(f"{'zyxw'[i]}_new", **s.assumptions0) for i, s in enumerate(named.values())}
    ranges = {named[name]: found for name, found in truth.domain.ranges.items() if name in named}
    return _put_in(truth, new, {new[s].name: found for s, found in ranges.items()})


def reparametrised(truth: Truth) -> Truth:
    """Every real as twice another, which ranges over half as much, and every integer as another less three."""
    values, ranges = {}, {}
    for name, symbol in numbers(truth).items():
        found = truth.domain.ranges[name]
        if isinstance(found, Reals):
            values[symbol] = 2 * sp.Symbol(name, real=True)
            ranges[name] = replace(_mapped(found, lambda limit: limit / 2), tested_to=found.tested_to / 2)
        else:
            values[symbol] = sp.Symbol(name, integer=True) - 3
            ranges[name] = replace(_mapped(found, lambda limit: limit + 3), tested_to=found.tested_to + 3)
    return _put_in(truth, values, ranges)


def reordered(truth: Truth) -> Truth:
    """Parameters from the last to the first."""
    return replace(truth, domain=_domain(dict(reversed(truth.domain.ranges.items())), truth.domain.where))


def _put_in(truth: Truth, values: Values, ranges: Mapping[str, Reals | Integers]) -> Truth:
    """The statement with values for its symbols, whose ranges are given; vectors stay, but for their limits."""
    put = functools.partial(_put, values)
    new = iter(ranges.items())
    kept = numbers(truth)
    every = dict(next(new) if name in kept else (name, found) for name, found in truth.domain.ranges.items())
    domain = _domain({name: _mapped(found, put) for name, found in every.items()}, map(put, truth.domain.where))
    return replace(truth, left=put(truth.left), right=put(truth.right), domain=domain)


def _domain(ranges: Mapping[str, Any], where: Iterable[Any]) -> Domain:
    return Domain({sp.Symbol(name): found for name, found in ranges.items()}, list(where))


def _put(values: Values, part: Any) -> Any:
    return sp.sympify(part).subs(values, simultaneous=True)


def _mapped(found: Any, change: Callable[[sp.Expr], sp.Expr]) -> Any:
    """A range with its limits changed, those of its entries too."""
    inner = {f.name: getattr(found, f.name) for f in fields(found) if is_dataclass(getattr(found, f.name))}
    changed = {name: change(limit) for name, limit in _limits(found).items()}
    return replace(found, **changed, **{name: _mapped(entries, change) for name, entries in inner.items()})


def _limits(found: Any) -> dict[str, sp.Expr]:
    """The limits of a range, and the length of a vector."""
    stated = {
        f.name: getattr(found, f.name) for f in fields(found) if f.name in ("low", "high", "length", "square_sum")
    }
    return {name: sp.sympify(limit) for name, limit in stated.items() if limit is not None}


# --- statements -----------------------------------------------------------------------------------

WAYS = (scaled, swapped, shifted, gathered, split, renamed, reparametrised, reordered, exponentiated, in_logarithms)
COSTLY = (exponentiated, in_logarithms)
OTHER_ORDER = (reparametrised, reordered)
"""What changes which points count as small."""
QUICK = (
    "AM-GM of two",
    "exp below its parabola",
    "Jordan with 0.64",
    "Young with one exponent",
    "an inverse count",
    "sharpness.averages.quarter",
    "pac_bayes.subgaussian.deviation",
    "sharpness.rescaling.norm.optimum",
    "sharpness.noisy_loss.units-on",
    "covering.sparse.levels",
)
SLOW = ("exp below a quadratic", "Bernoulli from -3")
ONLY = {
    reordered: (
        "AM-GM of two", "Young with one exponent", "pac_bayes.subgaussian.deviation",
        "sharpness.rescaling.norm.optimum", "Bernoulli from -3",
    ),
    exponentiated: (
        "exp below its parabola", "Jordan with 0.64", "Young with one exponent", "sharpness.averages.quarter",
        "pac_bayes.subgaussian.deviation", "sharpness.noisy_loss.units-on", "covering.sparse.levels",
        "exp below a quadratic",
    ),
    in_logarithms: (
        "exp below a quadratic", "exp below its parabola", "Young with one exponent",
        "sharpness.rescaling.norm.optimum", "sharpness.noisy_loss.units-on",
    ),
}  # fmt: skip
"""Where a way applies that does not apply everywhere: parameters that are free, sides with a value, positive sides."""


@functools.cache
def stated(name: str) -> Truth:
    """A statement of known truth, or a claim of the suite: its expected verdict says whether it holds."""
    if " " in name:
        return named(name)
    (claim,) = find_shipped(name)
    return Truth(
        name, claim.left, claim.relation, claim.right, claim.domain, claim.expected == "proved", claim.statement
    )


def found(truth: Truth) -> Findings:
    claim = truth.claim()
    claim.validate()
    return collected(claim)


@functools.cache
def found_first(name: str) -> Findings:
    return found(stated(name))


PAIRS = [
    pytest.param(
        name, way, marks=[pytest.mark.slow] if name in SLOW or way in COSTLY else [], id=f"{name}, {way.__name__}"
    )
    for name in (*QUICK, *SLOW)
    for way in WAYS
    if name in ONLY.get(way, (name,))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way"), PAIRS)
def test_the_verdict_is_the_same(name: str, way: Callable[[Truth], Truth]) -> None:
    truth, first = stated(name), found_first(name)
    assert first.verdict == ("proved" if truth.holds is True else "refuted")
    other = way(truth)
    assert other.claim().fingerprint != truth.claim().fingerprint
    again = found(other)
    assert again.verdict == first.verdict
    if again.witness is None or first.witness is None:
        assert again.verdict in STANDING
        return
    # An evaluation that shares nothing with the engine says that the other writing fails there too.
    if again.witness.is_valueless:
        assert first.witness.is_valueless
        with pytest.raises(ArithmeticError):
            holds(other, again.witness.point)
    else:
        assert not holds(other, again.witness.point)
    if way not in OTHER_ORDER and first.witness.order is not None:
        assert list(again.witness.point.values()) == list(first.witness.point.values())
