"""What rules leave to prove, part by part, and what they refuse: with a part less they would prove what is false."""

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import summation
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel import domains
from boundaudit.checks.proof.kernel.calculus import (
    along,
    base_statement,
    concave_statements,
    fading_statements,
    slope_statement,
)
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.kernel.sums import (
    base_statements,
    exchanged,
    step_statement,
    telescoped,
    terms_statement,
    without_last,
)
from boundaudit.checks.proof.kernel.transformations import (
    case_statements,
    factor_statements,
    image_statement,
    substituted,
)

from .stated import claim, integers, reals, tree

w, x, y, n, i, u = sp.symbols("w x y n i u")
c, d = (sp.IndexedBase(name) for name in "cd")
B = ("b", 0)
UNIT, COUNT = reals("x", 0, 1), integers("n", 1)
OPEN, LEFT, RIGHT = (reals("x", 0, 1, opens) for opens in ((True, True), (True, False), (False, True)))
ENTRIES = {"name": "c", "range": "vector", "length": tree(n), "low": tree(0), "high": tree(1), "open": [False, True],
           "square_sum": None}  # fmt: skip
EITHER = ["or", [["<=", tree(x), tree(y)]], [["<=", tree(y), tree(x)], ["<=", tree(y), tree(1)]]]
SAID = ["<=", tree(x), tree(2)]


def on(*parameters: Any, where: tuple[Any, ...] = ()) -> Statement:
    """Some statement on a domain."""
    return Statement(tree(x), "<=", tree(3), {"parameters": list(parameters), "where": list(where)})


def said(split: Any, statement: Statement) -> list[tuple[Any, Any, Any]]:
    """Of each case its left side, what is declared of x, and the relations."""
    found = case_statements(statement, split)
    assert [(case.relation, case.right) for case in found] == [("<=", tree(3))] * len(found)
    declared = [{p["name"]: p for p in case.domain["parameters"]} for case in found]
    return [
        (case.left, there.get("x"), [list(each) for each in case.domain["where"]])
        for case, there in zip(found, declared, strict=True)
    ]


X, ZERO, ONE, HALF = tree(x), tree(0), tree(1), tree(sp.Rational(1, 2))
CASES: dict[str, tuple[Any, Statement, list[tuple[Any, Any, Any]]]] = {
    "a sign": (["sign", X], on(UNIT), [(X, UNIT, [[">=", X, ZERO]]), (X, UNIT, [["<=", X, ZERO]])]),
    "below, at and above zero": (["trichotomy", X], on(UNIT), [
        (X, UNIT, [["<", X, ZERO]]), (X, UNIT, [["<=", X, ZERO], [">=", X, ZERO]]), (X, UNIT, [[">", X, ZERO]]),
    ]),
    "around a point": (["around", "x", HALF], on(UNIT), [
        (X, UNIT, [["<", X, HALF]]), (HALF, None, [[">=", HALF, ZERO], ["<=", HALF, ONE]]), (X, UNIT, [[">", X, HALF]]),
    ]),
    "around a point, of an open range": (["around", "x", HALF], on(OPEN), [
        (X, OPEN, [["<", X, HALF]]), (HALF, None, [[">", HALF, ZERO], ["<", HALF, ONE]]), (X, OPEN, [[">", X, HALF]]),
    ]),
    "around a point, of a range open below": (["around", "x", HALF], on(LEFT), [
        (X, LEFT, [["<", X, HALF]]), (HALF, None, [[">", HALF, ZERO], ["<=", HALF, ONE]]), (X, LEFT, [[">", X, HALF]]),
    ]),
    "around a point, without ends": (["around", "x", HALF], on(reals("x")), [
        (X, reals("x"), [["<", X, HALF]]), (HALF, None, []), (X, reals("x"), [[">", X, HALF]]),
    ]),
    "two halves": (["at", "x", HALF], on(LEFT), [
        (X, reals("x", 0, HALF_ := sp.Rational(1, 2), (True, False)), []), (X, reals("x", HALF_, 1), []),
    ]),
    "two halves, open above": (["at", "x", HALF], on(RIGHT), [
        (X, reals("x", 0, HALF_), []), (X, reals("x", HALF_, 1, (False, True)), []),
    ]),
    "the lower end": (["end", "x", "low"], on(RIGHT), [(ZERO, None, []), (X, OPEN, [])]),
    "the upper end": (["end", "x", "high"], on(LEFT), [(ONE, None, []), (X, OPEN, [])]),
    "the upper end of what is closed": (["end", "x", "high"], on(UNIT), [(ONE, None, []), (X, RIGHT, [])]),
    "the lower end, of two": (["end", "x", "low"], on(UNIT, reals("y")), [(ZERO, None, []), (X, LEFT, [])]),
    "alternatives": (["alternatives", 1], on(UNIT, reals("y"), where=(SAID, EITHER, SAID)), [
        (X, UNIT, [SAID, ["<=", X, tree(y)], SAID]),
        (X, UNIT, [SAID, ["<=", tree(y), X], ["<=", tree(y), ONE], SAID]),
    ]),
}  # fmt: skip


