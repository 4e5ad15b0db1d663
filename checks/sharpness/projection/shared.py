"""Random projection: what its modules share."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.sharpness.targets import PAPER

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B.2",))
