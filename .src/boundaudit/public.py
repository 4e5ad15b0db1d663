"""What can be imported from `boundaudit` itself, and where it stands."""

from __future__ import annotations

PUBLIC = {
    name: f"boundaudit.{module}"
    for module, names in {
        "checks.evidence.derivation": "Derivation Instance Step",
        "checks.evidence.profile": "Profile",
        "checks.language.abstract.events": "Event",
        "checks.language.abstract.extremes": "Maximum Minimum",
        "checks.language.abstract.functions": "Functions",
        "checks.language.abstract.independent": "Independent",
        "checks.language.abstract.laws": "Bernoulli Density Gaussian Rademacher Random",
        "checks.language.abstract.norms": "Norms dual",
        "checks.language.abstract.operators": "Linear Symmetric adjoint",
        "checks.language.abstract.space": "Space",
        "checks.language.abstract.terms": "Cov E P Var eigenvalue gradient inner norm nuclear singular",
        "checks.language.abstract.vectors": "Euclidean",
        "checks.language.atoms": "Family",
        "checks.language.claim": "Case Claim Estimate Probability Quantity",
        "checks.language.domain": "Choices Domain Integers Matrix Reals Subsets Vector",
        "checks.language.points": "Point",
        "checks.language.relations": "ForAll",
        "checks.language.reading.reading": "read",
        "checks.language.theorem": "Brief Reading Theorem read_theorems",
        "checks.records.study": "Panel Series Setting Study",
        "checks.run.errors": "InputErrors",
        "checks.run.runner": "verify",
        "derivations.symbols": "symbol",
        "numeric.curvature": "HessianNorm HessianTrace hessian_norm hessian_trace",
        "numeric.pac_bayes": "UnionLedger binary_kl certified_bound fit_posterior inverse_binary_kl pac_bayes_bound",
    }.items()
    for name in names.split()
}
"""From a name to its module, which is loaded when the name is first asked for."""

ALL = sorted(["InputError", "__version__", *PUBLIC])
