"""Certificates as Coq files: what they say, what is refused before Coq sees it, and that Coq refuses planted faults."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call, refused
from tests.coq import COQC, LIBRARIES, Parts, assumed, judged
from tests.proof.test_ordered import GOAL as ORDERED
from tests.proof.test_ordered import PROOF as BY_ORDER
from tests.shipped import shipped_run

from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, rational
from boundaudit.checks.language.statement import Relation, Statement
from boundaudit.checks.proof.coq.documents import PRELUDE, document, prelude
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.sums import name_of_index
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text
from boundaudit.checks.proof.kernel import check, domains
from boundaudit.checks.run.coq import Exported, export_coq

X, N = ("v", "x"), ("v", "n")
UNIT = {"name": "x", "range": "reals", "low": ZERO, "high": ONE, "open": [False, False]}
COUNT = {"name": "n", "range": "integers", "low": ONE, "high": None}
NEGATED = {"weight": [1, 1], "factors": [["n", 1]]}
IDENTITY = {"kind": "identity"}
HEAD = f"Require Import {PRELUDE}.\nOpen Scope R_scope.\n"


def statement(left: Tree, relation: Relation, right: Tree, *parameters: dict[str, Any]) -> Statement:
    """A statement on a domain without relations."""
    return Statement(left, relation, right, {"parameters": list(parameters or (UNIT,)), "where": []})


def psatz(weight: int, *factors: Any) -> dict[str, Any]:
    """The goal's negation, and one weighted product."""
    return {
        "kind": "psatz",
        "terms": [NEGATED, {"weight": [weight, 1], "factors": [[factor, 1] for factor in factors]}],
    }


def boxes(node: Any) -> dict[str, Any]:
    """A cover by boxes without points of contact."""
    return {"kind": "boxes", "points": [], "tree": node}


def vector(name: str, **ends: Tree) -> dict[str, Any]:
    """As many entries as n."""
    return {"name": name, "range": "vector", "low": None, "high": None, "open": [False, False], "length": N,
            "square_sum": None, **ends}  # fmt: skip


def chain(nodes: list[Tree], use: dict[str, Any], *proofs: dict[str, Any]) -> dict[str, Any]:
    """Steps from node to node, the first with an instance of what is cited."""
    steps = [{"uses": [use] if k == 0 else [], "proof": proof} for k, proof in enumerate(proofs)]
    return {"kind": "chain", "nodes": nodes, "steps": steps}


HALF = ("q", 1, 2)
SQUARE = ("^", X, rational(2))
DOUBLE = ("*", rational(2), X)
SMALL = statement(DOUBLE, "<=", rational(2))
SUM = ("sum", ONE, N, ONE)
LOGARITHM = statement(("log", ("+", ONE, X)), "<=", X)
DISTANCE = statement(("abs", ("+", X, rational(-1))), "<=", ONE)
SIGN, ENTRY = ("^", rational(-1), ("b", 0)), ("item", "a", ("b", 0))
ENTRIES, LAST = ("sum", ONE, N, ("abs", ENTRY)), ("item", "a", N)
MATRIX = {
    "name": "b", "range": "matrix", "low": None, "high": ONE, "open": [False, False], "rows": N, "columns": ONE,
    "square_sum": None,
}  # fmt: skip
CHOICES = {"name": "x", "range": "choices", "values": [ONE, rational(2)]}
FROM_TWO = {**UNIT, "low": rational(2), "high": None}
GROWS = {
    "kind": "valley", "variable": "x", "anchor": rational(2), "shape": "rising", "base": IDENTITY,
    "slope": psatz(1, ["sign", ("*", ("^", rational(2), X), ("log", rational(2)))]),
}  # fmt: skip
BENT = {
    "kind": "concave", "variable": "x", "low": IDENTITY, "high": IDENTITY, "curvature": psatz(2),
}  # fmt: skip
EACH = {"parameters": [COUNT, vector("a")], "where": [["all", ONE, N, ["<=", ENTRY, ONE]]]}
EITHER = {"parameters": [UNIT], "where": [["or", [["<=", X, HALF], ["<=", SQUARE, X]], [["<=", X, HALF]]]]}
REST = ("+", ONE, ("*", rational(-1), X))
LARGER, SMALLER = ("max", X, REST), ("min", X, N)
RISE = ("max", ("+", DOUBLE, rational(-1)), ZERO)
HALVES, PARITY = ("floor", ("*", HALF, N)), ("^", rational(-1), N)
POWER, EXPONENT = ("^", X, ("v", "p")), {**UNIT, "name": "p", "high": rational(2), "open": [True, False]}


