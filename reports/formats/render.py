"""From a run to files: every format that `boundaudit report` writes."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.formats.files import folder_of, write_bytes, write_text
from boundaudit.reports.formats.html import SINGLE, render_single, render_site
from boundaudit.reports.formats.json_report import render_json
from boundaudit.reports.formats.junit import render_junit
from boundaudit.reports.formats.latex import render_latex
from boundaudit.reports.formats.markdown import render_markdown
from boundaudit.reports.formats.sarif import render_sarif

FORMATS = ("html", "md", "json", "pdf", "tex", "junit", "sarif")
_ENDINGS = {"junit": "junit.xml"}
"""Where the end of a file's name is not the format."""


def write_report(run: Run, name: str, folder: Path, *, single: bool = False) -> Path:
    """Render a run in a format, and return the file to open. Raises InputError where that cannot be written."""
    if name == "html" and not single:
        return _write_site(run, folder / "report")
    path = folder / f"report.{_ENDINGS.get(name, name)}"
    if name == "pdf":
        _print(run, path)
    else:
        write_text(path, _text(run, name))
    return path


def _text(run: Run, name: str) -> str:
    if name == "html":
        return render_single(run)
    if name in ("json", "sarif"):
        data = render_json(run) if name == "json" else render_sarif(run)
        return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return {"md": render_markdown, "tex": render_latex, "junit": render_junit}[name](run)


def _write_site(run: Run, folder: Path) -> Path:
    """Write all pages beside the old ones, then put the new folder in their place."""
    pages = render_site(run)
    draft = folder.with_name(folder.name + ".draft")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with folder_of(folder), ExitStack() as after:
            after.callback(shutil.rmtree, draft, ignore_errors=True)
            for path, text in pages.items():
                write_text(draft / path, text)
            if (folder / "claims.html").is_file():
                shutil.rmtree(folder, ignore_errors=True)
            draft.replace(folder)
    except OSError as error:
        got = f"{folder} ({error.strerror})"
        raise InputError("--out", "a place that can be written", got, "choose another") from None
    return folder / "index.html"


def _print(run: Run, path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        raise InputError("--format pdf", "Chromium on PATH", "none", "install it, or print the HTML from any browser")
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder) / SINGLE, Path(folder) / "report.pdf"
        write_text(page, render_single(run))
        flags = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile")
        command = [browser, *flags, "--no-pdf-header-footer", f"--print-to-pdf={made}", page.as_uri()]
        ended = subprocess.run(command, capture_output=True, check=False)
        if ended.returncode or not made.is_file():
            raise InputError("--format pdf", "a page that Chromium prints", f"status {ended.returncode}", "try html")
        write_bytes(path, made.read_bytes())
