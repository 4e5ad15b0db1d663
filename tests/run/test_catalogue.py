"""The catalogue: what claims say as plain data, and how it is kept for the claims that ship."""

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.command import SELECTION, write_claims

from boundaudit.checks.run import cached as module
from boundaudit.checks.run.cached import catalogue
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.checks.run.describe import described
from boundaudit.checks.run.shipped import registry_for

CLAIMS = """
from boundaudit import Study
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.theorem import Theorem

low = variance(label="coin.low", right=TOO_SMALL, role="printed", paper="Ames 2024", place=("Theorem 1",),
               cases=(Case("all", expected="refuted"),
                      Case("rare", statement="A rare coin varies little.", domain=Domain({p: Reals(0, QUARTER)}))))
high = variance(label="coin.high", right=QUARTER, repairs=("coin.low[all]",), limitations=("Coins only.",))
next_ = variance(label="coin.next", right=1, rests_on=("coin.high",), improves="coin.high")
last = variance(label="coin.last", right=2, rests_on=("coin.next",), missing="the constant")
theorem = Theorem(number="Theorem 1", title="Low", says="Low.", printed=("coin.low",), derived_from=("Lemma 2",))
lemma = Theorem(number="Lemma 2", title="Lemma", says="Before.")
chain = Derivation(label="coin.chain", title="t", steps=(Step(p, "p"), Step(1 + p, "more")), domain=UNIT, samples={})
curves = Study(label="coin.curves", title="t", caption="c", claims=("coin.low",), compute=len, place=("Figure 1",))
"""


@pytest.fixture
def own(tmp_path: Path) -> Catalogue:
    return catalogue((write_claims(tmp_path, CLAIMS),))


# --- what it says ---------------------------------------------------------------------------------


def test_a_claim_says_what_it_is_connected_with(own: Catalogue) -> None:
    assert list(own.claims) == ["coin.low", "coin.high", "coin.next", "coin.last"]
    low, high, next_, last = own.claims.values()
    assert (low.role, high.role, next_.role, last.role) == ("printed", "successor", "improvement", "lemma")
    assert (low.repair, high.repairs, next_.improves) == ("coin.high", ["coin.low[all]"], "coin.high")
    assert (high.used_by, high.blast_radius) == (["coin.next"], ["coin.next", "coin.last"])
    assert (low.place, low.paper, last.missing) == (["Theorem 1"], "Ames 2024", "the constant")
    assert low.source.startswith("my_claims.py:")


def test_a_case_says_what_it_changes(own: Catalogue) -> None:
    every, rare = own.claims["coin.low"].cases
    assert (every.label, every.case, every.expected) == ("coin.low[all]", "all", "refuted")
    assert (rare.label, rare.case, rare.expected) == ("coin.low[rare]", "rare", "supported")
    assert (every.statement, rare.statement) == ("A variance is bounded.", "A rare coin varies little.")
    assert (every.repair, rare.repair) == ("coin.high", None)
    assert (every.domain, rare.domain) == ("0 ≤ p ≤ 1", "0 ≤ p ≤ 1/4")
    assert (every.text, every.left.text, every.right.text) == ("p*(1 - p) <= 6/25", "p*(1 - p)", "6/25")
    assert every.latex == rf"{every.left.latex} \le {every.right.latex}"
    assert (every.kind, every.relation) == ("Upper", "<=")
    assert every.symbols["p"][0] == "a probability"
    (high,) = own.claims["coin.high"].cases
    assert (high.label, high.case, high.limitations) == ("coin.high", None, ["Coins only."])


def test_theorems_derivations_and_studies_are_in_it(own: Catalogue) -> None:
    assert [theorem.number for theorem in own.theorems] == ["Theorem 1", "Lemma 2"]
    assert list(own.derivations) == ["coin.chain"]
    assert own.studies["coin.curves"]["claims"] == ["coin.low"]
    assert own.studies["coin.curves"]["place"] == ["Figure 1"]


@pytest.mark.slow
def test_it_reads_back_from_json(own: Catalogue) -> None:
    for known in (own, described(registry_for(SELECTION))):
        read = Catalogue.from_json(json.loads(json.dumps(known.to_json(), ensure_ascii=False, allow_nan=False)))
        assert (read.claims, read.theorems, read.studies) == (known.claims, known.theorems, known.studies)
        plain = [json.loads(json.dumps(found.to_json())) for found in (read, known)]
        assert plain[0] == plain[1]


