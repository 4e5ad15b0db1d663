"""Proofs in Coq of what normal forms make of roots, logarithms, exponentials, absolute values and floors."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import TYPE_CHECKING

from boundaudit.checks.language.algebra.elementary import _is_small, _prime_powers
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import Tree, multiply, rational
from boundaudit.checks.proof.coq.sums import prove_sum
from boundaudit.checks.proof.coq.terms import NotExported, number, powered, text

if TYPE_CHECKING:
    from boundaudit.checks.proof.coq.ground import Ground


def prove_equation(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """The tactic for ``function = shown``, the function's normal form as a term.

    Raises:
        NotExported: where there is none yet.
    """
    head = tree[0]
    if head == "^":
        return _root(ground, tree, value, shown) if tree[2][0] == "q" else _symbolic(ground, tree, value, shown)
    if head in _PROOFS:
        return _PROOFS[head](ground, tree, value, shown)
    if head in ("max", "min"):
        return _middle(ground, tree)
    raise NotExported(f"no proof yet of the normal form of {head}")


def _root(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    base, rewriting = ground.lifted(tree[1])
    sign = ground.signs.nonnegative(value, shown)
    return f"apply root_unique; [lia | exact {sign} | {rewriting}; {ground.field(shown, base)}]"


def _symbolic(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """A power with a symbolic exponent: of a positive base, the exponential of a multiple of its logarithm."""
    base = ground.ratio(tree[1])
    if ground.number(base) == -1 and tree[1][0] == "q":
        term, _way = ground.lifted(tree[2])
        exponent = ground.ratio(tree[2])
        inner = ground.quotient(exponent)
        equal = ground.equals(tree[2], inner)
        whole = ground.integer(inner)
        parity = _parity(ground, exponent, inner)
        return f"rewrite ?{equal}; rewrite power_of_minus_one; [exact {parity} | exact {whole}]"
    term, rewriting = ground.lifted(tree[1])
    if base.num.is_zero():
        above = ground.script.have("sg", f"0 < {text(tree[2])}", ground.signs.shown(tree[2], strict=True))
        at_zero = f"replace {text(tree[1])} with 0 by ({rewriting}; {ground.field(term)})"
        return f"{at_zero}; clear - {above}; {_POWER_OF_ZERO}"
    if not ground.bounds(base).positive:
        return _atomic(ground, tree, value, shown)
    positive = ground.signs.shown(tree[1], strict=True)
    _, name = ground.equation(("exp", multiply(tree[2], ("log", tree[1]))))
    return f"rewrite power_of_positive; [exact {name} | {positive}]"


def _log(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """The argument as a product of factors with logarithms that are known."""
    argument = ground.ratio(tree[1])
    term, rewriting = ground.lifted(tree[1])
    constant, known, unknown = ground._oriented(argument)
    parts: list[tuple[str, int, str]] = []
    for prime, exponent in _prime_powers(abs(constant)):
        parts.append(_log_of(ground, ground.constant(prime), exponent))
    for poly, exponent in known:
        parts.append(_log_of(ground, Ratio(poly), exponent))
    if unknown:
        rest = ground.constant(1 if constant > 0 else -1)
        for poly, exponent in unknown:
            rest = ground.multiply(rest, ground.power(Ratio(poly), exponent))
        parts.append(_log_of(ground, rest, 1))
    pieces = [powered(base, exponent) for base, exponent, _ in parts]
    product = functools.reduce(lambda a, b: f"({a} * {b})", pieces, "1")
    steps = [ground.replaced(term, product)]
    steps += [f"rewrite ln_mult; [|{_PLUS}|{_PLUS}]"] * len(pieces)
    names = list(dict.fromkeys(name for _, _, name in parts))
    steps += [f"rewrite ?ln_1, ?ln_power, ?ln_power_below by {_PLUS}"]
    steps += [f"rewrite ?{name}" for name in names]
    return f"{rewriting}; " + "; ".join([*steps, "literal_counts", ground.field(shown, *pieces)])


_PLUS = "positive"
_POWER_OF_ZERO = (
    "unfold power; destruct (Rlt_dec 0 0); [lra | destruct (Req_EM_T 0 0); [destruct (Req_EM_T _ 0) |]; lra]"
)


def _log_of(ground: Ground, value: Ratio, exponent: int) -> tuple[str, int, str]:
    """A factor with its exponent and the equation of its logarithm; it is shown to be positive."""
    term = ground.quotient(value)
    ground.signs.positive(value, term)
    return term, exponent, _log_equation(ground, value, term)


def _log_equation(ground: Ground, value: Ratio, term: str) -> str:
    number_ = ground.number(value)
    atom = ground.single(value.num) if value.den.is_one() and number_ is None else None
    if atom is not None and atom.argument is not None and atom.key[0] == "exp":
        shown = ground.quotient(atom.argument)
        equal = ground.equals(atom.key[1], shown)
        name = term.strip("()")
        return ground.script.have("eq", f"ln {term} = {shown}", f"rewrite {name}_is, ?{equal}; apply ln_exp")
    if atom is not None and atom.argument is not None and atom.key[0] == "^" and atom.relation is not None:
        degree = atom.relation.degree
        inner = ground.quotient(atom.argument)
        equal = ground.equals(atom.key[1], inner)
        positive = ground.signs.positive(atom.argument, inner)
        logarithm = ground.log(atom.argument)
        shown = ground.quotient(ground.scale(Fraction(1, degree), logarithm))
        whole, way = ground.equation(("log", atom.key[1]))
        name = term.strip("()")
        proof = (
            f"rewrite {name}_is, ln_root; [rewrite {way}; literal_counts; {ground.field(whole, shown)}"
            f" | lia | rewrite ?{equal}; exact {positive}]"
        )
        return ground.script.have("eq", f"ln {term} = {shown}", proof)
    logarithm = ground._log_atom(value)
    key = ground.single(logarithm.num).key  # type: ignore[union-attr]
    shown = ground.quotient(logarithm)
    equal = ground.equals(key[1], term)
    return ground.script.have("eq", f"ln {term} = {shown}", _named(shown, equal))


def _named(shown: str, equal: str) -> str:
    """The tactic for a function that an atom is, of an argument that is spelled otherwise."""
    return f"rewrite {shown.strip('()')}_is; first [reflexivity | f_equal; symmetry; exact {equal}]"


def _exp(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """The exponential of a sum as a product, term by term."""
    argument = ground.ratio(tree[1])
    term, rewriting = ground.lifted(tree[1])
    pieces, names = [], []
    content, den = ground.primitive(argument.den)
    for coefficient, monomial in ground.terms(argument.num):
        unit = ground.multiply(Ratio(monomial, den))
        share = coefficient / content
        piece = ground.quotient(ground.scale(share, unit))
        pieces.append(piece)
        names.append(_exp_of_term(ground, unit, share, piece))
    total = functools.reduce(lambda a, b: f"({a} + {b})", pieces, "0")
    steps = [rewriting, ground.replaced(term, total), "rewrite ?exp_plus, ?exp_0"]
    steps += [f"rewrite ?{name}" for name in dict.fromkeys(names)]
    return "; ".join([*steps, ground.field(shown)])


def _exp_of_term(ground: Ground, unit: Ratio, share: Fraction, piece: str) -> str:
    """The equation of the exponential of one term."""
    atom = ground.single(unit.num) if unit.den.is_one() else None
    whole, degree = share.numerator, share.denominator
    if _is_small(share) and atom is not None and atom.key[0] == "log" and atom.argument is not None:
        base = ground.quotient(atom.argument)
        root = ground._root(atom.argument, degree) if degree > 1 else atom.argument
        shown = ground.quotient(root)
        positive = ground.signs.positive(atom.argument, base)
        ground.signs.positive(root, shown)
        name = ground.atom(ground.used(unit.num)[0])
        equal = ground.equals(atom.key[1], base)
        # exp(ln a / degree) is the root of a.
        unit_text = f"({name} / {degree})"
        claim = f"exp {unit_text} = {shown}"
        exact = f"rewrite {name}_is, ?{equal}"
        if degree == 1:
            way = f"{exact}; replace (ln {base} / 1) with (ln {base}) by field; apply exp_ln; exact {positive}"
        else:
            _, radical = ground.equation(("^", atom.key[1], rational(Fraction(1, degree))))
            way = (
                f"{exact}; rewrite <- {radical}, ?{equal}; symmetry; apply root_is_exp; [simpl; lra | exact {positive}]"
            )
        found = ground.script.have("eq", claim, way)
    else:
        if not _is_small(share):
            unit, whole, degree = ground.scale(share, unit), 1, 1
        power = ground._exp_atom(unit, degree)
        shown = ground.quotient(power)
        key = ground.single(power.num).key  # type: ignore[union-attr]
        ground.signs.positive(power, shown)
        unit_text = ground.quotient(ground.scale(Fraction(1, degree), unit))
        equal = ground.equals(key[1], unit_text)
        found = ground.script.have("eq", f"exp {unit_text} = {shown}", _named(shown, equal))
    if whole == 1 and piece == unit_text:
        return found
    target, lemma = (
        (f"{shown} ^ {whole}", "exp_multiple") if whole > 0 else (f"/ {shown} ^ {-whole}", "exp_multiple_below")
    )
    return ground.script.have(
        "eq",
        f"exp {piece} = {target}",
        f"rewrite <- {found}; apply ({lemma} {abs(whole)}); literal_counts; {ground.field(piece)}",
    )


def _abs(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    inner, rewriting = ground.lifted(tree[1])
    sign = (
        ground.signs.nonnegative(value, shown) if ground.bounds(value).nonnegative else _of_sizes(ground, tree, shown)
    )
    return f"apply abs_unique; [exact {sign} | {rewriting}; {ground.field(shown, inner)}]"


def _of_sizes(ground: Ground, tree: Tree, shown: str) -> str:
    """The sign of an absolute value by the sizes of its factors, of which a relation has made a sum."""
    constant, known, unknown = ground._oriented(ground.ratio(tree[1]))
    sizes = [*((Ratio(poly), e) for poly, e in known), *((ground._abs_factor(poly), e) for poly, e in unknown)]
    pieces = [number(abs(constant))]
    for size, exponent in sizes:
        term = ground.quotient(size)
        ground.signs.nonnegative(size, term)
        pieces.append(powered(term, exponent))
    equal = ground.replaced(shown, f"({' * '.join(pieces)})")
    return ground.script.have("sg", f"0 <= {shown}", f"{equal}; nonnegative")


def _middle(ground: Ground, tree: Tree) -> str:
    """The larger or smaller of two by the absolute value of their difference."""
    head, *parts = tree
    if len(parts) == 1:
        return f"{ground.lifted(parts[0])[1]}; {ground.field()}"
    first = parts[0] if len(parts) == 2 else (head, *parts[:-1])
    last = parts[-1]
    spread = ("abs", ("+", first, ("*", rational(-1), last)))
    sides, rewriting = ground.lifted_together(first, last)
    shown, name = ground.equation(spread)
    target = ground.quotient(ground.ratio(tree))
    return f"rewrite {head}_by_abs, {name}; {rewriting}; {ground.field(shown, target, *sides)}"


def _atomic(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """A function that is an atom, of an argument that is spelled otherwise."""
    atom = ground.single(value.num)
    if atom is None or not value.den.is_one() or atom.key[0] != tree[0]:
        raise NotExported(f"no proof yet of the normal form of {tree[0]}")
    places = range(2 if tree[0] == "item" else 1, len(tree))
    steps = []
    for place in places:
        both, way = ground.lifted_together(tree[place], atom.key[place])
        change = f"replace {text(tree[place])} with {text(atom.key[place])}"
        steps.append(f"{change} by ({way}; {ground.field(*both)})")
    return "; ".join([*steps, f"symmetry; exact {shown.strip('()')}_is"])


def _branch(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """The branch that the sign of the condition says is taken."""
    condition = ground.ratio(tree[1])
    size, (term, way) = ground.bounds(condition), ground.lifted(tree[1])
    signs, negated = ground.signs, (ground.scale(-1, condition), f"(- {term})")
    taken, other = {
        "if<": (
            ("below_zero", signs.positive, (-size).positive),
            ("not_below_zero", signs.nonnegative, size.nonnegative),
        ),
        "if<=": (
            ("at_most_zero", signs.nonnegative, (-size).nonnegative),
            ("not_at_most_zero", signs.positive, size.positive),
        ),
        "if=": (("is_zero", None, size.low == size.high == 0), ("is_not_zero", signs.nonzero, size.nonzero)),
    }[tree[0]]
    lemma, sign, holds = taken if taken[2] else other
    if not holds:
        return _atomic(ground, tree, value, shown)
    proof = ground.field(term) if sign is None else f"exact {sign(*(negated if taken[2] else (condition, term)))}"
    branch, more = ground.lifted(tree[2] if taken[2] else tree[3])
    return f"rewrite {lemma}; [{more}; {ground.field(shown, branch)} | {way}; {proof}]"


def _floor(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """The floor of an integer, of half of one, or an atom."""
    argument = ground.ratio(tree[1])
    term, way = ground.lifted(tree[1])
    if ground.is_integer(argument):
        inner = ground.quotient(argument)
        whole = ground.integer(inner)
        proofs = f"{ground.field(inner, shown)} | exact {whole}"
        return f"{way}; {ground.replaced(term, inner)}; rewrite floor_of_integer; [{proofs}]"
    twice = ground.scale(2, argument)
    if not ground.is_integer(twice):
        return _atomic(ground, tree, value, shown)
    half = ground.quotient(twice)
    whole = ground.integer(half)
    parity = _parity(ground, twice, half)
    return (
        f"{way}; {ground.replaced(term, f'({half} / 2)')}; rewrite floor_of_half; "
        f"[rewrite {parity}; {ground.field(term, shown, half)} | exact {whole}]"
    )


def _parity(ground: Ground, exponent: Ratio, term: str) -> str:
    """The equation of (-1) to an exponent, written ``alternating``, as a product over its terms."""
    script, pieces, names = ground.script, [], []
    for coefficient, monomial in ground.terms(exponent.num):
        factor = f"({coefficient.numerator})"
        if monomial.is_one():
            pieces.append(f"{factor}")
            continue
        used = ground.used(monomial)
        if any(int(monomial.degrees()[k]) != 1 for k in used):
            raise NotExported("the parity of a power")
        unit = ground.quotient(Ratio(monomial))
        ground.integer(unit)
        pieces.append(f"(IZR {factor} * {unit})")
        if coefficient.numerator % 2:
            names.append(_parity_of(ground, Ratio(monomial), unit))
    total = functools.reduce(lambda a, b: f"({a} + {b})", pieces, "0")
    steps = [ground.replaced(term, total)]
    steps += ["rewrite ?alternating_add by whole", "rewrite ?alternating_multiple by whole"]
    steps += ["rewrite ?alternating_number", "cbv beta iota delta [Z.even Z.odd negb]"]
    steps += [f"rewrite ?{name}" for name in names]
    value = ground.quotient(ground.alternating(exponent))
    return script.have("eq", f"alternating {term} = {value}", "; ".join([*steps, ground.field(value)]))


def _parity_of(ground: Ground, monomial: Ratio, unit: str) -> str:
    """The equation of (-1) to a product of atoms: an atom, or the number that its sign says."""
    script, key = ground.script, ("^", rational(-1), ground.tree(monomial))
    value = ground.number(ground.alternating(monomial))
    atom = ground.find(key)
    assert atom is not None
    name = ground.quotient(atom).strip("()")
    other, more = ground.lifted(key[2])
    base = text(key[2])
    whole = script.have("in", f"integer {base}", "whole")
    equal = script.have("eq", f"{base} = {unit}", f"{more}; {ground.field(other, unit)}")
    found = script.have(
        "eq",
        f"alternating {unit} = ({name})",
        f"rewrite {name}_is, power_of_minus_one; [first [reflexivity | f_equal; exact {equal}] | exact {whole}]",
    )
    if value is None:
        return found
    sign = ground.signs.nonnegative(ground.scale(value, atom))
    proof = f"clear - {found} {sign}; destruct (alternating_values {unit}); lra"
    return script.have("eq", f"alternating {unit} = {number(value)}", proof)


def _pi(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    return f"symmetry; exact {shown.strip('()')}_is"


_PROOFS = {
    "log": _log,
    "exp": _exp,
    "abs": _abs,
    "item": _atomic,
    "floor": _floor,
    "if<": _branch,
    "if<=": _branch,
    "if=": _branch,
    "sin": _atomic,
    "cos": _atomic,
    "pi": _pi,
    "sum": prove_sum,
}
