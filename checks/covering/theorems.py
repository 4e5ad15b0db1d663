"""The statements of the two papers that are known to us: what each says, which claims encode it, what it stands on."""

from __future__ import annotations

import functools

from boundaudit.checks.language.theorem import Theorem

PAPER = "Trauger & Tewari 2024 (arXiv 2310.13088)"
COMPARATOR = "Edelman et al. 2022 (arXiv 2110.10090)"

_paper = functools.partial(Theorem, paper=PAPER)
_comparator = functools.partial(Theorem, paper=COMPARATOR)
_CONSTANTS = "its constants are not known to us; a form with explicit constants is derived here"
_UNREAD = "not yet read"

THEOREMS = (
    _paper(
        number="Lemma 3.6",
        title="Linear maps with a cap on the (1,1) norm",
        says="Linear maps with a cap on the (1,1) norm have, on inputs in a ball, a logarithmic covering number that "
        "depends neither on the number of inputs nor on that of tokens.",
        formula=r"\log N_\infty(\epsilon) \le \frac{B_x^2 M^2}{\epsilon^2} \log(2dk + 1)",
        printed=("covering.linear.published",),
        improvement="covering.linear.sharper",
    ),
    _paper(
        number="Linear maps, (2,1) norm",
        title="The second norm regime",
        says="Linear maps with a cap on the (2,1) norm have a covering number without the number of inputs.",
        formula=r"\log N_2(\epsilon) \le \lceil R^2/\epsilon^2 \rceil \log(2dk)",
        improvement="covering.linear.rows.radius",
        missing="which norms it pairs is not known to us; a root-mean-square form is derived here",
    ),
    _paper(
        number="Linear maps, third norm",
        title="The third norm regime",
        says="A third pair of norms of weights and inputs admits a covering number without the number of inputs.",
        formula=r"\log N_\infty(\epsilon) \le dk \log(1 + 2R/\epsilon)",
        improvement="covering.linear.frobenius.volumetric",
        missing="which norms it pairs is not known to us; the Frobenius norm is derived here",
    ),
    _paper(
        number="Section 4",
        title="A single layer with a scalar output",
        says="One layer of attention read at one token has a covering number free of the number of tokens, by covering "
        "each of its maps and sharing the error among them.",
        formula=r"\log N_\infty(\epsilon) \le \gamma^3 / \epsilon^2",
        improvement="covering.transformer.two-stages",
        derived_from=("Lemma 3.6",),
        missing=_CONSTANTS,
    ),
    _paper(
        number="Section 4.2",
        title="Many heads",
        says="The bound extends to the sum of several heads.",
        formula=r"\mathfrak{R}(F_1 + \dots + F_H) = \sum_h \mathfrak{R}(F_h)",
        improvement="covering.transformer.heads.complexity",
        derived_from=("Section 4",),
        missing=_CONSTANTS,
    ),
    _paper(
        number="Multi-layer",
        title="Many layers",
        says="The bound extends to several layers, with a factor for each layer in which an error may grow, free of "
        "the number of tokens.",
        formula=r"\log N_\infty(\epsilon) \lesssim \lambda^{2(L-1)} \gamma_1^3 / \epsilon^2",
        improvement="covering.transformer.layers.recursion",
        derived_from=("Section 4",),
        missing=_CONSTANTS,
    ),
    _paper(
        number="Section 5",
        title="Vector outputs and the cross-entropy",
        says="The cross-entropy is √2-Lipschitz in the length of its logits, so that bounds for vectors of outputs, "
        "and for the prediction of masked tokens, follow.",
        formula=r"\|\nabla_u \ell(u, y)\|_2 \le \sqrt{2}",
        printed=("covering.loss.lipschitz",),
        improvement="covering.loss.confidence",
        derived_from=("Section 4",),
    ),
    _paper(
        number="Masked prediction",
        title="Prediction of masked tokens",
        says="The bound is the same where the output is read at a masked position in place of the class token.",
        formula=r"|\bar\ell(U) - \bar\ell(U')| \le \sqrt{2}\, \|U - U'\|_{2,\infty}",
        improvement="covering.transformer.masked",
        derived_from=("Section 4", "Section 5"),
        missing=_CONSTANTS,
    ),
    _paper(
        number="Generalization theorem",
        title="From Rademacher complexity to the risk",
        says="For losses in [0, b] the risk is at most that on the sample plus twice the Rademacher complexity plus "
        "3b √(log(2/δ)/(2m)), with probability at least 1-δ.",
        formula=r"R \le \hat R + 2 \mathfrak{R}_S(\ell \circ F) + 3b \sqrt{\frac{\log(2/\delta)}{2m}}",
        printed=("covering.dudley.theorem",),
        improvement="covering.dudley.one-tail",
        derived_from=("Section 4",),
        missing="the constants of the complexity in it are not known to us",
    ),
    _paper(
        number="Dudley's integral",
        title="Closed form of the entropy integral",
        says="For log N(ε) ≤ C/ε² the Rademacher complexity is at most 12 √(C/m) (1 + log(A √m/(3 √C))).",
        formula=r"\mathfrak{R} \le 12 \sqrt{C/m}\, \big(1 + \log \tfrac{A \sqrt m}{3 \sqrt C}\big)",
        printed=("covering.dudley.best",),
        improvement="covering.dudley.guarded",
        missing="whether a condition on C, m and A is printed with it; without one it falls below zero",
    ),
    _paper(
        number="Experiment",
        title="Sparse majority at several lengths",
        says="Trained until every training label is right, neither the gap nor the norm of the weights shows a trend "
        "with the number of tokens.",
        missing="an experiment, whose grid of lengths and number of runs are not known to us",
    ),
    _comparator(
        number="Lemma 4.6",
        title="Linear maps with a cap on the (2,1) norm",
        says="Linear maps with a cap on the (2,1) norm have on N inputs a logarithmic covering number of order "
        "R² log(dN)/ε²; with every token an input this is where the number of tokens enters.",
        formula=r"\log N_\infty(\epsilon) \lesssim \frac{R^2}{\epsilon^2} \log(d N)",
        improvement="covering.linear.rows.radius",
        missing=_CONSTANTS,
    ),
    _comparator(
        number="Lemma A.6",
        title="From the Jacobian's entries to a Lipschitz constant",
        says="A map whose Jacobian's entries have absolute sum at most C moves in ‖·‖₁ by at most C times its argument "
        "in ‖·‖_∞; the softmax's have at most two.",
        formula=r"\sum_{ij} |J_{ij}| \le 2",
        printed=("covering.softmax.jacobian",),
    ),
    _comparator(
        number="Corollary A.7",
        title="The softmax's Lipschitz constant",
        says="A softmax moves in ‖·‖₁ by at most twice what its logits move in ‖·‖_∞, whatever the number of "
        "positions.",
        formula=r"\|\mathrm{softmax}(u) - \mathrm{softmax}(v)\|_1 \le 2 \|u - v\|_\infty",
        printed=("covering.softmax.published",),
        improvement="covering.softmax.sharp",
        derived_from=("Lemma A.6",),
    ),
    _comparator(
        number="Lemma A.8",
        title="Sharing an error budget",
        says="The least cost Σ a_i/ε_i² of scales with Σ b_i ε_i = ε is γ³/ε² with γ = Σ a_i^{1/3} b_i^{2/3}.",
        formula=r"\min \sum_i a_i / \epsilon_i^2 = \gamma^3 / \epsilon^2, \quad \gamma = \sum_i a_i^{1/3} b_i^{2/3}",
        printed=("covering.allocation.least",),
    ),
    _comparator(
        number="Theorem 4.2",
        title="Capacity of an attention head",
        says="The covering number of an attention head is that of its scores times that of its values, at scales that "
        "share the error.",
        formula=r"\log N_{\mathrm{head}}(\epsilon) \le \inf_\alpha \log N_{\mathrm{score}}(\alpha \epsilon / c) "
        r"+ \log N_{\mathrm{in}}((1 - \alpha) \epsilon / c')",
        improvement="covering.transformer.two-stages",
        derived_from=("Corollary A.7",),
        missing=_CONSTANTS,
    ),
    _comparator(
        number="Corollaries 4.3-4.5",
        title="Capacity of a transformer head",
        says="With (2,1) norms the capacity of a head grows as log(d m T).",
        formula=r"\log N_\infty(\epsilon) \lesssim \frac{\gamma^3}{\epsilon^2} \log(d m T)",
        improvement="covering.transformer.two-stages",
        derived_from=("Theorem 4.2", "Lemma 4.6", "Lemma A.8"),
        missing=_CONSTANTS,
    ),
    _comparator(
        number="Head capacity",
        title="A head whose maps err",
        says="The errors of a head's maps add up in its output, each times the norms of the maps after it, that of the "
        "scores twice.",
        formula=r"|f - f'| \le \epsilon_w + B_w \epsilon_C + B_w B_C \epsilon_V + 2 B_w B_C B_V \epsilon_{QK}",
        printed=("covering.layer.perturbation.published",),
        improvement="covering.layer.perturbation.sharp",
        derived_from=("Corollary A.7",),
    ),
    _comparator(
        number="Layer Lipschitz constant",
        title="A layer as a function of its inputs",
        says="A layer of attention on rows in the unit ball moves by at most 1 + 4‖W_QK‖ times what its rows move, "
        "whatever their number.",
        formula=r"\|f(X) - f(X')\|_{2,\infty} \le (1 + 4B) \|X - X'\|_{2,\infty}",
        printed=("covering.layer.published",),
        improvement="covering.layer.sharp",
        derived_from=("Corollary A.7",),
    ),
    _comparator(
        number="Multi-layer theorem",
        title="Many layers, with the number of tokens",
        says="The capacity of L layers is that of one times a product of norms to a power of order L, times log(d m "
        "T).",
        formula=r"\log N_\infty(\epsilon) \lesssim C_2^{O(L)} \cdots \log(d m T) / \epsilon^2",
        improvement="covering.transformer.layers.recursion",
        derived_from=("Layer Lipschitz constant", "Corollaries 4.3-4.5"),
        missing=_CONSTANTS,
    ),
    _comparator(
        number="Multiple heads",
        title="Appendix A.6",
        says="The bound extends to the sum of several heads.",
        improvement="covering.transformer.heads.complexity",
        derived_from=("Theorem 4.2",),
        missing=_CONSTANTS,
    ),
    _comparator(
        number="Generalization bound",
        title="From a covering number to the risk",
        says="The gap is at most 4cL √(C/m) (1 + log(A √(m/C))) plus 2b √(log(1/δ)/(2m)), with probability at least "
        "1-δ.",
        formula=r"4 c L \sqrt{C/m}\, (1 + \log(A \sqrt{m/C})) + 2b \sqrt{\frac{\log(1/\delta)}{2m}}",
        printed=("covering.dudley.comparator",),
        improvement="covering.dudley.one-tail",
        missing="the constant c is not known to us; as a closed form it needs the guard of Dudley's integral",
    ),
    _comparator(
        number="Sparse variable creation",
        title="Sparse functions by a head of bounded norm",
        says="A head of norms that grow as the logarithm of the number of tokens represents every sparse Boolean "
        "function, with value norms polynomial in the sparsity.",
        improvement="covering.sparse.exact",
        missing="its constants are not known to us; the majority is worked out here",
    ),
    _comparator(
        number="Representation of sparse functions",
        title="General sparse functions and their MLP",
        says="MLP norms exponential in the sparsity suffice for any sparse function, polynomial ones for symmetric "
        "ones.",
        missing=_UNREAD,
    ),
)
