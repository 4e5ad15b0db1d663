"""Stability of stochastic gradient descent: a whole appendix, written down line by line.

Two runs of SGD see the same examples but one of n. How far apart do they end? Hardt, Recht and Singer (Train faster,
generalize better: stability of stochastic gradient descent, 2016) answer with one recursion: a step on an example that
both have seen expands their distance δ by a factor η, the other adds 2αL,

    E δ_{t+1} ≤ (1 - 1/n) η δ_t + (1/n) (η δ_t + 2αL),

and L δ_T bounds the generalization gap of an L-Lipschitz loss. The claims below are the steps of such an appendix in
our own words: the factor η of a smooth, a convex and a strongly convex loss, the sums that follow, the non-convex case
with its best first moment t0, averages, projections, weight decay, and what a risk bound makes of it. Most are typed as
in a paper (`read`). The false ones are pinned as such: slips of a draft, made for this example and mended beside; none
is that paper's. That the recursion holds for SGD is an argument about expectations that is quoted, not audited.

    boundaudit verify sgd_stability.py --profile smoke
    boundaudit report
"""

from functools import partial
from typing import Any

import sympy as sp

from boundaudit import Claim, Euclidean, Functions, Reals, Space, Theorem, gradient, norm, read

PAPER = "A draft after Hardt, Recht & Singer 2016"
EXPANSION, CONVEX, GENERAL, VARIANTS, RISK = "Expansion", "Convex losses", "Any smooth loss", "Variants", "Risk"
proved = partial(read, paper=PAPER, expected="proved")
false = partial(read, paper=PAPER, expected="refuted")

# --- by how much a step expands -------------------------------------------------------------------
# Two iterates and any loss of the class, by its properties alone: vectors have any dimension.

x, y = sp.symbols("x y")
alpha, beta, gamma = sp.symbols("alpha beta gamma", positive=True)
loss = sp.Function("f")
APART, AFTER = norm(x - y), norm(x - alpha * gradient(loss(x)) - (y - alpha * gradient(loss(y))))


def expansion(name: str, statement: str, factor: Any, of: Functions, steps: Reals, expected: str = "proved") -> Claim:
    """Squared distances after a step, against those before it."""
    curved = {gamma: ONTO, beta: Reals(gamma, open_low=True)} if of.strong is not None else {beta: ONTO}
    return Claim(
        label=f"sgd.expansion.{name}", statement=statement, paper=PAPER, place=(EXPANSION,), expected=expected,
        left=AFTER**2, right=factor * APART**2,
        domain=Space({**curved, alpha: steps, x: Euclidean(), y: Euclidean(), loss: of}),
    )  # fmt: skip


