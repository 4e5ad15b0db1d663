"""What nothing in an expression binds is what SymPy's own `free_symbols` says, found without writing a sum anew."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import c, m, n, t, x

from boundaudit.checks.language.unbound import unbound

k = sp.Symbol("k", integer=True)

EXPRESSIONS: dict[str, Any] = {
    "a sum": sp.Sum(x**t, (t, 1, n)), "a sum up to its own index": sp.Sum(t, (t, 1, t)),
    "an index beside its sum": sp.Max(sp.Sum(t * x, (t, 1, n)), t),
    "an index that ends another sum": sp.Sum(t * k, (t, 1, k), (k, m, n)),
    "a sum in a sum": sp.Sum(sp.Sum(t + k, (t, 1, k)) * x, (k, 1, n)),
    "a sum in an end": sp.Sum(t, (t, 1, sp.Sum(k, (k, 1, m)))), "entries of a vector": sp.Sum(c[t] * c[m], (t, 1, n)),
    "an indefinite integral": sp.Integral(x * m, x), "a limit": sp.Limit(sp.sin(m * x) / x, x, 0),
    "a relation": sp.Le(sp.Sum(t, (t, 1, n)), x, evaluate=False),
    "cases": sp.Piecewise((sp.Sum(t, (t, 1, n)), x > m), (t, True)), "a number": sp.Integer(2),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_the_same_as_sympys_own(name: str) -> None:
    assert unbound(EXPRESSIONS[name]) == EXPRESSIONS[name].free_symbols


def test_no_sum_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    total = EXPRESSIONS["a sum in a sum"]
    monkeypatch.setattr(sp.Basic, "xreplace", None)
    with pytest.raises(TypeError):
        assert total.free_symbols
    assert unbound(total) == {n, x}
