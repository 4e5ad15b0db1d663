"""Normal forms: what is equal is seen to be equal, and nothing else is."""

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from boundaudit.checks.language.algebra import normal_form
from boundaudit.checks.language.algebra.normal_form import NormalForm, vanishes
from boundaudit.checks.language.algebra.ranges import from_ball
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import Exhausted, effort, spent
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.expression import subtract
from boundaudit.checks.language.translate import to_tree

n, m, x, y, z = sp.symbols("n m x y z")
i, j = sp.symbols("i j")
c = sp.IndexedBase("c")
ENDS = {"open": [True, False], "high": None}
DOMAIN: dict[str, Any] = {
    "parameters": [
        {"name": "n", "range": "integers", "low": ("q", 1, 1), "high": None},
        {"name": "m", "range": "integers", "low": ("q", 1, 1), "high": ("v", "n")},
        {"name": "x", "range": "reals", "low": ("q", 0, 1), **ENDS},
        {"name": "y", "range": "reals", "low": ("q", 0, 1), **ENDS},
        {"name": "z", "range": "reals", "low": None, "high": None, "open": [False, False]},
        {"name": "c", "range": "vector", "length": ("v", "n"), "low": ("q", 0, 1), **ENDS, "square_sum": ("q", 1, 1)},
    ],
    "where": [],
}  # fmt: skip


def tree(value: Any) -> Any:
    return to_tree(sp.sympify(value))


def equal(left: Any, right: Any, domain: dict[str, Any]) -> bool:
    return vanishes(subtract(left, right), domain)


EQUAL = [
    (sp.log(x * y), sp.log(x) + sp.log(y)), (sp.log(x**3 / y**2), 3 * sp.log(x) - 2 * sp.log(y)),
    (sp.log(12 * x), 2 * sp.log(2) + sp.log(3) + sp.log(x)), (sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)),
    (sp.sqrt(z**2), sp.Abs(z)), (x ** sp.Rational(1, 3) * x ** sp.Rational(2, 3), x), (z ** (n + 1), z * z**n),
    ((x * z) ** n, x**n * z**n), (sp.Pow(-z, n, evaluate=False), (-1) ** n * z**n),
    (z ** (2 * n + m), (z**n) ** 2 * z**m), (z ** (n - m) * z**2, z ** (n - m + 2)),
    (sp.exp(x + y), sp.exp(x) * sp.exp(y)), (sp.exp(x / 2) ** 2, sp.exp(x)), (x**z, sp.exp(z * sp.log(x))),
    (sp.floor(n / 2), (2 * n - 1 + (-1) ** n) / 4), ((-1) ** (n - 1), -((-1) ** n)),
    ((-1) ** (n**2 + 2 * m), (-1) ** n), ((-2) ** n, (-1) ** n * 2**n), (1 / (n + 1) - 1 / n, -1 / (n * (n + 1))),
    (sp.Max(x, z) + sp.Min(x, z), x + z), (sp.Max(x, 0), x), (sp.sin(z) ** 2 + sp.cos(z) ** 2, 1),
    (sp.Sum(c[i], (i, 1, n)), sp.Sum(c[j], (j, 1, n))),
    (sp.Sum((c[i] + x) ** 2 - c[i] ** 2, (i, 1, n)), 2 * x * sp.Sum(c[i], (i, 1, n)) + n * x**2),
    (sp.Sum(sp.Sum(x, (i, 1, m)), (j, 1, n)), n * m * x), (sp.Sum(i, (i, 1, 4)), 10), (sp.Product(i, (i, 1, 4)), 24),
    (sp.Product(c[i] * z, (i, 1, n)), sp.Product(c[j], (j, 1, n)) * z**n), (sp.Product(-1, (i, 1, n)), (-1) ** n),
    (sp.Product(z**2, (i, 1, n)), sp.Product(z, (i, 1, n)) ** 2),
    (sp.Product(1 + 1 / i, (i, 1, n)), sp.exp(sp.Sum(sp.log(i + 1) - sp.log(i), (i, 1, n)))),
    (sp.Product(c[i] + z, (i, m, m)), c[m] + z),
    (sp.Product(sp.Product(x, (i, 1, j)), (j, 1, n)), x ** sp.Sum(j, (j, 1, n))),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_expressions_have_one_normal_form(left: Any, right: Any) -> None:
    assert equal(tree(left), tree(right), DOMAIN)


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_a_small_change_shows(left: Any, right: Any) -> None:
    assert not equal(tree(left), tree(right + sp.Rational(1, 10**9) * x), DOMAIN)


