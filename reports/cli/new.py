"""`boundaudit new`: begin a file of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from boundaudit.reports.cli.output import emit_json, json_option

TEMPLATE = Path(__file__).parents[1] / "templates" / "new_claims.py"


@click.group()
def new() -> None:
    """Begin a file of your own from a template that runs."""


@new.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.py")
@json_option
def claims(file: Path, as_json: bool) -> int:
    """Write a commented claims file: a formula, a measured quantity, a probability, and what rests on what.

    It runs as it is: `boundaudit verify FILE.py`, or pytest where the name matches *claims*.py.
    """
    from boundaudit import InputError

    if file.suffix != ".py" or not file.stem:
        raise InputError("FILE.py", "a name that ends in .py", file, "write such as my_claims.py")
    try:
        with file.open("x", encoding="utf-8") as made:
            made.write(TEMPLATE.read_text(encoding="utf-8"))
    except FileExistsError:
        raise InputError("FILE.py", "a file that does not exist yet", file, "choose another name") from None
    except (OSError, ValueError) as error:
        got = f"{file} ({getattr(error, 'strerror', None) or error})"
        raise InputError("FILE.py", "a file that can be written", got, "choose another place") from None
    if as_json:
        emit_json({"written": str(file)})
    else:
        click.echo(f"wrote {file}; audit it with: boundaudit verify {file}")
    return 0