def test_splits_of_integers_have_closed_ends() -> None:
    statement = claim(n, "<=", 3, integers("n", 1, 3))
    below, there, above = case_statements(statement, ["around", "n", tree(2)])
    assert [[list(each) for each in case.domain["where"]] for case in (below, there, above)] == [
        [["<", tree(n), tree(2)]], [[">=", tree(2), ONE], ["<=", tree(2), tree(3)]], [[">", tree(n), tree(2)]],
    ]  # fmt: skip
    halves = case_statements(statement, ["at", "n", tree(2)])
    assert [half.domain["parameters"] for half in halves] == [[integers("n", 1, 2)], [integers("n", 2, 3)]]


def test_what_is_cut_leaves_the_rest_as_it_is() -> None:
    for split in (["end", "x", "low"], ["end", "x", "high"], ["around", "x", HALF], ["at", "x", HALF], ["sign", X]):
        for case in case_statements(on(UNIT, reals("y", -1, 2), where=(SAID,)), split):
            assert reals("y", -1, 2) in case.domain["parameters"]


def test_the_first_relation_may_be_alternatives() -> None:
    assert len(case_statements(on(UNIT, reals("y"), where=(EITHER, SAID)), ["alternatives", 0])) == 2


@pytest.mark.parametrize("name", CASES)
def test_what_a_split_leaves(name: str) -> None:
    split, statement, cases = CASES[name]
    assert said(split, statement) == cases


def test_an_end_of_integers_is_followed_by_the_next() -> None:
    statement = claim(n, "<=", 3, integers("n", 1, 3))
    for side, end, rest in (("low", 1, (2, 3)), ("high", 3, (1, 2))):
        at, others = case_statements(statement, ["end", "n", side])
        assert at.left == tree(end)
        (declared,) = others.domain["parameters"]
        form = NormalForm({"parameters": [], "where": []})
        assert [form.number(form.ratio(declared[side])) for side in ("low", "high")] == list(rest)


TWO = on(UNIT, reals("y"), where=(SAID, EITHER))
SPLITS: dict[str, tuple[Any, Statement, str]] = {
    "no value on one side": (["sign", tree(sp.log(x))], TWO, "not known"),
    "no value at a point": (["around", "x", tree(sp.log(y))], TWO, "not known"),
    "no value between halves": (["at", "x", tree(1 / y)], TWO, "not known"),
    "a point that moves along": (["around", "x", tree(x / 2)], TWO, "depends on x"),
    "halves that move along": (["at", "x", tree(x)], TWO, "depends on x"),
    "a range that rests on it": (["at", "x", HALF], on(UNIT, reals("y", 0, x)), "depends on x"),
    "no end": (["end", "y", "high"], TWO, "no high end"),
    "no alternatives": (["alternatives", 0], TWO, "leaves no alternatives"),
    "alternatives by a truth value": (["alternatives", True], TWO, "leaves no alternatives"),
    "alternatives from behind": (["alternatives", -1], TWO, "leaves no alternatives"),
    "alternatives beyond": (["alternatives", 2], TWO, "leaves no alternatives"),
    "a way to split that there is not": (["hope", "x"], TWO, "unknown split"),
}