def at_ends(last: dict[str, Any]) -> dict[str, Any]:
    """Of a power: at the end 2 of its exponent, at the end 0 of its base, and elsewhere."""
    inner = {"kind": "cases", "split": ["end", "x", "low"], "proofs": [IDENTITY, last]}
    return {"kind": "cases", "split": ["end", "p", "high"], "proofs": [psatz(1, ["sign", SQUARE]), inner]}


UPWARD = {**UNIT, "high": None}
SHARE, BEFORE = {**UNIT, "high": ("^", N, rational(-1))}, {**COUNT, "name": "k", "high": N}
FREE = tuple({**UNIT, "name": name, "low": None, "high": None} for name in "rs")
SPREAD = ("+", ("v", "r"), ("*", rational(-1), ("v", "s")))
APART = ("*", ("abs", SPREAD), X)
SIZES = ("abs", ("*", ("+", ("abs", SPREAD), X), SPREAD))
PICKED = ("sum", ONE, N, ("if<", ENTRY, ZERO, ("^", ENTRY, rational(2))))
SOME, ENTRIES_UP = ("sum", ONE, ("v", "k"), ENTRY), vector("a", low=ZERO)
EVEN, ODD = ({"parameters": [COUNT], "where": [[relation, PARITY, ZERO]]} for relation in (">", "<"))
GROWING = ("exp", ("*", X, ("+", ("b", 0), ENTRY)))
RISING = ("sum", ONE, N, ("*", ("+", ("b", 0), ENTRY), GROWING))
LENGTH = {**COUNT, "low": rational(20), "high": rational(20)}
AFTER_LAST = ("sum", ("+", N, ONE), N, ("^", X, ("b", 0)))
BELOW_POWER = {**UNIT, "name": "w", "high": ("+", ("^", rational(2), N), rational(-1))}
APART_BY = ("+", N, ("*", rational(-2), ("v", "k")))
BESIDE = {"parameters": [UNIT, *FREE], "where": [[">=", ("*", ("+", HALF, ("*", ("q", 1, 3), X)), SPREAD), ZERO]]}
AT_MOST_ONE = (COUNT, vector("a", high=ONE))


def for_all(most: Tree) -> tuple[Statement, dict[str, Any]]:
    """The last entry of a vector is at most some number, as any entry is."""
    item, k = ("item", "a", ("v", "k")), {**COUNT, "name": "k", "high": N}
    lemma = {
        "statement": statement(item, "<=", most, *AT_MOST_ONE, k).to_json(),
        "certificate": psatz(1, ["high", item]),
    }
    proof = {"kind": "for all", "index": "k", "ends": [ONE, N], "lemma": lemma, "proof": psatz(1, ["each", 0, N])}
    return statement(LAST, "<=", most, *AT_MOST_ONE), proof