@pytest.mark.parametrize("value", [
    sp.log(z), sp.sqrt(z), 1 / z, 1 / (n - m), z**x, z ** (m - 2), z ** (m - n), sp.cbrt(z), c[n + 1], c[m - 1],
    sp.Symbol("unknown"), sp.Sum(c[i], (i, 0, n)), sp.Sum(x, (i, 1, z)),
])  # fmt: skip
def test_what_may_be_undefined_has_no_normal_form(value: Any) -> None:
    with pytest.raises(Rejected):
        NormalForm(DOMAIN).ratio(tree(value))


def test_a_power_of_a_number_that_may_be_zero_is_kept_whole() -> None:
    """z^n for z in [0, 1] lies in [0, 1]; where z is any real, an even power is not taken for that of its size."""
    unit = {"name": "z", "range": "reals", "low": ("q", 0, 1), "high": ("q", 1, 1), "open": [False, False]}
    domain = {"parameters": [*(found for found in DOMAIN["parameters"] if found["name"] != "z"), unit], "where": []}
    size = NormalForm(domain).range_of(tree(z**n))
    assert (size.low, size.high, size.positive) == (0, 1, False)
    assert not NormalForm(DOMAIN).range_of(tree(z**n)).nonnegative
    assert not equal(tree((z**2) ** n), tree(z**n), DOMAIN)


def test_the_size_of_an_integer_alone_is_an_integer() -> None:
    far, near = sp.Abs(n - 2 * m), sp.Abs(n - z)
    assert [equal(("floor", tree(size)), tree(size), DOMAIN) for size in (far, near, far / 2)] == [True, False, False]
    assert equal(tree(z ** (far + 1)), tree(z * z**far), DOMAIN)


def test_a_sum_of_positive_terms_is_positive_where_it_has_one() -> None:
    form = NormalForm(DOMAIN)
    assert form.range_of(tree(sp.Sum(c[i] + 1, (i, 1, n)))).positive
    assert not form.range_of(tree(sp.Sum(c[i] + 1, (i, 2, n)))).positive


def test_a_sum_that_may_be_empty_is_not_a_product() -> None:
    may_be_empty = sp.Sum(x, (i, n, m))
    assert not equal(tree(may_be_empty), tree((m - n + 1) * x), DOMAIN)


def test_a_product_that_may_be_empty_is_no_power() -> None:
    for factor in (x, -1):
        assert not equal(tree(sp.Product(factor, (i, n, m))), tree(sp.S(factor) ** (m - n + 1)), DOMAIN)
    assert not equal(tree(sp.Product(c[i], (i, 1, n))), tree(sp.Product(c[i], (i, 2, n))), DOMAIN)
    assert equal(tree(sp.Product(z, (i, n, n - 1))), tree(1), DOMAIN)


def test_a_product_has_the_sign_that_its_factors_give_it() -> None:
    form = NormalForm(DOMAIN)
    product = sp.Product(z + i, (i, 1, n))
    assert not form.range_of(tree(product)).nonnegative
    assert form.range_of(tree(sp.Product(z**2 + i, (i, 1, n)))).positive
    size = form.range_of(tree(sp.Product(sp.sin(z + i), (i, 1, n))))
    assert (size.low, size.high) == (-1, 1)
    assert not form.range_of(tree(sp.Product(2 * sp.sin(z + i), (i, 1, n)))).nonzero


def test_indices_say_nothing_where_the_sum_may_be_empty() -> None:
    form = NormalForm(DOMAIN)
    form.ratio(tree(sp.Sum(1 / i, (i, n, m))))
    assert not form.range_of(tree(m - n)).nonnegative


def test_what_an_index_shows_says_nothing_where_the_sum_may_be_empty() -> None:
    """Of max(k - 1, i - 1), k - 1 for an i up to k, all is known that is known of i."""
    k = sp.Symbol("k", integer=True)
    domain = {"parameters": [{"name": "k", "range": "integers", "low": ("q", -2, 1), "high": ("q", 3, 1)}], "where": []}
    form = NormalForm(domain)
    form.ratio(tree(sp.Sum(sp.Max(k - 1, i - 1), (i, 1, k))))
    form.ratio(tree(sp.Sum(sp.Max(k, j), (i, 1, k), (j, 1, k))))
    assert not form.range_of(tree(k - 1)).nonnegative
    assert not form.range_of(tree(k)).nonnegative
    assert not equal(tree(sp.Product(sp.Max(i, k), (i, 0, k))), tree(k ** (k + 1)), domain)


