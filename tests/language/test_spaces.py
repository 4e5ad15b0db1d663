"""Vectors, functions and random variables: what they are written out as says the same."""

import contextlib
import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from boundaudit import (
    Bernoulli,
    Claim,
    Cov,
    Density,
    Derivation,
    Domain,
    E,
    Euclidean,
    Event,
    Functions,
    Gaussian,
    Independent,
    InputError,
    Integers,
    Linear,
    Maximum,
    Minimum,
    Norms,
    P,
    Rademacher,
    Random,
    Reals,
    Space,
    Step,
    Var,
    Vector,
    adjoint,
    dual,
    gradient,
    inner,
    norm,
)
from boundaudit.checks.language.abstract.functions import At
from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.relations import spoken_of
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove
from boundaudit.checks.run.describe import _case

v, w, x, y = sp.symbols("v w x y")
a, r, s = sp.symbols("a r s", real=True)
A, B, C = sp.symbols("A B C")
D, X, Y, S, Z = sp.symbols("D X Y S Z", real=True)
f, L, N = map(sp.Function, "fLN")
RNG = np.random.default_rng(0)


def _value(expression: Any, at: Mapping[str, float]) -> float:
    return float(expression.subs({symbol: at[symbol.name] for symbol in expression.free_symbols}))


# --- vectors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_vectors_of_any_dimension_have_their_coordinates(dimension: int) -> None:
    names = "xyz"
    ranges = {sp.Symbol(name): Euclidean() for name in names}
    pairs = list(itertools.combinations_with_replacement(map(sp.Symbol, names), 2))
    domain, sides = Space(ranges).written_out([inner(one, other) for one, other in pairs])
    vectors = dict(zip(names, RNG.normal(size=(3, dimension)), strict=True))
    lower = np.linalg.qr(np.stack(list(vectors.values()), 1), mode="r").T  # rows, up to signs
    lower = lower * np.where(np.diag(np.pad(lower, ((0, 0), (0, 3 - lower.shape[1])))) < 0, -1, 1)[: lower.shape[1]]
    padded = np.pad(lower, ((0, 0), (0, 3 - lower.shape[1])))
    point = {f"{name}.{k + 1}": float(padded[i, k]) for i, name in enumerate(names) for k in range(i + 1)}
    assert set(domain.ranges) == set(point)
    for (one, other), side in zip(pairs, sides, strict=True):
        assert _value(side, point) == pytest.approx(vectors[one.name] @ vectors[other.name])


def test_points_that_move_together_leave_one_at_the_origin() -> None:
    domain, _ = Space({x: Euclidean(), y: Euclidean(), v: Euclidean()}).written_out([norm(x - y), inner(x - y, v)])
    assert list(domain.ranges) == ["x.1", "v.1", "v.2"]
    domain, _ = Space({x: Euclidean(), y: Euclidean()}).written_out([norm(x - y), norm(x + y)])
    assert list(domain.ranges) == ["x.1", "y.1", "y.2"]


def test_an_equation_defines_a_vector() -> None:
    space = Space({x: Euclidean(), y: Euclidean(), v: Euclidean(), a: Reals()}, where=[sp.Eq(v, x - a * y)])
    domain, (side,) = space.written_out([norm(v) ** 2])
    assert (
        sp.expand(side - Space({x: Euclidean(), y: Euclidean(), a: Reals()}).written_out([norm(x - a * y) ** 2])[1][0])
        == 0
    )
    assert domain.where == ()


# --- functions ------------------------------------------------------------------------------------------------------


def _check(relations: Any, points: list[At]) -> Callable[[Any], bool]:
    """Whether relations hold at numbers, given in the order of the points' own."""
    symbols = [symbol for at in points for symbol in at]

    def gap(relation: Any) -> Any:
        if isinstance(relation, (sp.And, sp.Or)):
            return (sp.Min if isinstance(relation, sp.And) else sp.Max)(*map(gap, relation.args))
        return -sp.Abs(relation.lhs - relation.rhs) if isinstance(relation, sp.Eq) else relation.gts - relation.lts

    found = sp.lambdify(symbols, [gap(relation) for relation in relations if relation is not sp.true], "math")
    return lambda numbers: min(found(*numbers)) >= -1e-9