@pytest.mark.parametrize("name", SPLITS)
def test_a_split_that_is_none(name: str) -> None:
    split, statement, why = SPLITS[name]
    with pytest.raises(Rejected, match=why):
        case_statements(statement, split)


# --- factors, images, substitutions ----------------------------------------------------------------


def test_all_factors_are_left() -> None:
    statement = claim(0, "<=", x * (1 - x), UNIT)
    parts = factor_statements(statement, [X, tree(1 - x)])
    assert [(part.left, part.relation, part.right) for part in parts] == [(ZERO, "<=", X), (ZERO, "<=", tree(1 - x))]
    strict = factor_statements(Statement(ZERO, "<", X, statement.domain), [X])
    assert [part.relation for part in strict] == ["<"]
    for factors in ([], [X], [X, tree(2 - x)]):
        with pytest.raises(Rejected, match="not the product"):
            factor_statements(statement, factors)
    with pytest.raises(Rejected, match="not the product"):
        factor_statements(claim(1, "<=", 0), [])


IMAGES: dict[str, tuple[str, Any, Any, bool]] = {
    "squares of what is not negative": ("square", x, x + 1, True),
    "squares of what may be": ("square", x - 1, x + 1, False),
    "squares, below what may be negative": ("square", x, x - 1, False),
    "logarithms of what is positive": ("log", x + 1, x + 2, True),
    "logarithms of what may be zero": ("log", x, x + 1, False),
    "logarithms, below what may be zero": ("log", x + 1, x, False),
    "exponentials": ("exp", x - 1, x, True),
    "a function that does not rise": ("cos", x, x + 1, False),
}


@pytest.mark.parametrize("name", IMAGES)
def test_only_an_increasing_function_keeps_the_order(name: str) -> None:
    function, small, large, rises = IMAGES[name]
    statement = claim(small, "<=", large, UNIT)
    if not rises:
        with pytest.raises(Rejected, match="not an increasing function"):
            image_statement(statement, function, tree(small), tree(large))
        return
    image = image_statement(statement, function, tree(small), tree(large))
    of: dict[str, Callable[[Any], Any]] = {
        "square": lambda side: ("^", tree(side), tree(2)), "log": lambda side: ("log", tree(side)),
        "exp": lambda side: ("exp", tree(side)),
    }  # fmt: skip
    assert (image.left, image.relation, image.right) == (of[function](small), "<=", of[function](large))
    with pytest.raises(Rejected, match="not the difference"):
        image_statement(statement, function, tree(small), tree(large + 1))


NEW = {"name": "u", "low": tree(0), "high": tree(2), "open": [False, False]}
REPLACED: dict[str, tuple[dict[str, Any], Any, Any, str]] = {
    "the name of another": ({**NEW, "name": "y"}, y / 2, 2 * x, "name of its own"),
    "a value in what nobody declares": (NEW, u / 2 + w, 2 * x, "unknown parameter"),
    "a value in the old parameter": (NEW, x, 2 * x, "what is declared"),
    "a range in the old parameter": ({**NEW, "high": tree(2 * x)}, u / 2, 2 * x, "what is declared"),
    "a range in itself": ({**NEW, "high": tree(u)}, u / 2, 2 * x, "unknown parameter"),
    "an inverse that is none": (NEW, u / 2, x, "does not give the old parameter back"),
    "an inverse beyond the range": ({**NEW, "high": tree(1)}, u / 2, 2 * x, "not known to lie in the range"),
    "an inverse at an open end": ({**NEW, "open": [True, False]}, u / 2, 2 * x, "not known to lie in the range"),
}


@pytest.mark.parametrize("name", REPLACED)
def test_a_substitution_gives_every_value_back(name: str) -> None:
    new, value, inverse, why = REPLACED[name]
    statement = claim(x, "<=", 1, UNIT, reals("y", 0, 2))
    put = substituted(statement, "x", NEW, tree(u / 2), tree(2 * x))
    assert put.left == tree(u / 2)
    assert put.domain["parameters"][-1] == {"range": "reals", **NEW}
    with pytest.raises((Rejected, InputError), match=why):
        substituted(statement, "x", new, tree(value), tree(inverse)).require_formed()