ONTO = Reals(0, open_low=True)
CONVEX_LOSS = Functions(convex=True, smooth=beta)
smooth = expansion(
    "smooth", "A step on a β-smooth loss takes two iterates apart by a factor of at most 1 + αβ.",
    (1 + alpha * beta) ** 2, Functions(smooth=beta), ONTO,
)  # fmt: skip
convex = expansion(
    "convex", "On a convex β-smooth loss a step of at most 2/β takes no two iterates apart.",
    1, CONVEX_LOSS, Reals(0, 2 / beta, open_low=True),
)  # fmt: skip
convex_longer = expansion(
    "convex-longer", "A slip: the same of steps of up to 3/β.",
    1, CONVEX_LOSS, Reals(0, 3 / beta, open_low=True), "refuted",
)  # fmt: skip
strong = expansion(
    "strong", "On a γ-strongly convex β-smooth loss a step of at most 2/(β+γ) contracts squares by 1 - 2αβγ/(β+γ).",
    1 - 2 * alpha * beta * gamma / (beta + gamma), Functions(convex=True, smooth=beta, strong=gamma),
    Reals(0, 2 / (beta + gamma), open_low=True),
)  # fmt: skip
bounded = Claim(
    label="sgd.expansion.bounded", paper=PAPER, place=(EXPANSION,), expected="proved",
    statement="A step on an L-Lipschitz convex loss moves an iterate by at most αL.",
    left=norm(alpha * gradient(loss(x))), right=alpha * beta,
    domain=Space({beta: ONTO, alpha: ONTO, x: Euclidean(), loss: Functions(convex=True, lipschitz=beta)}),
)  # fmt: skip
strong_root = proved(
    "1 - 2*a*b*g/(b + g) <= (1 - a*b*g/(b + g))^2",
    where=["a >= 0", "0 < g <= b"],
    label="sgd.expansion.root", place=(EXPANSION,),
    statement="Hence distances by 1 - αβγ/(β+γ).",
)  # fmt: skip
strong_half = proved(
    "1 - a*b*g/(b + g) <= 1 - a*g/2",
    where=["a >= 0", "0 < g <= b"],
    label="sgd.expansion.half", place=(EXPANSION,),
    statement="That is at most 1 - αγ/2, as β is at least γ.",
)  # fmt: skip
strong_whole = false(
    "1 - a*b*g/(b + g) <= 1 - a*g",
    where=["a >= 0", "0 < g <= b"],
    label="sgd.expansion.whole", place=(EXPANSION,),
    statement="A slip: it is at most 1 - αγ.",
)  # fmt: skip
one_step = proved(
    "(1 - 1/n)*h*d + (h*d + 2*a*L)/n = h*d + 2*a*L/n",
    where=["h, d, a, L >= 0", "n >= 1", "n integer"],
    label="sgd.expansion.step", place=(EXPANSION,),
    statement="A step adds 2αL/n to the expected distance, beside expanding it.",
)  # fmt: skip

# --- convex losses --------------------------------------------------------------------------------

constant_steps = proved(
    r"L \sum_{t=1}^{T} \frac{2 a L}{n} = \frac{2 a L^2 T}{n}", where=["a, L >= 0", "n >= 1", "T >= 1"],
    label="sgd.convex.constant", place=(CONVEX,),
    statement="With steps α the gap after T of them is 2αL²T/n.",
)  # fmt: skip
root_steps = proved(
    r"\sum_{t=1}^{T} \frac{2 a L}{n \sqrt t} \le \frac{4 a L \sqrt T}{n}", where=["a, L >= 0", "n >= 1", "T >= 1"],
    label="sgd.convex.root-steps", place=(CONVEX,),
    statement="With steps α/√t iterates end within 4αL√T/n of one another.",
)  # fmt: skip
inverse_steps = proved(
    r"\sum_{t=1}^{T} \frac{2 a L}{n t} \le \frac{2 a L (1 + \log T)}{n}", where=["a, L >= 0", "n >= 1", "T >= 1"],
    label="sgd.convex.inverse-steps", place=(CONVEX,),
    statement="With steps α/t iterates end within 2αL(1 + log T)/n of one another.",
)  # fmt: skip
inverse_slip = false(
    r"\sum_{t=1}^{T} \frac{2 a L}{n t} \le \frac{2 a L \log T}{n}", where=["a, L >= 0", "n >= 1", "T >= 1"],
    label="sgd.convex.inverse-slip", place=(CONVEX,),
    statement="A slip: the same without the one.",
)  # fmt: skip
geometric = proved(
    r"\sum_{t=0}^{T} (1 - x)^t \frac{2 a L}{n} \le \frac{2 a L}{n x}",
    where=["a, L >= 0", "0 < x <= 1", "n >= 1", "T >= 0"],
    label="sgd.convex.geometric", place=(CONVEX,),
    statement="With contraction by 1 - x iterates stay within 2αL/(nx) of one another, however long SGD runs.",
)  # fmt: skip
strong_gap = proved(
    "L*(2*a*L/(n*(a*g/2))) = 4*L^2/(g*n)", where=["a, g > 0", "L >= 0", "n >= 1"],
    label="sgd.convex.strong", place=(CONVEX,),
    statement="With x = αγ/2 the gap of a strongly convex loss is at most 4L²/(γn), for every step.",
)  # fmt: skip
strong_slip = false(
    r"\sum_{t=0}^{T} (1 - x)^t \frac{2 a L}{n} \le \frac{a L}{n x}",
    where=["a, L >= 0", "0 < x <= 1", "n >= 1", "T >= 0"],
    label="sgd.convex.geometric-slip", place=(CONVEX,),
    statement="A slip: half of the geometric bound.",
)  # fmt: skip
telescoped = proved(
    r"\prod_{s=t+1}^{T} (1 - 1/s) = \frac{t}{T}", where=["t >= 1", "T >= t"], integer=["t", "T"],
    label="sgd.convex.telescoped", place=(CONVEX,),
    statement="With steps 1/(γt) contractions from t on multiply to t/T.",
)  # fmt: skip
decaying = proved(
    r"\sum_{t=1}^{T} \frac{t}{T} \cdot \frac{2 L}{g t n} = \frac{2 L}{g n}",
    where=["L >= 0", "g > 0", "n >= 1", "T >= 1"],
    label="sgd.convex.decaying", place=(CONVEX,),
    statement="With steps 1/(γt) iterates of a strongly convex loss end within 2L/(γn) of one another.",
)  # fmt: skip

