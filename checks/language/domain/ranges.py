"""Where one parameter can range."""

from __future__ import annotations

from boundaudit.checks.language.domain.choices import Choices
from boundaudit.checks.language.domain.compound import Subsets, Vector
from boundaudit.checks.language.domain.integers import Integers
from boundaudit.checks.language.domain.matrix import Matrix
from boundaudit.checks.language.domain.reals import Reals

Range = Integers | Reals | Choices | Vector | Matrix | Subsets