def test_only_numbers_are_substituted() -> None:
    statement = claim(x, "<=", 2, {"name": "x", "range": "choices", "values": [tree(1), tree(2)]})
    with pytest.raises(Rejected, match="no parameter with range"):
        substituted(statement, "x", NEW, tree(u), tree(x))


# --- sums ------------------------------------------------------------------------------------------


def test_a_term_is_left_with_its_entries_as_numbers() -> None:
    total = tree(sp.Sum(c[i] * i, (i, 1, n)))
    left = terms_statement(claim(0, "<=", sp.Sum(c[i] * i, (i, 1, n)), COUNT, ENTRIES), total, "i")
    assert (left.left, left.relation, left.right) == (ZERO, "<=", ("*", ("v", "i"), ("v", "c_i")))
    index, entry = left.domain["parameters"][-2:]
    assert index == {"name": "i", "range": "integers", "low": ONE, "high": tree(n)}
    assert entry == {"name": "c_i", "range": "reals", "low": ZERO, "high": ONE, "open": [False, True]}


def test_another_entry_stays_one() -> None:
    """That at n, or at the next index, is no number that moves with the index."""
    total = ("sum", ONE, tree(n), ("item", "c", tree(n)))
    left = terms_statement(Statement(ZERO, "<=", total, {"parameters": [COUNT, ENTRIES], "where": []}), total, "i")
    assert left.right == ("item", "c", tree(n))


SUM = sp.Sum(i, (i, 1, n))
TELESCOPED: dict[str, tuple[Any, Any, Any, str]] = {
    "an end that may lie before the first": (integers("n", -3), tree(SUM), i * (i + 1) / 2, "reach the lower end"),
    "a difference that is not the body": (COUNT, tree(SUM), i**2 / 2, "not the body"),
    "a start that is not zero": (COUNT, tree(SUM), i * (i + 1) / 2 + 1, "does not vanish"),
    "no sum": (COUNT, tree(n), i * (i + 1) / 2, "not a sum"),
    "an end that is no integer": (reals("n", 1), tree(SUM), i * (i + 1) / 2, "integers"),
}


@pytest.mark.parametrize("name", TELESCOPED)
def test_an_antidifference_that_is_none(name: str) -> None:
    size, total, antidifference, why = TELESCOPED[name]
    put = telescoped(claim(SUM, "<=", n**2, COUNT), tree(SUM), "i", tree(i * (i + 1) / 2))
    assert put.left == tree(n * (n + 1) / 2)
    with pytest.raises(Rejected, match=why):
        telescoped(claim(SUM, "<=", n**2, size), total, "i", tree(antidifference))


def test_a_last_term_is_there() -> None:
    put = without_last(claim(SUM, "<=", n**2, COUNT), tree(SUM))
    assert put.left == ("+", ("sum", ONE, ("+", tree(n), ("*", tree(-1), ONE)), B), tree(n))
    for size, total, why in (
        (integers("n", 0), tree(SUM), "not known to have a term"), (COUNT, tree(n), "neither a sum"),
        (reals("n", 1), tree(SUM), "integers"),
    ):  # fmt: skip
        with pytest.raises(Rejected, match=why):
            without_last(claim(SUM, "<=", n**2, size), total)


def test_the_last_factor_of_a_product_is_a_factor() -> None:
    factorial = ("product", ONE, tree(n), B)
    put = without_last(Statement(factorial, "<=", tree(n), {"parameters": [COUNT], "where": []}), factorial)
    assert put.left == ("*", ("product", ONE, ("+", tree(n), ("*", tree(-1), ONE)), B), tree(n))


def test_a_term_speaks_of_entries_that_there_are_by_names_that_nobody_has() -> None:
    beyond = tree(sp.Sum(c[i], (i, 1, n + 1)))
    with pytest.raises(Rejected, match="not known to lie in"):
        terms_statement(Statement(ZERO, "<=", beyond, {"parameters": [COUNT, ENTRIES], "where": []}), beyond, "i")
    total = tree(sp.Sum(c[i], (i, 1, n)))
    here = {"parameters": [COUNT, ENTRIES, reals("c_i")], "where": []}
    with pytest.raises(InputError, match="name of its own"):
        terms_statement(Statement(ZERO, "<=", total, here), total, "i").require_formed()