RIGHT: dict[str, tuple[Statement, dict[str, Any]]] = {
    "identity": (statement(("*", ("+", X, ONE), ("+", X, rational(-1))), "=", ("+", SQUARE, rational(-1))), IDENTITY),
    "identity.root": (statement(("^", ("*", rational(4), SQUARE), ("q", 1, 2)), "=", DOUBLE), IDENTITY),
    "psatz": (SMALL, psatz(2, ["high", X])),
    "psatz.tangent": (LOGARITHM, psatz(1, ["tangent", ("+", ONE, X)])),
    "boxes": (statement(("exp", X), "<=", rational(3)), boxes(["split", "x", ["ball"], ["ball"]])),
    "valley": (
        LOGARITHM,
        {
            "kind": "valley", "variable": "x", "anchor": ZERO, "shape": "rising", "base": IDENTITY,
            "slope": psatz(1, ["sign", ("*", X, ("^", ("+", ONE, X), rational(-1)))]),
        },
    ),
    "cases": (
        DISTANCE,
        {
            "kind": "cases", "split": ["sign", X],
            "proofs": [psatz(1, ["low", X]), psatz(1, ["low", X])],
        },
    ),
    "sum": (statement(SUM, "=", N, COUNT), IDENTITY),
    "sum.alternating": (
        statement(("sum", ONE, N, ("+", ONE, SIGN)), "=", ("+", N, ("sum", ONE, N, SIGN)), COUNT), IDENTITY
    ),
    "sum.none": (statement(AFTER_LAST, "=", ZERO, UNIT, COUNT), IDENTITY),
    "sum.literal": (statement(("sum", ONE, rational(2), ("^", X, ("b", 0))), "=", ("+", X, SQUARE)), IDENTITY),
    "choices": (statement(("floor", X), "=", X, CHOICES), IDENTITY),
    "power": (statement(("^", X, HALF), "<=", ONE), psatz(1, ["power", ["high", X], HALF])),
    "power.symbolic": (
        statement(("^", X, N), "<=", ONE, {**UNIT, "low": HALF}, COUNT), psatz(1, ["power", ["high", X], N])
    ),
    "part": (
        statement(("abs", LAST), "<=", ENTRIES, COUNT, vector("a")), psatz(1, ["part", ("sum", ONE, N, ENTRY), N])
    ),
    "matrix": (statement(("item", "b", N, ONE), "<=", ONE, COUNT, MATRIX), psatz(1, ["high", ("item", "b", N, ONE)])),
    "branch": (statement(("if<", ("+", X, ONE), rational(2), X), "=", X), IDENTITY),
    "branch.most": (statement(("if<=", ("+", X, rational(-1)), rational(2), X), "=", rational(2)), IDENTITY),
    "branch.zero": (statement(("if=", ("+", X, rational(-2)), rational(2), X), "=", X), IDENTITY),
    "boxes.max": (statement(("q", 1, 4), "<=", LARGER), boxes(["split", "x", ["ball"], ["ball"]])),
    "boxes.unspoken": (
        statement(("exp", X), "<=", rational(3), UNIT, LENGTH, BELOW_POWER), boxes(["split", "x", ["ball"], ["ball"]])
    ),
    "size.integer": (
        statement(("floor", ("abs", APART_BY)), "=", ("abs", APART_BY), COUNT, {**COUNT, "name": "k"}), IDENTITY
    ),
    "factor.fractions": (Statement(ZERO, "<=", SPREAD, BESIDE), psatz(1, ["sign", SPREAD])),
    "valley.sum": (
        statement(N, "<=", ("sum", ONE, N, GROWING), UNIT, COUNT, vector("a", low=ZERO)),
        {
            "kind": "valley", "variable": "x", "anchor": ZERO, "shape": "rising", "base": IDENTITY,
            "slope": psatz(1, ["sign", RISING]),
        },
    ),
    "valley.literal": (statement(rational(4), "<=", ("^", rational(2), X), FROM_TWO), GROWS),
    "concave": (statement(SQUARE, "<=", X), BENT),
    "each": (Statement(LAST, "<=", ONE, EACH), psatz(1, ["each", 0, N])),
    "alternatives": (
        Statement(X, "<=", HALF, EITHER),
        {"kind": "cases", "split": ["alternatives", 0], "proofs": [psatz(1, ["where", 0]), psatz(1, ["where", 0])]},
    ),
    "parity.even": (Statement(HALVES, "=", ("*", HALF, N), EVEN), IDENTITY),
    "parity.odd": (Statement(HALVES, "=", ("*", HALF, ("+", N, rational(-1))), ODD), IDENTITY),
    "larger": (statement(ZERO, "<=", RISE), psatz(1, ["sign", RISE])),
    "smaller": (statement(ZERO, "<=", SMALLER, COUNT, UPWARD), psatz(1, ["sign", SMALLER])),
    "power.nonnegative": (statement(POWER, ">=", ZERO, UNIT, EXPONENT), psatz(1, ["sign", POWER])),
    "power.ends": (statement(POWER, ">=", ZERO, UNIT, EXPONENT), at_ends(psatz(1, ["sign", POWER]))),
    "sizes": (statement(SIZES, "=", ("+", ("^", SPREAD, rational(2)), APART), UNIT, *FREE), IDENTITY),
    "branch.index": (statement(ZERO, "<=", PICKED, COUNT, vector("a")), psatz(1, ["sign", PICKED])),
    "range.quotient": (statement(("abs", REST), "=", REST, COUNT, SHARE), IDENTITY),
    "entry.within": (statement(ZERO, "<=", SOME, COUNT, BEFORE, ENTRIES_UP), psatz(1, ["sign", SOME])),
    "for all": for_all(ONE),
    "for all.ordered": (ORDERED, BY_ORDER),
}  # fmt: skip
WRONG: dict[str, tuple[Statement, dict[str, Any]]] = {
    "weight": (SMALL, psatz(3, ["high", X])),
    "hypothesis": (SMALL, psatz(2, ["low", X])),
    "false": (statement(X, "=", SQUARE), IDENTITY),
    "box": (statement(("exp", X), "<=", rational(2)), boxes(["split", "x", ["ball"], ["ball"]])),
    "alternating": (statement(("sum", ONE, N, ("+", ONE, SIGN)), "=", N, COUNT), IDENTITY),
    "literal": (statement(("sum", ONE, rational(2), ("^", X, ("b", 0))), "=", ("+", ONE, SQUARE)), IDENTITY),
    "none": (statement(AFTER_LAST, "=", X, UNIT, COUNT), IDENTITY),
    "choices": (statement(("floor", ("*", HALF, X)), "=", ("*", HALF, X), CHOICES), IDENTITY),
    "power": (statement(("^", X, HALF), "<=", X), psatz(1, ["power", ["high", X], HALF])),
    "part": (
        statement(("abs", LAST), "<=", ("*", HALF, ENTRIES), COUNT, vector("a")),
        psatz(1, ["part", ("sum", ONE, N, ENTRY), N]),
    ),
    "matrix": (statement(("item", "b", N, ONE), "<=", HALF, COUNT, MATRIX), psatz(1, ["high", ("item", "b", N, ONE)])),
    "branch": (statement(("if<", ("+", X, ONE), rational(2), X), "=", rational(2)), IDENTITY),
    "max": (statement(HALF, "<", LARGER), boxes(["split", "x", ["ball"], ["ball"]])),
    "valley": (statement(rational(5), "<=", ("^", rational(2), X), FROM_TWO), GROWS),
    "concave": (statement(("^", X, rational(3)), "<=", SQUARE), BENT),
    "each": (Statement(LAST, "<=", HALF, EACH), psatz(1, ["each", 0, N])),
    "alternatives": (
        Statement(X, "<=", ("q", 1, 4), EITHER),
        {"kind": "cases", "split": ["alternatives", 0], "proofs": [psatz(1, ["where", 0]), psatz(1, ["where", 0])]},
    ),
    "parity": (Statement(HALVES, "=", ("*", HALF, N), ODD), IDENTITY),
    "larger": (statement(HALF, "<=", RISE), psatz(1, ["sign", RISE])),
    "smaller": (statement(("q", 1, 4), "<=", SMALLER, COUNT, UPWARD), psatz(1, ["sign", SMALLER])),
    "power.nonnegative": (statement(POWER, ">=", ONE, UNIT, EXPONENT), psatz(1, ["sign", POWER])),
    "power.ends": (statement(POWER, ">=", ZERO, UNIT, EXPONENT), at_ends(psatz(1, ["low", X]))),
    "sizes": (statement(SIZES, "=", APART, UNIT, *FREE), IDENTITY),
    "branch.index": (statement(ONE, "<=", PICKED, COUNT, vector("a")), psatz(1, ["sign", PICKED])),
    "range.quotient": (statement(("abs", REST), "=", X, COUNT, SHARE), IDENTITY),
    "entry.within": (statement(ONE, "<=", SOME, COUNT, BEFORE, ENTRIES_UP), psatz(1, ["sign", SOME])),
    "for all": for_all(HALF),
}
M = {"name": "m", "range": "reals", "low": None, "high": None, "open": [False, False], "measured": True}
CITED = statement(("v", "m"), "<=", ONE, UNIT, M)
AXIOM = statement(("v", "m"), "<=", X, UNIT, M)
BY_AXIOM = chain(
    [("v", "m"), X, ONE], {"cites": "ax.iom", "map": {}, "conditions": []}, {"kind": "given"}, psatz(1, ["high", X])
)
T = ("v", "t")
FALLS = ("+", ("*", HALF, ("^", T, rational(2))), ("*", rational(-1), T))
BOTH = {"kind": "psatz", "terms": [NEGATED, *({"weight": [1, 1], "factors": [[["high", v], 1]]} for v in (T, X))]}
ALONG = {
    "cites": "slope", "map": {}, "along": {"index": "t", "low": ZERO, "high": X, "function": FALLS},
    "conditions": [psatz(1, ["low", T]), BOTH, psatz(1, ["low", X])],
}  # fmt: skip
SLOPE = (statement(T, "<=", ONE, {**UNIT, "name": "t"}), psatz(1, ["high", T]))
AT_X = ("+", ("*", HALF, SQUARE), ("*", rational(-1), X))
BY_SLOPE = chain([AT_X, ZERO], ALONG, psatz(1, ["where", 0]))


