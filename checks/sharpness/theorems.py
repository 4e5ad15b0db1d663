"""The statements of the paper, one record each: what each says, which claims encode it, and what it is derived from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boundaudit.checks.language.theorem import Theorem, read_briefs

PAPER = "Lintilhac & Shaikh 2026 (arXiv 2605.20988)"
BRIEFS = read_briefs(Path(__file__).with_name("briefs.toml"))


def _theorem(*, number: str, **said: Any) -> Theorem:
    return Theorem(number=number, paper=PAPER, brief=BRIEFS.get(number), **said)


THEOREMS = (
    _theorem(
        number="Section 2",
        title="Normalisation of the targets",
        says="The target functions of the experiments, of positive coefficients and one degree, are normalised so that "
        "they are centred and have variance one.",
        formula=r"\mathbb{E} f = 0, \quad \mathrm{Var} f = \sum_t c_t^2 = 1",
        printed=("sharpness.setup.normalisation.printed",),
        successor="sharpness.setup.normalisation.repaired",
        derived_from=("Equation 1",),
    ),
    _theorem(
        number="Equation 1",
        title="Representation by parities",
        says="Any real function on bit strings is in exactly one way a linear combination of the even-parity "
        "indicators of subsets.",
        formula=r"f(x) = \sum_{S \subseteq [T]} \hat f(S)\, \chi_S(x), \quad "
        r"\chi_S(x) = \left[\textstyle\sum_{i \in S} x_i \text{ even}\right]",
        printed=("sharpness.setup.basis.determinant",),
    ),
    _theorem(
        number="Definition 1",
        title="The idealised learner",
        says="The learner minimises the training loss plus a weighted norm of the parameters plus a weighted trace of "
        "the training loss's Hessian; read as what it is for: a sum of at most the construction's gives a bound of at "
        "most the construction's.",
        formula=r"\hat\theta \in \mathrm{arg\,min}_{\theta} \hat L(\theta) + \alpha \|\theta\|^2 "
        r"+ \beta\,\mathrm{Tr}\,\nabla^2 \hat L(\theta)",
        printed=("sharpness.learner.printed",),
        successor="sharpness.learner.wrong-weights",
        improvement="sharpness.learner.wrong-weights-best-rate",
    ),
    _theorem(
        number="Theorem 2",
        title="The generalization bound",
        says="A learner that fits its sample, with a norm and a sharpness under noise of at most the construction's, "
        "has with probability at least 1-δ, under Gaussian noise of standard deviation σ, an expected loss of at most "
        "σ² (G_u + P), a bound on the construction's own training loss under noise, plus a term of order √(L/m)/σ, "
        "where G_u is O(ωD³) and L is O(D³ + ωD log²T).",
        formula=r"\mathbb{E}_\varepsilon L(\hat\theta + \varepsilon) \le \sigma^2 (G_u + P) "
        r"+ 2 \sqrt{\tfrac{\Sigma^2}{2m} \big(\tfrac{L}{2\sigma^2} + \ln \tfrac1\delta\big)}",
        printed=(
            "sharpness.bound.shared_variance.printed",
            "sharpness.bound.shared_variance.order",
            "sharpness.bound.shared_variance.half.printed",
            "sharpness.taylor.noisy.printed",
        ),
        successor="sharpness.bound.shared_variance.half.change",
        improvement="sharpness.bound.separate_prior_variance.improved",
        derived_from=("Remark 4", "Theorem 5", "Theorem 6", "Theorem 10", "Theorem 17"),
    ),
    _theorem(
        number="Remark 3",
        title="A weighted sum dominates no term",
        says="Minimising the weighted sum makes neither the norm nor the trace at most the construction's, so that "
        "both are assumed to be.",
        formula=r"\alpha \hat N + \beta \hat H \le \alpha N^* + \beta H^* \;\not\Rightarrow\; "
        r"\hat N \le N^*,\ \hat H \le H^*",
        printed=("sharpness.learner.not-coordinatewise",),
        improvement="sharpness.learner.linear",
        derived_from=("Definition 1",),
    ),
    _theorem(
        number="Remark 4",
        title="Bounded, hence sub-Gaussian",
        says="A loss between 0 and M is sub-Gaussian with constant at most M/2.",
        formula=r"0 \le \ell \le M \;\Rightarrow\; \Sigma \le M/2",
        printed=("sharpness.subgaussian.bounded",),
        improvement="sharpness.subgaussian.second-moment",
    ),
    _theorem(
        number="Theorem 5",
        title="Trace of the loss Hessian, at every input",
        says="At every input, and so on average, the trace of the squared loss's Hessian at a construction that "
        "represents its target exactly is at most 2 G_u, a polynomial in degree and sparsity, free of the length.",
        formula=r"\mathrm{Tr}\,\nabla^2 \ell_x(\Theta) \le 2 G_u, \quad G_u = 4 + 4\omega (2 + D + 32 D^2 + 32 D^3)",
        printed=("sharpness.loss_hessian.trace.printed",),
        successor="sharpness.loss_hessian.trace.repaired",
        improvement="sharpness.loss_hessian.trace.sharp",
        derived_from=("Theorem 13",),
    ),
    _theorem(
        number="Theorem 6",
        title="Training loss under noise",
        says="The mean training loss of the construction under Gaussian noise on all parameters is half σ² times the "
        "trace of its Hessian plus the mean of a quadratic form with the Hessian's change up to Lagrange's point; with "
        "Theorem 17 it is at most σ² (G_u + P).",
        formula=r"\mathbb{E} \hat L(\Theta + \varepsilon) = \tfrac{\sigma^2}{2} \mathrm{Tr}\,\nabla^2 \hat L(\Theta) "
        r"+ \tfrac12 \mathbb{E}\,\varepsilon^\top \big(\nabla^2 \hat L(\Theta + \xi(\varepsilon)) "
        r"- \nabla^2 \hat L(\Theta)\big)\,\varepsilon",
        printed=(
            "sharpness.taylor.expansion.printed",
            "sharpness.taylor.lagrange.printed",
            "sharpness.taylor.noisy.printed",
        ),
        successor="sharpness.taylor.expansion.constant",
        improvement="sharpness.taylor.heat.flow",
        derived_from=("Theorem 12",),
    ),
    _theorem(
        number="Theorem 7",
        title="Chain of thought",
        says="A chain of T learned steps, each the parity of two bits, is wrong with a probability that falls "
        "exponentially with the number of samples.",
        formula=r"\delta_{\mathrm{CoT}} \le 4T\, e^{-m/(8\Sigma^2)} "
        r"\exp\!\Big(\frac{m\sigma^2}{4\Sigma^2}(2 G_u(1,2) + P) + \frac{L(1,2,T)}{2\sigma^2}\Big)",
        printed=("sharpness.chain_of_thought.theorem",),
        successor="sharpness.chain_of_thought.samples",
        improvement="sharpness.chain_of_thought.whole.noisy",
        derived_from=("Theorem 2", "Theorem 16"),
        missing="unproved as it stands, not shown false of transformers: the inference from confidence to error "
        "probability fails, for learners that meet every assumption but the architecture",
    ),
    _theorem(
        number="Theorem 8",
        title="One pass against a chain",
        says="One pass over all T bits has, in place of a step's factor, a power of it in its error probability, so "
        "that a chain gains exponentially.",
        formula=r"\delta_{\mathrm{OP}} \le 4\, e^{-m/(8\Sigma^2)} "
        r"\exp\!\Big(\frac{m\sigma^2}{4\Sigma^2}(2 G_u(1,2) + P) + \frac{L(1,2,T)}{2\sigma^2}\Big)^{T}",
        printed=("sharpness.chain_of_thought.one-pass.printed",),
        successor="sharpness.chain_of_thought.one-pass.upper",
        improvement="sharpness.chain_of_thought.whole.noisy",
        derived_from=("Theorem 7", "Theorem 16"),
    ),
    _theorem(
        number="Theorem 9",
        title="The MLP that interpolates parity",
        says="With 4(D+1) hidden units an MLP interpolates the even-parity indicator on the grid 0, 1/D, …, 1; its "
        "output is a trapezoidal wave between 0 and 1, and its derivative a square wave.",
        formula=r"F^\top \mathrm{ReLU}(M^\top b + \Gamma)\big|_{s = k/D} = \tfrac{1 + (-1)^k}{2}",
        printed=(
            "sharpness.mlp.interpolation",
            "sharpness.mlp.range",
            "sharpness.mlp.slope",
            "sharpness.mlp.units-printed",
        ),
        successor="sharpness.mlp.units-live",
    ),
    _theorem(
        number="Theorem 10",
        title="Norm of the construction",
        says="The squared norm of all parameters of the construction is at most L, a sum of one term a block that "
        "grows like D³ and ω D log²T.",
        formula=r"\|\Theta\|^2 \le L = 16 D^2 (D+1) + 8 (D+1) + 1 + \omega + 4 \omega (D+1) \log^2 T",
        printed=("sharpness.norms.total.printed",),
        successor="sharpness.norms.total.repaired",
        improvement="sharpness.pruning.norms.total",
    ),
    _theorem(
        number="Theorem 11",
        title="Sizes of all that a forward pass holds",
        says="Tokens, averages, hidden units, the residual stream, the values of layer 2 and the attention weights are "
        "bounded in entries, rows, columns and operator norms by √2, 1, √(T+1), C √ω and 2 √(ωD) log T.",
        formula=r"\|X\|_{2,\infty}, \|X_2\|_{2,\infty} \le \sqrt{2}, \quad \|X_2 V_2\|_\infty \le C \le \sqrt{\omega}, "
        r"\quad \|X_2 V_2\|_2 \le C \sqrt{\omega}, \quad \|W_2\|_{op} \le 2 \sqrt{\omega} \log T",
        printed=(
            "sharpness.activations.tokens",
            "sharpness.activations.averaged",
            "sharpness.activations.hidden.largest",
            "sharpness.activations.hidden.norm",
            "sharpness.activations.stream.rows",
            "sharpness.activations.stream.column",
            "sharpness.activations.output-row",
            "sharpness.activations.values.largest",
            "sharpness.activations.values.largest-sparsity",
            "sharpness.activations.values.norm",
            "sharpness.activations.V1.operator",
            "sharpness.activations.W1.operator",
            "sharpness.activations.W2.rank-one",
            "sharpness.norms.W2.printed",
            "sharpness.projection.tokens.printed",
        ),
        successor="sharpness.activations.values.norm-repaired",
        improvement="sharpness.activations.averaged.sharp",
        derived_from=("Theorem 9", "Theorem 10"),
    ),
    _theorem(
        number="Theorem 12",
        title="Second-order expansion of the loss under noise",
        says="At the construction, where loss and gradient vanish, the mean loss under Gaussian noise of all "
        "parameters is exactly half σ² times the trace of the Hessian plus the mean of a quadratic form with the "
        "Hessian's change up to Lagrange's point.",
        formula=r"\mathbb{E} L(\Theta + \varepsilon) = \tfrac{\sigma^2}{2} \mathrm{Tr}\,\nabla^2 L(\Theta) + \tfrac12 "
        r"\mathbb{E}\,\varepsilon^\top \big(\nabla^2 L(\Theta + \xi(\varepsilon)) - \nabla^2 L(\Theta)\big)\,"
        r"\varepsilon",
        printed=(
            "sharpness.taylor.expansion.printed",
            "sharpness.taylor.expansion.stationary",
            "sharpness.taylor.kink.differentiable",
            "sharpness.taylor.lagrange.printed",
            "sharpness.taylor.hutchinson.mean",
            "sharpness.taylor.form.printed",
        ),
        successor="sharpness.taylor.expansion.constant",
        improvement="sharpness.taylor.heat.flow",
        derived_from=("Theorem 18",),
    ),
    _theorem(
        number="Theorem 13",
        title="The loss Hessian at exact representation",
        says="The Hessian of the squared loss is a matrix of rank one plus a residual part that vanishes where the "
        "target is represented exactly, so that its norm and its trace are 2 |∇f|² and at most 2 G_u.",
        formula=r"\nabla^2 \ell = 2 \nabla f \nabla f^\top + 2 (f_\Theta - f) \nabla^2 f_\Theta, \quad "
        r"\mathrm{Tr}\,\nabla^2 \ell = 2 \|\nabla f\|^2 \le 2 G_u",
        printed=(
            "sharpness.loss_hessian.identity",
            "sharpness.loss_hessian.residual.printed",
            "sharpness.loss_hessian.rank-one",
            "sharpness.loss_hessian.trace.printed",
        ),
        successor="sharpness.loss_hessian.trace.repaired",
        improvement="sharpness.loss_hessian.trace.sharp",
        derived_from=("Theorem 14",),
    ),
    _theorem(
        number="Theorem 14",
        title="Gradient of the output",
        says="At every input the squared gradient of the output is at most G_u, a sum of one term a block of "
        "parameters that is free of the length; nothing reaches the first layer's weights.",
        formula=r"\|\nabla f\|^2 \le G_u = 4 + 4\omega + 4\omega (D+1) + 2 \cdot 64\, \omega D^2 (D+1)",
        printed=(
            "sharpness.gradients.total.printed",
            "sharpness.gradients.V2.printed",
            "sharpness.gradients.W2.printed",
            "sharpness.gradients.F.printed",
            "sharpness.gradients.Gamma.printed",
            "sharpness.gradients.M.printed",
            "sharpness.gradients.V1.printed",
            "sharpness.gradients.W1.printed",
        ),
        successor="sharpness.gradients.total.repaired",
        improvement="sharpness.gradients.total.sharp",
        derived_from=("Theorem 9", "Theorem 10", "Theorem 11", "Lemma 15"),
    ),
    _theorem(
        number="Lemma 15",
        title="A product with the softmax Jacobian",
        says="A matrix times a softmax's Jacobian times a vector of values is at most twice the matrix's longest row "
        "times the largest value.",
        formula=r"\|X^\top R\, v\|_2 \le 2\, \|X\|_{2,\infty}\, \|v\|_\infty",
        printed=("sharpness.softmax.jacobian.printed",),
        improvement="sharpness.softmax.jacobian.sharpened",
    ),
    _theorem(
        number="Theorem 16",
        title="Chain of thought and one pass in full",
        says="With G_u(1,2), P and L(1,2,T) of one step, a chain of T learned parities of two bits is wrong with "
        "probability at most 4T times the confidence at which Theorem 2's bound on a step is 1/2; for one pass over "
        "all T bits a power of the step's factor takes its place.",
        formula=r"\delta_{\mathrm{CoT}} \le 4T\, e^{-m/(8\Sigma^2)} "
        r"\exp\!\Big(\frac{m\sigma^2}{4\Sigma^2}(2 G_u + P) + \frac{L}{2\sigma^2}\Big), \quad "
        r"\delta_{\mathrm{OP}} \le 4\, e^{-m/(8\Sigma^2)} "
        r"\exp\!\Big(\frac{m\sigma^2}{4\Sigma^2}(2 G_u + P) + \frac{L}{2\sigma^2}\Big)^{T}",
        printed=("sharpness.chain_of_thought.theorem", "sharpness.chain_of_thought.one-pass.printed"),
        successor="sharpness.chain_of_thought.samples",
        improvement="sharpness.chain_of_thought.whole.noisy",
        derived_from=("Theorem 2",),
        missing="the chain's part is unproved as it stands, not shown false of transformers: the inference from "
        "confidence to error probability fails, for learners that meet every assumption but the architecture",
    ),
    _theorem(
        number="Theorem 17",
        title="Trace of the loss Hessian after noise",
        says="With high probability the trace of the loss Hessian at a perturbed construction is at most 2 G_u plus an "
        "allowance P made of the bounds on how far noise moves output, gradient and Hessian.",
        formula=r"\mathrm{Tr}\,\nabla^2 L(\Theta + \xi) \le 2 G_u + P, \quad "
        r"P = 2 G_p (2 \sqrt{G_u} + G_p) + T_p (H_u + H_p) |\Theta|",
        printed=("sharpness.taylor.trace.printed", "sharpness.taylor.trace.change.printed"),
        successor="sharpness.taylor.trace.change",
        improvement="sharpness.noisy_loss.clipped",
        derived_from=("Theorem 12", "Theorem 14", "Theorem 18", "Theorem 24", "Theorem 30", "Theorem 31"),
    ),
    _theorem(
        number="Theorem 18",
        title="Norm of the output's Hessian",
        says="At every input the operator norm of the output's Hessian is at most H_u, a sum of eight terms in degree, "
        "sparsity, length and width without a logarithm.",
        formula=r"\|\nabla^2 f\| \le H_u = 8(D+1) + 6(D+1)\sqrt{\omega} + 2\sqrt{3T(D+1)} + \sqrt{48 T (D+1) D} "
        r"+ 3\sqrt{12 T (D+1)}\, D + (8\sqrt2 + 2)\sqrt{dT}\, D + 8\sqrt2\, d D \sqrt{\omega} "
        r"+ 6\sqrt2\, d^{3/2} D",
        printed=("sharpness.hessian.bound.printed",),
        successor="sharpness.hessian.repaired.total",
        derived_from=("Theorem 11", "Theorem 14", "Lemma 15", "Appendix J"),
    ),
    _theorem(
        number="Lemma 19",
        title="Tail of a chi variable",
        says="The norm of n independent Gaussian entries of standard deviation σ is at most σ √n φ(n, δ) with "
        "probability at least 1-δ.",
        formula=r"\mathbb{P}\big[X > \sigma \sqrt{n}\, \varphi(n, \delta)\big] \le \delta, \quad "
        r"\varphi^2 = 1 + 2 \sqrt{\tfrac{\log(1/\delta)}{n}} + \tfrac{2 \log(1/\delta)}{n}",
        printed=("sharpness.noise.chi.tail",),
    ),
    _theorem(
        number="Lemma 20",
        title="The tail's factor at large widths",
        says="At a width of order log T / ε² the factor φ is 1 + O(ε), even for failures as rare as an inverse power "
        "of T.",
        formula=r"d \ge K\, \tfrac{\log T}{\epsilon^2} \;\Rightarrow\; \varphi(d, T^{-a}) = 1 + O(\epsilon)",
        printed=("sharpness.noise.phi.printed",),
        improvement="sharpness.noise.phi.factor",
        derived_from=("Lemma 19",),
    ),
    _theorem(
        number="Lemma 21",
        title="Noise in the averages of layer 1",
        says="With high probability and to first order noise moves a row of the first attention's output by at most a "
        "constant times σ √d.",
        formula=r"\|\tilde b_t - b_t\|_2 \le K \sigma \sqrt{d}",
        printed=("sharpness.noise.averages.printed",),
        improvement="sharpness.noise.averages.bound",
        derived_from=("Theorem 11", "Lemma 19", "Lemma 20"),
    ),
    _theorem(
        number="Lemma 22",
        title="No flips, and noise in the MLP's output",
        says="For σ below a constant over D no unit of the MLP flips in an active row, and then its output moves by at "
        "most 32 σ D² with high probability and to first order.",
        formula=r"\|\tilde g_t - g_t\|_2 \le 32 \sigma D^2",
        printed=(
            "sharpness.noise.rows.printed",
            "sharpness.noise.rows.constant",
            "sharpness.noise.flips.condition",
            "sharpness.noise.flips.margin-printed",
        ),
        successor="sharpness.noise.rows.norm",
        improvement="sharpness.noise.rows.data.repaired",
        derived_from=("Theorem 9", "Lemma 19", "Lemma 20", "Lemma 21"),
    ),
    _theorem(
        number="Remark 23",
        title="Rows that no component uses",
        says="In a row that no component uses the MLP passes the move of the average on, times its Lipschitz constant, "
        "beside the move that noise of the MLP itself makes.",
        formula=r"|\tilde g_t - g_t| \le \mathrm{Lip}(\mathrm{MLP})\, |\tilde b_t - b_t| + \ldots",
        printed=("sharpness.noise.rows.idle",),
        derived_from=("Theorem 9", "Lemma 22"),
    ),
    _theorem(
        number="Theorem 24",
        title="Noise in the output",
        says="With high probability and to first order noise of standard deviation σ on all parameters moves the "
        "output by at most T_p.",
        formula=r"|\tilde f - f| \le T_p = 128 \sigma D^2 \omega \log T + \sigma \sqrt{2d} "
        r"+ 32 \sqrt{\omega}\, \sigma D^2",
        printed=("sharpness.perturbed.output.printed",),
        successor="sharpness.perturbed.output.deviation",
        derived_from=("Theorem 11", "Lemma 19", "Lemma 20", "Lemma 21", "Lemma 22", "Remark 23", "Lemma 27"),
    ),
    _theorem(
        number="Lemma 25",
        title="Noise in the MLP's slopes",
        says="While no unit flips, noise moves the data channel's column of the MLP's Jacobian by at most a constant "
        "times σ D², and another times σ √(dD) for the noise of F.",
        formula=r"\|\delta\, \partial g_t / \partial b_{t, \mathrm{data}}\|_2 \le K \sigma (D^2 + \sqrt{dD})",
        printed=("sharpness.noise.slopes.printed",),
        improvement="sharpness.noise.slopes.bound",
        derived_from=("Lemma 19", "Lemma 20", "Lemma 22"),
    ),
    _theorem(
        number="Lemma 26",
        title="What the output draws from a row",
        says="The change of the output's gradient in a row of what layer 2 reads is bounded in three terms: by the "
        "product rule those of its value, of the key's factor and of the query's image.",
        formula=r"\|\delta (a_t V_2)\| + \|\delta (a_t (v_t - f))\, w_2\| + \|a_t (v_t - f)\, \delta w_2\|",
        printed=("sharpness.perturbed.rows.printed",),
        successor="sharpness.perturbed.rows.sharpened",
        improvement="sharpness.perturbed.rows.bound",
        derived_from=("Theorem 11", "Lemma 15", "Lemma 22", "Remark 23", "Lemma 27"),
        missing="the constants of the three terms, in whose place the bounds of the lemmas before it are put",
    ),
    _theorem(
        number="Lemma 27",
        title="Noise in the second layer's attention",
        says="With high probability and to first order noise changes the attention weights of layer 2 by at most "
        "128 σ D² √ω log T in sum.",
        formula=r"\|\tilde a - a\|_1 \le 128\, \sigma D^2 \sqrt{\omega} \log T",
        printed=("sharpness.perturbed.weights.printed", "sharpness.perturbed.weights.any-coefficients"),
        successor="sharpness.perturbed.weights.small-noise",
        improvement="sharpness.perturbed.weights.shift",
        derived_from=("Theorem 11", "Lemma 22", "Remark 23"),
    ),
    _theorem(
        number="Lemma 28",
        title="From the attention to the output's gradient",
        says="The change of the second layer's attention and of its softmax's Jacobian carries over to the output's "
        "gradient in all that layer 2 reads, within a stated bound.",
        formula=r"\|\delta\, \partial f / \partial X_2\|_F \le \|\tilde a - a\|\, C + \ldots "
        r"+ \|\tilde\Sigma - \Sigma\|_1 \|X_2 V_2\|_2 \|w_2\| + \ldots",
        printed=("sharpness.perturbed.rows.stream.printed",),
        successor="sharpness.perturbed.rows.stream.sharpened",
        derived_from=("Lemma 26", "Lemma 27", "Theorem 29"),
        missing="the lemma's own constants, in whose place the bounds of the lemmas before it are put",
    ),
    _theorem(
        number="Theorem 29",
        title="Change of the softmax Jacobian",
        says="The Jacobian of a softmax changes by at most a constant times as much as its weights, in the largest "
        "absolute sum of a column; with Lemma 27 put in, by at most three times its bound.",
        formula=r"\|\tilde\Sigma - \Sigma\|_1 \le 3\, \|\tilde a - a\|_1 \le 384\, \sigma D^2 \sqrt{\omega} "
        r"\log T",
        printed=("sharpness.softmax.change.printed", "sharpness.perturbed.weights.jacobian.printed"),
        successor="sharpness.perturbed.weights.jacobian.sharpened",
        improvement="sharpness.softmax.change.sharpened",
        derived_from=("Lemma 27",),
    ),
    _theorem(
        number="Theorem 30",
        title="Noise in the gradient",
        says="With high probability and to first order noise of standard deviation σ on all parameters moves the "
        "gradient of the output by at most G_p.",
        formula=r"\|\nabla \tilde f - \nabla f\|_2 \le G_p = \sigma \big(128 \sqrt{2} D^2 \sqrt{\omega} \log T "
        r"+ 192 \sqrt{\omega} D^2 + 64 \sqrt{2} (d+2) D^2 \omega^2 \log T + 128 d\, \omega^2 D^{3/2} \log T "
        r"+ 1024 D^{7/2} \omega^{3/2} \log T + 8 \sqrt{D \omega}\, d \log T + 256 D^{5/2} \omega^2 d "
        r"+ 32 \sqrt{D}\, \omega^2 d^2\big)",
        printed=("sharpness.perturbed.gradient.printed",),
        successor="sharpness.perturbed.gradient.with-floor",
        improvement="sharpness.perturbed.gradient.second-moment",
        derived_from=("Theorem 11", "Lemma 15", "Theorem 24", "Lemma 25", "Lemma 26", "Lemma 28", "Theorem 29"),
    ),
    _theorem(
        number="Theorem 31",
        title="Noise in the Hessian",
        says="With high probability and to first order noise of standard deviation σ on all parameters moves the "
        "Hessian of the output by at most H_p in operator norm.",
        formula=r"\|\nabla^2 \tilde f - \nabla^2 f\|_{op} \le H_p = \sigma \big(768 \sqrt{2} D^2 \omega^{3/2} d \log T "
        r"+ 256\, \omega^{3/2} d^2 D^{3/2} \log T + 1024 D^{7/2} \omega^{3/2} \log T "
        r"+ 512 D^{5/2} \omega^{3/2} d^2 \log T + 1536 D^{7/2} \omega^{5/2} \sqrt{d} \log^2 T "
        r"+ 768 D^2 \omega^{5/2} d \log^2 T + 16\, \omega^2 d^{5/2} \log T\big)",
        printed=("sharpness.perturbed.hessian.printed",),
        successor="sharpness.perturbed.hessian.with-floor",
        improvement="sharpness.perturbed.hessian.first-order",
        derived_from=("Theorem 18", "Lemma 25", "Lemma 26", "Lemma 27", "Lemma 28", "Theorem 29", "Theorem 30"),
    ),
    _theorem(
        number="Appendix A",
        title="The rule for the sub-Gaussian constant",
        says="The constant is the least Σ whose Gaussian moment-generating function lies above that of the losses "
        "measured at the trained parameters, on a range of arguments; it comes out as about 0.01.",
        formula=r"\Sigma = \min\{S : e^{S^2 t^2/2} \ge \tfrac1n \sum_i e^{t(\ell_i - \bar\ell)},\ |t| \le t_{\max}\}",
        printed=("sharpness.subgaussian.range", "sharpness.subgaussian.estimate", "sharpness.subgaussian.printed"),
        successor="sharpness.subgaussian.range-repaired",
        improvement="sharpness.subgaussian.inside",
        derived_from=("Remark 4",),
    ),
    _theorem(
        number="Appendix B",
        title="The complete construction",
        says="A transformer of two attention layers and one MLP attends to each component in a row of its own, stores "
        "its parity there, and adds up the rows of components alone: its output is the target.",
        formula=r"f_\Theta(x) = \sum_t c_t\, \chi_{S_t}(x)",
        printed=(
            "sharpness.exactness.active",
            "sharpness.residual.printed",
            "sharpness.attention.second.zero",
            "sharpness.exactness.loss.zero",
        ),
        successor="sharpness.exactness.loss.upper",
        derived_from=("Equation 1", "Equation 5", "Theorem 9"),
    ),
    _theorem(
        number="Appendix B.2",
        title="Random projection of the positions",
        says="A Gaussian projection of the positions to a width of order log T preserves their pairwise products, so "
        "that the projected network computes the target as closely as one likes.",
        formula=r"d = O(\log T / \epsilon^2)",
        printed=("sharpness.projection.pairwise.printed", "sharpness.projection.width.as-stated"),
        successor="sharpness.projection.width.corrected",
        improvement="sharpness.projection.width.chaos",
    ),
    _theorem(
        number="Appendix D",
        title="Rescaling the MLP",
        says="Multiplying M and Gamma by some α > 1 and dividing F by it leaves the function as it is and lowers both "
        "norm and sharpness, because the output weights are heavier: the construction is not optimal.",
        formula=r"\|\Theta_\alpha\|^2 = \alpha^2 (\|M\|^2 + \|\Gamma\|^2) + \alpha^{-2} \|F\|^2 + \ldots",
        printed=(
            "sharpness.rescaling.both.printed",
            "sharpness.rescaling.same-function",
            "sharpness.rescaling.norm.closed-form",
            "sharpness.rescaling.norm.optimum",
            "sharpness.rescaling.best-factor",
            "sharpness.bound.rescaled.heavier-in-both",
        ),
        successor="sharpness.pruned_gradient.smaller",
        improvement="sharpness.pruning.norms.smaller",
        derived_from=("Theorem 10", "Theorem 14"),
    ),
    _theorem(
        number="Appendix D(2)",
        title="Inputs that leave a component silent",
        says="Inputs that are zero on all positions of a component are exponentially rare, so that what serves them "
        "can be left out.",
        formula=r"\mathbb{P}(x_S = 0) \le 2^{-T}",
        printed=("sharpness.rescaling.dropped.whole-input",),
        successor="sharpness.rescaling.dropped.probability",
    ),
    _theorem(
        number="Appendix E",
        title="The bound's best noise, and its numbers",
        says="Without P and ln(1/δ) the bound is least at σ = (Σ²L/(4mG²))^(1/6). At T = 20, D = 2, ω = 10, Σ = 0.01 "
        "and a million samples that is 0.00227, G_u is 15524 and the bound 0.239, or 0.327 with P: it is not vacuous.",
        formula=r"\sigma^* = \Big(\frac{\Sigma^2 L}{4 m G_u^2}\Big)^{1/6}, \quad "
        r"B^* = 3 \Big(\frac{G_u \Sigma^2 L}{4m}\Big)^{1/3} = 0.239",
        printed=(
            "sharpness.bound.optimum.printed",
            "sharpness.bound.numbers.printed",
            "sharpness.bound.numbers.non-vacuous",
        ),
        successor="sharpness.bound.numbers.true-norm.value",
        improvement="sharpness.bound.separate_prior_variance.values",
        derived_from=("Theorem 2", "Theorem 10", "Theorem 14"),
    ),
    _theorem(
        number="Appendix J",
        title="Which second derivatives vanish",
        says="Of the 28 blocks of second derivatives by seven blocks of parameters no more than six are not zero, as "
        "the gradients in V1 and W1 vanish and that in F does not depend on F.",
        formula=r"\#\{(a, b) : \partial^2 f / \partial \Theta_a \partial \Theta_b \ne 0\} \le 6",
        printed=(
            "sharpness.hessian.blocks.six",
            "sharpness.hessian.blocks.V1-M.zero",
            "sharpness.hessian.blocks.F-F.zero",
        ),
        successor="sharpness.hessian.blocks.count",
        derived_from=("Theorem 14",),
    ),
    _theorem(
        number="Appendix K",
        title="The Hessian's norm at small width",
        says="With a projection to a width of order log T the bound H_u on the Hessian's norm has a stated order in "
        "degree, sparsity and length.",
        printed=("sharpness.hessian.asymptotics",),
        derived_from=("Theorem 18",),
        missing="the order that the end of the appendix states, and its constant",
    ),
    _theorem(
        number="Equation 4",
        title="Weights of the first attention",
        says="A row of the first attention that has a component gives each of its positions T² times the weight of "
        "every other position; a row without a component attends to all positions alike.",
        formula=r"A_1[t, j] = \frac{T^2}{D T^2 + T + 1 - D} \quad (j \in S_t)",
        printed=("sharpness.attention.first.weights",),
    ),
    _theorem(
        number="Equation 5",
        title="The first attention for large T",
        says="For large T a row of the first attention that has a component attends to its D positions alone, with "
        "weight 1/D each.",
        formula=r"A_1[t, j] \to \tfrac{1}{D} \ (j \in S_t), \quad A_1[t, j] \to 0 \ (j \notin S_t)",
        printed=("sharpness.attention.first.limit",),
        derived_from=("Equation 4",),
    ),
    _theorem(
        number="Equation 12",
        title="The covering baseline",
        says="The covering-number bound of earlier work, with the construction's norms, falls with the root of the "
        "samples up to a logarithm; it is 1.01 at a million samples.",
        formula=r"C_{2,1} \sqrt{\log(d\,m\,T)/m}",
        printed=("sharpness.covering_baseline.constants",),
        improvement="sharpness.covering_baseline.W1-converted",
        derived_from=("Theorem 10",),
        missing="the constants and the product of norms in the covering baseline's bound are not printed",
    ),
    _theorem(
        number="Appendix A(2)",
        title="The protocol of the experiments",
        says="Functions of degree 1 to 5 and sparsity 1, 7, 14 and 20 on 20 bits are learned from 8192 inputs up to a "
        "training loss of 0.02, several functions a class.",
        derived_from=("Section 2",),
        missing="how many functions a class has, since five and eleven are both named, and how many that did not train "
        "were drawn again",
    ),
    _theorem(
        number="Appendix H(1)",
        title="A property test of the degree",
        says="The test of low-degree polynomials over two elements (Alon et al. 2005) carries over to real functions: "
        "with 2^O(D) ln(1/δ)/ε queries it accepts functions of degree D and rejects those far from it.",
        formula=r"\sum_{I \subseteq [D+1]} (-1)^{|I|} f\big(x \oplus \textstyle\bigoplus_{i \in I} y_i\big) = 0, "
        r"\quad 2^{O(D)}\, \tfrac1\varepsilon \ln \tfrac1\delta \text{ queries}",
        printed=("sharpness.property_testing.degree.printed",),
        successor="sharpness.property_testing.degree.rejection",
        improvement="sharpness.property_testing.degree.soundness",
    ),
    _theorem(
        number="Appendix H(2)",
        title="A property test of the sparsity",
        says="The transform of random restrictions to k positions, at k 2^k operations each, tells whether a function "
        "is a sum of few characters.",
        formula=r"|\{S \subseteq J : \widehat{f_J}(S) \ne 0\}| \le \omega \text{ for random } J, \ |J| = k",
        printed=("sharpness.property_testing.sparsity.printed",),
        successor="sharpness.property_testing.sparsity.cosets",
    ),
)
