"""The checker of proofs, and all that has to be right for an accepted certificate to mean something.

Engines may be clever, the checker may not: it searches for nothing, takes no engine's word, and imports none.
The trusted base is at most 3,700 lines, documentation and blank lines included, in these modules (beside the
``__init__`` of their packages), the python-flint library for polynomials and balls, and the standard library:

=======================================================  =========================================================
``boundaudit``                                           the message of an input error
``boundaudit.checks.language.expression``                expression trees over a whitelist, read from JSON
``boundaudit.checks.language.statement``                 two trees, a relation, a domain: well formed
``boundaudit.checks.language.arithmetic``                values of trees, exact or as balls
``boundaudit.checks.language.algebra.ranges``            intervals with open and closed ends
``boundaudit.checks.language.algebra.ring``              rational functions in atoms, relations, signs
``boundaudit.checks.language.algebra.elementary``        laws of roots, logarithms, exponentials, signs
``boundaudit.checks.language.algebra.special``           laws of the gamma and error functions
``boundaudit.checks.language.algebra.normal_form``       from a tree on a domain to its normal form
``boundaudit.checks.language.algebra.derivatives``       derivatives of trees
``boundaudit.checks.proof.kernel.domains``               what one domain says about another
``boundaudit.checks.proof.kernel.defined``               that an expression has a value everywhere
``boundaudit.checks.proof.kernel.hypotheses``            inequalities that hold on a domain, by label
``boundaudit.checks.proof.kernel.transformations``       rules: cases, products, images, substitutions
``boundaudit.checks.proof.kernel.sums``                  rules: sums, and first values with a step
``boundaudit.checks.proof.kernel.calculus``              derivatives; rules: signs, concave, fading goals
``boundaudit.checks.proof.kernel.boxes``                 rule: a cover by boxes, decided by balls
``boundaudit.checks.proof.kernel.citing``                rules: instances of what is proved elsewhere, chains
``boundaudit.checks.proof.kernel.checker``               the kinds of certificates, each with its rule
``boundaudit.checks.proof.kernel.__main__``              certificates from a file, in a process of their own
=======================================================  =========================================================
"""

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.proof.kernel.checker import Certificate, check

__all__ = ["Certificate", "Rejected", "check"]
