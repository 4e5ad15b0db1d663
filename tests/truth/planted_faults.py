"""Whether the suite's own claims notice faults planted in what they measure.

``python -m tests.truth.planted_faults`` plants each fault of the list, gathers the evidence of the claim named with it
as a smoke run would from nothing, and prints what it says, and the score.
"""

import functools
import sys

from boundaudit import InputError
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.verdicts import accepted
from boundaudit.checks.records.reference import stored
from boundaudit.checks.run.shipped import registry_for

from .fault_list import FAULTS, SURVIVORS
from .planting import Fault, planted


def alarm(label: str) -> str | None:
    """What a claim says where that is not what is expected of it; None where it is.

    Of an earlier run only certificates are known: they are of formulas, and no measurement enters them.
    """
    registry = registry_for((label,))
    claim = registry.members[label]
    try:
        found = collect_evidence(
            claim, registry.find, PROFILES["smoke"], seed=0, device="cpu", stored=_certificates
        ).verdict
    except InputError as error:
        return str(error)
    return None if accepted(found, claim.expected) else found


def alarm_at(fault: Fault) -> str | None:
    """What the claim named with a fault says while it is planted, where that is not what is expected."""
    with planted(fault):
        return alarm(fault.claim)


@functools.cache
def _certificates(label: str) -> Findings | None:
    found = stored(label)
    return found if found is not None and found.proof is not None and found.proof.certificate is not None else None


def main() -> int:
    """Print every fault and who notices it, and the score.

    Returns:
        1 where one that should be noticed is not.
    """
    missed, noticed = 0, 0
    for fault in (*FAULTS, *SURVIVORS):
        said = alarm_at(fault)
        noticed += said is not None
        missed += said is None and fault in FAULTS
        told = "SURVIVES" if said is None else f"noticed, {fault.claim} is {said}"
        print(f"{fault.name}: {told}", flush=True)
    print(f"{noticed} of {len(FAULTS) + len(SURVIVORS)} planted faults are noticed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