# --- any smooth loss ------------------------------------------------------------------------------
# Steps c/t; the runs cannot part before the one example is met, and that is unlikely before t0.

unseen = proved(
    "1 - (1 - 1/n)^m <= m/n", where=["n >= 1", "m >= 0", "n, m integer"],
    label="sgd.general.unseen", place=(GENERAL,),
    statement="In m draws with replacement the example is met with probability at most m/n.",
)  # fmt: skip
permuted = proved(
    "n*binomial(n - 1, m) = (n - m)*binomial(n, m)", where=["n >= 1", "0 <= m <= n"],
    label="sgd.general.permuted", place=(GENERAL,), expected="supported",
    statement="In a random order it is among the first m with probability m/n.",
)  # fmt: skip
exponential = proved(
    "1 + x <= exp(x)", where=["x real"],
    label="sgd.general.exponential", place=(GENERAL,),
    statement="1 + x is at most eˣ.",
)  # fmt: skip
tail = proved(
    r"\sum_{t=m+1}^{T} \frac{1}{t} \le \log(T/m)", where=["m >= 1", "T >= m"],
    label="sgd.general.harmonic", place=(GENERAL,),
    statement="The sum of 1/t beyond t0 is at most log(T/t0).",
)  # fmt: skip
expansions = proved(
    r"\prod_{t=m+1}^{T} (1 + q/t) \le (T/m)^q", where=["m >= 1", "T >= m", "q >= 0"],
    label="sgd.general.expansions", place=(GENERAL,),
    statement="Expansions by 1 + q/t beyond t0 multiply to at most (T/t0)^q.",
)  # fmt: skip
expansions_slip = false(
    r"\prod_{t=m}^{T} (1 + q/t) \le (T/m)^q", where=["m >= 1", "T >= m", "q >= 0"],
    label="sgd.general.expansions-slip", place=(GENERAL,),
    statement="A slip: the same from t0 on.",
)  # fmt: skip
parted = proved(
    r"\sum_{t=m+1}^{T} \frac{q}{t^{q+1}} \le m^{-q} - T^{-q}", where=["m >= 1", "T >= m", "q >= 0"],
    label="sgd.general.parted", place=(GENERAL,),
    statement="What steps beyond t0 add, each expanded to the end by (T/t)^q, is at most (T/t0)^q - 1 in units of "
    "2L/(nq), divided by T^q.",
)  # fmt: skip
prefactor = proved(
    "2*c*L/(n*(b*c*(1 - 1/n))) = 2*L/(b*(n - 1))", where=["b, c > 0", "L >= 0", "n >= 2", "n integer"],
    label="sgd.general.prefactor", place=(GENERAL,),
    statement="With q = βc(1 - 1/n) that is 2L/(β(n-1)).",
)  # fmt: skip
best_value = proved(
    "x + k/q*(T/x)^q >= (1 + 1/q)*k^(1/(q + 1))*T^(q/(q + 1))", where=["x, k, q, T > 0"],
    label="sgd.general.best", place=(GENERAL,),
    statement="No t0 makes t0 + (k/q)(T/t0)^q smaller than (1 + 1/q) k^(1/(q+1)) T^(q/(q+1)).",
)  # fmt: skip
grown = proved(
    "(T/(k^(1/(q + 1))*T^(q/(q + 1))))^q = T^(q/(q + 1))/k^(q/(q + 1))", where=["k, q, T > 0"],
    label="sgd.general.grown", place=(GENERAL,),
    statement="From t0 = k^(1/(q+1)) T^(q/(q+1)) on expansions multiply to (T/k)^(q/(q+1)).",
)  # fmt: skip
attained = proved(
    "k*(T/k)^(1 - p) = k^p*T^(1 - p)", where=["k, T > 0", "0 < p < 1"],
    label="sgd.general.attained", place=(GENERAL,), rests_on=(grown.label,),
    statement="This t0 attains it: there k (T/t0)^q is t0 itself, p = 1/(q+1); k is 2cL².",
)  # fmt: skip
best_slip = false(
    "x + k/q*(T/x)^q >= (1 + 2/q)*k^(1/(q + 1))*T^(q/(q + 1))", where=["x, k, q, T > 0"],
    label="sgd.general.best-slip", place=(GENERAL,),
    statement="A slip: with 2/q for 1/q.",
)  # fmt: skip

