"""What a formula takes for granted is told where it matters, and nowhere else."""

import pytest
import sympy as sp

from boundaudit import Domain, Integers
from boundaudit.checks.language.conventions import conventions
from boundaudit.checks.language.translate import to_tree

n, d, i = sp.symbols("n d i", integer=True)
SUBSETS = sp.Sum(sp.binomial(n, i), (i, 0, d))


@pytest.mark.parametrize(
    ("side", "domain", "said"),
    [
        (sp.Sum(i, (i, 1, n)), Domain({n: Integers(1, 9)}), ""),
        (sp.Sum(i, (i, 2, n)), Domain({n: Integers(2, 9)}), ""),
        (sp.Sum(i, (i, 2, n)), Domain({n: Integers(0, 9)}), "A sum without terms is 0, as in sum(i, i=2..n) at n = 0."),
        (SUBSETS, Domain({d: Integers(1, 9), n: Integers(d, 9)}), ""),
        (SUBSETS, Domain({d: Integers(1, 9), n: Integers(1, 9)}), "A binomial coefficient outside its row is 0, as in"),
        (sp.binomial(n, d), Domain({n: Integers(1, 9), d: Integers(1, 9)}), "A binomial coefficient outside its row"),
        (sp.Sum(n**d, (i, 1, n)), Domain({n: Integers(0, 9), d: Integers(0, 9)}), "A sum without terms is 0, as in"),
        (sp.Sum(i**d, (i, 0, n)), Domain({n: Integers(0, 9), d: Integers(0, 9)}), "0⁰ is 1, as in 0^d at d = 0."),
        ((n - 1) ** d, Domain({n: Integers(1, 9), d: Integers(1, 9)}), ""),
        ((n - 1) ** d, Domain({n: Integers(1, 9), d: Integers(0, 9)}), "0⁰ is 1, as in (-1 + n)^d at d = 0, n = 1."),
    ],
)  # fmt: skip
def test_a_convention_is_told_where_it_matters(side: sp.Expr, domain: Domain, said: str) -> None:
    told = " ".join(conventions([to_tree(side)], domain))
    assert told.startswith(said) if said else told == ""
