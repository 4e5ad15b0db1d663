"""Comparison has three values, and near-equality is decided by more bits or by algebra."""

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from tests.statements import UNIT, c, n, t, x

from boundaudit.checks.evidence.evidence import confirm, decimal, holds_at, shown_at
from boundaudit.checks.language.arithmetic import Exhausted, effort, remaining
from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.compare import at, ball_sign, compare, sign
from boundaudit.checks.language.expression import names, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree

TINY = sp.Rational(1, 10**200)

KNOWN: dict[str, tuple[Any, Any, int]] = {
    "rationals": (sp.Rational(1, 3), sp.Rational(1, 2), -1),
    "equal rationals": (sp.Rational(2, 6), sp.Rational(1, 3), 0), "far apart": (sp.pi, 3, 1),
    "a difference beyond doubles": (sp.sqrt(2) + TINY, sp.sqrt(2), 1),
    "a good approximation of pi": (sp.pi, sp.Rational(5419351, 1725033), -1),
    "equal surds": (sp.sqrt(2) * x ** sp.Rational(1, 2), sp.sqrt(2 * x), 0),
    "equal logarithms": (sp.log(8), 3 * sp.log(2), 0), "equal sums": (sp.Sum(t, (t, 1, n)), n * (n + 1) / 2, 0),
    "equal sums of roots": (sp.Sum(sp.sqrt(t), (t, 1, 3)), 1 + sp.sqrt(2) + sp.sqrt(3), 0),
    "nested surds": (sp.sqrt(5 + 2 * sp.sqrt(6)), sp.sqrt(2) + sp.sqrt(3), 0),
    "nested surds and a hair": (sp.sqrt(5 + 2 * sp.sqrt(6)) + TINY, sp.sqrt(2) + sp.sqrt(3), 1),
    "a cube root that is the golden ratio": (sp.root(2 + sp.sqrt(5), 3), (1 + sp.sqrt(5)) / 2, 0),
    "the floor of a root that is an integer": (sp.floor(sp.sqrt(n * (n + 1) / 2 - 3)), 5, 0),
    "the floor of two roots that make an integer": (sp.floor(sp.sqrt(2) * sp.sqrt(n**2 + 1)), 10, 0),
    "just below an integer": (sp.floor(sp.sqrt(2) * sp.sqrt(n**2 + 1) - TINY), 9, 0),
    "the ceiling of a quotient of logarithms": (sp.ceiling(sp.log(n + 2) / sp.log(3)), 2, 0),
    "a branch at its end": (sp.Piecewise((1, sp.sqrt(2) * sp.sqrt(n + 1) >= 4), (2, True)), 1, 0),
    "the tail of a Gaussian far out": (sp.erfc(100), 0, 1), "entries": (c[1] + c[2], c[3], 0),
    "an argument that is positive to many digits only": (sp.log(sp.exp(x * TINY) - 1), 0, -1),
}  # fmt: skip
POINT = {"x": Fraction(3, 5), "n": 7, "c": (Fraction(1, 3), Fraction(1, 6), Fraction(1, 2))}


@pytest.mark.parametrize("name", KNOWN)
def test_the_certain_sign_of_a_difference(name: str) -> None:
    left, right, expected = KNOWN[name]
    before = ctx.prec
    assert compare(to_tree(left), to_tree(right), POINT) == expected
    assert compare(to_tree(right), to_tree(left), POINT) == -expected
    assert ctx.prec == before


def test_a_long_sum_or_product_of_rationals_goes_on_as_a_ball() -> None:
    """Its exact value would have tens of thousands of digits; telescoping ones stay short, and exact."""
    harmonic = evaluate(to_tree(sp.Sum(1 / t, (t, 1, n))), {"n": 20_000})
    assert isinstance(harmonic, arb)
    assert 10.48 < harmonic < 10.49
    assert evaluate(to_tree(sp.Sum(1 / (t * (t + 1)), (t, 1, n))), {"n": 20_000}) == fmpq(20_000, 20_001)
    factorial = to_tree(sp.Product(t, (t, 1, n)))
    assert evaluate(factorial, {"n": 20}) == fmpq(2432902008176640000)
    assert isinstance(evaluate(factorial, {"n": 2000}), arb)  # 19,053 bits


def test_work_is_counted_by_the_size_of_what_is_computed() -> None:
    power, tail = to_tree(x**n), to_tree(sp.Sum(sp.sqrt(t), (t, 1, n)))
    for tree, point in ((power, {"x": Fraction(2, 3), "n": 500_000}), (tail, {"n": 10_000})):
        statement = Statement(tree, "<=", rational(1), {"parameters": [], "where": []})
        with effort(10_000):
            assert holds_at(statement, point) is None
            assert remaining() == 0
    with effort(10_000):
        assert holds_at(Statement(power, "<=", rational(1), {"parameters": [], "where": []}), {"x": 1, "n": 3}) is True


