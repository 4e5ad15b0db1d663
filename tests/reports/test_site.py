"""The site: the worked example does what its page says, every chapter has a page, all of it builds without warnings."""

import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from sphinx.cmd.build import main
from tests.command import Call, part_of

from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports import site
from boundaudit.reports.document.document import Document, build_document
from boundaudit.reports.site import pages

HERE = Path(site.__file__ or "").parent
PAGE = HERE / "audit-your-own-paper.md"


@pytest.fixture
def doc(run: Run, known: Catalogue) -> Document:
    return build_document(run, known)


def commands() -> list[tuple[list[str], str]]:
    """What the page calls, and what it shows of the answer."""
    blocks = re.findall(
        r"^```console\n\$ boundaudit (.*?)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return [(call.split(), shown) for call, shown in blocks]


@pytest.mark.acceptance
def test_the_page_on_ones_own_paper_shows_what_its_commands_answer(call: Call) -> None:
    shutil.copytree(HERE.parent / "examples" / pages.EXAMPLE, pages.EXAMPLE)
    said = commands()
    assert [arguments[0] for arguments, _ in said] == ["new", "verify", "reproduce", "show", "report"]
    for arguments, shown in said:
        ended = call(*arguments)
        assert ended.code == 0, ended.err
        answered = " ".join(ended.out.split())
        assert [line for line in shown.splitlines() if " ".join(line.split()) not in answered] == []


def test_every_chapter_has_a_page_with_labels_and_verdicts(doc: Document) -> None:
    made = dict(pages.gallery(doc))
    told = {chapter.label: chapter for chapter in pages.chapters(doc)}
    assert {audited.claim.label for chapter in told.values() for audited in chapter.claims} == {
        label for label, audited in doc.claims.items() if audited.claim.role != "control"
    }
    for chapter in told.values():
        page = made[f"gallery/{chapter.part}/{chapter.name}.md"]
        assert chapter.telling
        for audited in chapter.telling:
            assert audited.claim.label in page
            assert audited.verdict in page


def test_the_statement_that_a_line_is_in_is_shown_and_a_long_one_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("a = 1\nb = (\n" + "    1,\n" * 100 + ")\nc = 2\n", encoding="utf-8")
    assert pages.statement_at(file, 1) == "a = 1"
    assert pages.statement_at(file, 104) == "c = 2"
    cut = pages.statement_at(file, 60).splitlines()
    assert (cut[0], cut[-1], len(cut)) == ("…", "…", 62)
    assert pages.statement_at(file, 105) == ""


def test_the_reports_colours_are_those_of_the_site() -> None:
    light, dark = pages.PALETTES
    assert light.keys() == dark.keys()
    assert light["paper"] != dark["paper"]


@pytest.mark.acceptance
@pytest.mark.filterwarnings("ignore")
def test_the_site_builds_warnings_are_errors_and_all_public_names_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole site but for the gallery, which has two chapters here."""
    shipped = Run.load(FOLDER)
    shown = [label for label in shipped.receipts if label.startswith(("sharpness.norms.", "pac_bayes.limits."))]
    monkeypatch.setattr(pages, "FOLDER", part_of(shipped, shown, tmp_path / "run").path)
    reports, built = tmp_path / "reports", tmp_path / "site"
    ignored = shutil.ignore_patterns(*pages.MADE, "__pycache__")
    for folder in ("site", "examples", "images"):
        shutil.copytree(HERE.parent / folder, reports / folder, ignore=ignored)
    for page in HERE.parent.glob("*.md"):
        shutil.copy(page, reports)
    assert main(["-q", "-W", "--keep-going", "-b", "html", str(reports / "site"), str(built)]) == 0
    for name in pages.packages():
        text = (built / "api" / f"{name}.html").read_text("utf-8")
        assert [public for public in import_module(name).__all__ if f'id="{name}.{public}"' not in text] == []
    norms = built / "gallery" / "sharpness" / "norms.html"
    shown_there = norms.read_text("utf-8")
    assert 'class="code-block-caption"' in shown_there
    assert "<svg" in shown_there
    links = re.findall(r'href="(\.\./\.\./report/[^"#]+)', shown_there)
    assert links
    assert all((norms.parent / link).is_file() for link in links)
