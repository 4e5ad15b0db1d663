"""`boundaudit read`: what it prints is the claim that it read, files are added to as a whole, errors have a caret."""

import re
import shlex
from pathlib import Path

import pytest
import sympy as sp
from tests.command import Call
from tests.language.test_reading import TEXTS

from boundaudit import Claim, InputError, read
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.reading.source import python_of, save
from boundaudit.checks.run.own_files import load_files
from boundaudit.reports import site

HARMONIC = r"\sum_{t=1}^{T} \frac1{\sqrt t} \le 2\sqrt T - 1"


@pytest.mark.slow
def test_the_python_of_every_text_states_the_same_claim(tmp_path: Path) -> None:
    """All of them in one file: names that stand for a number here and a vector there are kept apart."""
    file = tmp_path / "read_claims.py"
    stated = [read(row[0]) for row in TEXTS]
    stated += [read("lambda*Claim <= max(2, exp(log(x)), factorial(7))"), read("a <= b <= c/3 for a > 0, c >= b^2")]
    for claim in stated:
        if f'"{claim.label}"' not in (file.read_text(encoding="utf-8") if file.exists() else ""):
            save(file, claim)
    found = load_files([file]).members
    for claim in stated:
        for member in claim.members:
            assert found[member.label].fingerprint == member.fingerprint, member.text


def test_it_prints_the_claim_and_asks_for_what_is_missing(call: Call) -> None:
    ended = call("read", r"\log(1 + x) \le x")
    assert ended.code == 0
    assert ended.out.startswith(python_of(read(r"\log(1 + x) \le x")))
    assert "missing: x: no range is given" in ended.out
    assert "bounded: log(x + 1)\nby: x, from above" in ended.out
    told = call("read", HARMONIC, "--where", "T >= 2", "--label", "draft.harmonic", "--json").json
    assert (told["label"], told["missing"]) == ("draft.harmonic", [])
    assert told["claims"][0]["domain"] == "2 ≤ T"
    assert call("read", "-x^2 <= 1", "--json").json["claims"][0]["text"] == "-x^2 <= 1"
    assert call("read", "x*T <= T^2", "--integer", "T,x", "--json").json["claims"][0]["domain"] == "1 ≤ x; 1 ≤ T"


@pytest.mark.slow
def test_it_verifies_and_shows_the_counterexample(call: Call) -> None:
    ended = call("read", "x <= x^2 = x*x for 0 <= x <= 1", "--verify")
    assert ended.code == 1
    assert "refuted  read." in ended.out
    assert "at x = 1/2" in ended.out
    assert "proved  read." in ended.out
    assert list(Path().iterdir()) == []
    supported = call("read", "x*log(x + 1/2) >= -1/10 - x^3/100 for x >= 0", "--verify")
    assert (supported.code, "next: it is proved for x >= 1" in supported.out) == (0, True)


@pytest.mark.slow
def test_the_sites_page_shows_what_its_commands_answer(call: Call) -> None:
    page = Path(site.__file__ or "").with_name("from-paper-to-claim.md").read_text(encoding="utf-8")
    said = re.findall(r"^```console\n\$ boundaudit (.*?)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(said) == 5
    for arguments, shown in said:
        ended = call(*shlex.split(arguments))
        assert [line for line in shown.splitlines() if line not in (ended.out + ended.err).splitlines()] == []


def test_a_file_is_begun_added_to_and_never_lost(call: Call) -> None:
    assert call("read", HARMONIC, "--out", "draft.py").out.endswith(
        "wrote draft.py; audit it with: boundaudit verify draft.py\n"
    )
    before = Path("draft.py").read_text(encoding="utf-8")
    assert call("read", HARMONIC, "--out", "draft.py").code == 2
    assert "added to draft.py" in call("read", "T <= T^2 for T >= 1", "--out", "draft.py").out
    after = Path("draft.py").read_text(encoding="utf-8")
    assert after.startswith(before)
    assert after.count('T = sp.Symbol("T", real=True)') == after.count("import sympy") == 1
    assert len(load_files([Path("draft.py")]).claims) == 2
    Path("broken.py").write_text("x = (", encoding="utf-8")
    for wrong in ("broken.py", "draft.txt", "absent/draft.py"):
        assert call("read", "x <= x^2", "--out", wrong).code == 2
    assert {file.name for file in Path().iterdir()} == {"draft.py", "broken.py"}


def test_a_file_keeps_its_ends_of_lines_and_a_link_stays_one(call: Call) -> None:
    file, link = Path("draft.py"), Path("link.py")
    file.write_bytes(b"import sympy as sp\r\n")
    link.symlink_to(file)
    assert call("read", HARMONIC, "--out", link).code == 0
    assert link.is_symlink()
    content = file.read_bytes()
    assert content.startswith(b"import sympy as sp\r\n")
    assert content.count(b"\n") == content.count(b"\r\n") > 1


def test_an_error_has_a_caret_under_its_place(call: Call) -> None:
    ended = call("read", r"\log(1 + x) \le \foo{x}")
    shown, caret, line = ended.err.splitlines()
    assert shown[caret.index("^") :].startswith(r"\foo")
    assert line.startswith("boundaudit: text: expected functions such as")
    assert ended.code == 2
    for text in ("(" * 10_000, "x" * 1_000_000, "x <= \x1b[31m"):
        ended = call("read", text)
        assert (ended.code, ended.out, len(ended.err.splitlines()) <= 3) == (2, "", True)
        assert "\x1b" not in ended.err
    assert "integer: expected names of the text" in call("read", "x <= 1", "--integer", "y").err


def test_a_relation_of_sympys_stands_for_sides_and_sign() -> None:
    x, y = sp.symbols("x y", real=True)
    domain = Domain({x: Reals(), y: Reals()})

    def stated(**fields: object) -> Claim:
        claim = Claim(label="a.b", statement="So it is.", domain=domain, **fields)
        claim.validate()
        return claim

    for relation, sign in ((sp.Le(x, y), "<="), (x >= y, ">="), (sp.Eq(x, y), "=")):
        claim = stated(relation=relation)
        assert (claim.left, claim.relation, claim.right) == (x, sign, y)
    wrong = [
        ({"relation": x < y}, "which is strict"), ({"relation": x <= x + 1}, "SymPy made of a relation"),
        ({"relation": sp.Ne(x, y)}, "Ne"), ({"relation": sp.Le(x, y), "left": x}, "beside left or right"),
        ({"left": x <= y, "right": y}, r"relation=sp.Le\(a, b\) alone"),
    ]  # fmt: skip
    for fields, said in wrong:
        with pytest.raises(InputError, match=said):
            stated(**fields)
    with pytest.raises(InputError, match="as it is written"):
        Claim(label="a.b", statement="So.", relation=sp.Le(sp.sqrt(x) ** 2, y), domain=domain).validate()
    with pytest.raises(InputError, match="as it is written"):
        Claim(label="a.b", statement="So.", relation=sp.sqrt(x) ** 2 <= y, domain=domain).validate()