# --- what needs no Coq -----------------------------------------------------------------------------


def test_a_file_states_the_domain_and_ends_with_the_claim() -> None:
    written = document("a.b[c]", *RIGHT["psatz"])
    assert written.startswith("(* a.b[c] *)\nRequire Import boundaudit_prelude.")
    assert "forall (x : R),\n  (0 <= x) ->\n  (x <= 1) ->\n  (2 * x) <= 2." in written
    assert written.rstrip().endswith("Print Assumptions a_b_c_.")


def test_nothing_is_assumed() -> None:
    written = [prelude(), *(document("a", *found) for found in RIGHT.values())]
    assert not re.search(r"\b(Axiom|Parameter|Admitted|admit|Hypothesis|Conjecture)\b", "\n".join(written))


@pytest.mark.parametrize("name", ["T", "exp", "forall", "‖V2‖ of the network", "#1:0a", "squares_"])
def test_names_are_identifiers(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", identifier(name))
    assert identifier(name) not in ("exp", "forall")


def test_terms_are_spelled_in_the_functions_of_the_prelude() -> None:
    assert text(("^", X, rational(-2))) == "(/ (x ^ 2))"
    assert text(("^", X, ("q", 3, 2))) == "((root 2 x) ^ 3)"
    assert text(("^", X, N)) == "(power x n)"
    assert text(("sum", ONE, N, ("*", ("b", 0), X))) == "(total 1 n (fun i_0 : R => (i_0 * x)))"
    with pytest.raises(NotExported, match="gamma"):
        text(("gamma", X))


@pytest.mark.slow
def test_what_has_no_proof_in_coq_yet_is_named() -> None:
    run = shipped_run()
    files: dict[str, str] = {}
    (found,) = export_coq(run, ["infinite_width.scores.kurtosis"], files.__setitem__)
    assert found.file is None
    assert found.why == "the function gamma is not in the prelude"
    assert list(files) == [f"{PRELUDE}.v"]


@pytest.mark.slow
def test_the_command_writes_files(call: Call, tmp_path: Path) -> None:
    label = "sharpness.averages.below-one"
    ended = call("export", "--coq", label, "--out", tmp_path / "coq")
    assert ended.code == 0
    assert ended.out.startswith("1 of 1 certificates written")
    assert {path.name for path in (tmp_path / "coq").iterdir()} == {f"{PRELUDE}.v", f"{identifier(label)}.v"}


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "culprit"), [
    (["--coq", "nosuch", "--out", "x"], "nosuch"), (["--coq", "sharpness.averages.below-one"], "--out"),
    (["--coq", "--needs"], "both"), (["--needs", "sharpness.averages.below-one"], "no label"),
    (["--coq", "attention_erm.bayes.gap[few]", "--out", "x"], "supported"),
])  # fmt: skip
def test_bad_input_is_one_line(call: Call, arguments: list[str], culprit: str) -> None:
    refused(call("export", *arguments), culprit)


