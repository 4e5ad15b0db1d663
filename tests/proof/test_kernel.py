"""The trusted base is what it says it is, and checks certificates in a process without algebra systems or solvers."""

import ast
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from boundaudit import InputError
from boundaudit.checks.language.expression import ONE, ZERO, Tree, rational, substitute
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof import kernel
from boundaudit.checks.proof.kernel.__main__ import main

HEAVY = ("numpy", "scipy", "sympy", "torch", "z3")
RUN = f"""
import sys
from boundaudit.checks.proof.kernel.__main__ import main
status = main(sys.argv[1:])
print("loaded", *(name for name in {HEAVY} if name in sys.modules))
sys.exit(status)
"""
X, N = ("v", "x"), ("v", "n")
UNIT = {"name": "x", "range": "reals", "low": ZERO, "high": ONE, "open": [False, False]}
CLAIM = Statement(X, "<=", ONE, {"parameters": [UNIT], "where": []})
NEGATED = {"weight": [1, 1], "factors": [["n", 1]]}
PROOF = {"kind": "psatz", "terms": [NEGATED, {"weight": [1, 1], "factors": [[["high", X], 1]]}]}

COVER = {"kind": "boxes", "points": [{"x": ONE}], "tree": ["touch", 0]}


# --- what is trusted -------------------------------------------------------------------------------


def source(module: str) -> Path | None:
    """The file of a module; None where the name is no module."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


def imported(module: str) -> set[str]:
    """What a module imports of this package, with the packages around it."""
    path = source(module)
    assert path is not None
    named = {module}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0
            named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
    parts = [name.split(".") for name in named if name.split(".")[0] == "boundaudit"]
    around = {".".join(part[: k + 1]) for part in parts for k in range(len(part))}
    return {name for name in around if source(name) is not None}


def trusted() -> dict[str, Path]:
    """The transitive closure of what the checker's process imports."""
    found: dict[str, Path] = {}
    waiting = [f"{kernel.__name__}.__main__"]
    while waiting:
        module = waiting.pop()
        path = source(module)
        if module not in found and path is not None:
            found[module] = path
            waiting += imported(module)
    return found


@pytest.mark.slow
def test_the_trusted_base_is_the_one_stated() -> None:
    stated = set(re.findall(r"^``(boundaudit\S*)``", kernel.__doc__ or "", re.MULTILINE))
    packages = {name for name, path in trusted().items() if path.name == "__init__.py"}
    assert trusted().keys() - packages == stated - {"boundaudit"}
    assert packages - {"boundaudit", kernel.__name__} == {
        f"boundaudit.{name}" for name in ("checks", "checks.language", "checks.language.algebra", "checks.proof")
    }


def test_the_trusted_base_is_no_longer_than_stated() -> None:
    limit = re.search(r"at most ([\d,]+) lines", kernel.__doc__ or "")
    assert limit is not None
    assert sum(len(path.read_text().splitlines()) for path in trusted().values()) <= int(limit[1].replace(",", ""))


# --- certificates in a process of their own --------------------------------------------------------


def line(certificate: Any, statement: Statement = CLAIM, label: str = "some.claim") -> str:
    return json.dumps({"label": label, "statement": statement.to_json(), "certificate": certificate})


def test_a_good_certificate_is_accepted_without_algebra_systems_or_solvers() -> None:
    command = [sys.executable, "-c", RUN]
    ended = subprocess.run(command, input=line(PROOF), capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stdout.splitlines()) == (0, ["1 of 1 certificates accepted", "loaded"])


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """The same in this process: status, output and errors."""

    def called(*lines: str, arguments: Sequence[object] = ()) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
        return main(list(map(str, arguments))), *capsys.readouterr()

    return called


def test_certificates_are_read_from_a_file(run: Any, tmp_path: Path) -> None:
    (tmp_path / "certificates.jsonl").write_text(line(PROOF) + "\n" + line(PROOF) + "\n")
    assert run(arguments=[tmp_path / "certificates.jsonl"]) == (0, "2 of 2 certificates accepted\n", "")


