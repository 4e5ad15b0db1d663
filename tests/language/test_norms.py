"""Norms and their duals: what they are written out as holds where there is a norm and nowhere else."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

from boundaudit import Claim, Euclidean, InputError, Norms, Reals, Space, dual, gradient, inner, norm
from boundaudit.checks.language.abstract import norms
from boundaudit.checks.language.abstract.functions import At
from boundaudit.checks.language.abstract.terms import Inner

x, y = sp.symbols("x y")
N = sp.Function("N")
VECTORS = {x: Euclidean(), y: Euclidean()}
SIZE, ROWS = 6, 2


class _Held(NamedTuple):
    """Vectors, a norm of them and vectors at which it is attained: of the norm itself, or of its dual."""

    vectors: Any
    values: Any
    slopes: Any


# --- the relations --------------------------------------------------------------------------------------------------


def _hold(known: Norms, held: Sequence[_Held], ends: dict[str, float]) -> bool:
    """Whether the relations hold."""
    at: dict[Any, Any] = {}
    points: list[list[At]] = []
    for name, (vectors, values, slopes) in zip("xy", held, strict=True):
        symbols = [At(*sp.symbols(f"{name}{k} f{name}{k} g{name}{k}")) for k in range(len(values))]
        points.append(symbols)
        for symbol, found in zip(symbols, zip(vectors, values, slopes, strict=True), strict=True):
            at |= dict(zip(symbol, found, strict=True))

    def number(left: Any, right: Any) -> Any:
        return sp.Float(float(at[left] @ at[right]))

    numbers = {symbol: value for symbol, value in at.items() if np.ndim(value) == 0}

    def value(side: Any) -> float:
        return float(side.replace(Inner, number).subs(numbers))

    for relation in known.relations(*points, Inner, lambda name, _: sp.Float(ends[name])):
        if relation in (sp.true, sp.false):
            gap = 0.0 if relation is sp.true else -1.0
        elif isinstance(relation, sp.Eq):
            gap = -abs(value(relation.lhs) - value(relation.rhs))
        else:
            gap = value(relation.gts) - value(relation.lts)
        if gap < -1e-8:
            return False
    return True


def _matrices(rng: np.random.Generator, count: int) -> tuple[_Held, _Held]:
    """Nuclear norms of some matrices, and operator norms of others."""
    drawn = rng.normal(size=(2, count, ROWS, SIZE // ROWS))
    left, values, right = np.linalg.svd(drawn, full_matrices=False)
    slopes = left[0] @ right[0], left[1][..., :1] @ right[1][..., :1, :]
    sizes = values[0].sum(-1), values[1][..., 0]
    return tuple(_Held(drawn[k].reshape(count, SIZE), sizes[k], slopes[k].reshape(count, SIZE)) for k in range(2))  # type: ignore[return-value]


def _sums(rng: np.random.Generator, count: int) -> tuple[_Held, _Held]:
    """Sums of absolute values, and largest ones."""
    drawn = rng.normal(size=(2, count, SIZE))
    top = np.abs(drawn[1]).argmax(-1)
    peaks = np.eye(SIZE)[top] * np.sign(drawn[1])
    return (
        _Held(drawn[0], np.abs(drawn[0]).sum(-1), np.sign(drawn[0])),
        _Held(drawn[1], np.abs(drawn[1]).max(-1), peaks),
    )


@pytest.mark.parametrize(("draw", "high"), [(_matrices, sp.sqrt(2)), (_sums, sp.sqrt(6))])
def test_relations_hold_for_norms_that_are_known(draw: Callable[..., tuple[_Held, _Held]], high: Any) -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        held = draw(rng, 2)
        assert _hold(Norms(low=1, high=high), held, {})
        assert _hold(Norms(), held, {"low": 1.0, "high": float(high)})
        assert not _hold(Norms(low=1, high=1), held, {})
        for k, factor in itertools.product(range(2), (0.3, 1.6)):  # too short, too long
            spoiled = list(held)
            spoiled[k] = held[k]._replace(values=held[k].values * factor, slopes=held[k].slopes * factor)
            assert not _hold(Norms(low=1, high=high), spoiled, {})


def _is_a_norm(low: float, high: float, held: Sequence[_Held]) -> bool:
    """Whether the largest of functionals of at most 1 is a norm with these values, and its dual has the others."""
    (points, sizes, slopes), (others, duals, attained) = held

    def value(vector: Any) -> float:
        return float(max(low * np.linalg.norm(vector), *np.abs(slopes @ vector), *np.abs(others @ vector) / duals))

    functionals = [*np.linalg.norm(slopes, axis=1), *np.linalg.norm(others, axis=1) / duals]
    inside = max(functionals) <= high + 1e-8 and low <= high
    alike = all(abs(value(point) - size) < 1e-8 for point, size in zip(points, sizes, strict=True))
    balls = all(value(vector) <= 1 + 1e-8 for vector in attained)
    return inside and alike and balls and bool(np.allclose((others * attained).sum(1), duals))


@pytest.mark.slow
def test_where_relations_hold_there_is_a_norm_and_slips_in_them_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def disagreements() -> tuple[int, set[bool]]:
        rng, count, seen = np.random.default_rng(1), 0, set()
        for _ in range(80):
            points, others = rng.normal(size=(2, 2, 3))
            slopes, attained = points * rng.uniform(0.5, 1.5), others * rng.uniform(0.5, 1.5)
            held = (
                _Held(points, (points * slopes).sum(1), slopes),
                _Held(others, (others * attained).sum(1), attained),
            )
            scale = rng.uniform(0.1, 1)
            held = held[0], _Held(held[1].vectors, held[1].values * scale, held[1].slopes * scale)
            expected = _is_a_norm(0.1, 10, held)
            seen.add(expected)
            count += _hold(Norms(), held, {"low": 0.1, "high": 10.0}) != expected
        return count, seen

    assert disagreements() == (0, {True, False})
    monkeypatch.setattr(norms, "_at_most", lambda product, bound: iter([product <= bound]))
    assert disagreements()[0] > 0


# --- claims ---------------------------------------------------------------------------------------------------------


def test_norms_and_slopes_stand_in_numbers() -> None:
    domain, sides = Space({**VECTORS, N: Norms(low=1, high=2)}).written_out(
        [N(x), dual(N)(y), inner(gradient(N(x)), x), inner(gradient(dual(N)(y)), y)]
    )
    assert sides[:2] == sides[2:]
    assert {"N.low", "N.high"}.isdisjoint(domain.ranges)
    assert Space({N: Norms()}).conventions == [
        "Norms stand in vectors whose inner products with those named attain them."
    ]


def test_a_claim_of_a_norm_is_told_as_it_was_written() -> None:
    claim = Claim(label="test.norm", statement="A test.", left=norm(x), right=N(x),
                  domain=Space({x: Euclidean(), N: Norms(low=1)}))  # fmt: skip
    assert claim.text == "‖x‖ <= N(x)"
    assert "N any norm with 1 ‖x‖ ≤ N(x)" in claim.scope


def test_ends_are_numbers_and_norms_are_functions_of_vectors() -> None:
    with pytest.raises(InputError, match=r"Norms.high: expected an integer or a SymPy expression, got L"):
        Norms(high="L")
    with pytest.raises(InputError, match=r"Space\[x\].*Norms"):
        Space({x: Norms()})
    number = sp.Symbol("a", real=True)
    with pytest.raises(InputError, match=r"N\(a\): expected a norm of vectors"):
        Space({number: Reals(), N: Norms()}).written_out([N(number)])
