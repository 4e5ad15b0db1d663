"""Domains: the parameters on which a claim speaks, where they range, and what binds them.

One definition of a range serves five purposes: the Hypothesis strategy, the coordinates that a sweep and a climb move
in, a factorial grid, its own points from the smallest on, and the sentence in the report. Limits may be expressions in
earlier parameters, such as ``Integers(1, T)``.
"""

from boundaudit.checks.language.domain.choices import Choices
from boundaudit.checks.language.domain.compound import Subsets, Vector
from boundaudit.checks.language.domain.domain import Domain
from boundaudit.checks.language.domain.integers import Integers
from boundaudit.checks.language.domain.matrix import Matrix
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.domain.reals import Reals

__all__ = ["Choices", "Domain", "Integers", "Matrix", "Range", "Reals", "Subsets", "Vector"]
