"""What a notebook shows of claims, theorems and runs: all of it, and no markup but ours."""

import html.parser
from dataclasses import replace
from pathlib import Path

import sympy as sp

from boundaudit import Case, Claim, Domain, Quantity, Reals, Theorem, verify
from boundaudit.checks.language.notebook import Formula, card

HOSTILE = "<script>alert(1)</script><img src=x onerror='a()'>&\"$$"
TAGS = {"div", "strong", "table", "tr", "th", "td", "span"}
x = sp.Symbol("x", nonnegative=True)


class Shown(html.parser.HTMLParser):
    """The words of a page; fails where an element or an attribute is not ours, or is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= {"class", "style"}
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def claim(**changes: object) -> Claim:
    stated = {
        "label": "example.logarithm", "statement": "It grows slowly.", "left": sp.log(1 + x), "right": x,
        "domain": Domain({x: Reals(0)}), "paper": "A draft", "place": ("Lemma 1",), "expected": "proved",
    }  # fmt: skip
    return Claim(**{**stated, **changes})


def test_a_claim_shows_statement_formula_domain_and_place() -> None:
    words = Shown(claim()._repr_html_()).words
    assert words[0] == "example.logarithm"
    facts = dict(zip(words[1::2], words[2::2], strict=True))
    assert facts == {
        "statement": "It grows slowly.", "formula": r"$\displaystyle \log{\left(x + 1 \right)} \le x$",
        "domain": "0 ≤ x", "expected": "proved", "place": "A draft: Lemma 1",
    }  # fmt: skip


def test_a_claim_with_cases_shows_each() -> None:
    words = Shown(claim(cases=(Case("twice", right=2 * x), Case(HOSTILE.replace("\\", ""))))._repr_html_()).words
    assert [word for word in words if word.startswith("formula")] == ["formula [twice]", f"formula [{HOSTILE}]"]


def test_hostile_words_stay_words() -> None:
    side = Quantity("f", lambda points, device: x, HOSTILE)
    shown = Shown(claim(statement=HOSTILE, left=side, paper=HOSTILE, place=(HOSTILE,))._repr_html_()).words
    assert shown.count(HOSTILE) == 1
    assert f"{HOSTILE}: {HOSTILE}" in shown
    theorem = Theorem(
        number="Lemma 1", title=HOSTILE, says=HOSTILE, formula=HOSTILE, paper=HOSTILE, version="v2", answer=HOSTILE
    )
    facts = Shown(theorem._repr_html_()).words
    assert facts[0] == f"Lemma 1: {HOSTILE}"
    assert facts.count(HOSTILE) == 3
    assert f"{HOSTILE} v2" in facts


def test_a_formula_ends_where_it_ends() -> None:
    """A dollar sign within would let what follows it be read as markup of its own."""
    assert "mathjax_process" in card("", {"formula": Formula("x < 1")})
    assert "mathjax_process" not in card("", {"formula": Formula(r"x$ \href{javascript:alert(1)}{y} $")})


def test_a_run_shows_its_verdicts(tmp_path: Path) -> None:
    from tests.command import EXAMPLE

    run = verify(files=[EXAMPLE], out=tmp_path / "run", profile="smoke", device="cpu")
    facts = Shown(run._repr_html_()).words
    assert facts[0] == f"{run.path}: 3 claims and cases"
    for name, words in (("proved", "1: example.logarithm"), ("refuted", "1: example.variance")):
        assert facts[facts.index(name) + 1] == words
    manifest = replace(run.manifest, files=(f"{HOSTILE}.py",), errors={HOSTILE: HOSTILE})
    bad = Shown(replace(run, path=Path(HOSTILE), manifest=manifest)._repr_html_()).words
    assert bad[0] == f"{Path(HOSTILE)}: 3 claims and cases"
    assert {f"{HOSTILE}.py", f"1: {HOSTILE}"} <= set(bad)