def test_an_allowance_is_spent_by_all_its_blocks_together() -> None:
    tree, work = to_tree(sp.Sum(t**2, (t, 1, n))), effort(1_000)
    with work:
        assert evaluate(tree, {"n": 200}) == 2_686_700
    with pytest.raises(Exhausted), work:
        evaluate(tree, {"n": 1_000})


@given(a=st.fractions(-9, 9), b=st.fractions(-9, 9))
def test_rationals_compare_as_rationals(a: Fraction, b: Fraction) -> None:
    expected = (a > b) - (a < b)
    assert compare(to_tree(a), to_tree(b), {}) == expected
    # exp grows, and no decimal of it is exact.
    assert compare(("exp", to_tree(a)), ("exp", to_tree(b)), {}) in {expected} | ({None} if a == b else set())


@given(a=st.integers(1, 40), b=st.integers(1, 40), p=st.integers(0, 400), q=st.integers(0, 400))
def test_sums_of_square_roots_compare_as_integers_do(a: int, b: int, p: int, q: int) -> None:
    """√a + √b against √p: both sides squared, twice where that is needed, in integers."""
    left, right = to_tree(sp.sqrt(a) + sp.sqrt(b)), to_tree(sp.sqrt(p))
    rest = p - a - b
    expected = 1 if rest < 0 else (4 * a * b > rest * rest) - (4 * a * b < rest * rest)
    assert compare(left, right, {}) == expected


@pytest.mark.parametrize(("ball", "expected"), [
    (fmpq(0), 0), (fmpq(-1, 3), -1), (arb(2, 1), 1), (arb(-2, 1), -1), (arb(0, 1), None),
], ids=str)  # fmt: skip
def test_a_ball_that_straddles_zero_has_no_sign(ball: Any, expected: int | None) -> None:
    assert ball_sign(ball) == expected


def test_what_neither_balls_nor_algebra_decide_is_not_known() -> None:
    strange = to_tree(sp.floor(x + 1, evaluate=False) * 0 + sp.sin(1) ** 2 + sp.cos(1) ** 2)
    assert compare(strange, to_tree(1), POINT) in (0, None)
    same = Statement(("sin", ("sin", to_tree(x))), "<=", ("sin", ("sin", to_tree(x + 1 - 1))), UNIT.to_json())
    assert holds_at(same, {"x": 1}) is not False


@pytest.mark.parametrize("expression", [sp.log(x - 1), sp.sqrt(x - 1), 1 / (5 * x - 3), c[n]], ids=str)
def test_a_comparison_without_a_value_says_so(expression: Any) -> None:
    with pytest.raises(Undefined):
        sign(to_tree(expression), POINT)
    assert holds_at(Statement(to_tree(expression), "<=", to_tree(1), UNIT.to_json()), POINT) is False


def test_a_point_put_in_leaves_no_parameter() -> None:
    tree = to_tree(sp.Sum(c[t] * x**t, (t, 1, 3)) + sp.Max(x, n))
    assert names(at(tree, POINT)) == set()
    assert evaluate(at(tree, POINT), {}) == evaluate(tree, POINT)


RELATIONS = {"<=": {-1, 0}, ">=": {0, 1}, "=": {0}}


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("value", [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)], ids=str)
def test_a_relation_holds_or_a_witness_is_confirmed(relation: Any, value: Fraction) -> None:
    statement = Statement(to_tree(x), relation, to_tree(sp.Rational(1, 2)), UNIT.to_json())
    order = (2 * value > 1) - (2 * value < 1)
    holds = order in RELATIONS[relation]
    assert holds_at(statement, {"x": value}) is holds
    witness = confirm(statement, {"x": value}, True)
    assert (witness is None) is holds
    if witness is not None:
        assert (Fraction(witness.left), Fraction(witness.right)) == (value, Fraction(1, 2))


@pytest.mark.parametrize("inside", [False, None])
def test_a_point_that_may_lie_outside_confirms_nothing(inside: bool | None) -> None:
    statement = Statement(to_tree(x), "<=", to_tree(0), UNIT.to_json())
    assert confirm(statement, {"x": 1}, True) is not None
    assert confirm(statement, {"x": 1}, inside) is None


def test_a_witness_beyond_double_precision_is_confirmed() -> None:
    statement = Statement(to_tree(sp.sqrt(2) * x), "<=", to_tree(sp.sqrt(2) * x - TINY), UNIT.to_json())
    witness = confirm(statement, {"x": Fraction(1, 2)}, True)
    assert witness is not None
    assert float(witness.left) == pytest.approx(2**-0.5, rel=1e-15)


