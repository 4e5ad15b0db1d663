"""The sections of the paper that state something, and which claims encode it.

The paper's text reached us without its formulas. The proxies are known exactly from the authors' public code
(manasakai/spectrum-adaptive-transformers); of the theorems, what they speak of.
"""

from __future__ import annotations

import functools

from boundaudit.checks.language.theorem import Theorem

PAPER = "Sakai & Imaizumi 2026 (arXiv 2605.07297)"
_theorem = functools.partial(Theorem, paper=PAPER)
_CONSTANTS = "its constants are not known to us"

THEOREMS = (
    _theorem(
        number="Section 2",
        title="Blocks, norms and Schatten sums",
        says="A transformer's block is attention by a query-key and a value matrix and an MLP by two, each of bounded "
        "operator norm, and S_p(W) is the sum of the p-th powers of singular values.",
        formula=r"S_p(W) = \sum_i s_i(W)^p, \quad 0 \le p \le 2",
        improvement="schatten.proxy.log-convex",
        missing=_CONSTANTS,
    ),
    _theorem(
        number="Section 3",
        title="Post hoc bounds",
        says="With probability 1 - δ the gap of every network is of the order of the sum over its matrices of their "
        "contributions, each at the index that is best after training, plus √L, over √n.",
        formula=r"\sum_{l, a} \min_{p \in P_m} S_p(W)^{\frac{1}{p+2}} (\gamma \alpha_l L)^{\frac{p}{p+2}} "
        r"N^{\frac{p+1}{p+2}} + \sqrt{L}",
        improvement="schatten.generalization.fine-grid",
        derived_from=("Section 4", "Appendix C", "Appendix D"),
        missing=_CONSTANTS,
    ),
    _theorem(
        number="Section 4",
        title="Parametric interpolation and layerwise composition",
        says="A matrix is one of low rank plus a small remainder, cut where both are equally expensive, and perturbed "
        "matrices move a network by the sum of their sensitivities.",
        formula=r"\#\{s_i > \tau\} \le S_p / \tau^p, \quad \sum_{s_i \le \tau} s_i^2 \le \tau^{2-p} S_p",
        printed=(
            "schatten.interpolation.count",
            "schatten.interpolation.remainder",
            "schatten.composition.attention.published",
            "schatten.composition.layerwise.published",
        ),
        improvement="schatten.interpolation.joint",
        derived_from=("Section 2",),
    ),
    _theorem(
        number="Section 5",
        title="Examples",
        says="The bounds for spectra of particular decay.",
        derived_from=("Section 3",),
        missing="not yet read",
    ),
    _theorem(
        number="Section 6",
        title="Proxies adapted to BERT",
        says="The proxy that the bounds induce grows more slowly in depth and width than the one of (2,1) norms, on "
        "24 checkpoints.",
        formula=r"(1 + \textstyle\sum_l \alpha_l^{2/3} \xi_l)^{3/2}",
        improvement="schatten.proxy.counts-ranks",
        derived_from=("Section 3",),
        missing="the plotted values were not seen, and no checkpoint is part of this suite",
    ),
    _theorem(
        number="Appendix C",
        title="Metric entropy",
        says="Classes of matrices with bounded Schatten sum and operator norm have entropy of the order of Ψ, up to a "
        "logarithm.",
        formula=r"\Psi = N^{\frac{2(p+1)}{p+2}} S^{\frac{2}{p+2}} \varepsilon^{-\frac{2p}{p+2}}",
        improvement="schatten.metric_entropy.class-joint",
        derived_from=("Section 4",),
        missing=_CONSTANTS,
    ),
    _theorem(
        number="Appendix D",
        title="Proofs of the main results",
        says="Entropies of matrices add up to that of the network, whose integral is Dudley's, and a union over the "
        "indices pays for the choice after training.",
        improvement="schatten.composition.layerwise.sharp",
        derived_from=("Section 4", "Appendix C"),
        missing=_CONSTANTS,
    ),
    _theorem(
        number="Appendix E",
        title="Details of the comparison",
        says="How the proxies are computed: matrices of heads are products of query and key and of value and output "
        "maps, and GELU has the Lipschitz constant 1.13.",
        printed=("schatten.proxy.activation",),
        improvement="schatten.proxy.activation-steepest",
        derived_from=("Section 2",),
    ),
)
