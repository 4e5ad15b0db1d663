"""Proofs in Coq of the normal forms of sums: written out, or split over the terms of their bodies."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boundaudit.checks.language.algebra.normal_form import _EXPANDED
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import Tree, opened, rational
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text

if TYPE_CHECKING:
    from boundaudit.checks.proof.coq.ground import Ground

_ADDITION = (
    "[literal Z.add Pos.add Pos.add_carry Pos.succ Z.pos_sub Pos.pred_double Z.double Z.succ_double Z.pred_double]"
)


def index_premises(name: str) -> tuple[str, str, str]:
    """What the premises on the index of a sum are called: that it is an integer, and within the ends."""
    word = identifier(name)
    return f"I_{word}_integer", f"I_{word}_low", f"I_{word}_high"


def prove_sum(ground: Ground, tree: Tree, value: Ratio, shown: str) -> str:
    """The tactic that shows a sum to be its normal form."""
    ends = [ground.ratio(end) for end in tree[1:3]]
    first, last = map(ground.number, ends)
    if first is not None and last is not None and last - first < _EXPANDED:
        return _written_out(ground, tree, int(first), int(last), shown)
    length = ground.number(ground.subtract(ends[1], ends[0]))
    if length is not None and length < 0:
        _, ways = ground.lifted_together(*tree[1:3])
        return f"apply total_none; [whole | whole | {ways}; lra]"
    if length is not None and length < _EXPANDED:
        raise NotExported("a known number of terms between unknown ends")
    return _split(ground, tree, shown)


def _written_out(ground: Ground, tree: Tree, first: int, last: int, shown: str) -> str:
    bodies, ways = ground.lifted_together(*(opened(tree, rational(step)) for step in range(first, last + 1)))
    ends = [ground.lifted(end) for end in tree[1:3]]
    count = max(last - first + 1, 0)
    proofs = " | ".join(["reflexivity", *(f"{way}; {ground.field(end)}" for end, way in ends)])
    fields = ground.field(shown, *bodies)
    return (
        f"rewrite (total_literal ({first}) ({last}) {count} {text(tree[1])} {text(tree[2])}); "
        f"[cbv beta iota delta {_ADDITION}; literal_powers; {ways}; {fields} | {proofs}]"
    )


def name_of_index(ground: Ground, tree: Tree) -> str:
    """What the normal form calls the index of a sum."""
    low, high = (ground.ratio(end) for end in tree[1:3])
    return ground._fresh(f"{ground.tree(low), ground.tree(high)}")


@contextmanager
def at_index(ground: Ground, tree: Tree, name: str, fact: str, claim: Callable[[], str]) -> Iterator[None]:
    """The proof of a fact that holds at each index of a sum, under the name that the normal form gives to the index."""
    word, (low, high) = identifier(name), (text(end) for end in tree[1:3])
    premises, script = index_premises(name), ground.script
    bound = f"forall {word} : R, integer {word} -> {low} <= {word} -> {word} <= {high} -> "
    with script.inside(fact, lambda: bound + claim()), ground.within(name):
        script.say(f"intros {word} {' '.join(premises)}.")
        script.note(f"integer {word}", premises[0])
        yield


def _split(ground: Ground, tree: Tree, shown: str) -> str:
    low, high = (ground.ratio(end) for end in tree[1:3])
    name = name_of_index(ground, tree)
    word = identifier(name)
    opened_body = opened(tree, ("v", name))
    body = ground.body_of(opened_body, name, low, high, tree)
    split = ground.parts(body, name)
    parts = [(fixed, moving, ground._sum_atom(moving, name, low, high)) for fixed, moving in split]
    ends = [text(end) for end in tree[1:3]]
    pieces, equations = [], []
    for coefficient, inner, total in parts:
        factor = ground.quotient(coefficient)
        inner_text = text(ground.tree(inner))
        pieces.append((factor, inner_text))
        equations.append(_of_part(ground, tree, word, inner_text, total))
    whole = functools.reduce(lambda a, b: f"({a} + {b})", (f"({c} * {i})" for c, i in pieces)) if pieces else "0"
    script = ground.script
    fact = script.fresh("body")
    with at_index(ground, tree, name, fact, lambda: f"{text(opened_body)} = {whole}"):
        terms, ways = ground.lifted_together(opened_body, *(ground.tree(inner) for _, inner, _ in parts))
        fields = ground.field(*terms, *(factor for factor, _ in pieces))
        script.say(f"{ways}; {fields}.")
    integers = [script.have("in", f"integer {end}", "whole") for end in ends]
    alike = f"total_ext {ends[0]} {ends[1]} _ (fun {word} => {whole}) {integers[0]} {integers[1]} {fact}"
    sums = " + ".join(f"{factor} * total {ends[0]} {ends[1]} (fun {word} : R => {inner})" for factor, inner in pieces)
    apart = ["rewrite ?total_plus", *(f"rewrite ?(total_scale _ _ {factor})" for factor, _ in dict.fromkeys(pieces))]
    steps = [f"etransitivity; [exact ({alike})|]"]
    steps += [f"transitivity ({sums}); [{'; '.join(apart)}; reflexivity|]"] if pieces else ["rewrite total_zero"]
    steps += [f"rewrite ?{equation}" for equation in dict.fromkeys(equations)]
    return "; ".join([*steps, ground.field(shown, *(c for c, _ in pieces))])


def _of_part(ground: Ground, tree: Tree, word: str, inner_text: str, total: Ratio) -> str:
    """The equation of the sum of one part, with the ends as the statement has them."""
    ends = [text(end) for end in tree[1:3]]
    claim_left = f"total {ends[0]} {ends[1]} (fun {word} : R => {inner_text})"
    shown = ground.quotient(total)
    atom = ground.single(total.num) if total.den.is_one() else None
    lifts = [ground.lifted(end) for end in tree[1:3]]
    if atom is None or atom.key[0] != "sum":
        integers = [ground.script.have("in", f"integer {end}", "whole") for end in ends]
        count = ground.add(ground.subtract(ground.ratio(tree[2]), ground.ratio(tree[1])), ground.constant(1))
        term = f"({lifts[1][0]} - {lifts[0][0]} + 1)"
        sign = ground.signs.nonnegative(count, term)
        ways = f"{lifts[1][1]}; {lifts[0][1]}"
        proof = (
            f"rewrite total_count; [{ways}; {ground.field(term, shown)} | exact {integers[0]} | exact {integers[1]}"
            f" | {ways}; exact {sign}]"
        )
        return ground.script.have("eq", f"{claim_left} = {shown}", proof)
    steps = [f"rewrite {shown.strip('()')}_is"]
    for end, (mine, way), key in zip(ends, lifts, atom.key[1:3], strict=True):
        other, more = ground.lifted(key)
        if text(key) != end:
            steps.append(f"replace {end} with {text(key)} by ({way}; {more}; {ground.field(mine, other)})")
    return ground.script.have("eq", f"{claim_left} = {shown}", "; ".join([*steps, "reflexivity"]))


def sign_of_sum(ground: Ground, key: Tree, name: str, *, strict: bool) -> str:
    """The tactic for the sign of a sum that is an atom, by that of its body."""
    index = name_of_index(ground, key)
    low, high = (ground.ratio(end) for end in key[1:3])
    opened_body = opened(key, ("v", index))
    body = ground.body_of(opened_body, index, low, high, key)
    script, ends = ground.script, [text(end) for end in key[1:3]]
    relation = "<" if strict else "<="
    fact = script.fresh("body")
    with at_index(ground, key, index, fact, lambda: f"0 {relation} {text(opened_body)}"):
        term, way = ground.lifted(opened_body)
        sign = (ground.signs.positive if strict else ground.signs.nonnegative)(body, term)
        script.say(f"{way}; exact {sign}.")
    integers = [script.have("in", f"integer {end}", "whole") for end in ends]
    if not strict:
        return f"rewrite {name}_is; exact (total_nonneg _ _ _ {integers[0]} {integers[1]} {fact})"
    lifts = [ground.lifted(end) for end in key[1:3]]
    gap = ground.signs.nonnegative(ground.subtract(high, low), f"({lifts[1][0]} - {lifts[0][0]})")
    some = script.have("in", f"{ends[0]} <= {ends[1]}", f"{lifts[0][1]}; {lifts[1][1]}; clear - {gap}; lra")
    return f"rewrite {name}_is; exact (total_positive _ _ _ {integers[0]} {integers[1]} {some} {fact})"