def test_an_index_of_an_index_stays_within_a_vector() -> None:
    """By s ≤ t, t ≤ m and m ≤ n, v_s is an entry; where the sum over t has no term, nothing says that n ≥ 2."""
    prefix = sp.Sum(sp.Sum(c[j], (j, 1, i)) ** 2, (i, 2, m))
    form = NormalForm(DOMAIN)
    assert form.has(tree(prefix))
    assert form.has(tree(sp.Sum(sp.Sum(c[j + 1], (j, 0, i - 1)), (i, 1, m))))
    assert not form.has(tree(sp.Sum(sp.Sum(c[j + 1], (j, 0, i)), (i, 1, m))))
    assert not form.has(tree(prefix.subs(m, n + 1)))
    assert not form.range_of(tree(n - 2)).nonnegative
    assert not form.range_of(tree(m - 2)).nonnegative


def test_indices_with_other_ends_have_names_of_their_own() -> None:
    form = NormalForm(DOMAIN)
    assert form.range_of(tree(sp.Sum(i, (i, 1, n)))).nonnegative
    assert not form.range_of(tree(sp.Sum(i, (i, -n, n)))).nonnegative


def test_facts_give_signs() -> None:
    cut = {**DOMAIN, "where": [[">=", tree(z), tree(x)]]}
    assert NormalForm(cut).range_of(tree(z)).positive
    assert vanishes(tree(sp.Abs(z) - z), cut)
    assert not vanishes(tree(sp.Abs(z) - z), DOMAIN)
    even = {**DOMAIN, "where": [[">=", tree((-1) ** n), tree(0)]]}
    assert vanishes(tree(sp.floor(n / 2) - n / 2), even)


def test_a_fact_gives_a_sign_beside_terms_that_have_theirs() -> None:
    below = {"name": "w", "range": "reals", "low": None, "high": ("q", 0, 1), "open": [False, False]}
    cut = {"parameters": [*DOMAIN["parameters"], below], "where": [[">=", tree(z), tree(x)]]}
    assert NormalForm(cut).range_of(tree(z - x - sp.Symbol("w"))).nonnegative
    assert not NormalForm({**cut, "where": []}).range_of(tree(z - x - sp.Symbol("w"))).nonnegative


def test_the_sign_of_a_content_is_that_of_the_first_term_as_written() -> None:
    form = NormalForm(DOMAIN)
    assert [form.primitive(form.ratio(tree(value)).num)[0] for value in (2 * x - 4 * y, 4 * y - 2 * x)] == [2, -2]
    assert [form.primitive(form.ratio(tree(value)).num)[0] for value in (x + y / 2, -x - y / 2)] == [
        sp.Rational(1, 2), -sp.Rational(1, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("value", "answer"), [
    (sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6), True), (1 / (1 + sp.sqrt(2)) - sp.sqrt(2) + 1, True),
    (sp.log(12) - 2 * sp.log(2) - sp.log(3), True), (4 / (3 * sp.sqrt(3)) - 2 / sp.sqrt(3) * sp.Rational(2, 3), True),
    (sp.exp(2) - sp.exp(1) ** 2, True), (sp.sqrt(2) - sp.Rational(14142135623730951, 10**16), False),
    (sp.log(2) - sp.Rational(6931471805599453, 10**16), False),
])  # fmt: skip
def test_vanishes(value: Any, answer: bool) -> None:
    assert vanishes(to_tree(value)) is answer


def test_an_undefined_expression_does_not_vanish() -> None:
    nothing = ("+", ("^", ("q", 8, 1), ("q", 1, 2)), ("*", ("q", -2, 1), ("^", ("q", 2, 1), ("q", 1, 2))))
    assert vanishes(nothing)
    assert not vanishes(("*", ("q", 0, 1), ("^", nothing, ("q", -1, 1))))
    assert not vanishes(("*", ("q", 0, 1), ("log", nothing)))


def test_large_rationals_are_not_factored_at_all_costs() -> None:
    large = (10**60 + 7) * (10**61 + 37)
    parts = ("+", ("log", ("q", large, 1)), ("log", ("q", 2, 1)))
    assert vanishes(("+", ("log", ("q", 2 * large, 1)), ("*", ("q", -1, 1), parts)))


