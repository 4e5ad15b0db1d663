"""The statements of the paper, and which claims encode them.

The paper's text reached us without its formulas; the authors' public code (manasakai/infinite-width-attention) fixes
the layer, the inputs, the law in the limit and the simulations.
"""

from __future__ import annotations

import functools

from boundaudit.checks.language.theorem import Theorem

PAPER = "Sakai, Karakida & Imaizumi 2025 (arXiv 2506.00846)"
SCORES, OUTPUTS = "Main theorem (scores)", "Main theorem (outputs)"
_theorem = functools.partial(Theorem, paper=PAPER)

THEOREMS = (
    _theorem(
        number="Setting",
        title="One layer at initialisation",
        says="Weights are independent and normal with variance over the width n, scores are divided by √n, and the "
        "number of tokens and heads stays as n grows: scores are not divided by n, and heads are not infinitely many.",
        formula=r"y^i = H^{-1/2} \sum_h \sum_j \mathrm{softmax}_j(G^h_{ij}) W^{O,h} W^{V,h} x^j, \quad "
        r"G^h_{ij} = (W^{Q,h} x^i) \cdot (W^{K,h} x^j) / \sqrt{n}",
        printed=("infinite_width.output.shortcut",),
        missing="its conditions on activations and the definition of its programs are not known to us",
    ),
    _theorem(
        number=SCORES,
        title="Scores become Gaussian",
        says="As n → ∞ scores converge jointly to centred normal variables, independent between heads, with the "
        "covariance of two scores the product of those of queries and keys.",
        formula=r"\mathbb E\, p^h_{ij} p^{h'}_{i'j'} = \delta_{hh'} \sigma_Q^2 \sigma_K^2 K_{ii'} K_{jj'}",
        printed=(
            "infinite_width.scores.covariance",
            "infinite_width.scores.limit",
            "infinite_width.scores.queries",
        ),
        improvement="infinite_width.scores.kurtosis",
        derived_from=("Setting",),
    ),
    _theorem(
        number=OUTPUTS,
        title="Outputs are Gaussian given the scores",
        says="As n → ∞ each output coordinate is normal over the tokens given the limit scores, with the covariance "
        "that attention makes of the tokens' Gram matrix; coordinates are independent given the scores alone, and "
        "their averages stay random.",
        formula=r"\Sigma(p) = \sigma_O^2 \sigma_V^2 \frac1H \sum_h A^h K A^{h\top}, \quad A^h = "
        r"\mathrm{softmax}(p^h)",
        printed=(
            "infinite_width.output.not-gaussian",
            "infinite_width.output.dependent",
            "infinite_width.output.averages",
            "infinite_width.width.converges",
        ),
        improvement="infinite_width.output.many-tokens",
        derived_from=(SCORES,),
    ),
    _theorem(
        number="Figure 1",
        title="Outputs against the width",
        says="For four tokens and widths 16 to 1024 the density of an output approaches that of the limit, and so does "
        "the divergence of kernel density estimates.",
        printed=("infinite_width.width.divergence",),
        improvement="infinite_width.width.no-faster",
        derived_from=(OUTPUTS,),
    ),
    _theorem(
        number="Figure 2(A)",
        title="Scores against the width",
        says="The density of a score approaches the normal one as the width grows.",
        printed=("infinite_width.scores.limit",),
        improvement="infinite_width.scores.first-order",
        derived_from=(SCORES,),
    ),
    _theorem(
        number="Figure 2(B)",
        title="Outputs against the number of heads",
        says="With few heads the limit is not Gaussian, with many it is: as H → ∞ after n → ∞ an output becomes normal "
        "with the variance E v.",
        formula=r"\mathbb E\, v = s\, \mathbb E\, \mathrm{softmax}_1(p)^2",
        printed=("infinite_width.heads.excess", "infinite_width.heads.limit"),
        improvement="infinite_width.heads.first-order",
        derived_from=(OUTPUTS,),
    ),
    _theorem(
        number="Figure 3",
        title="Heads of low rank",
        says="With 1, 4 and 16 heads of width 64, in a layer of width 64 H, outputs are close to the same law.",
        printed=("infinite_width.low_rank.close",),
        improvement="infinite_width.low_rank.residual",
        derived_from=(OUTPUTS,),
    ),
    _theorem(
        number="Discussion",
        title="Scope",
        says="One layer at initialisation: deep stacks and training are left open.",
        missing="nothing is asserted of deeper networks or of training",
    ),
)