def test_an_older_record_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from boundaudit import InputError
    from boundaudit.checks.run import coq

    run = shipped_run()
    other = run.receipts["sharpness.averages.less"].fingerprint
    claims = [type("Stale", (), {"fingerprint": other})]
    monkeypatch.setattr(coq, "find_shipped", lambda label: claims)
    with pytest.raises(InputError, match="what the claim states now"):
        export_coq(run, ["sharpness.averages.below-one"], lambda name, text: None)


def test_an_axiom_is_a_premise_of_what_is_measured_at_the_point() -> None:
    written = document("claim", CITED, BY_AXIOM, {"ax.iom": (AXIOM, None)})
    assert "Lemma claim :\nforall (x : R) (m : R),\n  (0 <= x) ->\n  (x <= 1) ->\n  (  (0 <= x) ->\n" in written
    assert "  m <= x) ->\n  m <= 1." in written


def test_an_axiom_on_what_is_measured_elsewhere_is_no_premise_here() -> None:
    measured = {**M, "measured": ["x"]}
    axiom = statement(("v", "m"), "<=", ("+", X, ("v", "y")), UNIT, {**UNIT, "name": "y"}, measured)
    moving = {"cites": "ax", "map": {"x": HALF}, "conditions": []}
    claim = statement(("v", "m"), "<=", ONE, UNIT, {**UNIT, "name": "y"}, measured)
    with pytest.raises(NotExported, match="stay as they are"):
        document("claim", claim, chain([("v", "m"), ONE], moving, {"kind": "given"}), {"ax": (axiom, None)})


