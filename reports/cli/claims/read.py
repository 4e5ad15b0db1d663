"""`boundaudit read`: from a relation as a paper prints it to a claim, and to its verdict."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.options import PATH, choose, json_option, option
from boundaudit.reports.cli.output import STYLES, answer, console, text

if TYPE_CHECKING:
    from boundaudit.checks.language.claim import Claim
    from boundaudit.checks.language.reading.reading import Understood
    from boundaudit.checks.records.run_folder import Run

_WIDEST = 72
"""Characters of a text around the place where it cannot be read."""
_FROM = {"<=": "above", ">=": "below"}


@click.command(context_settings={"ignore_unknown_options": True})  # a text may begin with a minus
@click.argument("text")
@option("--where", multiple=True, metavar="CONDITION", help="Such as 'T >= 1' or 'x in [0, 1]'; repeatable.")
@option("--integer", default="", show_default=False, metavar="NAMES", help="Names of integers, such as T,D.")
@option("--label", help="Its name, such as draft.harmonic. [default: made of what it says]")
@option("--verify", "judged", is_flag=True, help="Audit it straight away.")
@option("--profile", default="smoke", help="How hard to look: smoke, standard or deep.")
@option("--out", type=PATH, metavar="FILE.py", help="Claims file to begin, or to add it to; what is there stays.")
@json_option
def read(
    text: str, where: tuple[str, ...], integer: str, label: str | None, judged: bool, profile: str, out: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    r"""Read a relation, in LaTeX or as it is typed, into a claim, and say what is missing.

    \b
    Examples:
      boundaudit read '\sum_{t=1}^{T} \frac{1}{\sqrt t} \le 2\sqrt T - 1' --where 'T >= 1'
      boundaudit read 'log(1 + x) <= x for x >= 0' --verify
      boundaudit read '(n/k)^k <= binomial(n, k) <= (e*n/k)^k for 1 <= k <= n' --out draft_claims.py

    Nothing of the text is evaluated. A chain of relations becomes a claim with a case for each of them.
    """
    from boundaudit.checks.evidence.profile import PROFILES
    from boundaudit.checks.language.reading.reading import understand
    from boundaudit.checks.language.reading.source import python_of, save
    from boundaudit.checks.language.reading.tokens import Unreadable

    choose("--profile", profile, PROFILES)
    if out is not None and out.suffix != ".py":
        raise InputError("--out", "a name that ends in .py", out, "write such as my_claims.py")
    names = [name.strip() for name in integer.split(",") if name.strip()]
    try:
        found = understand(text, where=where, integer=names, **({"label": label} if label else {}))
    except Unreadable as error:
        _point_at(error.text, error.at)
        raise
    python = python_of(found.claim)
    said = None
    if out is not None:
        said = f"{'added to' if out.exists() else 'wrote'} {out}; audit it with: boundaudit verify {out}"
        save(out, found.claim)
    run = _audited(python, profile) if judged else None
    answer(_data(found, python, run, out), partial(_tell, found, python, run, said), as_json=as_json)
    return 0 if run is None or all(_expected(found.claim, run).values()) else 1


def _point_at(text: str, at: int) -> None:
    """The text with a caret under the place."""
    start = max(0, at - _WIDEST // 2)
    line = "".join(letter if letter.isprintable() else " " for letter in text[start : start + _WIDEST])
    click.echo(f"  {line}\n  {' ' * (at - start)}^", err=True)


def _audited(python: str, profile: str) -> Run:
    """A run of the claim alone, of which nothing is kept."""
    from boundaudit.checks.run import runner

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "read_claims.py"
        file.write_text(python, encoding="utf-8")
        return runner.verify(files=[file], out=Path(folder) / "run", profile=profile, device="cpu")


def _expected(claim: Claim, run: Run) -> dict[str, bool]:
    """Whether each verdict is what is expected, by label."""
    return {member.label: run.receipts[member.label].findings.as_expected(member) for member in claim.members}


def _data(found: Understood, python: str, run: Run | None, out: Path | None) -> dict[str, Any]:
    claims = [
        {
            "label": member.label, "text": member.text, "latex": member.latex, "domain": member.scope,
            "findings": None if run is None else run.receipts[member.label].findings.to_json(),
        }
        for member in found.claim.members
    ]  # fmt: skip
    return {
        "label": found.claim.label, "claims": claims, "inferred": list(found.inferred), "missing": list(found.missing),
        "python": python, "out": None if out is None else str(out),
    }  # fmt: skip


def _tell(found: Understood, python: str, run: Run | None, said: str | None) -> None:
    """The claim in words and as Python, what was decided, what is missing, and its verdicts."""
    from boundaudit.checks.language.claim import side_text
    from boundaudit.checks.run.advice import advice
    from boundaudit.reports.cli.runs.verify import witness

    screen = console()
    click.echo(python)
    for member in found.claim.members:
        screen.print(f"{member.label}: {member.text}", soft_wrap=True, markup=False)
        if member.relation != "=":
            bounded, bound = side_text(member.left), side_text(member.right)
            screen.print(
                f"bounded: {bounded}\nby: {bound}, from {_FROM[member.relation]}", soft_wrap=True, markup=False
            )
    screen.print(f"domain: {found.claim.members[0].scope}", soft_wrap=True, markup=False)
    for title, lines in (("read as", found.inferred), ("missing", found.missing)):
        for line in lines:
            screen.print(f"{title}: {line}", soft_wrap=True, markup=False)
    for member in found.claim.members if run else ():
        assert run is not None
        findings = run.receipts[member.label].findings
        verdict = text(findings.verdict, STYLES[findings.verdict])
        screen.print(verdict.append(f"  {member.label}  {witness(findings)}"), soft_wrap=True)
        if further := advice(member, findings, lambda label: ()):
            screen.print(f"next: {further}", soft_wrap=True, markup=False)
    if said:
        click.echo(said)