N, INDEX = tree(n), ("v", "i")
OTHERS = {**ENTRIES, "name": "d", "low": tree(-1)}


def of_all(low: Any, high: Any, *relation: Any) -> list[Any]:
    """A relation for all indices, in which the index is ``("b", 0)``."""
    return ["all", low, high, list(relation)]


def test_of_a_term_holds_what_is_said_of_all_indices_of_its_sum() -> None:
    """Word for word of these: neither of more, nor of others, nor on one of two conditions."""
    below = ("<=", ("item", "c", B), ("*", B, ("item", "d", B)))
    apart = ("<", ("item", "c", B), ("item", "c", N))
    elsewhere = [of_all(ZERO, N, *below), of_all(ONE, ("+", N, ZERO), *below), of_all(("q", 2, 2), N, *below),
                 ["or", [of_all(ONE, N, *below)], [SAID]]]  # fmt: skip
    where = [of_all(ONE, N, *below), *elsewhere, of_all(list(ONE), list(N), *apart)]
    total = ("sum", ONE, N, ("item", "c", B))
    domain = {"parameters": [COUNT, ENTRIES, OTHERS, UNIT], "where": where}
    left = terms_statement(Statement(ZERO, "<=", total, domain), total, "i")
    left.require_formed()
    assert left.right == ("v", "c_i")
    assert left.domain["where"] == [
        *where, ["<=", ("v", "c_i"), ("*", INDEX, ("v", "d_i"))], ["<", ("v", "c_i"), ("item", "c", N)],
    ]  # fmt: skip
    assert [(found["name"], found["low"]) for found in left.domain["parameters"][-2:]] == [
        ("c_i", ZERO),
        ("d_i", tree(-1)),
    ]


def test_what_is_said_of_all_indices_has_names_that_nobody_has_too() -> None:
    total, said_of = ("sum", ONE, N, B), of_all(ONE, N, "<=", ("item", "c", B), ONE)
    for taken in (reals("c_i"), {**ENTRIES, "name": "c_i"}):
        here = {"parameters": [COUNT, ENTRIES, taken], "where": [said_of]}
        with pytest.raises(InputError, match="name of its own"):
            terms_statement(Statement(ZERO, "<=", total, here), total, "i").require_formed()


NO_TERMS: dict[str, tuple[Any, str]] = {
    "an end that is no integer": (("sum", ONE, X, B), "not known to be integers"),
    "no value, where it may be empty": (("sum", ONE, N, ("log", X)), "argument of a logarithm"),
    "no value at one index": (("sum", ZERO, N, ("^", B, tree(-1))), "not known to be nonzero"),
    "a product": (("product", ONE, N, B), "not a sum"),
    "another sum": (("sum", ONE, N, ("*", ONE, B)), "not the sum of these terms"),
    "an entry of no vector": (("sum", ONE, N, ("item", "c", ("+", B, ONE))), "not known to lie in"),
}


@pytest.mark.parametrize("name", NO_TERMS)
def test_a_sum_that_has_no_such_terms(name: str) -> None:
    """Of each of these a relation for all indices says that its terms are not negative, or that no index is there."""
    total, why = NO_TERMS[name]
    goal = ("sum", ONE, N, ("item", "c", B)) if name == "another sum" else total
    domain = {"parameters": [COUNT, ENTRIES, UNIT], "where": [of_all(*total[1:3], "<=", ZERO, total[3])]}
    with pytest.raises(Rejected, match=why):
        terms_statement(Statement(ZERO, "<=", goal, domain), total, "i")


M = ("v", "m")


