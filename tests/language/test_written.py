"""What SymPy simplifies away before the engine sees it, sums with ends that are no integers, and conventions."""

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.run.own_files import load_files

HEAD = """
import sympy as sp
from boundaudit import Case, Claim, Domain, Integers, Reals
x = sp.Symbol("x", real=True)
y = sp.Symbol("y", nonnegative=True)
n, t = sp.symbols("n t", integer=True, positive=True)
"""


def load(tmp_path: Path, text: str) -> None:
    path = tmp_path / "own_claims.py"
    path.write_text(HEAD + text, encoding="utf-8")
    for claim in load_files((path,)).members.values():
        claim.validate()


CLAIM = 'own = Claim(label="own.claim", statement="s", {}, domain=Domain({{x: Reals(-1, 1)}}))'
SPACE = """
from boundaudit import Space
M = sp.MatrixSymbol("M", 2, 2)
ranges = {{n: Integers(1), x: Reals(), M: Reals()}}
own = Claim(label="own.claim", statement="s", left={}, right=x, domain=Space(ranges))
"""
DEVIATION = """
own = Claim(label="own.claim", statement="s", left=sp.exp(-2 * n * sp.sqrt(sp.log(2 / x) / (2 * n))**2), right=x,
            domain=Domain({{n: Integers(1), x: Reals(0, {}, open_low=True)}}))
"""
LOST = {
    "a root squared": CLAIM.format("left=sp.sqrt(x)**2, right=x"),
    "a lambda": CLAIM.format("left=lambda: sp.sqrt(x)**2, right=x"),
    "on the right": CLAIM.format("left=x, right=sp.sqrt(x) * sp.sqrt(x)"),
    "in a case": CLAIM.format('cases=(Case("one", left=sp.sqrt(x)**2, right=x),)'),
    "a quotient": CLAIM.format("left=(x**2 - 1) / (x**2 - 1), right=1 + x**2"),
    "a logarithm": CLAIM.format("left=sp.exp(sp.log(x)), right=x"),
    "among other terms": CLAIM.format("left=1 + sp.sqrt(x)**2, right=2 + x"),
    "beside another root": CLAIM.format("left=sp.sqrt(x)**2 + sp.sqrt(1 + x**2), right=x"),
    "beside another quotient": CLAIM.format("left=x / x + 1 / (1 + x**2), right=2"),
    "a fractional power": CLAIM.format("left=(x**sp.Rational(1, 2))**2, right=x"),
    "a negative power": CLAIM.format("left=x**n * x**(-n), right=1").replace("x: R", "n: Integers(1), x: R"),
    "a factor of a quotient": CLAIM.format("left=x / (x * (1 + x**2)), right=1"),
    "a quotient beside one that is sure": CLAIM.format("left=n + (n - 1) / (n * (n - 1)), right=1 + n").replace(
        "x: R", "n: Integers(1), x: R"
    ),
    "a root of a positive number less one": CLAIM.format("left=n + sp.sqrt(n - 2)**2, right=2 * n").replace(
        "x: R", "n: Integers(1), x: R"
    ),
    "in a sum": CLAIM.format("left=sp.Sum(x / x + 1 / t, (t, 1, n)), right=n").replace("x: R", "n: Integers(1), x: R"),
    "a power by its name": CLAIM.format("left=sp.Pow(x, -1) * x, right=1"),
    "a root by its name": CLAIM.format("left=sp.Pow(x, sp.Rational(1, 2))**2, right=1"),
    "a half": CLAIM.format("left=(x**sp.S.Half)**2, right=1"),
    "a part of one": CLAIM.format("left=(x**(sp.S(1) / 3))**3, right=1"),
    "a tangent": CLAIM.format("left=x + sp.tan(x) - sp.tan(x), right=1"),
    "a factorial": CLAIM.format("left=x + sp.factorial(x) - sp.factorial(x), right=1"),
    "a binomial coefficient": CLAIM.format("left=x + sp.binomial(x, 2) - sp.binomial(x, 2), right=1"),
    "a logarithm to a base": CLAIM.format("left=1 + sp.log(8, 2 + x) * sp.log(2 + x), right=4"),
    "an inverse function": CLAIM.format("left=sp.tanh(sp.atanh(2 * x)), right=2"),
    "by a name": "root = sp.sqrt(x)\n" + CLAIM.format("left=root * root, right=x"),
    "by a function": "def side():\n    return x / x\n\n" + CLAIM.format("left=side, right=1"),
    "a deviation put into a tail beyond its range": DEVIATION.format(3),
    "a sum before a matrix": SPACE.format("sp.Trace(sp.Sum(t, (t, 3, n)) * M)"),
    "an inverse": SPACE.format("sp.Trace(M * M.inv())"),
    "another": SPACE.format("sp.Trace(M * sp.Inverse(M))"),
    "a sum before a matrix, in a relation": SPACE.format("x").replace(
        "Space(ranges)", "Space(ranges, where=[sp.Trace(sp.Sum(t, (t, 3, n)) * M) >= x])"
    ),
    "a sum and one before a matrix": SPACE.format("sp.Sum(t, (t, 2, n)) + sp.Trace(sp.Sum(t, (t, 3, n)) * M)"),
    "a case that Python decides": CLAIM.format("left=sp.Piecewise((1, x == y), (0, True)), right=0"),
}