def test_a_corrupted_certificate_is_named(run: Any) -> None:
    corrupted = {**PROOF, "terms": [NEGATED, {"weight": [2, 1], "factors": [[["high", X], 1]]}]}
    status, said, _ = run(line(PROOF), line(corrupted, label="the.forged.one"))
    rejected = "rejected: the.forged.one: the terms do not add up to 0\n"
    assert (status, said) == (1, f"{rejected}1 of 2 certificates accepted\n")


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", line(None), '{"label": "a", "statement": 3, "certificate": {}}', "[" * 10**5]
)
def test_malformed_input_is_one_line(run: Any, text: str) -> None:
    status, _, said = run(line(PROOF), text)
    assert status == 2
    assert re.fullmatch(r"error: line 2: expected an object with label, .*\n", said)


@pytest.mark.parametrize("arguments", [(), ("no such file",), ("one", "two")])
def test_no_certificates_are_not_all_certificates(run: Any, arguments: tuple[str, ...]) -> None:
    assert run(arguments=arguments)[0] == 2


# --- forgeries -------------------------------------------------------------------------------------

SIZE = {"name": "n", "range": "integers", "low": ONE, "high": None}
COUNT = ("sum", ONE, N, ONE)


@pytest.mark.parametrize("antidifference", [("sum", ONE, ONE, ("v", "i")), ("sum", ONE, ONE, ("b", 0)), ("b", 0)])
def test_the_index_of_a_sum_does_not_catch_what_is_put_into_it(antidifference: Tree) -> None:
    """Σ_{i ≤ n} 1 is n; were n caught by a sum that runs to 1, it would be 1."""
    forged = {"kind": "telescope", "sum": COUNT, "index": "i", "antidifference": antidifference}
    proof = {**forged, "proof": {"kind": "identity"}}
    bounded = {**SIZE, "high": rational(10)}
    for relation in ("=", "<="):
        with pytest.raises(kernel.Rejected):
            kernel.check(Statement(COUNT, relation, ONE, {"parameters": [bounded], "where": []}), proof)
    assert substitute(("sum", ONE, N, ("v", "i")), {"i": N, "n": X}) == ("sum", ONE, X, N)


@pytest.mark.parametrize("name", ["#1:0", "#2:c0ffee", "#", ""])
def test_a_name_that_normal_forms_make_up_is_no_parameter_and_no_index(name: str) -> None:
    claim = {"left": ["sum", ["q", 1, 1], ["v", "n"], ["v", name]], "relation": "<=", "right": ["q", 1, 1]}
    with pytest.raises(InputError, match="whitelisted"):
        Statement.from_json({**claim, "domain": {"parameters": [SIZE], "where": []}})
    forged = {"kind": "telescope", "sum": COUNT, "index": name, "antidifference": N, "proof": {"kind": "identity"}}
    with pytest.raises(kernel.Rejected, match="fresh"):
        kernel.check(Statement(COUNT, "=", N, {"parameters": [SIZE], "where": []}), forged)


def test_a_value_between_integers_is_none() -> None:
    choice = {"name": "y", "range": "choices", "values": [("sin", ONE)]}
    claim = Statement(("floor", ("v", "y")), "=", ("v", "y"), {"parameters": [choice], "where": []})
    with pytest.raises(kernel.Rejected):
        kernel.check(claim, {"kind": "identity"})


@pytest.mark.parametrize("certificate", [PROOF, COVER], ids=["psatz", "boxes"])
def test_a_name_is_that_of_one_parameter(certificate: Any) -> None:
    kernel.check(CLAIM, certificate)
    twice = {"parameters": [UNIT, {**UNIT, "high": None}], "where": []}
    with pytest.raises(kernel.Rejected, match="name"):
        kernel.check(Statement(X, "<=", ONE, twice), certificate)


def test_a_domain_holds_no_text_in_place_of_numbers() -> None:
    domain = {"parameters": [{**UNIT, "high": ["q", "1", 1]}], "where": []}
    with pytest.raises(kernel.Rejected, match="whitelisted"):
        kernel.check(Statement(X, "<=", ONE, domain), PROOF)


def test_a_sum_ends_at_integers() -> None:
    half = rational(0.5)
    claim = Statement(("sum", half, half, ONE), "=", ONE, {"parameters": [], "where": []})
    with pytest.raises(kernel.Rejected, match="integers"):
        kernel.check(claim, {"kind": "identity"})