@pytest.mark.parametrize("place", ["a term", "what is said"])
def test_an_entry_that_nobody_reads_and_that_is_not_there_is_no_number(place: str) -> None:
    """Of no number from 1 to 0 anything holds, such as that -1 is not negative; a vector without entries has none."""
    unread = ("if<", tree(-1), tree(-1), ("item", "c", B))
    total = ("sum", ONE, N, unread if place == "a term" else tree(-1))
    none = {**ENTRIES, "length": M, "low": ONE, "high": ZERO, "open": [False, False]}
    where = [of_all(ONE, N, "<=", unread, ZERO)] if place == "what is said" else []
    false = Statement(ZERO, "<=", total, {"parameters": [COUNT, integers("m", 0), none], "where": where})
    ends = [{"weight": [1, 1], "factors": [[[side, ("v", "c_i")], 1]]} for side in ("low", "high")]
    empty = {"kind": "psatz", "terms": [*ends, {"weight": [1, 1], "factors": []}]}
    with pytest.raises(Rejected, match="not known to lie in"):
        check(false, {"kind": "termwise", "sum": total, "index": "i", "proof": empty})


SIZES = {"parameters": [integers("n", 0), integers("m", 0), UNIT], "where": []}


def double(low: Any, high: Any, *factors: Any, inner: Any = ("+", B, ("*", ("b", 1), ("b", 1)))) -> Any:
    """A sum up to n, with an inner sum after some factors."""
    return ("sum", ONE, N, ("*", *factors, ("sum", low, high, inner)))


def test_a_double_sum_begins_with_its_inner_index() -> None:
    """What stands beside the inner sum goes inside: Σᵢ i xⁱ Σⱼ (j + i²) is Σⱼ Σᵢ i xⁱ (j + i²)."""
    outer_power, cubes = ("^", X, B), ("sum", B, N, ("+", B, ("b", 1)))
    total = ("sum", ONE, N, ("*", B, outer_power, double(ZERO, M, outer_power)[3][2], cubes))
    other = ("sum", ZERO, M, ("sum", ONE, N, ("*", B, outer_power, ("+", ("b", 1), ("*", B, B)), cubes)))
    left = exchanged(Statement(("abs", total), "<", ("+", total, X), SIZES), total, "i", "j")
    assert left == Statement(("abs", other), "<", ("+", other, X), SIZES)
    alone = ("sum", ONE, N, ("sum", ZERO, M, ("b", 1)))
    left = exchanged(Statement(alone, "=", X, SIZES), alone, "i", "j")
    assert left == Statement(("sum", ZERO, M, ("sum", ONE, N, B)), "=", X, SIZES)


STAY: dict[str, tuple[Any, tuple[Any, Any], str]] = {
    "one name for both indices": (double(ZERO, M, B), ("i", "i"), "not a fresh name: i"),
    "the name of a parameter, outside": (double(ZERO, M, B), ("x", "j"), "not a fresh name: x"),
    "the name of a parameter, inside": (double(ZERO, M, X), ("i", "x"), "not a fresh name: x"),
    "a name that normal forms make up": (double(ZERO, M, X), ("i", "#1"), "not a fresh name: #1"),
    "an inner end that moves with the outer index": (double(ZERO, B, B), ("i", "j"), "unknown parameter: i"),
    "an inner start that moves with the outer index": (double(B, M, B), ("i", "j"), "unknown parameter: i"),
    "an inner end that is no integer": (double(ZERO, X, B), ("i", "j"), "not known to be integers"),
    "an inner end that is none, of an empty sum": (
        ("sum", ONE, ZERO, ("sum", ZERO, X, B)), ("i", "j"), "not known to be integers"
    ),
    "an outer end that is no integer": (("sum", ONE, X, ("sum", ZERO, M, B)), ("i", "j"), "not known to be integers"),
    "no value beside an inner sum that may be empty": (
        double(ZERO, M, ("^", X, tree(-1))), ("i", "j"), "not known to be nonzero"
    ),
    "no value inside where the outer sum may be empty": (
        double(ZERO, M, B, inner=("log", X)), ("i", "j"), "argument of a logarithm"
    ),
    "an inner end without a value": (double(ZERO, ("floor", ("log", X)), B), ("i", "j"), "argument of a logarithm"),
    "no inner sum": (("sum", ONE, N, ("*", B, X)), ("i", "j"), "not a sum"),
    "an inner sum within a sum of terms": (("sum", ONE, N, ("+", B, ("sum", ZERO, M, B))), ("i", "j"), "not a sum"),
    "an inner product": (("sum", ONE, N, ("product", ZERO, M, B)), ("i", "j"), "not a sum"),
    "an outer product": (("product", ONE, N, ("sum", ZERO, M, B)), ("i", "j"), "not a sum"),
}  # fmt: skip


