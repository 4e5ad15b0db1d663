"""What the paper says, in formulas. Nothing is measured here."""

from boundaudit import symbol

# Parameters: name, meaning, and what SymPy may assume. The domain must grant what is assumed.
n = symbol("n", "rows of the weight matrix", integer=True, positive=True)
rho = symbol("rho", "correlation between two rows", nonnegative=True)

PRINTED = n * rho  # Theorem 2, as printed
CORRECTED = 1 + n * rho  # what stands in its place
EXACT = 1 + (n - 1) * rho  # what the left side is, by our own computation