def _rates(low: float, high: float) -> Callable[..., bool]:
    """Whether slopes can go from one to the other at such rates, and the function from its value to the other's."""

    def possible(way: float, values: tuple[float, float], slopes: tuple[float, float]) -> bool:
        turn = slopes[1] - slopes[0]
        if not low * way <= turn <= high * way:
            return False
        fast = (turn - low * way) / (high - low)
        slow = way - fast
        least = slopes[0] * way + low * slow * way - low * slow**2 / 2 + high * fast**2 / 2
        most = slopes[0] * way + high * fast * way - high * fast**2 / 2 + low * slow**2 / 2
        return least <= values[1] - values[0] <= most

    return possible


def _convex(way: float, values: tuple[float, float], slopes: tuple[float, float]) -> bool:
    return slopes[0] * way <= values[1] - values[0] <= slopes[1] * way


def _lipschitz_convex(way: float, values: tuple[float, float], slopes: tuple[float, float]) -> bool:
    return _convex(way, values, slopes) and max(map(abs, slopes)) <= 1


def _lipschitz(way: float, values: tuple[float, float], slopes: tuple[float, float]) -> bool:
    return abs(values[1] - values[0]) <= way


def _rising(way: float, values: tuple[float, float], slopes: tuple[float, float]) -> bool:
    return 0 <= values[1] - values[0] <= way