@pytest.mark.parametrize("name", STAY)
def test_a_double_sum_whose_indices_stay_in_place(name: str) -> None:
    total, indices, why = STAY[name]
    with pytest.raises(Rejected, match=why):
        exchanged(Statement(total, "<=", X, SIZES), total, *indices)


# --- induction -------------------------------------------------------------------------------------

HIGH = integers("n", 1, y)
BOUNDED = {"name": "m", "range": "reals", "low": tree(0), "high": tree(n), "open": [False, False]}
CLIMB = Statement(tree(n), "<=", tree(n**2), {"parameters": [integers("y", 1), HIGH, BOUNDED, UNIT], "where": [
    ["<=", tree(n), tree(7)], ["<=", X, ONE]]})  # fmt: skip


def test_an_induction_starts_at_its_first_values() -> None:
    here = Statement(tree(n), "<=", tree(n**2), {"parameters": [COUNT], "where": []})
    first, second = base_statements(here, "n", ONE, 2)
    assert (first.left, second.left) == (("+", ONE, ZERO), ("+", ONE, ONE))
    assert first.domain["parameters"] == []
    with pytest.raises(Rejected, match="needs a base"):
        base_statements(here, "n", ONE, 0)


def test_a_step_goes_from_each_value_to_the_next() -> None:
    """From n to n + 1, for n from the last base on and below the end, where nothing else speaks of n."""
    step = step_statement(CLIMB, "n", ONE, 2)
    assert step.left == ("+", tree(n), ONE)
    _, bounded, _, climbing = step.domain["parameters"]
    assert (bounded["name"], bounded["high"]) == ("m", None)
    form = NormalForm({"parameters": [integers("y", 1)], "where": []})
    assert form.number(form.ratio(climbing["low"])) == 2
    assert form.vanishes(("+", climbing["high"], tree(1 - y)))
    assert step.domain["where"] == [["<=", X, ONE], ["<=", CLIMB.left, CLIMB.right]]