def test_the_index_of_a_sum_has_the_name_that_the_normal_form_gives_it() -> None:
    ground, total = Ground({"parameters": [COUNT, vector("a")], "where": []}), ("sum", ONE, N, ENTRY)
    ground.ratio(total)
    met = len(ground.atoms)
    ground.equation(total)
    assert ground.find(("v", name_of_index(ground, total))) is not None
    assert len(ground.atoms) == met


def test_what_is_cited_is_written_in_the_same_words_wherever_it_is() -> None:
    known = {"slope": SLOPE, "by": CITING["slope"][:2], "like": CITING["slope"][:2]}
    alone, after = (
        document("a", known["by"][0], {"kind": "chain", "nodes": [AT_X, ZERO], "steps": [step]}, known)
        for labels in (["by"], ["like", "by"])
        for step in [
            {"uses": [{"cites": label, "map": {}, "conditions": []} for label in labels], "proof": {"kind": "given"}}
        ]
    )
    found = [
        [lemma for lemma in written.split("\nLemma ") if lemma.startswith("by_cited")] for written in (alone, after)
    ]
    assert found[0] == found[1] != []


def test_no_two_parameters_have_one_name_and_none_that_of_an_index() -> None:
    two = statement(("v", "a b"), "=", ("v", "a_b"), {**UNIT, "name": "a b"}, {**UNIT, "name": "a_b"})
    with pytest.raises(NotExported, match="one name"):
        document("a", two, IDENTITY)
    index = ("v", "i_0")
    total = statement(("sum", ONE, N, index), "=", ("*", N, index), {**UNIT, "name": "i_0"}, COUNT)
    assert "(total 1 n (fun i_0 : R => i_0_)) = (n * i_0_)" in document("a", total, IDENTITY)
    low = {**UNIT, "name": "i"}
    bounded = statement(LAST, "<=", LAST, COUNT, low, vector("a", low=("v", "i")))
    assert "i <= a i_0" in document("a", bounded, IDENTITY)