CLASSES: list[tuple[Functions, Callable[..., bool]]] = [
    (Functions(convex=True), _convex), (Functions(convex=True, smooth=2), _rates(0, 2)),
    (Functions(convex=True, smooth=8, strong=sp.Rational(1, 10)), _rates(0.1, 8)), (Functions(smooth=1), _rates(-1, 1)),
    (Functions(convex=True, lipschitz=1), _lipschitz_convex), (Functions(lipschitz=1), _lipschitz),
    (Functions(lipschitz=1, nondecreasing=True), _rising),
    (Functions(nondecreasing=True), lambda way, values, slopes: values[0] <= values[1]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("functions", "possible"), CLASSES, ids=[each.sentence("f") for each, _ in CLASSES])
def test_relations_hold_where_there_is_a_function_and_nowhere_else(
    functions: Functions, possible: Callable[..., bool]
) -> None:
    symbols = [At(*sp.symbols(f"x{k} f{k} g{k}", real=True)) for k in range(3)]
    holds = _check(functions.relations(symbols, lambda one, other: one * other), symbols)
    seen = set()
    for _ in range(400):
        points = np.sort(RNG.uniform(-1, 1, 3))
        slopes = np.sort(RNG.normal(size=3)) * RNG.choice([0.5, 1, 2])
        steps = np.diff(points) * (slopes[:-1] + RNG.uniform(-0.1, 1.1, 2) * np.diff(slopes))
        values = np.concatenate([[0], np.cumsum(steps)])
        numbers = np.stack([points, values, slopes], 1).ravel().tolist()
        pairs = zip(np.diff(points), itertools.pairwise(values), itertools.pairwise(slopes), strict=True)
        expected = all(itertools.starmap(possible, pairs))
        assert holds(numbers) == expected
        seen.add(expected)
    assert seen == {True, False}


def test_a_sub_root_function_lies_between_a_constant_and_a_root() -> None:
    symbols = [At(*sp.symbols(f"x{k} f{k} g{k}", real=True)) for k in range(2)]
    holds = _check(Functions(sub_root=True).relations(symbols, lambda one, other: one * other), symbols)
    for first, second, rises in ((1, 1, True), (1, 2, True), (1, 2.1, False), (1, 0.9, False), (-1, -1, False)):
        assert holds((1, first, 0, 4, second, 0)) == rises


def test_slopes_of_concave_functions_fall_and_values_of_bounded_ones_bound_slopes() -> None:
    (one,) = [At(*sp.symbols("x f g", real=True))]
    for convex in (True, False):
        found = Functions(convex=convex, smooth=2, nonnegative=True).relations([one], lambda c, d: c * d)
        assert [each for each in found if each is not sp.true] == [4 * one.value >= one.slope**2]
    other = At(*sp.symbols("y h k", real=True))
    tangents = list(Functions(concave=True).relations([one, other], lambda c, d: c * d))
    assert _check(tangents, [one, other])((0, 0, 1, 1, 0, -1))
    assert not _check(tangents, [one, other])((0, 0, -1, 1, 0, 1))


@pytest.mark.parametrize(
    "properties",
    [{}, {"convex": True, "concave": True}, {"strong": 1},
     {"convex": True, "strong": 1, "lipschitz": 1}, {"sub_root": True, "convex": True}],
)  # fmt: skip
def test_properties_of_which_relations_do_not_say_all_are_refused(properties: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Functions"):
        Functions(**properties)


def test_a_modulus_is_a_number_and_no_text() -> None:
    with pytest.raises(InputError, match=r"Functions.smooth: expected an integer or a SymPy expression, got beta"):
        Functions(smooth="beta")


# --- chance ---------------------------------------------------------------------------------------------------------


def _mean(expression: Any, ranges: Mapping[Any, Any]) -> Any:
    _, (side,) = Space({s: Reals(), **ranges}).written_out([expression])
    return side


def test_means_are_sums_over_outcomes() -> None:
    space = Space({X: Random(), Y: Random(Reals(0, 1)), Z: Random(apart="Z")})
    domain, sides = space.written_out([E(X * Y), Var(X), P(X >= Y), E(X * Z), E(X * E(X))])
    assert list(domain.ranges) == ["outcomes", "chance", "X", "Y", "outcomes of Z", "chance of Z", "Z"]
    chance, values = {"chance": (0.25, 0.75), "X": (1, 3), "Y": (2, 1)}, {"chance of Z": (0.5, 0.5), "Z": (0, 4)}
    claims = [
        Claim(label="test.means", statement="A test.", left=side, relation="=", right=0, domain=domain)
        for side in sides
    ]
    point = {"outcomes": 2, **chance, "outcomes of Z": 2, **values}
    found = [side_values(claim.left, [point], "cpu")[0] for claim in claims]
    assert found == pytest.approx([0.25 * 2 + 0.75 * 3, 0.75, 0.75, 2.5 * 2, 2.5**2])


def test_a_density_is_that_of_another_law() -> None:
    domain, (mean, square) = Space({D: Density(), X: Random()}).written_out([E(D * X), E(D**2)])
    assert list(domain.ranges) == ["outcomes", "chance", "chance by D", "X"]
    point = {"outcomes": 2, "chance": (0.25, 0.75), "chance by D": (0.5, 0.5), "X": (1, 3)}
    assert domain.contains(point) is True
    assert side_values(mean, [point], "cpu")[0] == pytest.approx(2)
    assert side_values(square, [point], "cpu")[0] == pytest.approx(0.25 / 0.25 + 0.25 / 0.75)


def test_laws_have_their_moments() -> None:
    sigma = sp.Symbol("sigma", positive=True)
    ranges = {a: Reals(), sigma: Reals(0, open_low=True), Z: Gaussian(a, sigma)}
    assert sp.expand(_mean(E(Z**3), ranges) - (a**3 + 3 * a * sigma**2)) == 0
    assert sp.simplify(_mean(E(Z * sp.exp(2 * Z)), ranges) - (a + 2 * sigma**2) * sp.exp(2 * a + 2 * sigma**2)) == 0
    assert _mean(Var(S), {S: Rademacher()}) == 1
    assert sp.expand(_mean(Var(X), {a: Reals(0, 1), X: Bernoulli(a)}) - a * (1 - a)) == 0
    assert _mean(E(sp.exp(r * S)), {r: Reals(), S: Rademacher()}) == sp.exp(r) / 2 + sp.exp(-r) / 2


def test_exponentials_of_squares_have_means_where_these_are_finite() -> None:
    v = sp.Symbol("v", positive=True)
    ranges = {r: Reals(), v: Reals(0, open_low=True), Z: Gaussian(1, 2)}
    mean = _mean(E(Z**2 * sp.exp(r * Z - v * Z**2)), ranges)
    density = sp.exp(-((Z - 1) ** 2) / 8) / sp.sqrt(8 * sp.pi)
    integrand = sp.lambdify(Z, (Z**2 * sp.exp(r * Z - v * Z**2) * density).subs({r: 3, v: 0.5}), "math")
    grid = np.linspace(-30, 30, 60_001)
    added_up = sum(map(integrand, grid)) * (grid[1] - grid[0])
    assert float(mean.subs({r: 3, v: 0.5})) == pytest.approx(added_up, rel=1e-9)


def test_a_relation_between_random_variables_holds_in_every_outcome() -> None:
    domain, _ = Space({X: Random(), Y: Random()}, where=[X <= Y]).written_out([E(X)])
    point = {"outcomes": 2, "chance": (0.5, 0.5), "X": (0, 3)}
    assert domain.contains({**point, "Y": (0, 3)}) is True
    assert domain.contains({**point, "Y": (5, 2)}) is False


def test_what_is_given_has_an_outcome_and_what_comes_after_has_a_row_for_it() -> None:
    mean = E(X, given=Y)
    space = Space({Y: Random(), X: Random(Reals(0, 9), given=Y)})
    domain, sides = space.written_out(
        [E(mean), E(X), E(mean**2), E(Var(X, given=Y)), E(P(X >= 2, given=Y) ** 2), Cov(X, Y), E(X, given=Y >= 1)]
    )
    assert [*domain.ranges][3:] == ["outcomes of all given all", "chance of all given all", "X"]
    point = {"outcomes": 2, "chance": (0.25, 0.75), "Y": (0, 1), "outcomes of all given all": 2,
             "chance of all given all": (0.5, 0.5), "X": ((0, 2), (4, 6))}  # fmt: skip
    assert domain.contains(point) is True
    found = [side_values(side, [point], "cpu")[0] for side in sides]
    assert found == pytest.approx([4, 4, 0.25 * 1 + 0.75 * 25, 1, 0.25 * 0.25 + 0.75, 0.75 * 5 - 4 * 0.75, 5])


def test_a_fair_sign_may_be_given() -> None:
    ranges = {X: Random(), S: Rademacher()}
    _, sides = Space(ranges).written_out([E(E(X * S, given=S) * S), E(E(X * S, given=X) ** 2)])
    point = {"outcomes": 2, "chance": (0.25, 0.75), "X": (2, 4)}
    assert [side_values(side, [point], "cpu")[0] for side in sides] == pytest.approx([3.5, 0])


def test_events_come_out_together_in_all_ways() -> None:
    events = {A: Event(), B: Event(), C: Event(apart="C")}
    domain, sides = Space(events).written_out([P(A), P(A | B), P(A & ~B, given=B | A), P(A & C), P(A, given=(B, C))])
    ways = ["P(A, B)", "P(A, not B)", "P(not A, B)", "P(not A, not B)"]
    assert list(domain.ranges) == [*ways, "P(C)", "P(not C)"]
    point = dict(zip(domain.ranges, (0.1, 0.2, 0.3, 0.4, 0.5, 0.5), strict=True))
    found = [side_values(side, [point], "cpu")[0] for side in sides]
    assert found == pytest.approx([0.3, 0.6, 0.2 / 0.6, 0.15, 0.25])


@pytest.mark.slow
@pytest.mark.parametrize("outcomes", [2, 3, 7])
def test_what_holds_of_few_outcomes_is_not_proved(outcomes: int) -> None:
    """That some of so many values has no chance: so it is with fewer outcomes, however many a search looks at."""
    chances = sp.Mul(*(P(sp.Eq(X, k)) for k in range(outcomes)))
    domain, (side,) = Space({X: Random()}).written_out([chances])
    statement = Statement(to_tree(side), "<=", to_tree(0), domain.to_json())
    assert prove(statement, budget=Budget(steps=200_000)).outcome != "proved"
    point = {"outcomes": outcomes, "chance": (Fraction(1, outcomes),) * outcomes, "X": tuple(range(outcomes))}
    assert domain.contains(point) is True
    assert side_values(side, [point], "cpu")[0] > 0


# --- claims ---------------------------------------------------------------------------------------------------------

SMOOTH = {x: Euclidean(), y: Euclidean(), f: Functions(convex=True, smooth=1)}


def _claim(left: Any, right: Any, ranges: Mapping[Any, Any], where: tuple[Any, ...] = ()) -> Claim:
    return Claim(label="test.space", statement="A test.", left=left, right=right, domain=Space(ranges, where))


def test_a_claim_is_printed_as_it_was_written_and_judged_in_numbers() -> None:
    claim = _claim(
        norm(gradient(f(x))) ** 2, 2 * f(x), SMOOTH | {f: Functions(convex=True, smooth=1, nonnegative=True)}
    )
    claim.validate()
    assert claim.text == "‖∇f(x)‖^2 <= 2*f(x)"
    assert claim.latex == r"\left\| \nabla f{\left(x \right)} \right\|^{2} \le 2 f{\left(x \right)}"
    assert isinstance(claim.domain, Domain)
    assert list(claim.domain.ranges) == ["f(x)", "|∇f(x)|"]
    assert "any function that is convex, 1-smooth, nonnegative" in claim.scope
    told = _case(claim, None)
    assert told.text == claim.text
    assert any("coordinates" in words for words in told.limitations)


def test_what_is_written_otherwise_is_the_same_statement() -> None:
    one = _claim(norm(x - y) ** 2, 1, SMOOTH)
    other = _claim(inner(x - y, x - y), 1, SMOOTH)
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint != _claim(norm(x + y) ** 2 + norm(x - y) ** 2, 1, SMOOTH).fingerprint


@pytest.mark.parametrize(
    ("left", "ranges", "message"),
    [
        (x, {x: Euclidean()}, "x: expected vectors in inner"),
        (norm(x**2), {x: Euclidean()}, "inner, norm: expected numbers times vectors"),
        (norm(x + 1), {x: Euclidean()}, "inner, norm: expected numbers times vectors"),
        (norm(gradient(f(x))), {x: Euclidean(), f: Functions(lipschitz=1)}, "gradient: .+ convex, concave or smooth"),
        (X, {X: Random()}, "X: expected vectors in inner"),
        (sp.Function("g")(x), SMOOTH, "g: expected a function of one point that the Space declares"),
        (f(X), {X: Random(), f: Functions(convex=True)}, "points that are not random"),
        (f(x), {x: Euclidean(), f: Functions(nondecreasing=True)}, "a function of numbers"),
        (E(1 / Z), {Z: Gaussian()}, "a polynomial of a normal variable"),
        (E(sp.exp(sp.Piecewise((Z, Z > 0), (0, True)))), {Z: Gaussian()}, "a polynomial of a normal variable"),
        (E(sp.exp(r * Z**2)), {r: Reals(), Z: Gaussian()}, "an exponential whose mean is known to be finite"),
        (gradient(x), {x: Euclidean()}, "a declared function at a point"),
        (E(X, given=Y), {Y: Random(), X: Random(given=Y)}, "outcome: expected vectors in inner"),
        (E(X, given=Y), {X: Random(), Y: Random()}, "given: expected all that is known with Y, got no X"),
        (E(Y, given=X), {Y: Random(), X: Random(given=Y)}, "given: expected all that is known with X, got no Y"),
        (E(S * E(X, given=Y)), {Y: Random(), S: Random(), X: Random(given=Y)}, "all that is known with Y, got no S"),
        (E(X * S), {X: Random(apart="p"), Y: Random(), S: Random(given=X)}, r"Space\[S\]: expected a part of chance"),
        (E(X * S), {Y: Random(), X: Random(given=Y, apart="p"), S: Random(apart="p")}, r"Space\[S\]: expected a part"),
        (E(X, given=Z), {X: Random()}, "given: expected random variables that the Space declares, got Z"),
        (E(X), {X: Random(given=Y), Y: Random()}, "Random.given of X: expected a Random declared before it"),
        (E(S), {Y: Random(), X: Random(given=Y), S: Random(given=X)}, "Random.given of S: .+ itself given nothing"),
        (P(A & (X >= 0)), {A: Event(), X: Random()}, "P: expected declared events with and, or, not"),
        (P(A), dict.fromkeys(sp.symbols("A B C D E"), Event()), "at most 4 events of one part of chance, got 5"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_out_is_one_line(left: Any, ranges: Mapping[Any, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _claim(left, 1, ranges).validate()


def test_a_chain_of_steps_speaks_of_numbers() -> None:
    steps = (Step(norm(x), "a length"), Step(norm(x), "itself"))
    chain = Derivation(label="test.chain", title="A chain", steps=steps, domain=Domain({a: Reals()}), samples={})
    claim = Claim(label="test.space", statement="A test.", left=norm(x), right=norm(x), domain=Space({x: Euclidean()}),
                  derivation=chain)  # fmt: skip
    with pytest.raises(InputError, match=r"test.space.derivation .* none on a Space"):
        claim.validate()


def test_parameters_want_what_they_are() -> None:
    with pytest.raises(InputError, match=r"Space\[f\]"):
        Space({f: Euclidean()})
    with pytest.raises(InputError, match=r"Space\[x\]"):
        Space({x: Functions(convex=True)})
    with pytest.raises(InputError, match=r"Space\[x\]: expected a symbol or function of SymPy's, got str"):
        Space({"x": Reals()})
    with pytest.raises(InputError, match="one part of chance"):
        Space({X: Random(), Z: Random(apart="Z")}, where=[X <= Z]).written_out([E(X)])
    with pytest.raises(InputError, match="solve the equation"):
        Space({x: Euclidean(), y: Euclidean()}, where=[sp.Eq(x, x + y)]).written_out([norm(x)])


# --- what SymPy, or a name, would say for the author ----------------------------------------------------------------

POSITIVE, WHOLE = sp.Symbol("X", positive=True), sp.Symbol("X", integer=True)
UNEARNED = [
    (POSITIVE, Random()),  # E(|X|) would be E(X)
    (sp.Symbol("X", nonnegative=True), Random(Reals(-1, 1))),
    (WHOLE, Random(Reals(0, 1))),  # E(⌊X⌋) would be E(X)
    (POSITIVE, Gaussian()),
    (POSITIVE, Rademacher()),
    (POSITIVE, Bernoulli(a)),
    (POSITIVE, Euclidean()),
    (sp.Function("f", positive=True), Functions(lipschitz=1)),  # |f(x)| would be f(x)
    (sp.Function("f", integer=True), Functions(nondecreasing=True)),
]


@pytest.mark.parametrize(("key", "kind"), UNEARNED)
def test_sympy_may_assume_nothing_of_a_symbol_that_its_kind_does_not_grant(key: Any, kind: Any) -> None:
    with pytest.raises(InputError, match=rf"Space\[{key}\]: expected what makes {key} .*drop the assumption"):
        Space({key: kind})


def test_what_a_kind_grants_may_be_assumed() -> None:
    granted = {
        POSITIVE: Random(Reals(0, open_low=True)), sp.Symbol("D", positive=True): Density(),
        sp.Symbol("b", integer=True, nonnegative=True): Bernoulli(a), sp.Symbol("s", integer=True): Rademacher(),
        sp.Function("f", nonnegative=True): Functions(lipschitz=1, nonnegative=True),
    }  # fmt: skip
    assert Space(granted).ranges == granted


def index(name: str) -> Any:
    return sp.Symbol(name, integer=True, positive=True)


n, i = index("n"), index("i")
TAKEN = {
    "a number of outcomes": (Var(X), {X: Random(), index("outcomes"): Integers(1, 1)}),
    "a length": (norm(v), {v: Euclidean(), sp.Symbol("|v|", nonnegative=True): Reals(0)}),
    "a value": (f(r), {r: Reals(), f: Functions(lipschitz=1), sp.Symbol("f(r)", real=True): Reals()}),
    "where a maximum is attained": (
        Maximum(sp.IndexedBase("c")[i], (i, 1, n)),
        {n: Integers(1), sp.IndexedBase("c"): Vector(n, Reals()), sp.Symbol("argmax(c[i])", integer=True): Integers(1)},
    ),
    "an index": (sp.Sum(E(X) * index("outcomes"), (index("outcomes"), 1, n)), {n: Integers(1), X: Random()}),
    "an index of outcomes": (E(X * index("o2")), {index("o2"): Integers(1), X: Random()}),
    "an index around outcomes": (sp.Sum(E(index("o2") * X), (index("o2"), 1, n)), {n: Integers(1), X: Random()}),
    "a gradient": (
        norm(gradient(f(x))), {x: Euclidean(), f: Functions(convex=True), sp.Symbol("∇f(x)"): Euclidean()}
    ),
    "an image": (norm(L(x)), {x: Euclidean(), L: Linear(norm=1), sp.Symbol("L(x)"): Euclidean()}),
    "a dual": (N(x) * dual(N)(y), {x: Euclidean(), y: Euclidean(), N: Norms(), dual(N): Norms()}),
    "an adjoint": (norm(L(x)), {x: Euclidean(), L: Linear(norm=1), adjoint(L): Linear()}),
    "another symbol": (E(sp.Symbol("X", positive=True)), {X: Random()}),
    "another function": (sp.Function("f", real=True)(r), {r: Reals(), f: Functions(lipschitz=1)}),
}  # fmt: skip


def test_no_index_of_outcomes_is_a_parameter() -> None:
    named = {at: Space({at: Reals(0, 1), X: Random()}, [X >= at]) for at in sp.symbols("o1:9", real=True)}
    for at, space in named.items():
        with contextlib.suppress(InputError):
            domain, _ = space.written_out([E(X)])
            assert any(at.name in spoken_of(entry) for entry in domain.to_json()["where"])


@pytest.mark.parametrize("name", TAKEN)
def test_no_name_stands_for_two_things(name: str) -> None:
    left, ranges = TAKEN[name]
    with pytest.raises(InputError, match=r"names of its own|a name of its own|one symbol of this name"):
        _claim(left, 1, ranges).validate()


def test_no_two_parameters_have_one_name() -> None:
    with pytest.raises(InputError, match=r"Space\[X\]: expected each parameter once"):
        Space({X: Random(), POSITIVE: Random(Reals(0, open_low=True))})


def test_a_truth_value_is_no_event() -> None:
    with pytest.raises(InputError, match=r"P: expected .* a truth value; Python compares with == at once"):
        P(X == Y)


UNLIKELY = [
    (P(A, given=A), {A: Event()}, {"P(A)": 0, "P(not A)": 1}),
    (
        P(A, given=B) * P(B),
        {A: Event(), B: Event()},
        {"P(A, B)": 0, "P(A, not B)": 0, "P(not A, B)": 0, "P(not A, not B)": 1},
    ),
    (E(Z, given=Z >= 1), {Z: Bernoulli(a), a: Reals(0, 1)}, {"a": 0}),
    (E(X, given=X >= 1), {X: Random()}, {"outcomes": 1, "chance": (1,), "X": (0,)}),
]


@pytest.mark.parametrize(("left", "ranges", "point"), UNLIKELY)
def test_given_what_never_happens_nothing_has_a_value(left: Any, ranges: Mapping[Any, Any], point: Any) -> None:
    statement = _claim(left, 1, ranges).statement_form
    assert statement is not None
    with pytest.raises(Undefined):
        evaluate(statement.left, point)


def test_entries_of_a_large_matrix_have_names_of_their_own() -> None:
    large = sp.MatrixSymbol("A", 11, 11)
    domain, sides = Space({large: Reals()}).written_out([large[0, 10], large[10, 0], large[1, 1]])
    assert (len(domain.ranges), [str(side) for side in sides]) == (121, ["A.1,11", "A.11,1", "A.22"])


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        (lambda: Space([X]), "Space: expected a dictionary of parameters"),  # type: ignore[arg-type]
        (lambda: Space({X: Random()}, where=X <= 1), r"Space\.where: expected a list of relations, got X <= 1"),
        (lambda: Space({X: Random()}, where=["X <= 1"]), r"Space\.where: expected a list of relations"),
        (lambda: Random(3), r"Random\.values: expected Reals, got 3"),  # type: ignore[arg-type]
        (lambda: Bernoulli("p"), r"Bernoulli\.chance: expected a number or a SymPy expression, got p"),
        (lambda: Gaussian(0, "s"), r"Gaussian\.deviation: expected a number or a SymPy expression, got s"),
        (lambda: Independent("n", Random()), r"Independent\.size: expected an integer or a SymPy expression, got n"),
        (lambda: Maximum(X, 3), "Maximum: expected an index with two ends"),
    ],
)
def test_what_is_of_another_type_is_one_line(stated: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        stated()


def test_laws_are_asked_for_where_there_is_one() -> None:
    coin, normal = (_claim(Var(Z), 1, {a: Reals(), Z: law}) for law in (Bernoulli(a), Gaussian(0, a)))
    assert [coin.domain.contains({"a": at}) for at in (-1, 0, 1, 2)] == [False, True, True, False]
    assert [normal.domain.contains({"a": at}) for at in (-1, 0, 2)] == [False, True, True]


def test_parts_of_chance_are_told_apart_by_their_names() -> None:
    """The part without a name is not the one that is called so."""
    two = {S: Random(), Y: Random(apart="all"), X: Random(given=S), Z: Random(apart="all", given=Y)}
    with pytest.raises(InputError, match=r"Space\[outcomes of all given all\]: expected names of its own"):
        Space(two).written_out([E(X * Z)])
    domain, _ = Space({**two, Y: Random(apart="p"), Z: Random(apart="p", given=Y)}).written_out([E(X * Z)])
    assert len([name for name in domain.ranges if name.startswith("outcomes")]) == 4


def test_a_sub_root_function_stands_at_numbers_of_at_least_zero() -> None:
    root = {f: Functions(sub_root=True)}
    with pytest.raises(InputError, match="a sub-root function at numbers known to be at least zero, got r"):
        _claim(f(r), 1, {r: Reals(), **root}).validate()
    _claim(f(r + s), 1, {r: Reals(0), s: Reals(0, open_low=True), **root}).validate()
    _claim(f(r - s), 1, {r: Reals(), s: Reals(), **root}, where=(s <= r,)).validate()


# --- values at an index ----------------------------------------------------------------------------------------------

k = sp.Symbol("k", integer=True, positive=True)
_BOTH = sp.Sum(f(k), (k, 1, 2)), sp.Sum(f(k) ** 2, (k, 1, 2))
_PLACES = sp.IndexedBase("place", real=True)
AT_AN_INDEX: dict[str, tuple[Any, Any, dict[Any, Any]]] = {
    "a sum": (_BOTH[0] ** 2, 2 * _BOTH[1], {}),
    "entries": (
        sp.Sum(f(_PLACES[k]), (k, 1, 2)) ** 2, 2 * sp.Sum(f(_PLACES[k]) ** 2, (k, 1, 2)), {_PLACES: Vector(2, Reals())}
    ),
    "slopes": (sp.Sum(gradient(f(k)), (k, 1, 2)) ** 2, 2 * sp.Sum(gradient(f(k)) ** 2, (k, 1, 2)), {}),
    "extremes": (Maximum(f(k), (k, 1, 3)), Minimum(f(k), (k, 1, 3)), {}),
}  # fmt: skip
"""Of a function with one value for all indices these would be at most each other."""


@pytest.mark.parametrize("name", AT_AN_INDEX)
def test_a_function_has_another_value_at_each_index(name: str) -> None:
    left, right, others = AT_AN_INDEX[name]
    with pytest.raises(InputError, match="a function at a point that is the same at each index around it"):
        Space({**others, f: Functions(convex=True)}).written_out([left, right])


BOUND: dict[str, tuple[Any, Any, dict[Any, Any]]] = {
    "a number": (sp.Sum(f(k), (k, 1, 3)), 3 * f(k), {k: Integers(1, 3), f: Functions(convex=True)}),
    "a vector": (sp.Sum(norm(v), (v, 1, 2)), 2 * norm(v), {v: Euclidean()}),
    "a random variable": (E(X * sp.Sum(X, (X, 1, 2))), 2 * E(X**2), {X: Random()}),
    "a variable with a law": (sp.Sum(E(X), (X, 1, 2)), 2 * a, {a: Reals(0, 1), X: Bernoulli(a)}),
    "an event": (sp.Sum(P(A), (A, 1, 2)), 2 * P(A), {A: Event()}),
    "of which a law speaks": (sp.Sum(E(Z**2), (a, 1, 2)), 5, {a: Reals(0), Z: Gaussian(0, a)}),
}
"""An index that is what a Space declares would be read as that, or that as the index."""


@pytest.mark.parametrize("name", BOUND)
def test_no_index_is_what_a_space_declares(name: str) -> None:
    left, right, ranges = BOUND[name]
    with pytest.raises(InputError, match="an index with a name of its own"):
        Space(ranges).written_out([left, right])


N = sp.Function("N")
NO_VALUE: dict[str, tuple[Any, dict[Any, Any]]] = {
    "by a mean": (E(X) / a, {a: Reals(0, 1), X: Bernoulli(a)}),
    "by a normal mean": (E(Z) / r, {r: Reals(), Z: Gaussian(r, 1)}),
    "by a length": (norm(v / norm(v)), {v: Euclidean()}),
    "by a length, a norm": (N(v) / norm(v), {v: Euclidean(), N: Norms(high=1)}),
    "in the outcome 0": (E(X / (X + r)), {r: Reals(0), X: Bernoulli(sp.Rational(1, 2))}),
}
"""Quotients of which SymPy makes numbers, once what is above and below the line is written out."""


@pytest.mark.parametrize("name", NO_VALUE)
def test_a_quotient_is_not_cancelled_when_it_is_written_out(name: str) -> None:
    left, ranges = NO_VALUE[name]
    domain, (side,) = Space(ranges).written_out([left])
    point = {str(key): int(str(key) == "N.low") for key in domain.ranges}
    assert domain.contains(point)
    with pytest.raises(Undefined):
        evaluate(to_tree(side), point)


@pytest.mark.parametrize(("of", "expected"), [
    (P(X), "P: expected a relation inside"), (E(X >= 1), "E: expected a number inside"),
    (Var(X >= 1), "Var: expected a number inside"),
], ids=str)  # fmt: skip
def test_chances_are_of_relations_and_means_of_numbers(of: Any, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Space({X: Random()}).written_out([of])


def test_a_range_of_values_speaks_of_no_random_variable() -> None:
    with pytest.raises(InputError, match=r"numbers and entries .*got X"):
        Space({X: Random(), Y: Random(Reals(0, X))}).written_out([E(X * Y)])


@pytest.mark.parametrize("of", [Var(A), Cov(A, B), E(A)], ids=str)
def test_events_are_no_numbers(of: Any) -> None:
    with pytest.raises(InputError, match="numbers inside, which events are not"):
        Space({A: Event(), B: Event()}).written_out([of])
