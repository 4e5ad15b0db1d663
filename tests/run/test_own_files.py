"""Users' own files: every error in one pass, each with its claim; nothing is gathered before all is sound."""

import os
import re
from pathlib import Path

import pytest
from tests.command import write_claims

from boundaudit import InputError, InputErrors
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.validation import TRIED

WRONG = {
    'x = variance(label="c.range", domain=Domain({p: Reals(2, 1)}))':
        r"c\.range\.domain \(.*: expected a domain with points, got none in 2 ≤ p ≤ 1",
    'x = variance(label="c.where", domain=Domain({p: Reals(0, 1)}, where=[p > 2]))':
        r"c\.where\.domain \(.*: expected a domain with points",
    'x = variance(label="c.limit",\n    domain=Domain({p: Reals(0, sp.Symbol("q"))}))':
        r"c\.limit \(.*my_claims\.py:\d+\): domain\[p\]: expected limits in earlier parameters",
    'x = variance(label="c.nan", right=float("nan"))': r"c\.nan\.right .*finite numbers",
    'x = variance(label="c.zero", left=a[0], domain=V)': r"c\.zero\.left .*entries a\[1\] to the last, got a\[0\]",
    'x = variance(label="c.six", left=a[6], domain=Domain({a: Vector(5, Reals(0, 1))}))': r"c\.six\.left .*got a\[6\]",
    'x = variance(label="c.sum", left=sp.Sum(a[i], (i, 0, n)), domain=V)': r"c\.sum\.left .*got a\[0\]",
    'x = variance(label="c.measure", left=Quantity("q", lambda points: points, "q"))':
        r"c\.measure\.left .*a function of points, device, got \(points\)",
    'x = variance(label="c.count", left=Probability("q", lambda points, device: points, "q"))':
        r"c\.count\.left .*a function of points, trials, seed, device",
    'x = variance(label="c.lazy", left=lambda: 1 / 0)': r"c\.lazy\.left \(.*ZeroDivisionError",
    'x = variance(label="c.entry", left=lambda: M[2, 2])': r"c\.entry\.left \(.*IndexError.*; count rows .* from 0",
    'x = variance(label="c.tall", left=lambda: sp.Trace(M * TALL))': r"c\.tall\.left \(.*NonSquare.*; give matrices",
    'x = variance(label="c.now", left=M[2, 2])': r"my_claims\.py:\d+: .*IndexError.*; count rows .* from 0",
    'x = variance(label="c.exit", left=lambda: sys.exit(0))': r"c\.exit \(.*SystemExit: 0",
    'x = variance(label="c.end", domain=lambda: raised(GeneratorExit()))': r"c\.end \(.*GeneratorExit;",
    'x = raised(ValueError("one\\ntwo"))': r"my_claims\.py:\d+: .*ValueError: one two",
    'x = raised(Untold())': r"my_claims\.py:\d+: expected a file that runs, got Untold;",
    'x = variance(label="c.deep", left=nested(900))': r"c\.deep \(.*|.*my_claims\.py:\d+: .*RecursionError",
    f'x = variance(label="c.{"x" * 300}")': r"at most 200 characters",
    'x = variance(label="c.control", statement="a\\x1b[2Jb")': r"c\.control\.statement .*control",
    'x = variance(label="c.case", cases=(Case("one", bogus=1),))': r"c\.case \(.*bogus",
    'good = variance(label="c.lost")': r"my_claims\.py:\d+: .* got good for something else than c\.good",
    'x = nothing_of_that_name': r"my_claims\.py:\d+: expected a file that runs, got NameError",
    'x = variance(label="c.no-function", left=Quantity("q", 5, "q"))':
        r"c\.no-function\.left \(.*a function of points, device, got 5",
    'x = variance(label="c.no-error", left=Estimate("q", lambda points, device: points, "q", standard_error=None))':
        r"c\.no-error\.left\.standard_error \(.*a function of points, device, got None",
    'x = variance(label="c.no-cases", cases=5)': r"c\.no-cases\.cases \(.*my_claims\.py:\d+\): .*got 5",
    'x = variance(label="c.no-chain", derivation="a")': r"c\.no-chain\.derivation \(.*a Derivation, got 'a'",
    'x = variance(label="c.silent", statement="")': r"c\.silent\.statement \(.*a sentence, got ''",
    'x = variance(label="c.words", left=p, right=p, kind="Tight", equality=({p: "half"},))':
        r"c\.words\.equality \(.*expressions such as .*got 'half'",
    'x = [Theorem(number="Lemma 1", title=title, says="So.") for title in ("One", "Two")]':
        r"Lemma 1: expected a number used once",
    'x = Derivation(label="c.key", title="t", steps=STEPS, domain=UNIT, samples={"s": {"q": 1}})':
        r"c\.key\.samples\['s'\]: expected values for p, got q",
    'x = Derivation(label="c.steps", title="t", steps=p, domain=UNIT, samples={})':
        r"c\.steps\.steps: expected a tuple of Step",
    'x = Derivation(label="c.points", title="t", steps=STEPS, domain=UNIT, samples=[1])':
        r"c\.points\.samples: expected named points, .*, got \[1\]",
    'x = Derivation(label="c.none", title="t", steps=STEPS, domain=UNIT)': r"'samples'; add samples=…",
    'x = Derivation(label="c.list", title="t", steps=STEPS, domain=UNIT, samples={"s": {"p": [1]}})':
        r"c\.list\.samples\['s'\]: expected a point of",
}  # fmt: skip
HEAD = """
import sys
from boundaudit import Case, Estimate, Integers, Probability, Theorem, Vector
n = sp.Symbol("n", integer=True, positive=True)
M, TALL = sp.MatrixSymbol("M", 2, 2), sp.MatrixSymbol("TALL", 2, 3)
i = sp.Symbol("i", integer=True)
a = sp.IndexedBase("a")
V = Domain({n: Integers(1, 5), a: Vector(n, Reals(0, 1))})
STEPS = (Step(p, "p"), Step(1 + p, "more"))
variance = partial(variance, right=sp.Integer(9))
good = variance(label="c.good")

class Untold(Exception):
    def __str__(self):
        raise ValueError

def raised(error):
    raise error

def nested(depth):
    return p if depth == 0 else sp.sin(nested(depth - 1))
"""