STARTS: dict[str, tuple[Any, str]] = {
    "that moves along": (tree(n), "not an integer in terms of"),
    "that is no integer": (tree(sp.Rational(1, 2)), "not an integer in terms of"),
    "that is a number between": (tree(x), "not an integer in terms of"),
    "above the lower end": (tree(2), "may lie below the start"),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_start_that_is_none(name: str) -> None:
    start, why = STARTS[name]
    here = Statement(tree(n), "<=", tree(n**2), {"parameters": [COUNT, UNIT], "where": []})
    for rule in (base_statements, step_statement):
        with pytest.raises(Rejected, match=why):
            rule(here, "n", start, 1)


def test_the_terms_of_a_sum_may_be_added_up_from_sums() -> None:
    count: dict[str, Any] = {"parameters": [COUNT], "where": []}
    falling, equal = tree(1 / (n + i)), tree(-1 / (2 * n))  # a quotient of its own would not come apart again
    total = summation("i", ONE, tree(n), ("+", falling, equal))
    alone, half = summation("i", ONE, tree(n), falling), tree(sp.Rational(1, 2))
    left = terms_statement(Statement(half, "<=", alone, count), total, "k")
    assert NormalForm(left.domain).vanishes(("+", left.right, tree(1 / (2 * n) - 1 / (n + sp.Symbol("k")))))
    for goal in (alone, ("*", tree(-1), half)):
        with pytest.raises(Rejected, match="not the sum of these terms"):
            terms_statement(Statement(ZERO, "<=", goal, count), total, "k")


def test_a_binomial_coefficient_within_a_sum_is_one_by_two_facts() -> None:
    rows = summation("i", ZERO, ("v", "m"), ("binomial", tree(n), tree(i)))
    for end, known in ((n, True), (None, False)):
        assert NormalForm({"parameters": [COUNT, integers("m", 0, end)], "where": []}).has(rows) is known


# --- calculus --------------------------------------------------------------------------------------

SLOPED = Statement(ZERO, "<=", tree(x * y), {"parameters": [UNIT, reals("y", -1, 1)], "where": [
    ["<=", X, tree(y)], ["<=", tree(y), ONE]]})  # fmt: skip


def test_one_moves_along_a_range_without_its_ends_and_what_speaks_of_it() -> None:
    moved = along(SLOPED.domain, "x")
    assert moved == {"parameters": [OPEN, reals("y", -1, 1)], "where": [["<=", tree(y), ONE]]}
    with pytest.raises(Rejected, match="depends on x"):
        along({"parameters": [UNIT, reals("y", 0, x)], "where": []}, "x")


def test_a_goal_is_taken_at_an_anchor_between_the_ends() -> None:
    base = base_statement(SLOPED, "x", HALF)
    assert base.domain == {"parameters": [reals("y", -1, 1)], "where": [["<=", tree(y), ONE]]}
    assert base.relation == "<="
    assert base_statement(SLOPED, "x", ZERO).left == ZERO
    for anchor, why in ((X, "depends on x"), (tree(2), "between the ends"), (tree(y), "between the ends")):
        with pytest.raises(Rejected, match=why):
            base_statement(SLOPED, "x", anchor)


def test_a_slope_keeps_the_goal_up_on_the_way_from_an_anchor() -> None:
    rising, falling = slope_statement(SLOPED, "x", ZERO, "rising"), slope_statement(SLOPED, "x", ONE, "falling")
    assert (rising.relation, falling.relation) == (">=", "<=")
    for anchor, shape in ((ONE, "rising"), (HALF, "rising"), (ZERO, "falling"), (HALF, "falling"), (ZERO, "flat")):
        with pytest.raises(Rejected, match="does not start at this anchor"):
            slope_statement(SLOPED, "x", anchor, shape)


def test_a_concave_goal_has_two_ends() -> None:
    found = concave_statements(SLOPED, "x")
    assert set(found) == {"low", "high", "curvature"}
    assert (found["curvature"].relation, found["curvature"].right) == ("<=", ZERO)
    for spread in (reals("x", 0), reals("x", None, 1), reals("x")):
        with pytest.raises(Rejected, match="has not two ends"):
            concave_statements(Statement(ZERO, "<=", X, {"parameters": [spread], "where": []}), "x")


def test_a_fading_goal_falls_for_ever_to_no_less_than_zero() -> None:
    endless = Statement(ZERO, "<=", tree(y / x), {**SLOPED.domain, "parameters": [reals("x", 1), reals("y", 0, 1)]})
    found = fading_statements(endless, "x", tree(y))
    assert found["slope"].relation == found["bound"].relation == "<="
    assert found["slope"].domain == found["bound"].domain == along(endless.domain, "x")
    assert found["bound"].right == endless.goal
    assert NormalForm(endless.domain).vanishes(("+", found["bound"].left, tree(y / x)))
    for other, size in ((endless, X), (SLOPED, ONE)):
        with pytest.raises(Rejected, match="does not fade"):
            fading_statements(other, "x", size)


def test_an_index_is_fresh_and_between_integers() -> None:
    here: dict[str, Any] = {"parameters": [COUNT, UNIT], "where": []}
    assert domains.with_index(here, "i", ONE, tree(n))["parameters"][-1] == integers("i", 1, n)
    for name, low, high, why in (
        ("x", 1, n, "fresh"), ("#1", 1, n, "fresh"), ("", 1, n, "fresh"), (7, 1, n, "fresh"),
        ("i", x, n, "integers"), ("i", 1, x, "integers"),
    ):  # fmt: skip
        with pytest.raises(Rejected, match=why):
            domains.with_index(here, name, tree(low), tree(high))  # type: ignore[arg-type]


def test_a_declaration_narrows_choices_of_the_same_name_alone() -> None:
    few, many = ({"name": "k", "range": "choices", "values": [tree(v) for v in range(last)]} for last in (1, 3))
    assert domains.narrows(few, many)
    assert not domains.narrows(many, few)
    assert not domains.narrows({**few, "name": "m"}, many)
    assert not domains.narrows(integers("k", 0), many)