LEAVES = st.sampled_from([x, y, n, m, sp.Rational(2, 3), sp.Integer(3)])
RATIONAL = st.builds(lambda a, b, d: (a * b + 1) / (1 + d), LEAVES, LEAVES, LEAVES)
ATOMS = st.one_of(
    LEAVES,
    RATIONAL,
    st.builds(lambda a: sp.log(1 + a), RATIONAL),
    st.builds(sp.sqrt, RATIONAL),
    st.builds(lambda a, b: sp.Max(a, b, evaluate=False), RATIONAL, RATIONAL),
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.builds(lambda a, b, product: a * b if product else a + b, inner, inner, st.booleans()),
    max_leaves=4,
)
VALUES = st.fractions(min_value="1/9", max_value=9, max_denominator=50)
few = settings(max_examples=40, deadline=None)


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (2**n, True), ((n + 1) ** m, True), ((n + 1) ** (n * m), True), (n * (n + 1) ** m + 1, True),
        ((n + 1) ** (-m), False), ((n + 1) ** (m / 2), False), ((n + 1) ** x, False), ((x + 1) ** m, False),
        (((n + 1) / 2) ** m, False),
    ],
)  # fmt: skip
def test_powers_that_are_integers(value: Any, whole: bool) -> None:
    form = NormalForm(DOMAIN)
    assert form.is_integer(form.ratio(tree(value))) is whole


@pytest.mark.slow
@few
@given(EXPRESSIONS, VALUES, VALUES, st.integers(1, 5))
def test_the_normal_form_has_the_same_value(value: Any, at_x: Any, at_y: Any, at_n: int) -> None:
    point = {"x": at_x, "y": at_y, "n": at_n, "m": 1}
    form = NormalForm(DOMAIN)
    ratio = form.ratio(tree(value))
    with precision(200):
        difference = evaluate(("+", tree(value), ("*", ("q", -1, 1), form.tree(ratio))), point)
        size = abs(evaluate(tree(value), point)) + 1
        assert abs(difference) < size / 2**120


@pytest.mark.slow
@few
@given(EXPRESSIONS, VALUES, VALUES, st.integers(1, 5))
def test_the_range_holds_the_value(value: Any, at_x: Any, at_y: Any, at_n: int) -> None:
    found = NormalForm(DOMAIN).range_of(tree(value))
    with precision(200):
        exact = from_ball(evaluate(tree(value), {"x": at_x, "y": at_y, "n": at_n, "m": 1}))
    assert exact.high >= found.low
    assert exact.low <= found.high


@pytest.mark.slow
@few
@given(EXPRESSIONS)
def test_keys_do_not_depend_on_the_session(value: Any) -> None:
    first, second = NormalForm(DOMAIN), NormalForm(DOMAIN)
    second.ratio(tree(sp.sqrt(1 + y) * sp.log(2 + x) + sp.Max(y, x)))
    assert first.tree(first.ratio(tree(value))) == second.tree(second.ratio(tree(value)))


# --- domains that were read before ----------------------------------------------------------------


def test_what_is_worked_out_on_a_domain_stays_there() -> None:
    first = NormalForm(DOMAIN)
    first.assume(first.ratio(tree(y - 5)), strict=True)
    first.ratio(tree(sp.log(x + 7)))
    again = NormalForm(DOMAIN)
    assert not again.range_of(tree(y - 5)).positive
    assert again.find(tree(sp.log(x + 7))) is None


@pytest.mark.parametrize("order", [1, -1])
def test_a_relation_more_holds_only_where_it_is_said(order: int) -> None:
    more = {**DOMAIN, "where": [*DOMAIN["where"], [">", tree(y), tree(sp.Integer(5))]]}
    found = {len(domain["where"]): NormalForm(domain).range_of(tree(y - 5)) for domain in (DOMAIN, more)[::order]}
    assert [found[number].positive for number in sorted(found)] == [False, True]


def test_a_proof_pays_once_for_a_domain_and_as_much_as_any_other_proof() -> None:
    more = [[">", tree(side), tree(sp.Integer(17))] for side in (x * y, x + z)]
    shorter, domain = ({**DOMAIN, "where": [*DOMAIN["where"], *more[:k]]} for k in (1, 2))
    costs = []
    for _ in range(2):  # in the second proof all is known that the first one read
        with effort(10**9):
            costs.append([_cost(read) for read in (shorter, domain, domain, shorter)])
        with effort(10**9):
            costs.append([_cost(domain)])
    (begun, rest, *again), (whole,) = costs[:2]
    assert costs[2:] == costs[:2]
    assert again == [0, 0]
    assert begun + rest == whole > begun > 0
    for _ in range(2):
        with effort(10**9):
            before = spent()
            with pytest.raises(Exhausted), effort(whole / 2):
                NormalForm(domain)
            assert spent() - before == whole / 2