@pytest.mark.parametrize("exponent", [0.1, 2.3, 1e-5, 1e9])
def test_a_power_with_a_float_exponent_stays_in_bounds(exponent: float) -> None:
    """Its exact fraction has a denominator of up to 2^70: neither a root nor a polynomial of that degree exists."""
    power = ("^", rational(7), ("v", "a"))
    more = ("^", rational(8), ("v", "a"))
    assert compare(power, more, {"a": exponent}) == -1
    assert compare(power, power, {"a": exponent}) == 0


# --- what is written out at a point ------------------------------------------------------------------

ROOT = ("^", rational(2), rational(Fraction(1, 2)))
X, N, B = ("v", "x"), ("v", "n"), ("b", 0)
HERE = {"x": Fraction(3, 2), "n": 3, "c": [Fraction(1), Fraction(2), Fraction(4)]}
SUM, PRODUCT = ((head, rational(1), N, ("item", "c", B)) for head in ("sum", "product"))


def branch(head: str, condition: Any) -> Any:
    return (head, condition, rational(5), rational(7))


PUT_IN: dict[str, tuple[Any, Any]] = {
    "a sum": (SUM, rational(7)),
    "a product": (PRODUCT, rational(8)),
    "a sum of nothing": (("sum", rational(1), rational(0), B), rational(0)),
    "a product of nothing": (("product", rational(1), rational(0), B), rational(1)),
    "an entry": (("item", "c", N), rational(4)),
    "what is rational": (("*", X, X), rational(Fraction(9, 4))),
    "what is not": (("*", X, ROOT), ("*", rational(Fraction(3, 2)), ROOT)),
    "what has no value": (("log", rational(-1)), ("log", rational(-1))),
    "a floor": (("floor", X), rational(1)),
    "a floor below zero": (("floor", ("*", rational(-1), X)), rational(-2)),
    "a floor of an integer": (("floor", N), rational(3)),
    "a floor of a root": (("floor", ROOT), rational(1)),
    "a floor of what is an integer by algebra": (("floor", ("*", ROOT, ROOT)), rational(2)),
    "a floor just below two": (("floor", ("+", rational(2), ("*", rational(Fraction(-1, 10**90)), ROOT))), rational(1)),
    "a floor of what has no value": (("floor", ("log", rational(-1))), ("floor", ("log", rational(-1)))),
    "below": (branch("if<", ("+", X, rational(-2))), rational(5)),
    "not below": (branch("if<", ("+", X, rational(Fraction(-3, 2)))), rational(7)),
    "at most": (branch("if<=", ("+", X, rational(Fraction(-3, 2)))), rational(5)),
    "not at most": (branch("if<=", X), rational(7)),
    "equal, by algebra": (branch("if=", ("+", ("*", ROOT, ROOT), rational(-2))), rational(5)),
    "not equal": (branch("if=", X), rational(7)),
    "a branch on what has no value": (branch("if<", ("log", rational(-1))), branch("if<", ("log", rational(-1)))),
}  # fmt: skip


@pytest.mark.parametrize("name", PUT_IN)
def test_what_is_put_in_is_computed_where_it_is_certain(name: str) -> None:
    tree, written = PUT_IN[name]
    assert at(tree, HERE) == written


@pytest.mark.parametrize("digits", [30, 300, 3000])
def test_algebraic_numbers_that_are_nearly_equal_are_told_apart(digits: int) -> None:
    """√(10^2d + 1) - 10^d is about 10^-d/2, and √(10^2d) - 10^d is 0."""
    power = 10**digits
    above, equal = (
        ("+", ("^", rational(power**2 + more), rational(Fraction(1, 2))), rational(-power)) for more in (1, 0)
    )
    doubled = ("+", ("*", above, rational(2)), ("*", rational(-1), above), ("*", rational(-1), above))
    assert [sign(tree, {}) for tree in (above, ("*", rational(-1), above), equal, doubled)] == [1, -1, 0, 0]


def test_a_step_where_its_argument_is_at_it() -> None:
    """⌊√2·√2⌋ - 2 is 0, which no ball can tell."""
    step = ("+", ("floor", ("*", ROOT, ROOT, X)), rational(-3))
    assert sign(step, HERE) == 0
    assert sign(("+", step, rational(-1)), HERE) == -1


def test_a_whole_number_of_many_digits_is_told_by_its_first() -> None:
    """Python does not write out what has more than 100,000 digits."""
    assert decimal(fmpq(10**30)) == "1" + 30 * "0"
    assert decimal(fmpq(2 * 10**200_000)).startswith("2.000000000000000e+200000")


@pytest.mark.parametrize("index", [0, 3])
def test_an_entry_that_is_not_there_has_no_value_in_steps_either(index: int) -> None:
    step = ("floor", ("item", "v", rational(index)))
    assert shown_at(step, {"v": (1, 2)}) == "no value"
    with pytest.raises(Undefined, match=f"no entry {index}"):
        at(step, {"v": (1, 2)})
