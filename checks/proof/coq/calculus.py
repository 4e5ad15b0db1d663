"""Derivatives and continuity of expressions along one parameter, with their proofs in Coq."""

from __future__ import annotations

import functools
from fractions import Fraction

from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, multiply, names, opened, rational, summation
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.sums import at_index, name_of_index
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text

_MINUS = rational(-1)


def derived(ground: Ground, tree: Tree, name: str) -> tuple[str, Tree]:
    """The derivative of an expression by a parameter, and the tactic for ``is_derive`` that gives it.

    Raises:
        NotExported: where there is no rule.
    """
    if name not in names(tree):
        return f"apply (d_const {text(tree)})", ZERO
    head = tree[0]
    if head == "v":
        return "apply d_identity", ONE
    if head in ("+", "*"):
        parts = [(part, *derived(ground, part, name)) for part in tree[1:]]
        return functools.reduce(lambda a, b: _joined(head, a, b), parts)[1:]
    if head == "^" and tree[2][0] == "q":
        return _power(ground, tree[1], Fraction(*tree[2][1:]), name)
    if head == "^":
        way, slope = derived(ground, tree[1], name)
        other, rate = derived(ground, tree[2], name)
        sign = _positive(ground, tree[1])
        inner = add(multiply(rate, ("log", tree[1])), multiply(tree[2], slope, ("^", tree[1], _MINUS)))
        return f"apply d_power; [{sign} | {way} | {other}]", multiply(tree, inner)
    if head == "sum":
        return _sum(ground, tree, name)
    if head not in ("log", "exp"):
        raise NotExported(f"no derivative of {head} yet")
    way, slope = derived(ground, tree[1], name)
    if head == "exp":
        return f"apply d_exp; {way}", multiply(tree, slope)
    return f"apply d_ln; [{_positive(ground, tree[1])} | {way}]", multiply(slope, ("^", tree[1], _MINUS))


def _sum(ground: Ground, tree: Tree, name: str) -> tuple[str, Tree]:
    """The rule for a sum whose ends stay: term by term."""
    if name in names(tree[1]) | names(tree[2]):
        raise NotExported("the derivative of a sum whose ends move")
    low, high = (text(end) for end in tree[1:3])
    index, script = name_of_index(ground, tree), ground.script
    word, body = identifier(index), opened(tree, ("v", index))
    ground.body_of(body, index, ground.ratio(tree[1]), ground.ratio(tree[2]), tree)
    fact, found = script.fresh("body"), list[Tree]()
    function = f"(fun {identifier(name)} {word} : R => {text(body)})"
    at_point = f"(fun {identifier(name)} : R => {text(body)}) {identifier(name)}"
    with at_index(ground, tree, index, fact, lambda: f"is_derive {at_point} {text(found[0])}"):
        way, slope = derived(ground, body, name)
        script.say(f"eapply derivative_value; [{way} | reflexivity].")
        found.append(slope)
    whole, bodies = summation(index, tree[1], tree[2], slope), f"{function} (fun {word} : R => {text(slope)})"
    return (
        f"apply (d_total {low} {high} {bodies}); [whole | whole | exact {fact}]",
        whole,
    )


def _joined(head: str, a: tuple[Tree, str, Tree], b: tuple[Tree, str, Tree]) -> tuple[Tree, str, Tree]:
    """The rules for sums and products."""
    whole = (head, a[0], b[0])
    if head == "+":
        return whole, f"apply d_plus; [{a[1]} | {b[1]}]", add(a[2], b[2])
    slope = add(multiply(a[2], b[0]), multiply(a[0], b[2]))
    return whole, f"apply d_mult; [{a[1]} | {b[1]}]", slope


def _power(ground: Ground, base: Tree, exponent: Fraction, name: str) -> tuple[str, Tree]:
    """The rule for a literal exponent: of a root, its power, and the inverse of that."""
    way, slope = derived(ground, base, name)
    inner = base
    if exponent.denominator > 1:
        degree = exponent.denominator
        inner = ("^", base, rational(Fraction(1, degree)))
        way = f"apply d_root; [lia | {_positive(ground, base)} | {way}]"
        slope = multiply(inner, ("^", multiply(rational(degree), base), _MINUS), slope)
    whole = abs(exponent.numerator)
    if whole != 1:
        way = f"apply d_pow; {way}"
        slope = multiply(rational(whole), _raised(inner, whole - 1), slope)
        inner = _raised(inner, whole)
    if exponent < 0:
        shown, rewriting = ground.lifted(inner)
        nonzero = ground.signs.nonzero(ground.ratio(inner), shown)
        way = f"apply d_inverse; [{rewriting}; exact {nonzero} | {way}]"
        slope = multiply(_MINUS, slope, ("^", inner, rational(-2)))
    return way, slope


def _raised(base: Tree, whole: int) -> Tree:
    if base[0] == "^":
        return ("^", base[1], rational(Fraction(*base[2][1:]) * whole))
    return ("^", base, rational(whole))


def _positive(ground: Ground, tree: Tree) -> str:
    shown, rewriting = ground.lifted(tree)
    return f"{rewriting}; exact {ground.signs.positive(ground.ratio(tree), shown)}"


def continuous(ground: Ground, tree: Tree, name: str) -> str:
    """The tactic for ``continuity_pt`` that shows an expression to be continuous in a parameter.

    Raises:
        NotExported: where there is no rule.
    """
    if name not in names(tree):
        return f"apply (c_const {text(tree)})"
    head = tree[0]
    if head == "v":
        return "apply c_identity"
    if head in ("+", "*"):
        rule = {"+": "c_plus", "*": "c_mult"}[head]
        parts = [continuous(ground, part, name) for part in tree[1:]]
        return functools.reduce(lambda a, b: f"apply {rule}; [{a} | {b}]", parts)
    if head == "^" and tree[2][0] == "q":
        return _continuous_power(ground, tree[1], Fraction(*tree[2][1:]), name)
    if head == "log":
        return f"apply c_ln; [{_positive(ground, tree[1])} | {continuous(ground, tree[1], name)}]"
    if head == "exp":
        return f"apply c_exp; {continuous(ground, tree[1], name)}"
    if head in ("^", "sum"):
        way = derived(ground, tree, name)[0]
        return f"eapply differentiable_continuous; {way}"
    raise NotExported(f"no continuity of {head} yet")


def _continuous_power(ground: Ground, base: Tree, exponent: Fraction, name: str) -> str:
    way, inner = continuous(ground, base, name), base
    if exponent.denominator > 1:
        way = f"apply c_root; [lia | {way}]"
        inner = ("^", base, rational(Fraction(1, exponent.denominator)))
    whole = abs(exponent.numerator)
    if whole != 1:
        way, inner = f"apply c_pow; {way}", _raised(inner, whole)
    if exponent < 0:
        shown, rewriting = ground.lifted(inner)
        nonzero = ground.signs.nonzero(ground.ratio(inner), shown)
        way = f"apply c_inverse; [{rewriting}; exact {nonzero} | {way}]"
    return way
