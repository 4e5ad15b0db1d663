"""Statements as files hold them: what is read, what is refused, and with which line."""

from pathlib import Path

import pytest

from boundaudit import InputError
from boundaudit.checks.language.theorem import Reading, Theorem, read_theorems, theorem_of

WHOLE = """
paper = "Ames 2024"

[[theorem]]
number = "Theorem 1"
title = "Sizes"
says = "It is small."
derived_from = ["Lemma 2"]
[[theorem.readings]]
name = "coefficients of at most one"
[theorem.readings.settings]
"T = 20" = ["a.x[short]", "a.y"]
"every T" = ["a.x"]
[[theorem.readings]]
name = "any coefficients"
[theorem.readings.settings]
"" = ["a.z"]
[theorem.brief]
true = "Yes."
where = ""
instead = ""
changes = ""

[[theorem]]
number = "Lemma 2"
title = "Plain"
says = "So it is."
printed = ["a.w"]
"""


def test_readings_settings_and_conjuncts(tmp_path: Path) -> None:
    path = tmp_path / "theorems.toml"
    path.write_text(WHOLE)
    first, second = read_theorems(path)
    assert first.label == "Theorem 1, Ames 2024"
    assert first.printed == ("a.x[short]", "a.y", "a.x", "a.z")
    assert first.readings[0].settings == {"T = 20": ("a.x[short]", "a.y"), "every T": ("a.x",)}
    assert first.brief is not None
    assert first.brief.true == "Yes."
    assert second.readings == (Reading(settings={"": ("a.w",)}),)


def test_a_statement_has_the_symbols_that_stand_in_its_words_and_formulas(tmp_path: Path) -> None:
    path = tmp_path / "theorems.toml"
    path.write_text(
        """
        [symbols]
        "ω" = "sparsity"
        D = "degree"
        u = "width"
        G_u = "bound"
        G = "no bound"
        T = "length"
        [[theorem]]
        number = "Theorem 1"
        title = "Sizes"
        says = "It is at most G_u."
        formula = '\\|g\\| \\le 2\\omega D^2'
        """
    )
    (theorem,) = read_theorems(path)
    assert list(theorem.symbols) == ["ω", "D", "G_u"]


def test_a_statement_survives_json() -> None:
    theorem = Theorem(
        number="Theorem 1", title="Sizes", says="It is small.", readings=(Reading(settings={"": ("a.x",)}),)
    )
    assert theorem_of({"number": "Theorem 1", "title": "Sizes", "says": "It is small.",
                       "readings": [{"settings": {"": ["a.x"]}}]}) == theorem  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Plain"', "title = 3", ":24: title: expected"),
        ('title = "Plain"', 'tilte = "Plain"', ":24: tilte: expected"),
        ('printed = ["a.w"]', 'printed = "a.w"', ":24: printed: expected"),
        ('name = "any coefficients"', 'nam = "any"', ":4: readings[1].nam: expected one of name, why, settings"),
        ('number = "Lemma 2"', 'number = "Theorem 1"', ":24: number: expected one that no other statement has"),
        ('number = "Lemma 2"', 'source = "a"\nnumber = "Lemma 2"', ":24: source: expected no such field in a file"),
        ('title = "Plain"\n', "", ":24: title: expected words in quotes, got none; add the field"),
        ('"every T" = ["a.x"]', '"every T" = "a.x"', ":4: readings[0].settings: expected a table of lists of labels"),
        ('printed = ["a.w"]', "printed = [5]", ":24: printed: expected a list such as"),
        ('number = "Lemma 2"', 'number = "Lemma 2 "', ":24: number: expected such as Theorem 10, without spaces"),
        ('printed = ["a.w"]', 'printed = ["a.w"]\nreadings = [{settings = {all = ["a.v"]}}]',
         ":24: Lemma 2.printed: expected labels of its readings: what none of them asserts decides nothing, got a.w"),
        ('printed = ["a.w"]', 'printed = ["a.w"]\nreadings = [5]', ":24: readings: expected a table"),
        ('says = "So it is."', "says = 2026-11-29", ":24: says: expected words in quotes, got datetime.date"),
        ('true = "Yes."', "true = 5", ":4: brief.true: expected words in quotes, got 5"),
        ('printed = ["a.w"]', 'printed = ["a.w"]\nbrief = "x"', ":24: brief: expected a table, got 'x'"),
        ('paper = "Ames 2024"', 'paper = "Ames 2024"\nsymbols = 5', ":3: symbols: expected a table of words"),
        ('paper = "Ames 2024"', 'papre = "Ames 2024"', ":2: papre: expected one of theorem, paper, symbols, cases"),
        ('paper = "Ames 2024"', "paper = 5", ":2: paper: expected words in quotes, got 5"),
        ('paper = "Ames 2024"', "paper = " + "[" * 5000, "got more levels of brackets than can be read"),
        (WHOLE, "theorem = [5, 6]", "expected TOML with a table"),
        (WHOLE, 'paper = "Ames 2024"', "for each statement, got none"),
        ('derived_from = ["Lemma 2"]', 'derived_from = ["Theorem 1"]', ":4: Theorem 1.derived_from: expected"),
        ('[[theorem]]\nnumber = "Lemma 2"', '[theorem]\nnumber = "Lemma 2"', "expected TOML with a table"),
        ('changes = ""', 'changes = "' + "so " * 130 + '"', ":4: brief: expected at most 120 words"),
    ],
)  # fmt: skip
def test_a_damaged_file_names_the_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "theorems.toml"
    assert WHOLE.count(old) == 1
    path.write_text(WHOLE.replace(old, new))
    with pytest.raises(InputError, match=message.replace("[", r"\[")):
        read_theorems(path)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected TOML with a table"):
        read_theorems(tmp_path / "none.toml")