# --- variants -------------------------------------------------------------------------------------

averaged = proved(
    r"\frac{1}{T} \sum_{t=1}^{T} t = \frac{T + 1}{2}", where=["T >= 1"],
    label="sgd.variants.averaged", place=(VARIANTS,),
    statement="The average iterate has half of the last one's distance: distances grow in proportion to t.",
)  # fmt: skip
decayed = proved(
    "abs((1 - a*m)*d) + a*b*d <= (1 + a*(b - m))*d", where=["d, b >= 0", "a, m >= 0", "a*m <= 1"],
    label="sgd.variants.decay", place=(VARIANTS,),
    statement="Weight decay μ takes αμ from a step's expansion while αμ ≤ 1.",
)  # fmt: skip
decayed_slip = false(
    "abs((1 - a*m)*d) + a*b*d <= (1 + a*(b - m))*d", where=["d, b >= 0", "a, m >= 0"],
    label="sgd.variants.decay-slip", place=(VARIANTS,),
    statement="A slip: the same of every decay.",
)  # fmt: skip
clipped = proved(
    "x/max(1, x/L) <= L", where=["x >= 0", "L > 0"],
    label="sgd.variants.clipped", place=(VARIANTS,),
    statement="A gradient clipped to length L has length at most L.",
)  # fmt: skip
projected = proved(
    "max(-r, min(x, r)) - max(-r, min(y, r)) <= x - y", where=["x real", "y <= x", "r >= 0"],
    label="sgd.variants.projected", place=(VARIANTS,),
    statement="Clipping to [-r, r] takes no two numbers apart.",
)  # fmt: skip
proximal = proved(
    "max(x - m, 0) - max(-x - m, 0) - max(y - m, 0) + max(-y - m, 0) <= x - y",
    where=["x real", "y <= x", "m >= 0"],
    label="sgd.variants.proximal", place=(VARIANTS,),
    statement="Soft thresholding by m, the proximal step of the 1-norm, takes no two numbers apart.",
)  # fmt: skip

# --- what a risk bound makes of it ----------------------------------------------------------------

