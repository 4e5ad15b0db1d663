"""Domains: the parameters on which a claim speaks, where they range, and what binds them."""

from boundaudit.checks.domain.compound import Subsets, Vector
from boundaudit.checks.domain.domain import Domain, Range
from boundaudit.checks.domain.scalar import Choices, Integers, Reals

__all__ = ["Choices", "Domain", "Integers", "Range", "Reals", "Subsets", "Vector"]
