"""Products, images, substitutions, concavity and cut ranges: what the checker accepts and what it rejects."""

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.portfolio import prove

from .stated import IDENTITY, reals, require_rejected, tree

X, Y, T = sp.symbols("x y t")


def claim(goal: Any, *parameters: dict[str, Any]) -> Statement:
    return Statement(ZERO, "<=", tree(goal), {"parameters": list(parameters), "where": []})


def proof(goal: Any, *parameters: dict[str, Any]) -> Certificate:
    """A certificate by the engines that are older than these rules."""
    found = prove(claim(goal, *parameters), engines=["identity", "factoring", "multipliers", "calculus"])
    assert found.certificate is not None
    return found.certificate


WHOLE, POSITIVE, UNIT = reals("x"), reals("x", 0, None, (True, False)), reals("x", 0, 1)
COUNT = {"name": "n", "range": "integers", "low": tree(1), "high": None}
N = sp.Symbol("n")

PRODUCT = claim(X**2 * (1 - X), UNIT)
PRODUCT_PROOF: Certificate = {
    "kind": "product", "factors": [tree(X**2), tree(1 - X)], "proofs": [proof(X**2, UNIT), proof(1 - X, UNIT)],
}  # fmt: skip
IMAGE = claim(sp.exp(X**2) - sp.exp(2 * X - 1), WHOLE)
IMAGE_PROOF: Certificate = {
    "kind": "increasing", "function": "log", "small": tree(sp.exp(2 * X - 1)), "large": tree(sp.exp(X**2)),
    "proof": proof(X**2 - 2 * X + 1, WHOLE),
}  # fmt: skip
RECIPROCAL: Certificate = {
    "kind": "substitution", "variable": "x", "new": reals("t", 0, 1, (True, False)), "value": tree(1 / T),
    "inverse": tree(1 / X), "proof": proof(1 - T, reals("t", 0, 1, (True, False))),
}  # fmt: skip
FROM_ONE = claim(1 - 1 / X, reals("x", 1))
CONCAVE = claim(X * (1 - X), UNIT)
CONCAVE_PROOF: Certificate = {
    "kind": "concave", "variable": "x", "low": IDENTITY, "high": IDENTITY, "curvature": proof(2, WHOLE),
}  # fmt: skip
FADING = claim(1 / X - 1 / X**2, reals("x", 2))
FADING_PROOF: Certificate = {
    "kind": "fading", "variable": "x", "size": tree(1), "bound": proof(2 / X - 1 / X**2, reals("x", 2)),
    "slope": proof(1 / X**2 - 2 / X**3, reals("x", 2)),
}  # fmt: skip
CUT = claim((X - 1) ** 2 * (X + 1), reals("x", 0))
CUT_PROOF: Certificate = {
    "kind": "cases", "split": ["at", "x", tree(1)],
    "proofs": [proof((X - 1) ** 2 * (X + 1), UNIT), proof((X - 1) ** 2 * (X + 1), reals("x", 1))],
}  # fmt: skip
END = claim(X, UNIT)
END_PROOF: Certificate = {
    "kind": "cases", "split": ["end", "x", "low"], "proofs": [IDENTITY, proof(X, reals("x", 0, 1, (True, False)))],
}  # fmt: skip

VALID = {
    "product": (PRODUCT, PRODUCT_PROOF), "image": (IMAGE, IMAGE_PROOF), "reciprocal": (FROM_ONE, RECIPROCAL),
    "concave": (CONCAVE, CONCAVE_PROOF), "fading": (FADING, FADING_PROOF),
    "cut": (CUT, CUT_PROOF), "end": (END, END_PROOF),
}  # fmt: skip


@pytest.mark.parametrize("name", VALID)
def test_accepts(name: str) -> None:
    check(*VALID[name])


