"""The run that ships, audited once for all tests, and what the claims that ship measure."""

import functools

from boundaudit.checks.language.atoms import Family, atoms_of
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.records.reference import reference
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.runner import registry_of


def shipped_run() -> Run:
    found = reference()
    assert found is not None
    return found


@functools.cache
def audit() -> Audit:
    return Audit(shipped_run())


def measured_in(package: str) -> dict[int, tuple[str, Quantity | Family, Claim]]:
    """What the claims of a sub-package measure, each once."""
    found = {}
    for label, claim in registry_of((f"{package}.*",), ()).members.items():
        if isinstance(claim, Claim):
            for side in (claim.left, claim.right):
                for part in [side] if isinstance(side, Quantity) else atoms_of(side):
                    found.setdefault(id(part), (label, part, claim))
    return found