@pytest.mark.parametrize("name", LOST)
def test_what_sympy_drops_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"as it is written, got .*, which SymPy made of it; write what is meant"):
        load(tmp_path, LOST[name])


KEPT = {
    "a deviation put into a tail": DEVIATION.format(1),
    "a quotient of means": SPACE.format("1 / x + sp.Trace(M) / x**2"),
    "a sum before a trace": SPACE.format("sp.Sum(t, (t, 3, n)) * sp.Trace(n * M)"),
    "unevaluated": CLAIM.format("left=sp.Pow(sp.sqrt(x), 2, evaluate=False), right=x"),
    "a binomial coefficient that SymPy knows": CLAIM.format("left=x + sp.binomial(n, 1), right=1 + n").replace(
        "x: R", "n: Integers(1), x: R"
    ),
    "a logarithm to the base 2": CLAIM.format("left=sp.log(8, 2) + x, right=4"),
    "a root of a number": CLAIM.format("left=sp.sqrt(4) * x, right=2 + x"),
    "a quotient by a number": CLAIM.format("left=(2 * x) / 2, right=1 + x"),
    "a side of another claim": CLAIM.format("left=x, right=2 / (1 + x**2)")
    + "\nother"
    + CLAIM.format("left=own.written('left'), right=2").replace("own", "", 1).replace(".claim", ".other"),
    "names given twice": "root = x\nroot = sp.sqrt(x)\n" + CLAIM.format("left=x, right=1"),
    "a quotient that stays": CLAIM.format("left=x / (1 + x**2) / (2 + 2 * x**2) + 1 / sp.sqrt(2 + x**2), right=2"),
    "a quotient by a quotient": CLAIM.format("left=1 / (1 / (1 + x**2)), right=2"),
    "a name for one symbol after the other": "some = []\nfor s in (x, y):\n    some.append("
    + CLAIM.format("left=1 / s, right=1")
    .removeprefix("own = ")
    .replace("own.claim", "own.{s}")
    .replace('label="', 'label=f"')
    .replace("x: R", "s: R")
    .replace("(-1, 1)", "(0, 1)")
    + ")",
    "an angle": CLAIM.format("left=sp.tan(x) - sp.tan(-x), right=9"),
    "a root that stays": CLAIM.format("left=sp.sqrt(x**2), right=1"),
    "quotients that become one": CLAIM.format("left=y / (2 * x**2 + 2) + 1 / (3 * (x**2 + 1)), right=1").replace(
        "x: R", "y: Reals(0), x: R"
    ),
    "where it cannot be negative": 'own = Claim(label="own.claim", statement="s", left=sp.sqrt(n)**2, right=n, '
    "domain=Domain({n: Integers(1)}))",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_or_cannot_matter_is_read(tmp_path: Path, name: str) -> None:
    load(tmp_path, KEPT[name])


@pytest.mark.parametrize("end", ["n / 2", "(n + 1) / 2", "sp.sqrt(n)"])
def test_a_sum_up_to_what_is_no_integer_is_refused(tmp_path: Path, end: str) -> None:
    text = f'own = Claim(label="own.claim", statement="s", left=sp.Sum(t, (t, 1, {end})), right=n**2, '
    whole = "domain=Domain({n: Integers(1)}))"
    if (
        end == "sp.sqrt(n)"
    ):  # irrational at some points, an integer at squares: no end that exact arithmetic calls broken
        load(tmp_path, text + whole)
        return
    with pytest.raises(InputError, match=r"sums with whole ends, such as floor\(n/2\), got .* at n ="):
        load(tmp_path, text + whole)


def test_a_sum_up_to_a_floor_is_read(tmp_path: Path) -> None:
    load(
        tmp_path,
        'own = Claim(label="own.claim", statement="s", left=sp.Sum(t, (t, 1, sp.floor(n / 2))), right=n**2, '
        "domain=Domain({n: Integers(1)}))",
    )


@pytest.mark.parametrize(("text", "names"), [
    ("sp.Product(sp.Integral(x, (x, 0, t)), (t, 1, n))", "an Integral: .*measure it by a Quantity"),
    ("sp.acos(x)", "an acos: .*theta from 0 to pi, and cos"),
    ("sp.Integral(x, (x, 0, 1))", "an Integral: .*measure it by a Quantity"),
    ("sp.Derivative(sp.Function('f')(x), x)", "a Derivative: .*write it out"),
    ("x <= 1", "a relation, or its truth: .*left and right"), ("True", "a relation, or its truth: True"),
])  # fmt: skip
def test_what_is_no_expression_is_called_by_its_name(tmp_path: Path, text: str, names: str) -> None:
    with pytest.raises(InputError, match=names):
        load(tmp_path, CLAIM.format(f"left={text}, right=1"))


def test_a_claim_that_a_function_makes_bears_the_line_of_the_call(tmp_path: Path) -> None:
    path = tmp_path / "own_claims.py"
    path.write_text(
        HEAD + "def made(k):\n    return Claim(label=f'own.c{k}', statement='s', left=x, right=k, "
        "domain=Domain({x: Reals(0, 1)}))\n\nfirst = made(2)\nsecond = made(3)\n", encoding="utf-8",
    )  # fmt: skip
    sources = [claim.source for claim in load_files((path,)).claims.values()]
    assert [int(source.rpartition(":")[2]) for source in sources] == [10, 11]


n, k, t = sp.symbols("n k t", integer=True)
CONVENTIONS = [
    (sp.binomial(n, k), {"n": 3, "k": -1}, 0), (sp.binomial(n, k), {"n": 3, "k": 5}, 0),
    (sp.binomial(n, k), {"n": -3, "k": 2}, None), (sp.Sum(t, (t, 1, n)), {"n": 0}, 0),
    (sp.Sum(t, (t, 1, n)), {"n": -3}, 0), (sp.Sum(t, (t, 1, n / 2)), {"n": 5}, None),
    (sp.Pow(sp.Symbol("b"), k), {"b": 0, "k": 0}, 1),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "point", "value"), CONVENTIONS)
def test_balls_and_floats_have_one_convention(expression: sp.Expr, point: dict[str, int], value: int | None) -> None:
    tree = to_tree(expression)
    found = float(np.ravel(evaluate_float(tree, columns([point])))[0])
    if value is None:
        assert np.isnan(found)
        with pytest.raises(Undefined):
            evaluate(tree, point)
    else:
        assert found == value
        assert evaluate(tree, point) == value