# --- what Coq says ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled prelude."""
    if shutil.which("coqc") is None:
        pytest.skip("coqc is not installed")
    found = tmp_path_factory.mktemp("coq")
    (found / f"{PRELUDE}.v").write_text(prelude(), encoding="utf-8")
    if coqc(found, PRELUDE).returncode:
        pytest.skip("Coq's libraries are not installed")
    return found


def coqc(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Coq on one file."""
    command = ["coqc", "-q", "-w", "none", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def sentences(name: str, *found: Any) -> str:
    """A document without its head, which is read once for all of them, and not asked what it rests on."""
    return document(name, *found).replace(HEAD, "").replace(f"Print Assumptions {name}.\n", "")


@pytest.mark.acceptance
def test_coq_accepts_what_our_checker_accepts(folder: Path) -> None:
    """All of them in one file: what they rest on is asked of all together, in seconds and not in half a minute."""
    for right in RIGHT.values():
        check(*right)
    lemmas = {f"right_{identifier(name)}": found for name, found in RIGHT.items()}
    assert len(lemmas) == len(RIGHT)
    asked = f"Definition all := ({', '.join(lemmas)}).\nPrint Assumptions all.\nCheck tt.\n"
    written = [HEAD, *(sentences(name, *found) for name, found in lemmas.items()), asked]
    (folder / "right.v").write_text("".join(written), encoding="utf-8")
    ended = coqc(folder, "right")
    assert ended.returncode == 0, ended.stderr
    axioms = assumed(ended.stdout.splitlines(keepends=True))
    assert axioms
    assert [axiom for axiom in axioms if not axiom.startswith(LIBRARIES)] == []


CITING: dict[str, tuple[Statement, dict[str, Any], dict[str, Any]]] = {
    "axiom": (CITED, BY_AXIOM, {"ax.iom": (AXIOM, None)}),
    "slope": (statement(AT_X, "<=", ZERO), BY_SLOPE, {"slope": SLOPE}),
}
NOT_SAID: dict[str, tuple[Statement, dict[str, Any], dict[str, Any]]] = {
    "axiom": (CITED, BY_AXIOM, {"ax.iom": (statement(("v", "m"), "<=", ("+", ONE, X), UNIT, M), None)}),
    "slope": (
        statement(AT_X, "<=", ("q", -1, 8)), {**BY_SLOPE, "nodes": [AT_X, ("q", -1, 8)]}, {"slope": SLOPE}
    ),
    "cited": (statement(AT_X, "<=", ZERO), BY_SLOPE, {"slope": (SLOPE[0], psatz(1, ["low", T]))}),
}  # fmt: skip


@pytest.mark.acceptance
def test_coq_accepts_chains_and_refuses_what_they_do_not_say(folder: Path) -> None:
    batch = []
    for word, found in (("chain", CITING), ("broken", NOT_SAID)):
        for name, (claim, certificate, known) in found.items():
            batch.append(Exported(f"{word}_{name}", "", f"{word}_{name}.v"))
            (folder / f"{word}_{name}.v").write_text(document(f"{word}_{name}", claim, certificate, known), "utf-8")
    for claim, certificate, known in CITING.values():
        check(claim, certificate, {label: cited for label, (cited, _) in known.items()})
    (folder / "slope.v").write_text(document("slope", *SLOPE), "utf-8")
    batch.append(Exported("slope", "", "slope.v"))
    parts, said = Parts(120, [(folder / f"{each.label}.v").read_text("utf-8") for each in batch]), {}
    sound = [each for each in batch if not each.label.startswith("broken")]  # a process ends where it refuses one
    for together in (sound, *([each] for each in batch if each not in sound)):
        said |= {each.label: (word, why) for each, word, why in judged(folder, together, 120, parts)}
    assert said["chain_axiom"] == said["chain_slope"] == said["slope"] == ("accepted", "")
    assert len([*folder.glob("part_*.v")]) == 2, "what is cited is compiled once for all, and a false one"
    assert {said[f"broken_{name}"][0] for name in NOT_SAID} == {"refused"}


@pytest.mark.acceptance
def test_coq_refuses_planted_faults(folder: Path) -> None:
    """All of them to one process, which goes on after an error; at the end it is asked what it has proved."""
    written = {f"wrong_{identifier(name)}": found for name, found in WRONG.items()}
    written["right"] = RIGHT["identity"]
    asked = "".join(f"{sentences(name, *found)}Abort All.\nCheck {name}.\n" for name, found in written.items())
    command = ["coqtop", *COQC[1:]]
    ended = subprocess.run(
        command, cwd=folder, input=HEAD + asked, capture_output=True, text=True, timeout=120, check=True
    )
    assert re.findall(r"^(\w+)\s+: forall", ended.stdout, re.MULTILINE) == ["right"]
    missing = re.findall(r"The reference (\w+) was not found", ended.stderr)
    assert [name for name in dict.fromkeys(missing) if name in written] == [name for name in written if name != "right"]


@pytest.mark.acceptance
def test_coq_refuses_what_is_said_of_one_index_more_than_was_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself: our own check of that is left out."""
    claim, proof = for_all(ONE)
    wider = {**proof, "ends": [ONE, add(N, ONE)]}
    with pytest.raises(NotExported, match="rests on more"):
        document("wider", claim, wider)
    monkeypatch.setattr(domains, "implies", lambda *_: True)
    written = document("wider", claim, wider)
    (folder / "wider.v").write_text(written, "utf-8")
    place = re.search(r"line (\d+)", coqc(folder, "wider").stderr)
    assert place
    assert "assert (H_where_0 : forall i_0" in written.splitlines()[int(place[1]) - 1]


@pytest.mark.acceptance
def test_what_coq_refuses_or_is_told_to_believe_is_not_recorded_as_accepted(folder: Path) -> None:
    for name, claim, proof in (
        ("right", "1 <= 2", "lra. Qed"),
        ("told", "2 <= 1", "Admitted"),
        ("wrong", "2 <= 1", "lra. Qed"),
    ):
        lemma = f"Lemma {name} : {claim}.\nProof. {proof}.\nPrint Assumptions {name}.\n"
        (folder / f"{name}.v").write_text(HEAD + lemma, encoding="utf-8")
    batch = [Exported(name, "psatz", f"{name}.v") for name in ("right", "told", "wrong", "right")]
    assert [(each.label, word) for each, word, _ in judged(folder, batch, 100, Parts(100))] == [
        ("right", "accepted"), ("told", "refused"), ("wrong", "refused"),
    ]  # fmt: skip