# --- how it is kept -------------------------------------------------------------------------------


class Shelf:
    """A cache folder of its own, sources of its own, and how often the catalogue was made."""

    def __init__(self, folder: Path, found: Catalogue) -> None:
        self.cache = folder / "cache"
        self.source = folder / "package" / "checks" / "paper.py"
        self.source.parent.mkdir(parents=True)
        self.source.write_text("claim = 1\n", encoding="utf-8")
        for layer in ("derivations", "numeric"):
            (folder / "package" / layer).mkdir()
        self.made = 0
        self.found = found

    def make(self, files: tuple[Path, ...]) -> Catalogue:
        assert files == ()
        self.made += 1
        return self.found

    def read(self) -> Catalogue:
        """As a new process reads it."""
        catalogue.cache_clear()
        return catalogue()

    @property
    def kept(self) -> list[Path]:
        return sorted((self.cache / "boundaudit").iterdir())


@pytest.fixture
def shelf(tmp_path: Path, own: Catalogue, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path, own)
    monkeypatch.setenv("XDG_CACHE_HOME", str(shelf.cache))
    monkeypatch.setattr(module, "_PACKAGE", tmp_path / "package")
    monkeypatch.setattr(module, "_made", shelf.make)
    yield shelf
    catalogue.cache_clear()


def test_it_is_made_once_and_read_again(shelf: Shelf) -> None:
    first = shelf.read()
    assert (shelf.made, first) == (1, shelf.found)
    (file,) = shelf.kept
    assert file.suffix == ".json"
    assert shelf.read().claims == first.claims
    assert shelf.read().theorems == first.theorems
    assert (shelf.made, shelf.kept) == (1, [file])


def test_what_another_process_is_making_is_waited_for(shelf: Shelf) -> None:
    shelf.read()
    (file,) = shelf.kept
    content = file.read_bytes()
    file.unlink()
    held = os.open(file.parent, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)

    def end() -> None:
        file.write_bytes(content)
        os.close(held)

    threading.Timer(0.05, end).start()
    assert shelf.read().claims == shelf.found.claims
    assert shelf.made == 1


def test_it_is_made_anew_when_a_source_changes(shelf: Shelf) -> None:
    shelf.read()
    (before,) = shelf.kept
    os.utime(shelf.source, (1, 1))
    shelf.read()
    assert shelf.made == 2
    (after,) = shelf.kept  # what is out of date is not kept
    assert after != before
    (shelf.source.parent / "more.py").write_text("", encoding="utf-8")
    shelf.read()
    assert shelf.made == 3
    shelf.read()
    assert shelf.made == 3


def test_another_copy_of_the_suite_keeps_its_own(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shelf.read()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(module, "_PACKAGE", tmp_path / "copy")
        shelf.read()
    assert len(shelf.kept) == shelf.made == 2
    shelf.read()
    assert shelf.made == 2


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"claims": {"a": 1}}', '{"claims": [], "theorems": []}'])
def test_what_cannot_be_read_is_made_anew(shelf: Shelf, content: str) -> None:
    shelf.read()
    (file,) = shelf.kept
    file.write_text(content, encoding="utf-8")
    assert shelf.read() == shelf.found
    assert shelf.made == 2
    shelf.read()
    assert shelf.made == 2


def test_a_cache_folder_that_cannot_be_written_is_no_error(shelf: Shelf) -> None:
    shelf.cache.write_text("a file where the folder would be", encoding="utf-8")
    for made in (1, 2):
        assert shelf.read() == shelf.found
        assert shelf.made == made
    assert shelf.cache.is_file()


def test_without_a_variable_it_is_kept_in_the_home_folder(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    shelf.read()
    assert len(list((tmp_path / "home" / ".cache" / "boundaudit").iterdir())) == 1
    assert not shelf.cache.exists()


def test_own_files_are_never_kept(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(shelf.cache))
    assert "coin.low" in catalogue((write_claims(tmp_path, CLAIMS, "more_claims.py"),)).claims
    assert not shelf.cache.exists()


def test_the_digest_covers_every_layer_that_a_claim_is_made_of() -> None:
    for layer, known in (("checks", "claim.py"), ("derivations", "symbols.py"), ("numeric", "spectra.py")):
        assert layer in module._LAYERS
        assert known in {Path(file).name for file in module._sources(module._PACKAGE / layer)}
    assert "theorems.toml" in {Path(file).name for file in module._sources(module._PACKAGE / "checks")}
