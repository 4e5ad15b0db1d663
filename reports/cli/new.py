"""`boundaudit new`: begin a file of one's own, or a package for a paper."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

import click

from boundaudit import InputError
from boundaudit.checks.language.files import write_whole
from boundaudit.reports.cli.options import PATH, json_option
from boundaudit.reports.cli.output import answer

TEMPLATES = Path(__file__).parents[1] / "templates"
PAPER = "my_paper"
"""The name of the template package, which gives way to the user's own."""


@click.group()
def new() -> None:
    """Begin a file, or a package for a paper, from a template that runs."""


@new.command()
@click.argument("file", type=PATH, metavar="FILE.py")
@json_option
def claims(file: Path, as_json: bool) -> int:
    """Write a commented claims file: a formula, a measured quantity, a probability, and what rests on what.

    It runs as it is: `boundaudit verify FILE.py`, or pytest where the name matches *claims*.py.
    """
    if file.suffix != ".py" or not file.stem:
        raise InputError("FILE.py", "a name that ends in .py", file, "write such as my_claims.py")
    if os.path.lexists(file):
        raise InputError("FILE.py", "a file that does not exist yet", file, "choose another name")
    try:
        write_whole(file, (TEMPLATES / "new_claims.py").read_bytes())
    except (OSError, ValueError) as error:
        raise InputError("FILE.py", "a file that can be written", _got(file, error), "choose another place") from None
    return _written(file, file, as_json=as_json)


@new.command()
@click.argument("folder", type=PATH, metavar="NAME")
@json_option
def paper(folder: Path, as_json: bool) -> int:
    """Write a package for a paper: its formulas, a measurement, its claims with a theorem that falls, and a test.

    It runs as it is: `boundaudit verify NAME/claims.py`, then `boundaudit report`; `pytest NAME`. NAME is the name of a
    Python package, or a path that ends in one.
    """
    name = folder.name
    if not (name.isascii() and name.isidentifier() and name[0].isalpha()) or iskeyword(name):
        raise InputError("NAME", "the name of a Python package", folder, "write such as margin_bounds")
    if find_spec(name) is not None:
        raise InputError("NAME", "a name that no installed module has", name, "choose another name")
    try:
        folder.mkdir()
    except FileExistsError:
        raise InputError("NAME", "a folder that does not exist yet", folder, "choose another name") from None
    except (OSError, ValueError) as error:
        raise InputError("NAME", "a folder that can be made", _got(folder, error), "choose another place") from None
    try:
        for file in (TEMPLATES / PAPER).glob("*.py"):
            text = file.read_text(encoding="utf-8").replace(PAPER, name)
            (folder / file.name.replace(PAPER, name)).write_text(text, encoding="utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError("NAME", "a folder that can be written", _got(folder, error), "choose another place") from None
    return _written(folder, folder / "claims.py", as_json=as_json)


def _got(path: Path, error: Exception) -> str:
    return f"{path} ({getattr(error, 'strerror', None) or error})"


def _written(made: Path, claims: Path, *, as_json: bool) -> int:
    told = f"wrote {made}; audit it with: boundaudit verify {claims}"
    answer({"written": str(made)}, lambda: click.echo(told), as_json=as_json)
    return 0
