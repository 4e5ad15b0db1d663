"""Linear maps: what they are written out as holds where there is a map and nowhere else."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy.linalg import null_space
from scipy.optimize import minimize_scalar

from boundaudit import (
    Claim,
    Euclidean,
    Functions,
    InputError,
    Linear,
    Reals,
    Space,
    Symmetric,
    adjoint,
    gradient,
    inner,
    norm,
)
from boundaudit.checks.language.abstract import operators
from boundaudit.checks.language.abstract.operators import Pair
from boundaudit.checks.language.abstract.terms import Inner

x, y, z, b, star = sp.symbols("x y z b star")
alpha, lam = sp.symbols("alpha lamda", positive=True)
A, B, f = map(sp.Function, "ABf")
RNG = np.random.default_rng(0)
WIDE = 1e4
"""What a number that a class leaves open may be at most."""
Drawn = tuple[list[Any], list[Any], list[Any], list[Any]]
"""Vectors, their images, others, and their images under the adjoint."""


# --- the relations between vectors ----------------------------------------------------------------------------------


def _hold(operator: Linear | Symmetric, drawn: Drawn) -> bool:
    """Whether there are numbers with which the relations hold."""
    names = [sp.symbols(f"{name}:{len(found)}") for name, found in zip("xyuv", drawn, strict=True)]
    at = dict(zip(itertools.chain(*names), itertools.chain(*drawn), strict=True))
    ratios: dict[Any, Any] = {}

    def new(name: str, within: Reals) -> Any:
        return sp.Symbol(name) if within == Reals() else sp.Float(WIDE)

    def number(*sides: Any) -> Any:
        left, right = (sum((sp.expand(side).coeff(v) * at[v] for v in at), start=np.zeros(1)) for side in sides)
        return sp.Float(float((left * right).sum()))

    for relation in operator.relations(list(map(Pair, *names[:2])), list(map(Pair, *names[2:])), Inner, new):
        if relation is sp.true:
            continue
        lower, upper = relation.args if isinstance(relation, sp.Eq) else (relation.lts, relation.gts)
        gap = (upper - lower).replace(Inner, number).subs(ratios)
        for ratio in gap.free_symbols:  # by which a square is multiplied
            square = gap.coeff(ratio)
            ratios[ratio] = -gap.coeff(ratio, 0) / square if abs(square) > 1e-9 else 0
        gap = float(gap.subs(ratios))
        if not (abs(gap) < 1e-6 if isinstance(relation, sp.Eq) else gap > -1e-7):
            return False
    return True


def _exists(drawn: Drawn, *, symmetric: bool, low: float, high: float) -> bool:
    """Whether a matrix does that: all of those that do are one, or lie on a line, along which the worst is convex."""
    size = len((drawn[0] or drawn[2])[0])
    rows, right = [], []
    for point, image in zip(*drawn[:2], strict=True):
        rows += [np.kron(unit, point) for unit in np.eye(size)]
        right += list(image)
    for point, image in zip(*drawn[2:], strict=True):
        rows += [np.kron(point, unit) for unit in np.eye(size)]
        right += list(image)
    if symmetric:
        places = np.arange(size * size).reshape(size, size)
        for i, j in zip(*np.triu_indices(size, 1), strict=True):
            rows.append(np.eye(size * size)[places[i, j]] - np.eye(size * size)[places[j, i]])
            right.append(0)
    found, *_ = np.linalg.lstsq(np.stack(rows), np.array(right, float), rcond=None)
    if np.abs(np.stack(rows) @ found - right).max() > 1e-7:
        return False
    free = null_space(np.stack(rows), rcond=1e-9).T

    def excess(step: float) -> float:
        matrix = (found + (step * free[0] if len(free) else 0)).reshape(size, size)
        if not symmetric:
            return float(np.linalg.norm(matrix, 2) - high)
        values = np.linalg.eigvalsh((matrix + matrix.T) / 2)
        return float(max(low - values[0], values[-1] - high))

    assert len(free) <= 1
    if not len(free):
        return excess(0) < 1e-7
    least = minimize_scalar(excess, bounds=(-WIDE / 10, WIDE / 10), method="bounded", options={"xatol": 1e-10})
    return bool(least.fun < 1e-7)


def _drawn(rng: np.random.Generator, size: int, counts: tuple[int, int], *, symmetric: bool) -> Drawn:
    """Vectors and their images under a map, which may be too large, or spoiled."""
    matrix = rng.normal(size=(size, size)) * rng.choice([0.2, 0.5, 1])
    if symmetric:
        matrix = matrix + matrix.T + rng.choice([0, 0.7]) * np.eye(size)
    points, others = (list(rng.normal(size=(count, size))) for count in counts)
    images, back = [matrix @ point for point in points], [matrix.T @ point for point in others]
    if rng.random() < 0.2:
        (images or back)[-1] += rng.normal(size=size) * 0.3
    return points, images, others, back


CLASSES: list[tuple[Linear | Symmetric, dict[str, Any]]] = [
    (Linear(norm=1), {"symmetric": False, "low": None, "high": 1}),
    (Linear(norm=2), {"symmetric": False, "low": None, "high": 2}),
    (Linear(), {"symmetric": False, "low": None, "high": WIDE}),
    (Symmetric(low=sp.Rational(-1, 2), high=1), {"symmetric": True, "low": -0.5, "high": 1}),
    (Symmetric(low=0), {"symmetric": True, "low": 0, "high": WIDE}),
    (Symmetric(high=1), {"symmetric": True, "low": -WIDE, "high": 1}),
    (Symmetric(), {"symmetric": True, "low": -WIDE, "high": WIDE}),
]
OF_LINEAR = ((1, (1, 0)), (1, (1, 1)), (2, (1, 1)), (2, (2, 0)), (2, (0, 2)), (2, (2, 1)), (3, (3, 0)))
OF_SYMMETRIC = ((1, (1, 0)), (2, (1, 0)), (2, (2, 0)), (3, (2, 0)), (3, (3, 0)))


def _disagreements(operator: Linear | Symmetric, known: Mapping[str, Any]) -> tuple[int, set[bool]]:
    """How often relations and matrices differ, and what the matrices said."""
    count, seen, rng = 0, set(), np.random.default_rng(0)
    for size, counts in OF_SYMMETRIC if known["symmetric"] else OF_LINEAR:
        for _ in range(10):
            drawn = _drawn(rng, size, counts, symmetric=known["symmetric"])
            expected = _exists(drawn, **known)
            seen.add(expected)
            count += _hold(operator, drawn) != expected
    return count, seen


@pytest.mark.slow
@pytest.mark.parametrize(("operator", "known"), CLASSES, ids=[each.sentence("A") for each, _ in CLASSES])
def test_relations_hold_where_there_is_a_map_and_nowhere_else(
    operator: Linear | Symmetric, known: dict[str, Any]
) -> None:
    count, seen = _disagreements(operator, known)
    assert count == 0
    assert seen == {True, False}


@dataclass(frozen=True)
class _Changed:
    """A class of maps with a slip in what is said of it."""

    operator: Linear | Symmetric
    change: Callable[[Any], Any]

    def relations(self, *given: Any) -> Iterator[Any]:
        yield from map(self.change, self.operator.relations(*given))


def _balances(relation: Any) -> bool:
    """Whether it says that inner products are equal, of images on one side and the other."""
    return isinstance(relation, sp.Eq) and all(isinstance(side, Inner) for side in relation.args)


FAULTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "L for L²": (Linear(norm=sp.sqrt(2)), CLASSES[1][1]),
    "L² for L": (Symmetric(low=sp.Rational(-1, 4), high=1), CLASSES[3][1]),
    "an adjoint on the wrong side": (
        _Changed(Linear(norm=1), lambda said: sp.Eq(said.lhs, -said.rhs) if _balances(said) else said), CLASSES[0][1]),
    "no adjoint": (_Changed(Linear(norm=1), lambda said: sp.true if _balances(said) else said), CLASSES[0][1]),
    "no symmetry": (_Changed(Symmetric(), lambda said: sp.true if _balances(said) else said), CLASSES[6][1]),
    "symmetry with the wrong sign": (
        _Changed(Symmetric(), lambda said: sp.Eq(said.lhs, -said.rhs) if _balances(said) else said), CLASSES[6][1]),
    "each vector for itself": (Linear(norm=1), CLASSES[0][1]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_slips_in_the_relations_are_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operator, known = FAULTS[fault]
    if fault == "each vector for itself":
        alone = "no_negative_direction", lambda gap, *_: (gap[k][k] >= 0 for k in range(len(gap)))
        monkeypatch.setattr(operators, *alone)
    assert _disagreements(operator, known)[0] > 0


@pytest.mark.parametrize("top", [1, 1.5])
def test_what_is_put_in_again_obeys_both_ends(top: float) -> None:
    turned = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    matrix, start = turned @ np.diag([-0.5, 0.3, top]) @ turned.T, RNG.normal(size=3)
    names = sp.symbols("p q r")
    at = dict(zip(names, (start, matrix @ start, matrix @ matrix @ start), strict=True))

    def number(*sides: Any) -> Any:
        return sp.Float(float(np.prod([sum(sp.expand(side).coeff(v) * at[v] for v in at) for side in sides], 0).sum()))

    pairs, free = [Pair(*names[:2]), Pair(*names[1:])], sp.Symbol("free")
    said = Symmetric(low=sp.Rational(-1, 2), high=1).relations(pairs, [], Inner, lambda *_: free)
    gaps = [(each.gts - each.lts).replace(Inner, number) for each in said if isinstance(each, (sp.Ge, sp.Le))]
    low, high = matrix + 0.5 * np.eye(3), np.eye(3) - matrix
    for ends in (low @ low @ high, low @ high @ high):
        expected = start @ ends @ start
        assert min(abs(float(gap) - expected) for gap in gaps if not gap.free_symbols) < 1e-9
    assert (min(float(gap) for gap in gaps if not gap.free_symbols) > -1e-9) == (top == 1)


# --- claims ---------------------------------------------------------------------------------------------------------


def _point(domain: Any, vectors: Mapping[str, Any]) -> dict[str, float]:
    """The numbers that a domain has for some vectors, by what they are called there."""
    names = dict.fromkeys(name.rpartition(".")[0] or name.strip("|") for name in domain.ranges)
    kept = [vectors[name] for name in names if name in vectors]
    rows = np.linalg.qr(np.stack(kept, 1), mode="r").T
    rows = np.pad(rows, ((0, 0), (0, max(0, len(kept) - rows.shape[1]))))
    rows = rows * np.where(np.diag(rows) < 0, -1, 1)
    of = dict(zip((name for name in names if name in vectors), rows, strict=True))
    found = {}
    for name in domain.ranges:
        vector, _, place = name.rpartition(".")
        if vector in of or name.strip("|") in of:
            found[name] = float(of[vector][int(place) - 1] if vector else of[name.strip("|")][0])
    for relation in domain.where:
        free = sorted((symbol for symbol in relation.free_symbols if symbol.name not in found), key=str)
        if isinstance(relation, sp.Eq) and free:
            found[free[0].name] = float(sp.solve(_valued(relation.lhs - relation.rhs, found), free[0])[0])
    return found


def _valued(expression: Any, at: Mapping[str, float]) -> Any:
    return expression.subs({symbol: at[symbol.name] for symbol in expression.free_symbols if symbol.name in at})


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_a_map_and_vectors_of_any_dimension_have_their_numbers(dimension: int) -> None:
    matrix = RNG.normal(size=(dimension, dimension))
    matrix /= np.linalg.norm(matrix, 2) * 1.01
    p, q = RNG.normal(size=(2, dimension))
    sides = {
        norm(A(x) - A(y)) ** 2: np.sum((matrix @ (p - q)) ** 2),
        inner(A(x), y): (matrix @ p) @ q,
        inner(A(A(x)) - A(y), x): (matrix @ matrix @ p - matrix @ q) @ p,
        inner(adjoint(A)(y) - 2 * adjoint(A)(A(x)), y): (matrix.T @ (q - 2 * matrix @ p)) @ q,
    }
    images = {"A(x)": matrix @ p, "A(y)": matrix @ q, "A(x - y)": matrix @ (p - q), "A(A(x))": matrix @ matrix @ p,
              "A(-A(x) + y)": matrix @ (q - matrix @ p),
              "A^T(-2*A(x) + y)": matrix.T @ (q - 2 * matrix @ p)}  # fmt: skip
    for side, expected in sides.items():
        domain, (written,) = Space({x: Euclidean(), y: Euclidean(), A: Linear(norm=1)}).written_out([side])
        moves = not {"y.1", "y.2"} & set(domain.ranges)
        point = _point(domain, {"x": p - q if moves else p, "y": q, **images})
        assert float(_valued(written, point)) == pytest.approx(expected)
        for relation in domain.where:
            gap = float(_valued(relation.lhs - relation.rhs, point))
            assert abs(gap) < 1e-8 if isinstance(relation, sp.Eq) else gap > -1e-8


def test_images_that_are_added_up_are_one() -> None:
    ranges = {x: Euclidean(), y: Euclidean(), b: Euclidean(), star: Euclidean(), A: Linear(norm=1)}
    domain, _ = Space(ranges).written_out([norm(x - A(x) - y + A(y))])
    assert list(domain.ranges) == ["x.1", "A(x - y).1", "A(x - y).2"]
    domain, _ = Space(ranges).written_out([norm(adjoint(A)(A(x) - b) - adjoint(A)(A(y) - b))])
    assert {name.rpartition(".")[0] for name in domain.ranges} == {"x", "A(x - y)", "A^T(A(x - y))"}
    domain, _ = Space(ranges, where=[sp.Eq(A(star), b)]).written_out([norm(x - (A(x) - b) - star)])
    assert {name.rpartition(".")[0] for name in domain.ranges} == {"x", "A(-star + x)"}


def test_an_equation_tells_an_image() -> None:
    vectors = {x: Euclidean(), y: Euclidean(), b: Euclidean()}
    for said in (sp.Eq(A(x), y), sp.Eq(y, A(x)), sp.Eq(A(x) - y, 0), sp.Eq(-2 * A(x), -2 * y)):
        domain, (side,) = Space({**vectors, A: Linear(norm=1)}, where=[said]).written_out([norm(y) ** 2])
        assert "y.1" not in domain.ranges
        assert [str(each) for each in domain.where] == [f"{-side + sp.Symbol('x.1', nonnegative=True) ** 2} >= 0"]
    domain, _ = Space({**vectors, A: Symmetric(low=1)}, where=[sp.Eq(A(x), x)]).written_out([norm(x)])
    assert "|x|" in domain.ranges
    domain, (side,) = Space({**vectors, A: Symmetric()}).written_out([norm(adjoint(A)(x) - A(x))])
    assert side == 0


def test_what_is_written_otherwise_is_the_same_statement() -> None:
    ranges = {alpha: Reals(0, open_low=True), x: Euclidean(), y: Euclidean(), A: Symmetric(low=0, high=1)}
    one, other = (
        Claim(label="test.map", statement="A test.", left=norm(step), right=norm(x - y), domain=Space(ranges))
        for step in (x - alpha * A(x) - y + alpha * A(y), x - y - alpha * A(x - y))
    )
    assert one.fingerprint == other.fingerprint
    assert one.text == "‖-alpha*A(x) + alpha*A(y) + x - y‖ <= ‖x - y‖"
    assert "A any self-adjoint map with 0 ≤ ⟨A(x), x⟩ ≤ 1 ‖x‖²" in one.scope


def test_functions_stand_after_maps_and_maps_after_functions() -> None:
    of = {x: Euclidean(), A: Linear(norm=lam), lam: Reals(0, open_low=True), f: Functions(convex=True, smooth=1)}
    domain, _ = Space(of).written_out([norm(adjoint(A)(gradient(f(A(x)))))])
    names = {name.rpartition(".")[0] or name for name in domain.ranges}
    assert {"x", "A(x)", "∇f(A(x))", "A^T(∇f(A(x)))", "f(A(x))"} <= names


@pytest.mark.parametrize(("left", "message"), [
    (A(x), r"A\(x\): expected vectors in inner"), (norm(A(x) ** 2), "expected numbers times vectors"),
    (norm(A(3)), "expected numbers times vectors"), (norm(A(x, y)), "a function of one point"),
    (norm(B(x)), "B: expected a function of one point that the Space declares"),
    (norm(gradient(A(x))), "a declared function at a point"),
])  # fmt: skip
def test_what_cannot_be_written_out_is_one_line(left: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space({x: Euclidean(), y: Euclidean(), A: Linear()}).written_out([left])


def test_bounds_are_numbers_and_maps_are_functions() -> None:
    with pytest.raises(InputError, match=r"Linear.norm: expected an integer or a SymPy expression, got L"):
        Linear(norm="L")
    with pytest.raises(InputError, match=r"Symmetric.low"):
        Symmetric(low=0.5)
    with pytest.raises(InputError, match=r"adjoint, dual: expected a function such as sympy.Function\(.A.\), got x"):
        adjoint(sp.Symbol("x"))
    with pytest.raises(InputError, match=r"Space\[x\].*Linear"):
        Space({x: Linear()})