trade_off = proved(
    "A/a + B*a >= 2*sqrt(A*B)", where=["A, B >= 0", "a > 0"],
    label="sgd.risk.trade-off", place=(RISK,),
    statement="Training error A/α and stability Bα cannot both be small: their sum is at least 2√(AB).",
)  # fmt: skip
one_pass = proved(
    "R^2/(2*(R/(L*sqrt(n)))*n) + R/(L*sqrt(n))*L^2/2 = R*L/sqrt(n)", where=["R, L > 0", "n >= 1"],
    label="sgd.risk.one-pass", place=(RISK,),
    statement="After one pass with steps R/(L√n) the excess risk of a convex loss is RL/√n.",
)  # fmt: skip
rooted = proved(
    "x <= y + 2*z", where=["x, y, z >= 0", "x^2 <= y^2 + 3*x*z/2 + z^2"],
    label="sgd.risk.rooted", place=(RISK,),
    statement="A risk x² that is bounded by itself, x² ≤ y² + 3xz/2 + z², has a root of at most y + 2z.",
)  # fmt: skip
self_bounding = proved(
    "x^2 <= y^2 + 3*y*z/2 + 4*z^2", where=["x, y, z >= 0", "x^2 <= y^2 + 3*x*z/2 + z^2"],
    label="sgd.risk.self-bounding", place=(RISK,), rests_on=(rooted.label,),
    statement="Hence R ≤ s + 3√(Rc/n)/2 + c/n gives R ≤ s + 3√(sc/n)/2 + 4c/n, with R = x², s = y² and c/n = z².",
)  # fmt: skip
concentration = proved(
    "(4*n*(k/n) + M)*sqrt(log(1/d)/(2*n)) = (4*k + M)*sqrt(log(1/d)/(2*n))",
    where=["k, M >= 0", "0 < d < 1", "n >= 1"],
    label="sgd.risk.concentration", place=(RISK,),
    statement="Stability k/n makes the deviation term (4k + M)√(log(1/δ)/(2n)), of order 1/√n.",
)  # fmt: skip
vanishes = proved(
    "2*n^(q/(q + 1))/n <= k", where=["k, q > 0", "n >= (2/k)^(q + 1)", "n >= 1"],
    label="sgd.risk.vanishes", place=(RISK,),
    statement="With as many steps as examples the non-convex bound falls below ε from (2/ε)^(q+1) examples on.",
)  # fmt: skip

# --- the scoreboard -------------------------------------------------------------------------------

theorem = partial(Theorem, paper=PAPER)
THEOREMS = (
    theorem(
        number="Expansion",
        title="By how much a step expands",
        says="By 1 + αβ where the loss is β-smooth, by nothing where it is convex too and α is at most 2/β, and by "
        "1 - αβγ/(β+γ) where it is γ-strongly convex and α at most 2/(β+γ).",
        formula=r"\eta = 1 + \alpha\beta, \quad 1, \quad 1 - \tfrac{\alpha\beta\gamma}{\beta + \gamma}",
        printed=(smooth.label, convex.label, bounded.label, strong.label, strong_root.label),
    ),
    theorem(
        number="Longer steps",
        title="Convex losses with longer steps",
        says="As first drafted: steps of up to 3/β expand nothing.",
        formula=r"\alpha \le 3/\beta",
        printed=(convex_longer.label,),
        successor=convex.label,
        derived_from=("Expansion",),
    ),
    theorem(
        number="Convex gap",
        title="Stability of convex losses",
        says="With constant steps the gap grows like T/n; strongly convex losses keep it at 4L²/(γn) for ever.",
        formula=r"\frac{2 \alpha L^2 T}{n}, \qquad \frac{4 L^2}{\gamma n}",
        printed=(constant_steps.label, geometric.label, strong_gap.label),
        derived_from=("Expansion",),
    ),
    theorem(
        number="Non-convex gap",
        title="Stability of any smooth loss",
        says="With steps c/t and q = βc the gap is of order T^(q/(q+1))/n, at the best first moment t0.",
        formula=r"\frac{1 + 1/q}{n - 1} (2 c L^2)^{1/(q+1)} T^{q/(q+1)}",
        printed=(unseen.label, expansions.label, parted.label, prefactor.label, best_value.label),
        derived_from=("Expansion",),
    ),
)
