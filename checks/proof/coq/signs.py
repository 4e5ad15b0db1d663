"""Proofs in Coq of the signs that a normal form knows: from ranges of atoms, term by term, and facts of the domain."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq, fmpq_mpoly

from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import BRANCHES, Tree, from_json
from boundaudit.checks.language.statement import trees_of
from boundaudit.checks.proof.coq.propositions import end_name
from boundaudit.checks.proof.coq.sums import index_premises, sign_of_sum
from boundaudit.checks.proof.coq.terms import NotExported, fraction, identifier, less, number, powered, text

if TYPE_CHECKING:
    from boundaudit.checks.proof.coq.ground import Ground

_MOST_BITS, _STEP_BITS, _LEAST_BITS = 112, 20, 40
"""Of the ends of ranges that are written."""
_POWER_NONNEGATIVE = (
    "unfold power; destruct (Rlt_dec 0 _); [left; apply exp_pos | "
    "destruct (Req_EM_T _ 0); [destruct (Req_EM_T _ 0) |]; lra]"
)


class Bound(NamedTuple):
    """``value ≤ term``, or ``<`` where open; the name of its proof."""

    value: Fraction
    is_open: bool
    name: str


class Signs:
    """Signs of polynomials in the atoms of a ground, and of their quotients."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._busy: set[str] = set()
        self._levels: dict[int, int] = {}

    # --- what others ask -------------------------------------------------------------------------

    def positive(self, ratio: Ratio, term: str | None = None) -> str:
        """The name of a proof that a term with this normal form is positive."""
        return self._signed(ratio, term, strict=True)

    def nonnegative(self, ratio: Ratio, term: str | None = None) -> str:
        """The name of a proof that a term with this normal form is not negative."""
        return self._signed(ratio, term, strict=False)

    def shown(self, tree: Tree, *, strict: bool = False) -> str:
        """The tactic that shows that an expression is not negative, or positive."""
        term, way = self._ground.lifted(tree)
        return f"{way}; exact {self._signed(self._ground.ratio(tree), term, strict=strict)}"

    def below(self, small: Tree, large: Tree, *, strict: bool = False, by_facts: bool = False) -> tuple[str, str]:
        """That an expression is at most another, or less, and the tactic that shows it; by facts of the domain too."""
        ground = self._ground
        sides, way = ground.lifted_together(small, large)
        gap = ground.subtract(ground.ratio(large), ground.ratio(small))
        facts = self._facts_below(gap) if by_facts else []
        rest = functools.reduce(ground.subtract, (Ratio(ground._facts[k].poly) for k in facts), gap)
        known = [
            *map(self.fact, facts),
            self._signed(rest, None if facts else f"({sides[1]} - {sides[0]})", strict=strict),
        ]
        return f"{text(small)} {less(strict)} {text(large)}", f"{way}; clear - {' '.join(known)}; lra"

    def nonzero(self, ratio: Ratio, term: str | None = None) -> str:
        """The name of a proof that a term with this normal form does not vanish; so do its factors not."""
        ground = self._ground
        shown = term or ground.quotient(ratio)
        constant, factors = ground.factors(ratio)
        names = []
        for poly, _ in factors:
            sign, name = self.sign(poly)
            if sign not in "<>":
                raise NotExported("a denominator is not seen to be nonzero")
            names.append(ground.script.have("nz", f"{ground.poly(poly)} <> 0", f"clear - {name}; lra"))
        product = " * ".join([number(constant), *(powered(ground.poly(poly), exponent) for poly, exponent in factors)])
        equal = ground.replaced(shown, f"({product})")
        return ground.script.have("nz", f"{shown} <> 0", f"{equal}; nonzero")

    def fixed(self, name: str, value: Fraction) -> str:
        """The name of the equation of a parameter whose range is one value."""
        ground = self._ground
        declared = next((found for found in ground.domain["parameters"] if found["name"] == name), None)
        if declared is None:
            raise NotExported(f"no value of {name}")
        sides = ("choices",) if declared["range"] == "choices" else ("low", "high")
        ends = {side: from_json(declared[side]) for side in sides if side != "choices"}
        equal = {side: ground.equals(end, number(value)) for side, end in ends.items()}
        equations = [f"rewrite {equal[side]} in {end_name(name, side)}" for side in ends if ends[side][0] != "q"]
        known = f"clear - {' '.join(end_name(name, side) for side in sides)}"
        proof = "; ".join([*(equations or [known]), "lra"])
        return ground.script.have("fixed", f"{identifier(name)} = {number(value)}", proof)

    def _signed(self, ratio: Ratio, term: str | None, *, strict: bool) -> str:
        """Zero is at most a term that is a product of factors of known sign."""
        ground = self._ground
        shown = term or ground.quotient(ratio)
        claim = f"0 {less(strict)} {shown}"
        if (known := ground.script.name_of(claim)) is not None:
            return known
        if ratio.num.is_zero() and not strict:
            return ground.script.have("sg", claim, f"replace {shown} with 0 by ({ground.field(shown)}); lra")
        constant, factors = ground.factors(ratio)
        pieces = []
        for poly, exponent in factors:
            part = ground.poly(poly)
            sign, name = self.sign(poly, even=exponent % 2 == 0)
            if sign.startswith("<"):
                part = f"(- {part})"
                ground.script.have("sg", f"0 {sign} {part}", f"clear - {name}; lra")
                constant *= (-1) ** (exponent % 2)
            pieces.append(powered(part, exponent))
            if exponent < 0 and sign in "<>":
                ground.script.have("nz", f"{part} <> 0", f"clear - {ground.script.name_of(f'0 < {part}')}; lra")
        product = " * ".join([number(constant), *pieces])
        if constant < 0:
            raise NotExported("a sign is not seen")
        equal = ground.replaced(shown, f"({product})")
        return ground.script.have("sg", claim, f"{equal}; {'positive' if strict else 'nonnegative'}")

    # --- polynomials -----------------------------------------------------------------------------

    def sign(self, poly: fmpq_mpoly, *, even: bool = False) -> tuple[str, str]:
        """How a polynomial compares with 0 (``>``, ``>=``, ``<``, ``<=``), and the name of the proof.

        The sign of an even power needs no proof: "" with ``even`` where neither is known.

        Raises:
            NotExported: where neither is seen.
        """
        ground = self._ground
        for one in (poly, -poly):
            found = self.low(one)
            if found is not None and found.value >= 0:
                relation, shown = less(found.value > 0 or found.is_open), ground.poly(poly)
                claim = f"0 {relation} {shown}" if one is poly else f"{shown} {relation} 0"
                name = ground.script.have("sg", claim, f"clear - {found.name}; lra")
                return relation.replace("<", ">") if one is poly else relation, name
        if even:
            return "", ""
        raise NotExported(f"no sign is seen of {ground.poly(poly)[:60]}")

    def low(self, poly: fmpq_mpoly) -> Bound | None:
        """The best lower bound of a polynomial that is seen, as the normal form looks for it."""
        ground = self._ground
        shown = ground.poly(poly)
        if poly.is_constant():
            value = Fraction(0) if poly.is_zero() else fraction(poly.leading_coefficient())
            return Bound(value, False, ground.script.have("lo", f"{number(value)} <= {shown}", "lra"))
        found = self._termwise(poly)
        if found is not None and (found.value > 0 or (found.value == 0 and found.is_open)):
            return found
        if not ground.names(poly):
            return self._closed(poly) or found
        return self._raised(poly, found)

    def _termwise(self, poly: fmpq_mpoly) -> Bound | None:
        size = self._size(poly)
        return None if size is None else self._claim(poly, *size, self._ends(poly))

    def _claim(self, poly: fmpq_mpoly, value: Fraction, is_open: bool, names: list[str]) -> Bound:
        claim = _ordered(value, is_open, self._ground.poly(poly), low=True)
        return Bound(value, is_open, self._ground.script.have("lo", claim, f"{_keep(names)}lra"))

    def _terms(self, poly: fmpq_mpoly) -> Iterator[tuple[list[tuple[int, int]], Fraction]]:
        """The terms of a polynomial: atoms with their powers, and the coefficient."""
        for exponents, coefficient in poly.terms():
            yield [(k, int(exponents[k])) for k in self._ground.used(poly) if exponents[k]], fraction(coefficient)

    def _ends(self, poly: fmpq_mpoly) -> list[str]:
        """The names of the proofs of the ends at which the terms are least."""
        return [self._monomial(powers, low=factor > 0).name for powers, factor in self._terms(poly) if powers]

    def _span(self, powers: list[tuple[int, int]]) -> Range:
        result = Range(Fraction(1), Fraction(1))
        for position, power in powers:
            result = result * self._range(position) ** power
        return result

    def _monomial(self, powers: list[tuple[int, int]], *, low: bool) -> Bound:
        """An end of the range of a product of powers of atoms."""
        ground = self._ground
        *before, last = powers
        span = self._span(powers)
        end, is_open = (span.low, span.low_open) if low else (span.high, span.high_open)
        assert isinstance(end, Fraction)
        if not before:
            return self._power(*last, end, is_open, low=low)
        shown = " * ".join(ground.monomial_part(*part) for part in powers)
        names, lows = [], []
        for part in (before, [last]):
            size = self._span(part)
            for side in (True, False):
                if not isinstance(size.low if side else size.high, float):
                    bound = self._monomial(part, low=side)
                    names.append(bound.name)
                    if side:
                        lows.append(bound)
        claim = _ordered(end, is_open, shown, low=low)
        way = "nra"
        if low and len(lows) == 2 and all(bound.value >= 0 for bound in lows):
            first, second = (number(bound.value) for bound in lows)
            left = " * ".join(ground.monomial_part(*part) for part in before)
            right = ground.monomial_part(*last)
            if is_open and end == 0:
                way = f"apply (product_pos ({left}) ({right})); lra"
            elif not is_open:
                way = f"assert ({first} * {second} <= ({left}) * ({right})) by (apply product_low; lra); lra"
        return Bound(end, is_open, ground.script.have("mo", claim, f"clear - {' '.join(names)}; {way}"))

    def _power(self, position: int, power: int, end: Fraction, is_open: bool, *, low: bool) -> Bound:
        """An end of the range of a power of an atom."""
        ground = self._ground
        span, names = self._range(position), []
        if power == 1:
            return self._end(position, low=low)
        for side, other in ((True, span.low), (False, span.high)):
            if not isinstance(other, float):
                names.append(self._end(position, low=side).name)
        name = ground.atom(position)
        claim = _ordered(end, is_open, f"{name} ^ {power}", low=low)
        if low and span.low >= 0 and not is_open:
            start = number(Fraction(span.low))
            way = f"assert ({start} ^ {power} <= {name} ^ {power}) by (apply pow_incr; lra); lra"
        elif low and span.low == 0 and is_open:
            way = "apply pow_lt; lra"
        elif low and span.low > 0:
            start = number(Fraction(span.low))
            way = f"assert ({start} ^ {power} < {name} ^ {power}) by (apply power_increases; [lia | lra | lra]); lra"
        elif not low and span.low >= 0 and not is_open:
            stop = number(Fraction(span.high))
            way = f"assert ({name} ^ {power} <= {stop} ^ {power}) by (apply pow_incr; lra); lra"
        elif low and power % 2 == 0 and end == 0:
            way = "apply even_power_nonneg; reflexivity"
            if is_open:
                way = (
                    f"destruct (even_power_nonneg {name} {power} eq_refl) as [more | none]; [exact more | exfalso; "
                    f"apply (pow_nonzero {name} {power}); [intro; lra | symmetry; exact none]]"
                )
        else:
            way = "nra"
        return Bound(end, is_open, ground.script.have("mo", claim, f"{_keep(names)}{way}"))

    def _closed(self, poly: fmpq_mpoly) -> Bound | None:
        """A bound of an expression without parameters, by interval arithmetic in Coq."""
        ground = self._ground
        size = ground._closed(poly)
        if isinstance(size.low, float):
            return None
        value = _rounded(size.low, _MOST_BITS)
        if (size.low > 0) != (value > 0):
            return None
        claim = f"{number(value)} <= {ground.poly(poly)}"
        names = [ground.atom(position) for position in ground.used(poly)]
        unfold = "; ".join(f"rewrite {name}_is" for name in names)
        return Bound(value, False, ground.script.have("lo", claim, f"{unfold}; closed"))

    def _raised(self, poly: fmpq_mpoly, found: Bound | None) -> Bound | None:
        """A bound of at least 0 by a fact of the domain."""
        ground = self._ground
        coefficients, own = poly.to_dict(), ground.around(poly)
        best: tuple[Fraction, bool, int, fmpq] | None = None
        for k, fact in enumerate(ground._facts):
            if not fact.bound <= own:
                continue
            for monomial, value in fact.terms.items():
                scale = coefficients.get(monomial, fmpq(0)) / value
                if not scale > 0:
                    continue
                rest = poly - scale * fact.poly
                size = self._size(rest)
                if size is None or size[0] < 0 or k not in ground.reasons:
                    continue
                here = (size[0], size[1] or fact.strict, k, scale)
                if best is None or here[:2] > best[:2]:
                    best = here
        if best is None or (found is not None and best[:2] <= (found.value, found.is_open)):
            return found
        least, is_open, k, factor = best
        names = self._ends(poly - factor * ground._facts[k].poly)
        return self._claim(poly, least, is_open, [*names, self.fact(k)])

    def _size(self, poly: fmpq_mpoly) -> tuple[Fraction, bool] | None:
        """The least value that the terms show, without a proof."""
        value, is_open = Fraction(0), False
        for powers, factor in self._terms(poly):
            span = self._span(powers)
            end, missed = (span.low, span.low_open) if factor > 0 else (span.high, span.high_open)
            if isinstance(end, float):
                return None
            value, is_open = value + factor * end, is_open or missed
        return value, is_open

    def fact(self, position: int) -> str:
        """The name of the proof of a fact of the domain."""
        ground = self._ground
        fact, reason = ground._facts[position], ground.reasons[position]
        claim = f"0 {less(fact.strict)} {ground.poly(fact.poly)}"
        if (known := ground.script.name_of(claim)) is not None:
            return known
        if reason[0] == "factor":
            return ground.script.have("fa", claim, self._of_factor(fact, reason[1]))
        if reason[0] == "middle":
            return ground.script.have("fa", claim, self._of_middle(fact, *reason[1:]))
        _, premise, small, large = reason
        return ground.script.have("fa", claim, self.from_premise(premise, small, large, fact.poly))

    def _of_factor(self, fact: Any, above: int) -> str:
        """The tactic for the sign of a factor of a fact, beside one that is positive."""
        ground, whole = self._ground, self._ground._facts[above].poly
        rest = Ratio(whole / fact.poly)
        lemma, other = f"factor_{'pos' if fact.strict else 'nonneg'}", ground.quotient(rest)
        way = "ring" if all(number.q == 1 for number in rest.num.coeffs()) else "field"  # a ring has no fractions
        equal = f"replace ({ground.poly(fact.poly)} * {other}) with {ground.poly(whole)} by {way}"
        return f"apply ({lemma} _ {other}); [{equal}; exact {self.fact(above)} | exact {self.positive(rest, other)}]"

    def _of_middle(self, fact: Any, a: Ratio, b: Ratio, sign: int) -> str:
        """The tactic for the sign of the larger of two, as one of them has it, or of the smaller, as both do."""
        ground, prove = self._ground, self.positive if fact.strict else self.nonnegative
        head, trees = "max" if sign > 0 else "min", [ground.tree(a), ground.tree(b)]
        if ground.ratio((head, *trees)) != Ratio(fact.poly):
            raise NotExported("the sign of a larger or smaller one with a denominator")
        _, equal = ground.equation((head, *trees))

        def shown(side: int) -> str:
            term, way = ground.lifted(trees[side])
            return f"{way}; exact {prove((a, b)[side], term)}"

        if sign < 0:
            return f"rewrite <- {equal}; apply Rmin_glb{'_lt' if fact.strict else ''}; [{shown(0)} | {shown(1)}]"
        lows = [(size.low, size.low_open) for size in map(ground.bounds, (a, b))]
        side, through = lows.index(max(lows)), "Rlt_le_trans" if fact.strict else "Rle_trans"
        larger = f"apply Rmax_{'lr'[side]}"
        return f"rewrite <- {equal}; apply {through} with {text(trees[side])}; [{shown(side)} | {larger}]"

    def from_premise(self, premise: str, small: Tree, large: Tree, poly: fmpq_mpoly) -> str:
        """The tactic for the sign of the numerator of what a premise says to be non-negative."""
        ground = self._ground
        gap = ground.subtract(ground.ratio(large), ground.ratio(small))
        sides, way = ground.lifted_together(small, large)
        shown = ground.poly(poly)
        steps = f"pose proof {premise} as known; revert known; {way}; intros known"
        difference = f"({sides[1]} - {sides[0]})"
        if poly == gap.num and gap.den.is_one():
            return f"{steps}; {ground.replaced(shown, difference)}; lra"
        den = gap.den if poly == gap.num else -gap.den
        factor = ground.poly(den)
        self.positive(Ratio(den), factor)
        equal = ground.replaced(shown, f"({difference} * {factor})")
        return (
            f"{steps}; {equal}; first [apply product_nonneg | apply product_pos]; first [lra | nonnegative | positive]"
        )

    # --- atoms -----------------------------------------------------------------------------------

    def _range(self, position: int) -> Range:
        """The range of an atom with ends that are short to write."""
        span = self._ground.atoms[position].range
        bits = max(_LEAST_BITS, _MOST_BITS - _STEP_BITS * self._level(position))
        low = span.low if isinstance(span.low, float) else _rounded(span.low, bits)
        high = span.high if isinstance(span.high, float) else -_rounded(-span.high, bits)
        same = (low == span.low, high == span.high)
        return Range(low, high, span.low_open and same[0], span.high_open and same[1])

    def _level(self, position: int) -> int:
        """How deep functions are nested in an atom: what stands further out is rounded more."""
        if position not in self._levels:
            argument = self._ground.atoms[position].argument
            inner = [] if argument is None else [*self._ground.used(argument.num), *self._ground.used(argument.den)]
            self._levels[position] = 1 + max(map(self._level, inner), default=0)
        return self._levels[position]

    def _end(self, position: int, *, low: bool) -> Bound:
        """The proof of an end of the range of an atom."""
        ground, span = self._ground, self._range(position)
        end, is_open = (span.low, span.low_open) if low else (span.high, span.high_open)
        assert isinstance(end, Fraction)
        name = ground.atom(position)
        claim = _ordered(end, is_open, name, low=low)
        if (known := ground.script.name_of(claim)) is not None:
            return Bound(end, is_open, known)
        if claim in self._busy:
            raise NotExported("a range that rests on itself")
        self._busy.add(claim)
        try:
            found = ground.script.have("en", claim, self._end_proof(position, end, is_open, low=low))
        finally:
            self._busy.discard(claim)
        return Bound(end, is_open, found)

    def _end_proof(self, position: int, end: Fraction, is_open: bool, *, low: bool) -> str:
        ground = self._ground
        key = ground.atoms[position].key
        head, name = key[0], ground.atom(position)
        if head == "v":
            return self._end_of_parameter(key[1], low=low)
        if head == "item":
            return self._end_of_entry(key, name, low=low)
        if head in ("log", "exp") or (head == "^" and key[2][0] == "q"):
            return self._end_of_increasing(position, end, is_open, low=low)
        if head == "pi":
            return f"rewrite {name}_is; interval"
        if head == "abs" and low and end == 0:
            if is_open:
                inner = ground.quotient(ground.ratio(key[1]))
                zero = self.nonzero(ground.ratio(key[1]))
                return f"rewrite {name}_is, ?{ground.equals(key[1], inner)}; apply Rabs_pos_lt; exact {zero}"
            return f"rewrite {name}_is; apply Rabs_pos"
        if head == "abs" and not low:
            poly = ground.ratio(key[1])
            inner = ground.quotient(poly)
            sides = [self.quotient_end(poly, inner, low=side) for side in (True, False)]
            if None in sides:
                raise NotExported("the range of an absolute value")
            names = " ".join(side.name for side in sides if side)
            way = f"apply {'Rabs_def1' if is_open else 'Rabs_le'}; clear - {names}; lra"
            return f"rewrite {name}_is, ?{ground.equals(key[1], inner)}; {way}"
        if head in ("sin", "cos"):
            return f"rewrite {name}_is; {'apply SIN_bound' if head == 'sin' else 'apply COS_bound'}"
        if head in BRANCHES:
            ways = " | ".join(self._end_of_branch(part, low=low) for part in key[2:])
            return f"rewrite {name}_is; match goal with |- context [if ?c then _ else _] => destruct c end; [{ways}]"
        if head == "sum" and low and end == 0:
            return sign_of_sum(ground, key, name, strict=is_open)
        if head == "^" and key[1] == ("q", -1, 1):
            whole = ground.script.have("in", f"integer {text(key[2])}", "whole")
            return f"rewrite {name}_is; apply alternating_within; exact {whole}"
        if head == "^" and low and end == 0:
            above = ground.script.have("sg", f"0 <= {text(key[1])}", self.shown(key[1]))
            return f"rewrite {name}_is; clear - {above}; {_POWER_NONNEGATIVE}"
        raise NotExported(f"the range of {head}")

    def _end_of_branch(self, part: Tree, *, low: bool) -> str:
        """The tactic for an end of the range of one of two branches."""
        term, way = self._ground.lifted(part)
        bound = self.quotient_end(self._ground.ratio(part), term, low=low)
        if bound is None:
            raise NotExported("the range of a branch")
        return f"{way}; clear - {bound.name}; lra"

    def _end_of_parameter(self, parameter: str, *, low: bool) -> str:
        ground = self._ground
        declared = next((p for p in ground.domain["parameters"] if p["name"] == parameter), None)
        if declared is None:
            trees = dict(zip(("low", "high"), ground.ends_of_indices[parameter], strict=True))
            _, *names = index_premises(parameter)
            return self._from_end(names[0] if low else names[1], trees["low" if low else "high"], low=low)
        if declared["range"] == "choices":
            return f"clear - {end_name(parameter, 'choices')}; lra"
        side = "low" if low else "high"
        tree = trees_of(declared)[side]
        return self._from_end(end_name(parameter, side), tree, low=low)

    def _from_end(self, premise: str, tree: Tree, *, low: bool) -> str:
        """The tactic that takes an end of a range from the premise on it."""
        ground = self._ground
        if tree[0] == "q":
            return f"clear - {premise}; lra"
        value = ground.ratio(tree)
        term, rewriting = ground.lifted(tree)
        bound = self.quotient_end(value, term, low=low)
        if bound is None:
            raise NotExported("the end of a range")
        strict = f"pose proof {premise} as known; revert known; {rewriting}; intros known"
        return f"{strict}; clear - known {bound.name}; lra"

    def quotient_end(self, value: Ratio, term: str, *, low: bool) -> Bound | None:
        """An end of the range of a term with a normal form."""
        ground = self._ground
        factors = ground.factors(value)
        if len(factors[1]) == 1 and factors[1][0][1] > 1:
            return self._power_end(factors[0], *factors[1][0], term, low=low)
        if value.den.is_one():
            bound = self.low(value.num if low else -value.num)
            if bound is None:
                return None
            shown = ground.poly(value.num)
            end = bound.value if low else -bound.value
            claim = _ordered(end, bound.is_open, term, low=low)
            step = f"{ground.replaced(term, shown)}; clear - {bound.name}; lra"
            return Bound(end, bound.is_open, ground.script.have("lo", claim, step))
        size = ground.bounds(value)
        if not low:
            return self._quotient_high(value, term)
        if size.positive:
            return Bound(Fraction(0), True, self.positive(value, term))
        return Bound(Fraction(0), False, self.nonnegative(value, term)) if size.nonnegative else None

    def _quotient_high(self, value: Ratio, term: str) -> Bound | None:
        """The upper end of the range of a quotient, by the sign of what is missing to it."""
        ground, size = self._ground, self._ground.bounds(value)
        if isinstance(size.high, float):
            return None
        gap, shown = ground.subtract(ground.constant(size.high), value), f"({number(size.high)} - {term})"
        sign = (self.positive if size.high_open else self.nonnegative)(gap, shown)
        claim = _ordered(size.high, size.high_open, term, low=False)
        return Bound(size.high, size.high_open, ground.script.have("lo", claim, f"clear - {sign}; lra"))

    def _power_end(self, constant: Fraction, poly: fmpq_mpoly, power: int, term: str, *, low: bool) -> Bound | None:
        """An end of the range of a multiple of a power."""
        ground = self._ground
        ends = [self.low(poly), self.low(-poly)]
        values = (Fraction(ends[0].value) if ends[0] else -math.inf, -Fraction(ends[1].value) if ends[1] else math.inf)
        span = Range(*values, low_open=ends[0] is not None and ends[0].is_open) ** power * Range(constant, constant)
        end = span.low if low else span.high
        if isinstance(end, float):
            return None
        part = ground.poly(poly)
        product = f"({number(constant)} * {part} ^ {power})"
        names = [bound.name for bound in ends if bound]
        generic, from_zero = "nra", low and end == 0 and constant > 0
        is_open = from_zero and span.low_open
        if is_open or (from_zero and power % 2 == 0):
            generic = "positive" if is_open else "nonnegative"
        step = f"{ground.replaced(term, product)}; {_keep(names)}{generic}"
        return Bound(end, is_open, ground.script.have("lo", _ordered(end, is_open, term, low=low), step))

    def _end_of_entry(self, key: Tree, name: str, *, low: bool) -> str:
        ground = self._ground
        declared = next(p for p in ground.domain["parameters"] if p["name"] == key[1])
        side = "low" if low else "high"
        tree = trees_of(declared)[side]
        entry = self.entry_premise(key, declared, side)
        rewriting = "idtac"
        if tree[0] != "q":
            term, rewriting = ground.lifted(tree)
            bound = self.quotient_end(ground.ratio(tree), term, low=low)
            if bound is None:
                raise NotExported("the end of the range of entries")
        return f"rewrite {name}_is; pose proof {entry} as known; revert known; {rewriting}; intros known; lra"

    def entry_premise(self, key: Tree, declared: dict[str, object], side: str) -> str:
        """The premise on the entries of a vector or matrix, at one of them."""
        trees = trees_of(declared)
        sizes = [trees[size] for size in ("length", "rows", "columns") if size in trees]
        inside = [self.index_within(("q", 1, 1), size, index) for index, size in zip(key[2:], sizes, strict=True)]
        return f"({' '.join([end_name(key[1], side), *map(text, key[2:]), *itertools.chain(*inside)])})"

    def index_within(self, low: Tree, high: Tree, index: Tree) -> list[str]:
        """The names of the proofs that an index is an integer between the ends of a range."""
        whole = self._ground.script.have("in", f"integer {text(index)}", "whole")
        sides = ((low, index), (index, high))
        return [whole, *(self._ground.script.have("in", *self.below(*pair, by_facts=True)) for pair in sides)]

    def _facts_below(self, ratio: Ratio, most: int = 2) -> list[int]:
        """The facts to take off before a range shows that what is left is not negative, as `by_facts` takes them."""
        ground = self._ground
        if most and not ground.bounds(ratio).nonnegative:
            for k, fact in enumerate(ground._facts):
                rest = ground.subtract(ratio, Ratio(fact.poly))
                if fact.bound <= ground.around(ratio.num) and ground.by_facts(rest, most - 1):
                    return [k, *self._facts_below(rest, most - 1)]
        return []

    def _end_of_increasing(self, position: int, end: Fraction, is_open: bool, *, low: bool) -> str:
        """The image of the argument's range under a root, a logarithm or an exponential."""
        ground, atom = self._ground, self._ground.atoms[position]
        key, name = atom.key, ground.atom(position)
        root = key[0] == "^"
        function = f"root {key[2][2]}" if root else {"log": "ln", "exp": "exp"}[key[0]]
        inner = ground.quotient(atom.argument)  # type: ignore[arg-type]
        equal = ground.equals(key[1], inner)
        start = f"rewrite {name}_is, ?{equal}"
        if low and end == 0 and not is_open and root:
            return f"{start}; apply root_nonneg"
        if low and end == 0 and is_open and key[0] == "exp":
            return f"{start}; apply exp_pos"
        if low and end == 0 and is_open and root:
            return f"{start}; apply root_pos; exact {self.positive(atom.argument, inner)}"  # type: ignore[arg-type]
        bound = self.quotient_end(atom.argument, inner, low=low)  # type: ignore[arg-type]
        if bound is None:
            raise NotExported(f"the range of {function}")
        at = number(bound.value)
        if root:
            side = "low" if low else "high"
            lemma = f"root_{side}{'_strict' if is_open else ''}"
            extra = "" if low else f" | exact {self.nonnegative(atom.argument, inner)}"  # type: ignore[arg-type]
            return f"{start}; apply {lemma}; [lia | lra{extra} | clear - {bound.name}; lra]"
        increasing = f"{function}_{'increasing' if is_open else 'increases'}"
        edge = {("ln", Fraction(1)): "rewrite ln_1; lra", ("exp", Fraction(0)): "rewrite exp_0; lra"}
        numeric = edge.get((function, bound.value), "interval with (i_prec 160)")
        if function == "ln":
            argument = bound.value if low else None
            plus = "lra" if low else f"exact {self.positive(atom.argument, inner)}"  # type: ignore[arg-type]
            if argument is not None and argument <= 0:
                raise NotExported("the range of a logarithm")
            monotone = f"apply {increasing}; [{plus} | clear - {bound.name}; lra]"
        else:
            monotone = f"apply {increasing}; clear - {bound.name}; lra"
        if low:
            claim = f"assert ({number(end)} <= {function} {at}) by ({numeric})"
            step = f"assert ({function} {at} {less(is_open)} {function} {inner}) by ({monotone})"
        else:
            claim = f"assert ({function} {at} <= {number(end)}) by ({numeric})"
            step = f"assert ({function} {inner} {less(is_open)} {function} {at}) by ({monotone})"
        return f"{start}; {claim}; {step}; lra"


def _ordered(end: Fraction, is_open: bool, term: str, *, low: bool) -> str:
    return f"{number(end)} {less(is_open)} {term}" if low else f"{term} {less(is_open)} {number(end)}"


def _keep(names: Sequence[str]) -> str:
    """The tactic that forgets all but some facts, where there are any of these."""
    return f"clear - {' '.join(names)}; " if names else ""


def _rounded(value: Fraction, bits: int) -> Fraction:
    """A rational that is not above, of the same sign, with so many leading bits; a short one itself."""
    if max(value.denominator, abs(value.numerator)).bit_length() <= bits:
        return value
    shift = bits - (abs(value.numerator).bit_length() - value.denominator.bit_length())
    scale = Fraction(2) ** shift
    return math.floor(value * scale) / scale
