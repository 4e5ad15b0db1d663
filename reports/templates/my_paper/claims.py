"""What the paper claims, and what is true: `boundaudit verify my_paper/claims.py`, then `boundaudit report`.

A made-up theorem on correlated rows falls as printed, and a true one stands in its place. Replace it by your own.
"""

from functools import partial

from boundaudit import Claim, Domain, Integers, Quantity, Reals, Theorem, symbol

from . import derivations, numeric
from .derivations import n, rho

PAPER = "A made-up paper"
claim = partial(Claim, paper=PAPER)
DOMAIN = Domain({n: Integers(1, tested_to=12), rho: Reals(0, 1)})

# Left sides are measured. The definition says what is measured in a formula, so that there can be proofs and exact
# counterexamples; that measurement and definition agree is for the test beside this file.
EIGENVALUE = Quantity(
    "largest eigenvalue", numeric.largest_eigenvalues, r"\lambda_{\max}", definition=derivations.EXACT
)

# A step of the proof.
u = symbol("u", "number of other rows", nonnegative=True)
step = claim(
    label="my_paper.step",
    statement="Leaving a row out lowers the sum of the correlations, or leaves it as it is.",
    left=u * rho,
    relation="<=",
    right=(u + 1) * rho,
    domain=Domain({u: Reals(0), rho: Reals(0, 1)}),
    place=("Lemma 1",),
    expected="proved",
)

# As printed it is false: the audit looks for a counterexample, and keeps it on record.
printed = claim(
    label="my_paper.eigenvalue.printed",
    statement="The largest eigenvalue of a correlation matrix of n rows is at most n rho.",
    left=EIGENVALUE,
    relation="<=",
    right=derivations.PRINTED,
    domain=DOMAIN,
    role="printed",
    place=("Theorem 2",),
    rests_on=("my_paper.step",),  # what its proof uses: it falls where that falls
    expected="refuted",  # the verdict you expect; another one makes the exit status 1
)

# What stands in its place.
corrected = claim(
    label="my_paper.eigenvalue.corrected",
    statement="The largest eigenvalue of a correlation matrix of n rows is at most 1 + n rho, as it is at rho = 0.",
    left=EIGENVALUE,
    relation="<=",
    right=derivations.CORRECTED,
    domain=DOMAIN,
    equality=({n: 1, rho: 0},),
    repairs=("my_paper.eigenvalue.printed",),
    rests_on=("my_paper.step",),
    place=("Theorem 2",),
    expected="proved",
)

# What the report lists: a row for each numbered statement.
theorems = (
    Theorem(
        number="Lemma 1",
        title="A row less",
        says="Leaving a row out does not raise the sum of the correlations.",
        formula=r"u \rho \le (u+1) \rho",
        printed=("my_paper.step",),
        paper=PAPER,
    ),
    Theorem(
        number="Theorem 2",
        title="Correlated rows",
        says="The largest eigenvalue of a correlation matrix grows with the number of its rows and their correlation.",
        formula=r"\lambda_{\max} \le n \rho",
        printed=("my_paper.eigenvalue.printed",),
        successor="my_paper.eigenvalue.corrected",
        derived_from=("Lemma 1",),
        paper=PAPER,
    ),
)