def test_what_is_no_longer_kept_is_paid_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a certificate would keep its checker as busy as it likes with more domains than are kept, in turn."""
    monkeypatch.setattr(normal_form, "_MOST_READ", 2)
    sides = [[">", tree(x * y), tree(sp.Integer(number))] for number in (17, 18, 19)]
    with effort(10**9):
        first, again = ([_cost({**DOMAIN, "where": [*DOMAIN["where"], said]}) for said in sides] for _ in range(2))
    assert again == first
    assert min(first) > 0


def _cost(domain: dict[str, Any]) -> float:
    before = spent()
    NormalForm(domain)
    return spent() - before


def _with(exponent: dict[str, Any]) -> NormalForm:
    base = {"name": "b", "range": "reals", "low": ("q", 0, 1), "high": ("q", 1, 1), "open": [False, False]}
    return NormalForm({"parameters": [base, {"name": "e", "range": "reals", "high": None, **exponent}], "where": []})


def test_a_power_of_what_may_be_zero_wants_an_exponent_above_zero() -> None:
    power = ("^", ("v", "b"), ("v", "e"))
    form = _with({"low": ("q", 0, 1), "open": [True, False]})
    size = form.bounds(form.ratio(power))
    assert size.nonnegative
    assert size.high == 1
    assert not form.is_integer(form.ratio(power))
    assert not _with({"low": ("q", 0, 1), "open": [False, False]}).has(power)  # 0^0 is no limit of 0^e
    assert not _with({"low": ("q", -1, 1), "open": [False, False]}).has(power)


def test_a_power_of_a_difference_that_is_not_negative_is_not_negative() -> None:
    """(1 - h)^n, and not (-1)^n (h - 1)^n, of which nothing is known; both are one."""
    half = {"name": "h", "range": "reals", "low": ("q", 0, 1), "high": ("q", 1, 1), "open": [False, False]}
    form, h = NormalForm({**DOMAIN, "parameters": [*DOMAIN["parameters"], half]}), sp.Symbol("h")
    falls = form.range_of(tree((1 - h) ** n))
    assert falls.nonnegative
    assert falls.high == 1
    assert form.range_of(tree((1 - h) ** n - (1 - h) ** (n + 1))).nonnegative
    assert form.vanishes(tree((1 - h) ** n - (-1) ** n * (h - 1) ** n))
    assert not form.range_of(tree((1 - z) ** n)).nonnegative


def test_a_power_that_is_too_large_has_no_normal_form() -> None:
    assert not NormalForm(DOMAIN).has(tree(z**5000))


GAPS = (n - 2, n - 3, m - 2, n - m - 1)
"""Each is below zero at some points of the domain."""
INNER_ENDS = (*GAPS, i, i - 2, m - i, n - i - 1)
"""Of sums within the sum over i."""
INSIDE = st.sampled_from([*GAPS, i, i - 1, n - i, m - i, 1 - i, x * i])
BODIES = st.recursive(
    INSIDE, lambda part: st.builds(lambda kind, a, b: kind(a, b), st.sampled_from([sp.Max, sp.Min]), part, part)
    | st.builds(lambda kind, a: kind(a), st.sampled_from([sp.Abs, sp.floor]), part)
    | st.builds(lambda a, b: a * b + 1, part, part)
    | st.builds(lambda body, end, k, moving: sp.Sum(sp.Max(body, k - 1).subs(moving, k), (k, 1, end)), part,
                st.sampled_from(INNER_ENDS), st.builds(sp.Dummy), st.sampled_from([i, j])),
    max_leaves=4,
)  # fmt: skip


@pytest.mark.acceptance
@given(
    fold=st.sampled_from([sp.Sum, sp.Product]), body=BODIES, low=st.sampled_from([0, 1, m]), high=st.sampled_from(GAPS)
)
@settings(max_examples=300)
def test_what_is_worked_out_in_a_sum_is_true_outside(fold: Any, body: Any, low: Any, high: Any) -> None:
    """Where the sum is empty, too; and it has the value and the range of its normal form."""
    form, whole = NormalForm(DOMAIN), tree(fold(body, (i, low, high)))
    points = [{"n": a, "m": b, "x": Fraction(1, 3)} for a in range(1, 5) for b in range(1, a + 1)]
    for side in [*([whole] if form.has(whole) else []), *map(tree, GAPS)]:
        size, shown = form.range_of(side), form.tree(form.ratio(side))
        for point in points:
            value, same = (from_ball(evaluate(each, point)) for each in (side, shown))
            assert size.low <= value.low <= same.high
            assert same.low <= value.high <= size.high
