"""Shrinking: from any counterexample to a simpler one, parameter by parameter in the domain's order."""

from __future__ import annotations

import itertools

from boundaudit.checks.evidence.batch import RECHECKING
from boundaudit.checks.evidence.counterexample import counterexample, is_decidable
from boundaudit.checks.evidence.evidence import Witness
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim

BUDGET = 600
"""Candidates that one shrinking may try."""


def shrink(claim: Claim, witness: Witness) -> Witness:
    """The simplest counterexample that can be reached from a given one.

    Each step takes the first simpler point that still violates the claim, in ball arithmetic.
    """
    if not is_decidable(claim):
        return witness
    order = f"shrunk by {', '.join(claim.domain.ranges)}"
    tried, work = 0, effort(RECHECKING)
    while True:
        for candidate in itertools.islice(claim.domain.simpler(witness.point), BUDGET - tried):
            tried += 1
            with work:
                found = counterexample(claim, candidate, order)
            if found is not None and found.is_valueless == witness.is_valueless:
                witness = found
                break
        else:
            return witness
