"""What the claims about property tests share."""

from __future__ import annotations

import functools
from collections.abc import Callable

from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.measurements import small
from boundaudit.checks.sharpness.targets import PAPER

claim = functools.partial(Claim, paper=PAPER)


def of_table(name: str, latex: str, of: Callable[[Tensor, int], Tensor]) -> Quantity:
    """A number of a table of values f_pt and the degree D_pt that is tested for."""
    return Quantity(name, small(lambda at: of(at.real("f_pt"), at.points[0]["D_pt"]), "T_pt", "D_pt"), latex, scale=1.0)