CORRUPTED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a factor left out": ("product", lambda c: (c["factors"].pop(), c["proofs"].pop())),
    "a factor without proof": ("product", lambda c: c["proofs"].pop()),
    "no factors": ("product", lambda c: c.update(factors=[], proofs=[])),
    "two wrong signs": ("product", lambda c: c.update(factors=[tree(-(X**2)), tree(X - 1)])),
    "sides that are not the goal's": ("image", lambda c: c.update(large=tree(sp.exp(X**2 + 1)))),
    "a falling function": ("image", lambda c: c.update(function="cos")),
    "an image without proof": ("image", lambda c: c.update(proof=IDENTITY)),
    "squares of sides of unknown sign": (
        "image", lambda c: c.update(function="square", small=tree(X), large=tree(X + sp.exp(X**2) - sp.exp(2 * X - 1))),
    ),
    "logarithms of sides of unknown sign": (
        "image", lambda c: c.update(small=tree(X), large=tree(X + sp.exp(X**2) - sp.exp(2 * X - 1))),
    ),
    "a range the inverse leaves": ("reciprocal", lambda c: c.update(new=reals("t", 0, sp.Rational(1, 2)))),
    "an end the inverse attains": ("reciprocal", lambda c: c.update(new=reals("t", 0, 1, (True, True)))),
    "another inverse": ("reciprocal", lambda c: c.update(inverse=tree(1 / X**2))),
    "another value": ("reciprocal", lambda c: c.update(value=tree(1 / T**2))),
    "a constant value": ("reciprocal", lambda c: c.update(value=tree(1), proof=IDENTITY)),
    "a value that keeps the old parameter": ("reciprocal", lambda c: c.update(value=tree(X))),
    "a reserved name": ("reciprocal", lambda c: c["new"].update(name="#1")),
    "a range in terms of the old parameter": ("reciprocal", lambda c: c["new"].update(high=tree(1 / X))),
    "an unproved end": ("concave", lambda c: c.pop("low")),
    "an end that is not between": ("concave", lambda c: c.update(low=c["curvature"])),
    "no curvature": ("concave", lambda c: c.update(curvature=IDENTITY)),
    "concave along nothing": ("concave", lambda c: c.update(variable="t")),
    "a goal that need not fall": ("fading", lambda c: c.update(slope=IDENTITY)),
    "a goal that need not fade": ("fading", lambda c: c.pop("bound")),
    "a size that moves": ("fading", lambda c: c.update(size=tree(X))),
    "one half left out": ("cut", lambda c: c["proofs"].pop()),
    "a cut at an undefined point": ("cut", lambda c: c.update(split=["at", "x", tree(sp.log(0 * X + Y))])),
    "a cut that moves": ("cut", lambda c: c.update(split=["at", "x", tree(X)])),
    "the end left out": ("end", lambda c: c["proofs"].reverse()),
    "an end that is none": ("end", lambda c: c.update(split=["end", "x", "middle"])),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTED)
def test_rejects(name: str) -> None:
    kind, corrupt = CORRUPTED[name]
    statement, certificate = VALID[kind]
    require_rejected(statement, certificate, corrupt)


FALSE_CONVEX = claim(X * (X - 1), UNIT)
NO_UPPER_END = claim(X * (1 - X), reals("x", 0))


@pytest.mark.parametrize(("other", "certificate"), [
    (claim(X**2 * (sp.Rational(99, 100) - X), UNIT), PRODUCT_PROOF),
    (claim(sp.exp(X**2) - sp.exp(2 * X), WHOLE), IMAGE_PROOF),
    (claim(1 - 1 / X, reals("x", sp.Rational(1, 2))), RECIPROCAL),
    (claim(1 - 1 / X, reals("x", 1), reals("y", X)), RECIPROCAL),
    (claim(1 - 1 / X, reals("x", 1), reals("t", 0)), RECIPROCAL), (FALSE_CONVEX, CONCAVE_PROOF),
    (NO_UPPER_END, CONCAVE_PROOF), (claim(sp.Abs(X - 1), UNIT), CONCAVE_PROOF),
    (claim(X * (1 - X), UNIT, reals("y", X)), CONCAVE_PROOF),
    (claim((X - 1) ** 2 * (X + 1), reals("x", -2)), CUT_PROOF), (claim(X, reals("x", None, 1)), END_PROOF),
    (claim(1 / X, UNIT), END_PROOF), (Statement(ZERO, "<", tree(X**2 * (1 - X)), PRODUCT.domain), PRODUCT_PROOF),
    (Statement(ZERO, "<", tree(X * (1 - X)), CONCAVE.domain), CONCAVE_PROOF),
    (Statement(ZERO, "=", tree(X * (1 - X)), CONCAVE.domain), CONCAVE_PROOF),
    (Statement(ZERO, "=", PRODUCT.right, PRODUCT.domain), PRODUCT_PROOF),
    (Statement(ZERO, "=", IMAGE.right, IMAGE.domain), IMAGE_PROOF),
])  # fmt: skip
def test_a_certificate_proves_no_other_statement(other: Statement, certificate: Certificate) -> None:
    with pytest.raises(Rejected):
        check(other, certificate)


def test_both_halves_of_a_range_hold_the_point_and_its_ends() -> None:
    below, above = (case.domain["parameters"][0] for case in case_statements(claim(X, POSITIVE), ["at", "x", tree(1)]))
    assert (below["low"], below["high"], below["open"]) == (tree(0), tree(1), [True, False])
    assert (above["low"], above["high"], above["open"]) == (tree(1), None, [False, False])


def test_an_end_of_integers_is_one_step() -> None:
    at_end, inner = case_statements(claim(N - 1, COUNT), ["end", "n", "low"])
    assert at_end.domain["parameters"] == []
    check(at_end, IDENTITY)
    assert inner.domain["parameters"][0]["low"] == ("+", tree(1), tree(1))


def test_a_goal_that_fades_has_a_value_at_its_end_and_may_be_zero() -> None:
    inside = reals("x", 0, None, (True, True))
    fading = {"kind": "fading", "variable": "x", "size": tree(0), "bound": proof(1 / X, inside), "slope": proof(
        1 / X**2, inside)}  # fmt: skip
    check(claim(1 / X, reals("x", 0, None, (True, False))), fading)
    with pytest.raises(Rejected):
        check(claim(1 / X, reals("x", 0)), fading)
    with pytest.raises(Rejected, match="more from equal"):
        check(Statement(ZERO, "<", FADING.right, FADING.domain), FADING_PROOF)