@pytest.mark.parametrize(("body", "finding"), WRONG.items(), ids=WRONG.values())
def test_one_error_is_one_line_that_names_the_claim(tmp_path: Path, body: str, finding: str) -> None:
    with pytest.raises(InputError) as raised:
        load_files([write_claims(tmp_path, HEAD + body + "\n")])
    (line,) = raised.value.lines
    assert re.search(finding, line), line
    assert "\n" not in line


def test_all_errors_of_all_files_are_told_in_one_pass(tmp_path: Path) -> None:
    bodies = [body.replace("x = ", f"x{i} = ", 1) + "\n" for i, body in enumerate(WRONG)]
    half = len(bodies) // 2
    first = write_claims(tmp_path, HEAD + "".join(bodies[:half]), "first.py")
    second = write_claims(tmp_path, HEAD.replace("c.good", "c.better") + "".join(bodies[half:]), "second.py")
    with pytest.raises(InputErrors) as raised:
        load_files([first, second])
    assert len(raised.value.lines) == len(WRONG)


def test_what_uses_a_name_of_a_failed_statement_is_no_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        load_files([write_claims(tmp_path, "x = 1 / 0\ny = x + 1\nz = [y]\n")])
    (line,) = raised.value.lines
    assert "ZeroDivisionError" in line


def test_a_list_in_a_sample_is_a_vector(tmp_path: Path) -> None:
    chain = """
a = sp.IndexedBase("a")
from boundaudit import Vector
steps = (Step(a[1], "first"), Step(a[1] + a[2], "both"))
chain = Derivation(label="c.chain", title="t", steps=steps, domain=Domain({a: Vector(2, Reals(0, 1))}),
                   samples={"s": {"a": [1, 0.5]}})
good = variance(label="c.good", right=1)
"""
    registry = load_files([write_claims(tmp_path, chain)])
    assert registry.derivations["c.chain"].measure(points=9, seed=0, device="cpu").samples[0].point == {"a": [1, 0.5]}


NEEDLE = "x = variance(label='c.x', right=1, domain=Domain({p: Reals(0, 1)}, where=[p > sp.Rational(1, 3), p < %s]))\n"


