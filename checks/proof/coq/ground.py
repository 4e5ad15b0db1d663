"""What a Coq proof on one domain stands on: atoms as variables, their relations, and terms rewritten in them.

The normal form of our checker says which sub-terms of an expression are opaque and what the others come to. Here each
such step is shown: an atom becomes a variable of its own, so that ``field`` sees no further, and every root, logarithm,
exponential or absolute value is proved equal to what the normal form makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Atom, Ratio
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.expression import Tree, rational
from boundaudit.checks.proof.coq.propositions import end_name, where_name
from boundaudit.checks.proof.coq.script import Script
from boundaudit.checks.proof.coq.sums import index_premises
from boundaudit.checks.proof.coq.terms import NotExported, compose, fraction, identifier, number, raised, text
from boundaudit.checks.proof.kernel.domains import Domain, plain

_ATOM = re.compile(r"\bat_\d+\b")


class Ground(NormalForm):
    """The normal forms of a domain, with a proof in Coq of every step to them."""

    def __init__(self, domain: Domain) -> None:
        self.script = Script()
        self.reasons: dict[int, tuple[Any, ...]] = {}
        """Why a fact of the domain holds, by its position."""
        self._above: int | None = None
        """The fact whose factors are looked at."""
        self._declared: str | None = None
        self._names: dict[int, str] = {}
        """What the atoms are called that have been met."""
        self.ends_of_indices: dict[str, tuple[Tree, Tree]] = {}
        """The ends of sums as the statement has them, by the names of their indices."""
        super().__init__(domain)
        self.domain = domain

    # --- the domain, with reasons ----------------------------------------------------------------

    def _read(self, domain: Mapping[str, Any]) -> None:
        """All of it anew, since each step wants its reason."""
        self._plain = iter(plain(dict(domain)))
        self._read_from(domain, 0)

    def _declare(self, parameter: Mapping[str, Any]) -> None:
        self._declared = parameter["name"]
        super()._declare(parameter)
        self._declared = None

    def _assume_relation(self, relation: str, left: Tree, right: Tree) -> None:
        if self._declared is not None:
            premise = end_name(self._declared, "low" if relation[0] == ">" else "high")
            small, large = (right, left) if relation[0] == ">" else (left, right)
        else:
            premise = where_name(next(self._plain))
            small, large = (left, right) if relation[0] == "<" else (right, left)
        self.subtract(self.ratio(large), self.ratio(small))  # what is noted of indices on the way comes before
        before = len(self._facts)
        super()._assume_relation(relation, left, right)
        if len(self._facts) > before:
            self.reasons[before] = ("premise", premise, small, large)

    def assume(self, ratio: Ratio, *, strict: bool) -> None:
        """Note a sign, and of what fact a factor has it."""
        here, above = len(self._facts), self._above
        self._above = here
        super().assume(ratio, strict=strict)
        self._above = above
        if above is not None and len(self._facts) > here:
            self.reasons[here] = ("factor", above)

    def _middle(self, a: Ratio, b: Ratio, sign: int) -> Ratio:
        self.absolute(self.subtract(a, b))
        before = len(self._facts)
        found = super()._middle(a, b, sign)
        if len(self._facts) > before:
            self.reasons[before] = ("middle", a, b, sign)
        return found

    def _body(self, tree: Tree, name: str, low: Ratio, high: Ratio) -> Ratio:
        before = len(self._facts)
        found = super()._body(tree, name, low, high)
        index = self.find(("v", name))
        assert index is not None
        _, low_name, high_name = index_premises(name)
        ends = ((self.subtract(index, low), low_name), (self.subtract(high, index), high_name))
        for k in range(before, len(self._facts)):
            for gap, premise in ends:
                if self._facts[k].poly == gap.num and k not in self.reasons:
                    sides = (self.tree(low), ("v", name)) if premise == low_name else (("v", name), self.tree(high))
                    self.reasons[k] = ("premise", premise, *sides)
        return found

    def _fresh(self, ends: str) -> str:
        """The same, short enough for an identifier."""
        return super()._fresh(digest(ends))

    def body_of(self, tree: Tree, name: str, low: Ratio, high: Ratio, total: Tree) -> Ratio:
        """The normal form of the body of a sum, whose ends are noted as the statement has them."""
        self.ends_of_indices[name] = (total[1], total[2])
        return self._body(tree, name, low, high)

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Inside of a sum: its index is a variable, and atoms that move with it are new."""
        outside, met = self._known, dict(self._names)
        self._known = {}
        self._scope.add(name)
        try:
            yield
        finally:
            self._scope.discard(name)
            self._known, self._names = outside, met

    # --- polynomials in atoms --------------------------------------------------------------------

    def atom(self, position: int) -> str:
        """The variable of an atom, which is introduced where it is met first."""
        found = self.atoms[position]
        if found.key[0] == "v":
            return identifier(found.key[1])
        if position not in self._names:
            self._names[position] = name = f"at_{position}"
            self.script.say(f"destruct (named {text(found.key)}) as [{name} {name}_is].")
        return self._names[position]

    def poly(self, poly: fmpq_mpoly) -> str:
        """A polynomial in the variables of its atoms."""
        found = []
        for monomial, coefficient in poly.terms():
            powers = [(position, int(monomial[position])) for position in self.used(poly) if monomial[position]]
            value = fraction(coefficient)
            factors = [number(value)] if value != 1 or not powers else []
            factors += [self.monomial_part(position, power) for position, power in powers]
            found.append(" * ".join(factors))
        return f"({' + '.join(found)})" if found else "0"

    def monomial_part(self, position: int, power: int) -> str:
        """A power of an atom."""
        return self.atom(position) if power == 1 else f"{self.atom(position)} ^ {power}"

    def quotient(self, ratio: Ratio) -> str:
        """A normal form in the variables of its atoms; its denominator is shown not to vanish."""
        if ratio.den.is_one():
            return self.poly(ratio.num)
        self.signs.nonzero(Ratio(ratio.den))
        return f"({self.poly(ratio.num)} * / {self.poly(ratio.den)})"

    # --- equations -------------------------------------------------------------------------------

    def field(self, *texts: str) -> str:
        """The tactic for an equation between quotients of polynomials, by the relations of the atoms in it."""
        names = self.relations_in(texts)
        return f"field{f' [{chr(32).join(names)}]' if names else ''}; nonzero"

    def replaced(self, term: str, other: str, *beside: str) -> str:
        """The tactic that puts a term in the place of one that equals it, by the relations also of others beside."""
        return f"replace {term} with {other} by ({self.field(term, other, *beside)})"

    def relations_in(self, texts: Iterable[str]) -> list[str]:
        """The relations of all atoms that occur in some terms, or in such relations."""
        found, left = [], {int(name[3:]) for part in texts for name in _ATOM.findall(part)}
        seen: set[int] = set()
        while left:
            position = left.pop()
            seen.add(position)
            if self.atoms[position].relation is not None:
                name, claim = self.relation_of(position)
                found.append((position, name))
                left |= {int(other[3:]) for other in _ATOM.findall(claim)} - seen
        return [name for _, name in sorted(found, reverse=True)]

    def relation_of(self, position: int) -> tuple[str, str]:
        """The relation of an atom: its name and what it says."""
        atom = self.atoms[position]
        assert atom.relation is not None
        if not atom.relation.value.den.is_one():
            raise NotExported("a relation with a denominator")
        degree, value = atom.relation.degree, self.poly(atom.relation.value.num)
        name = self.atom(position)
        claim = f"{name} ^ {degree} = {value}"
        known = self.script.name_of(claim)
        return known or self.script.have("rel", claim, self._relation_proof(atom, name, value)), claim

    def _relation_proof(self, atom: Atom, name: str, value: str) -> str:
        head = atom.key[0]
        if head == "^" and atom.key[1] == rational(-1):
            whole = self.script.have("in", f"integer {text(atom.key[2])}", "whole")
            return f"rewrite {name}_is; apply alternating_square; exact {whole}"
        if head == "^":
            equal = self.equals(atom.key[1], value)
            sign = self.signs.nonnegative(Ratio(atom.relation.value.num))  # type: ignore[union-attr]
            return f"rewrite {name}_is, ?{equal}; apply root_power; [lia | exact {sign}]"
        if head == "abs":
            inner = self.quotient(self.ratio(atom.key[1]))
            return f"rewrite {name}_is, ?{self.equals(atom.key[1], inner)}, abs_square; {self.field(inner)}"
        if head == "exp":
            power = self.single(atom.relation.value.num)  # type: ignore[union-attr]
            assert power is not None
            sides, rewriting = self.lifted_together(atom.key[1], power.key[1])
            ways = f"{rewriting}; literal_counts; {self.field(*sides)}"
            return f"rewrite {name}_is, {value.strip('()')}_is; symmetry; apply exp_multiple; {ways}"
        raise NotExported(f"the relation of {head}")

    def integer(self, term: str) -> str:
        """Shows that a term in atoms is an integer, and sizes of integers in it before; the name of the proof."""
        for position in sorted({int(name[3:]) for name in _ATOM.findall(term)}):
            if self.atoms[position].key[0] == "abs":
                name = self.atom(position)
                way = f"rewrite {name}_is; unfold Rabs; destruct (Rcase_abs _); whole"
                self.script.have("in", f"integer ({name})", way)
        return self.script.have("in", f"integer {term}", "whole")

    def equals(self, tree: Tree, term: str) -> str:
        """Shows that an expression is a term in atoms; the name of the equation."""
        claim = f"{text(tree)} = {term}"
        known = self.script.name_of(claim)
        if known is not None:
            return known
        shown, rewriting = self.lifted(tree)
        return self.script.have("eq", claim, f"{rewriting}; {self.field(shown, term)}")

    def lifted(self, tree: Tree) -> tuple[str, str]:
        """An expression with normal forms in place of its functions, and the tactic that rewrites it so."""
        (shown,), rewriting = self.lifted_together(tree)
        return shown, rewriting

    def lifted_together(self, *trees: Tree) -> tuple[list[str], str]:
        """Several expressions at once: a function within another one of them is rewritten after it."""
        used: dict[str, str] = {}
        shown = [self._lifted(tree, used) for tree in trees]
        steps = [f"rewrite ?{name}" for _, name in sorted(used.items(), key=lambda item: -len(item[0]))]
        return shown, "; ".join(steps) or "idtac"

    def _lifted(self, tree: Tree, used: dict[str, str]) -> str:
        head = tree[0]
        if head == "q":
            return text(tree)
        if head == "v":
            return self._variable(tree, used)
        if head in ("+", "*"):
            return compose(tree, [self._lifted(part, used) for part in tree[1:]])
        if head == "^" and tree[2][0] == "q":
            return self._power(tree, used)
        shown, name = self.equation(tree)
        used[text(tree)] = name
        return shown

    def _variable(self, tree: Tree, used: dict[str, str]) -> str:
        found = self.ratio(tree)
        value = self.number(found)
        if value is None:
            return self.atom(self.used(found.num)[0])
        used[text(tree)] = self.signs.fixed(tree[1], value)
        return number(value)

    def _power(self, tree: Tree, used: dict[str, str]) -> str:
        exponent = Fraction(*tree[2][1:])
        if exponent.denominator == 1:
            base, value = self._lifted(tree[1], used), self.ratio(tree[1])
        else:
            radical = ("^", tree[1], rational(Fraction(1, exponent.denominator)))
            base, name = self.equation(radical)
            used[text(radical)] = name
            value = self.ratio(radical)
        if exponent < 0 and "(/ " in base and exponent.denominator == 1:
            shown, name = self._inverse(tree, base)
            used[text(tree)] = name
            return shown
        if exponent < 0:
            self.signs.nonzero(value, base)
        return raised(base, Fraction(exponent.numerator))

    def _inverse(self, tree: Tree, base: str) -> tuple[str, str]:
        """The normal form of an inverse of what has a denominator itself: fractions are not nested for ``field``."""
        value, whole = self.ratio(tree), -Fraction(*tree[2][1:]).numerator
        shown = self.quotient(value)
        claim = f"{text(tree)} = {shown}"
        known = self.script.name_of(claim)
        if known is None:
            _, rewriting = self.lifted(tree[1])
            power = base if whole == 1 else f"({base} ^ {whole})"
            known = self.script.have("eq", claim, f"apply inverse_unique; {rewriting}; {self.field(power, shown)}")
        return shown, known

    def equation(self, tree: Tree) -> tuple[str, str]:
        """What the normal form makes of a function, and the name of the equation."""
        from boundaudit.checks.proof.coq.functions import prove_equation

        value = self.ratio(tree)
        shown = "0" if value.num.is_zero() else self.quotient(value)
        claim = f"{text(tree)} = {shown}"
        known = self.script.name_of(claim)
        if known is not None:
            return shown, known
        single = self.single(value.num) if value.den.is_one() else None
        if single is not None and single.key == tree:
            return shown, self.script.have("eq", claim, f"symmetry; exact {shown.strip('()')}_is")
        return shown, self.script.have("eq", claim, prove_equation(self, tree, value, shown))

    @property
    def signs(self) -> Any:
        """The proofs of signs on this ground."""
        from boundaudit.checks.proof.coq.signs import Signs

        if not hasattr(self, "_signs"):
            self._signs = Signs(self)
        return self._signs