def test_a_domain_whose_points_are_hard_to_find_is_not_called_empty(tmp_path: Path) -> None:
    registry = load_files([write_claims(tmp_path, NEEDLE % "sp.Rational(10**6 + 1, 3 * 10**6)")])
    assert registry.members["c.x"].domain.grid(TRIED) == []


def test_a_file_that_is_no_text_or_nested_too_deep_is_one_line(tmp_path: Path) -> None:
    for content in (b"x = '\xff'\n", b"x = " + b"(" * 5000 + b")" * 5000 + b"\n", b"x = \x00\n"):
        path = tmp_path / "my_claims.py"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"my_claims\.py:\d+: expected Python") as raised:
            load_files([path])
        assert len(raised.value.lines) == 1


@pytest.mark.parametrize(("body", "finding"), [
    ('x = variance(label="c.x", right=1, repairs=("c.x",))\n', r"c\.x\.repairs .*got itself"),
    ('t = read_theorems("theorems.toml")\n', r"theorems\.toml:2: Lemma 1: expected labels that exist, got c\.none"),
])  # fmt: skip
def test_a_reference_that_cannot_be_is_told_with_its_place(
    body: str, finding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = 'number = "Lemma 1"\ntitle = "One"\nsays = "So."\nprinted = ["c.none"]\n'
    Path("theorems.toml").write_text(f"\n[[theorem]]\n{words}", encoding="utf-8")
    head = "from boundaudit import read_theorems\ny = variance(label='c.y', right=1)\n"
    with pytest.raises(InputError, match=finding):
        load_files([write_claims(tmp_path, head + body)])


def test_a_chain_without_a_sample_that_fits_names_its_samples(tmp_path: Path) -> None:
    chain = """
good = variance(label="c.good", right=1)
steps = (Step(p - 2, "first"), Step(p - 1, "more"))
chain = Derivation(label="c.chain", title="t", steps=steps, domain=UNIT, samples={})
"""
    registry = load_files([write_claims(tmp_path, chain)])
    with pytest.raises(InputError, match=r"c\.chain\.samples: expected a point where all nodes are positive"):
        registry.derivations["c.chain"].measure(points=9, seed=0, device="cpu")


def test_a_file_that_would_hide_what_is_needed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"claims file: expected a name that no module has .*torch\.py; rename it"):
        load_files([write_claims(tmp_path, "", "torch.py")])


TWO_SYMBOLS = """
q = sp.Symbol("p", positive=True)
less = Claim(label="coin.less", statement="S.", left=sp.Abs(q) - q, right=0, domain=Domain({p: Reals(-1, 1)}))
"""


def test_a_second_symbol_of_which_sympy_assumes_more_is_told(tmp_path: Path) -> None:
    """What it has simplified away with that shows nowhere."""
    head = "import sympy as sp\nfrom boundaudit import Claim, Domain, Reals\np = sp.Symbol('p', real=True)\n"
    with pytest.raises(InputError, match=r"coin\.less\.domain .*one symbol called p, got q, which is positive; rename"):
        load_files([write_claims(tmp_path, head + TWO_SYMBOLS)])
    load_files([write_claims(tmp_path, head + TWO_SYMBOLS.replace("(-1, 1)", "(0, 1, open_low=True)"))])
    load_files([write_claims(tmp_path, head + TWO_SYMBOLS.replace('"p"', '"q"').replace("sp.Abs(q) - q", "p - 1"))])


@pytest.mark.parametrize("body", ["os._exit(0)", "x = variance(label='c.x', left=lambda: os._exit(0), right=1)"])
def test_a_file_does_not_end_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    monkeypatch.setattr(os, "_exit", lambda status: None)  # it would end this test as well, with status 0
    with pytest.raises(InputError, match=r"SystemExit: os\._exit\(0\)"):
        load_files([write_claims(tmp_path, f"import os\n{body}\n")])


def test_a_process_that_a_file_starts_may_end(tmp_path: Path) -> None:
    body = "if not (child := os.fork()):\n    os._exit(7)\nassert os.waitpid(child, 0)[1] == 7 << 8\n"
    load_files([write_claims(tmp_path, f"import os\n{body}x = variance(label='c.x', right=1)\n")])
