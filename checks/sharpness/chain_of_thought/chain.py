"""Theorems 7, 8 and 16: a chain of learned steps against one pass, as printed and repaired."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.measurements import Columns, by_columns, small
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, m, relative, sigma
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness.chain_of_thought import (
    A_s,
    G_c,
    P_c,
    b_c,
    e_q,
    epsilon_c,
    exponent,
    f_c,
    g_c,
    gradient,
    n_c,
    norm,
    p_f,
    p_w,
    q_r,
    q_w,
    q_x,
    t_e,
)
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness import chain_learners as learners
from boundaudit.numeric.sharpness.bound import Form, published
from boundaudit.numeric.sharpness.chain_of_thought import network, printed_log_probability

PLACE = ("Theorem 7", "Theorem 16")
claim = functools.partial(Claim, paper=PAPER, place=PLACE)

POSITIVE = Reals(0, open_low=True)
BUDGETS: dict[Any, Range] = {G_c: POSITIVE, N_2: POSITIVE, S: POSITIVE}
SAMPLES = Integers(1, tested_to=10**6)
_RANGES: dict[Any, Range] = {m: SAMPLES, **BUDGETS, P_c: Reals(0), sigma: POSITIVE}
READ = "The formula is recovered from its shape: it solves “bound = 1/2” for δ, up to one squared term."

theorem_printed = claim(
    label="sharpness.chain_of_thought.theorem", role="printed", reading="plausible", expected="not testable",
    statement="A chain of T learned steps, each from m samples and with sub-Gaussian constant Σ, is wrong with "
    "probability at most 4T exp(-m/(8Σ²)) exp((mσ²/(4Σ²))(2 G_u(1,2) + P) + L(1,2,T)/(2σ²)).",
    left=epsilon_c, right=lambda: theorem.printed_chain(),
    domain=Domain({epsilon_c: Reals(0, 1, open_low=True), T: Integers(2), **_RANGES}),
    rests_on=(
        "sharpness.chain_of_thought.inference.printed", "sharpness.chain_of_thought.union",
        "sharpness.domination.printed", "sharpness.subgaussian.printed",
    ),
    missing="for the transformers of the theorem the learner is known by its assumptions alone, so that no error can "
    "be measured; the inference that leads to the formula is tested beside it",
    limitations=(
        READ,
        "Unproved as it stands, not shown false of transformers: the inference fails for learners that meet every "
        "assumption except the architecture.",
    ),
)  # fmt: skip

solved = claim(
    label="sharpness.chain_of_thought.printed.solved", relation="=", expected="proved",
    statement="The δ at which Theorem 2's bound A + 2 √(Σ²/(2m) (K + ln(1/δ))), A = (σ²/2)(2G + P) and K = L/(2σ²), "
    "equals a threshold t ≥ A has the logarithm -mt²/(2Σ²) + mtA/Σ² - mA²/(2Σ²) + K; stated for the squares.",
    left=lambda: 2 * S**2 / m * (relative - theorem.EXPONENT), right=(t_e - A_s) ** 2,
    domain=Domain({m: SAMPLES, S: POSITIVE, A_s: Reals(0), relative: Reals(0), t_e: POSITIVE}),
    rests_on=("sharpness.bound.shared_variance.printed",), limitations=("For t < A no δ below one solves it.",),
)  # fmt: skip

dropped = claim(
    label="sharpness.chain_of_thought.printed.dropped", relation="=", reading="plausible", expected="proved",
    statement="The printed exponent -m/(8Σ²) + mA/(2Σ²) + K is the logarithm of the δ at which Theorem 2's bound is "
    "1/2 without its term in A², the square of the bound on the loss under noise: it exceeds it by mA²/(2Σ²) ≥ 0, so "
    "that this step is sound.",
    left=lambda: theorem.CORE - theorem.EXPONENT.subs(t_e, sp.Rational(1, 2)), right=m * A_s**2 / (2 * S**2),
    domain=Domain({m: SAMPLES, S: POSITIVE, A_s: Reals(0), relative: Reals(0)}),
    rests_on=("sharpness.chain_of_thought.printed.solved",), limitations=(READ,),
)  # fmt: skip


# --- two learners that meet the assumptions and err more often ------------------------------------

_NO_TRANSFORMER = "It refutes the inference; the learner is no transformer, so that the theorem itself stays unproved."
_FINITE = (
    "Prior 1/2 on each of two hypotheses, losses in {0, 1} and so Σ = 1/2, a learner without loss on its sample; "
    "the relative entropy log 2 stands in place of L/(2σ²).",
    "h_0 is exact, h_1 wrong on a set of mass 1/m; each step has a sample of its own.",
    _NO_TRANSFORMER,
)
_GAUSSIAN = (
    "f_θ(x) = 1[x ∈ B] φ(θ), target 0, P(B) = 1/m; φ is smooth, 1 up to θ = 1/2 and 0 from θ = 1 on. Prior N(0, σ²) "
    "and posterior N(θ, σ²) with σ = 10/3, construction θ* = 11, so that L/(2σ²) = 5.445 and the loss under noise is "
    "at most P(z < -3); squared losses in [0, 1] and so Σ = 1/2, for every θ.",
    "The learner returns the interpolator of least norm among 0 and θ*: where the sample misses B this is 0, whose "
    "norm and loss under noise are below those of the construction.",
    "Of the learned step itself; drawn with the posterior's noise it is wrong at least 0.58 times as often.",
    _NO_TRANSFORMER,
)

LOSSES = Domain({p_w: Reals(0, 1), q_w: Reals(sp.Rational(1, 4)), q_r: Reals(0)})
_CHAINS = Domain({m: Integers(1, tested_to=1000), T: Integers(1, 20)})
_ERROR = Quantity(
    "probability that the chain is wrong, averaged over samples", by_columns(learners.unseen_wrong, "m", "T"),
    r"\mathbb{E}\,\mathbb{P}(\text{chain wrong})", lambda: theorem.wrong(), rounding=1e-9,
)  # fmt: skip

printed = claim(
    label="sharpness.chain_of_thought.inference.printed", role="printed", reading="plausible", expected="refuted",
    statement="Theorem 2's bound on the loss of a step is 1/2 at some δ, which bounds the step's error probability: a "
    "chain of T learned steps is wrong with probability at most 4T times this δ.",
    rests_on=("sharpness.chain_of_thought.printed.dropped",),
    cases=(
        Case(
            "two-hypotheses",
            statement="Chains of T steps, each a choice between two hypotheses with m samples of its own, are wrong "
            "with probability at most 4T exp(-m/(8Σ²) + log 2). That is 4T times the δ at which the bound on a step's "
            "loss is 1/2.",
            left=_ERROR,
            right=lambda: theorem.two_hypotheses_printed(),
            domain=_CHAINS,
            limitations=_FINITE,
        ),
        Case(
            "gaussian",
            statement="Take chains of T steps with Gaussian prior and posterior, a bounded loss, and a learner "
            "dominated by the construction in norm and loss under noise. They are wrong with probability at most 4T "
            "exp(-m/(8Σ²) + mA/(2Σ²) + L/(2σ²)), which is 4T times the δ at which the bound on a step's loss is 1/2.",
            left=_ERROR,
            right=lambda: theorem.gaussian_printed(),
            domain=_CHAINS,
            limitations=_GAUSSIAN,
        ),
        Case(
            "threshold",
            statement="A step whose expected squared loss is below 1/2 is not always wrong: it is wrong with "
            "probability at most twice its expected loss.",
            left=p_w,
            right=2 * theorem.MEAN_LOSS,
            domain=LOSSES,
            limitations=(
                "Markov's factor is four, and four times 1/2 is above one. A chain that may be wrong with probability "
                "ε needs steps with a loss of at most ε/(4T); at a loss of 1/4 a step may always be wrong.",
            ),
        ),
    ),
)  # fmt: skip


# --- Markov's step, the union over steps, and what δ may be used for ------------------------------

_GIBBS = "It holds for parameters drawn with the posterior's noise, as in Theorem 2, not for the learned ones alone."
_QUARTER = sp.Rational(1, 4)

_BUDGETS = {G_c: theorem.gradient(2), N_2: theorem.norm(2)}


def _published() -> sp.Expr:
    """The cube of the repaired bound with the printed budgets."""
    return theorem.CHAIN_CUBED.subs(_BUDGETS)


# --- one step -------------------------------------------------------------------------------------

markov = claim(
    label="sharpness.chain_of_thought.markov", kind="Tight", reading="plausible", expected="proved",
    statement="A step is wrong where its output is off by at least 1/2, which has a probability of at most four times "
    "its expected squared loss. Equality where wrong steps are off by exactly 1/2 and right ones not at all: at an "
    "expected loss of 1/4 a step may always be wrong.",
    left=p_w, right=4 * theorem.MEAN_LOSS, domain=LOSSES,
    equality=(
        {"p_w": 1, "q_w": _QUARTER, "q_r": 0},
        {"p_w": sp.Rational(1, 3), "q_w": _QUARTER, "q_r": 0},
        {"p_w": 0, "q_w": _QUARTER, "q_r": 0},
    ),
    repairs=("sharpness.chain_of_thought.inference.printed[threshold]",),
    limitations=("q_w and q_r are the mean squared errors where the step is wrong and right: any law has them.",),
)  # fmt: skip


# --- the chain ------------------------------------------------------------------------------------

union = claim(
    label="sharpness.chain_of_thought.union", kind="Tight", expected="proved",
    statement="A chain of T steps is wrong with probability at most T times that of a random one of its steps: the "
    "union over steps needs their average alone. Equality where no step is wrong after another.",
    left=theorem.CHAIN_WRONG, right=T * theorem.AVERAGE_WRONG,
    domain=Domain({T: Integers(1, tested_to=8), f_c: Vector(T, Reals(0, 1)), g_c: Vector(T, Reals(0, 1))}),
    equality=({"T": 2, "f_c": (_QUARTER, _QUARTER), "g_c": (0, 0)},), rests_on=("sharpness.projection.union",),
    limitations=(
        "f_t: step t is the first wrong one; g_t: it is wrong after an earlier one. Whether such probabilities also "
        "sum to at most one does not matter.",
        "The average is over a random step of a fresh prompt, as in a sample with one step from each prompt. Steps of "
        "one prompt depend on each other: such a sample counts prompts, not steps.",
    ),
)  # fmt: skip


expectation = claim(
    label="sharpness.chain_of_thought.expectation", kind="Tight", expected="proved",
    statement="If an error is at most b on all samples but a share δ, its average over samples is at most b + δ, and "
    "not always at most δ.",
    left=theorem.EXPECTED, right=b_c + delta,
    domain=Domain({
        delta: Reals(0, 1, open_low=True, open_high=True), p_f: Reals(0, delta), b_c: Reals(0, 1), e_q: Reals(0, 1)
    }),
    equality=({"delta": sp.Rational(1, 2), "p_f": sp.Rational(1, 2), "b_c": 0, "e_q": 1},),
    repairs=(
        "sharpness.chain_of_thought.inference.printed[two-hypotheses]",
        "sharpness.chain_of_thought.inference.printed[gaussian]",
    ),
)  # fmt: skip

samples = claim(
    label="sharpness.chain_of_thought.samples", role="successor", kind="Tight", expected="proved",
    statement="The bound 4T · 3 (G Σ² L / (4m))^(1/3) on the probability that a chain of T learned steps is wrong, G "
    "and L as printed for a step, is at most ε from m = 432 Σ² T³ G L / ε³ samples on. Stated for ε one over a whole "
    "number and both sides cubed. At T = 20, Σ = 0.01 and ε = 0.1 that is 1.75e11 samples.",
    left=_published, right=1 / n_c**3,
    domain=Domain({
        T: Integers(1), S: Reals(0, open_low=True, tested_to=1), n_c: Integers(1, tested_to=10),
        m: Integers(theorem.SAMPLES.subs(_BUDGETS), tested_to=10**18),
    }),
    equality=({"T": 1, "S": 1, "n_c": 1, "m": 432 * 1556 * 218},),
    rests_on=(
        "sharpness.chain_of_thought.markov", "sharpness.chain_of_thought.union", "sharpness.bound.optimum.printed",
    ),
    limitations=("Theorem 2's bound at its best σ, without P and ln(1/δ).", _GIBBS),
)  # fmt: skip


# --- one pass over all bits against a chain of steps, as printed and by the repaired bounds -------

one_pass_claim = functools.partial(claim, place=("Theorem 8", "Theorem 16"))
_LENGTHS = Domain({T: Integers(2, tested_to=200)})
_FACTOR = "That the printed power is T and not T/2 is one reading."
_WITHOUT = "Without P and the common factor exp(-m/(8Σ²))."
_ONE_PASS_BUDGETS = "sharpness.chain_of_thought.one-pass.budgets"

# --- the printed power ----------------------------------------------------------------------------

_POSITIVE = Reals(0, open_low=True)
_SETTING = Domain({T: Integers(2), m: Integers(1, tested_to=10**6), S: _POSITIVE, sigma: _POSITIVE})
_UNIT = Domain({T: Integers(2), sigma: _POSITIVE})
_UNIT_ONLY = "At m = Σ = 1: up to a common factor the sides depend on mσ⁴/Σ² alone."
_COMPARISON = "A comparison of two bounds: it says nothing of errors."


def _unit(degree: sp.Expr | int) -> sp.Expr:
    return exponent(degree).subs({m: 1, S: 1})


one_pass_printed = one_pass_claim(
    label="sharpness.chain_of_thought.one-pass.printed", role="printed", reading="plausible",
    statement="The bound on a step's error probability has a factor exp(mσ² G/(2Σ²) + L/(2σ²)), G and L the printed "
    "G_u and L. The bound for one pass over T bits has a power of this factor in its place.",
    cases=(
        Case(
            "upper,T",
            statement="The T-th power of a step's factor exp(mσ² G/(2Σ²) + L/(2σ²)), G and L the printed G_u and L, is "
            "at least the factor that one pass over T bits has by the same bound.",
            left=lambda: exponent(T),
            right=lambda: T * exponent(2),
            domain=_SETTING,
            expected="refuted",
            rests_on=("sharpness.chain_of_thought.inference.printed",),
            limitations=(
                _WITHOUT, _FACTOR,
                "A text that only compares the two factors would mean the other direction, which is true from T = 4 "
                "on and bounds no error.",
            ),
        ),
        Case(
            "lower,T",
            statement="The factor exp(mσ² G/(2Σ²) + L/(2σ²)) of one pass over T bits, G and L the printed G_u and L, "
            "is at least the T-th power of a step's.",
            left=lambda: _unit(T),
            relation=">=",
            kind="Lower",
            right=lambda: T * _unit(2),
            domain=_UNIT,
            expected="refuted",
            rests_on=(f"{_ONE_PASS_BUDGETS}[gradient,T]", f"{_ONE_PASS_BUDGETS}[norm,T]"),
            limitations=(_WITHOUT, _UNIT_ONLY, _FACTOR, _COMPARISON, "It fails at T = 2 and T = 3 alone."),
        ),
        Case(
            "lower,T/2",
            statement="The factor exp(mσ² G/(2Σ²) + L/(2σ²)) of one pass over T bits, G and L the printed G_u and L, "
            "is at least the power T/2 of a step's.",
            left=lambda: _unit(T),
            relation=">=",
            kind="Tight",
            equality=({"T": 2, "sigma": 1},),
            right=lambda: T / 2 * _unit(2),
            domain=_UNIT,
            expected="proved",
            rests_on=(f"{_ONE_PASS_BUDGETS}[gradient,T/2]", f"{_ONE_PASS_BUDGETS}[norm,T/2]"),
            limitations=(_WITHOUT, _UNIT_ONLY, _COMPARISON),
        ),
    ),
)  # fmt: skip

upper = one_pass_claim(
    label="sharpness.chain_of_thought.one-pass.upper", kind="Tight", expected="proved",
    statement="The power (T/2)³ of a step's factor exp(mσ² G/(2Σ²) + L/(2σ²)), G and L the printed G_u and L, is at "
    "least the factor that one pass over T bits has by the same bound. Equality at T = 2.",
    left=lambda: exponent(T), right=lambda: (T / 2) ** 3 * exponent(2), domain=_SETTING,
    equality=({"T": 2, "m": 1, "S": 1, "sigma": 1},), repairs=("sharpness.chain_of_thought.one-pass.printed[upper,T]",),
    limitations=(_WITHOUT,),
)  # fmt: skip


def _growth(name: str, of: Callable[[sp.Expr | int], sp.Expr], factor: sp.Expr, domain: Domain, **more: Any) -> Case:
    """How a budget of degree T compares with that of degree two."""
    symbol, words = ("G_u", "squared gradient") if of is gradient else ("L", "squared norm")
    return Case(
        name,
        statement=f"The printed bound {symbol} on the {words} of degree T is at least "
        f"{sp.sstr(factor)} times that of degree two.",
        left=lambda: of(T),
        right=lambda: factor * of(2),
        domain=domain,
        **more,
    )


budgets = one_pass_claim(
    label=_ONE_PASS_BUDGETS, relation=">=", expected="proved",
    statement="The printed bounds G_u and L of degree T are at least a multiple of those of degree two.",
    cases=tuple(
        case
        for name, of in (("gradient", gradient), ("norm", norm))
        for case in (
            _growth(f"{name},T", of, T, _LENGTHS, expected="refuted", reading="plausible", limitations=(_FACTOR,)),
            _growth(f"{name},T/2", of, T / 2, _LENGTHS, kind="Tight", equality=({"T": 2},)),
        )
    ),
)  # fmt: skip


# --- Theorems 7 and 8 as chains of bounds, on learners whose error is known exactly ---------------

_LOSS = 0.36
"""Wrong steps err by 3/5: their squared loss, and the largest of all."""


def _node(name: str, cites: str, latex: str, of: Callable[[Columns], Tensor], claim: str | None = None) -> Step:
    """One node from the columns of a batch of points."""
    return Step(Quantity(name, small(of), latex), name, cites, claim)


def _steps(at: Columns) -> learners.ParityErrors:
    return learners.parity_errors(at.real("T"), at.real("m"), at.real("q_x"))


def _exact(at: Columns, entropy: Tensor) -> Tensor:
    """M kl⁻¹(0, (K + ln(1/δ))/m) + M δ: the expected loss, by the bound and where it fails."""
    return _LOSS * (-torch.expm1(-(entropy - at.real("delta").log()) / at.real("m")) + at.real("delta"))


def _subgaussian(at: Columns, entropy: Tensor) -> Tensor:
    """The same with Σ = M/2 and √(2K/m) in place of the inverse."""
    return _LOSS * (torch.sqrt((entropy - at.real("delta").log()) / (2 * at.real("m"))) + at.real("delta"))


def _tables(at: Columns) -> Tensor:
    return torch.full_like(at.real("m"), learners.CELLS * math.log(2))


def _parities(at: Columns) -> Tensor:
    return at.real("T") * math.log(2)


_KL = "M kl⁻¹(0, (K + ln(1/δ))/m) for all samples but a share δ, at most M there"
_PINSKER = "1 - e^{-x} ≤ √(x/2)"

_CHAIN = (
    _node("error of the chain", "", r"\mathbb{E}\,\mathbb{P}(\text{chain wrong})", lambda at: _steps(at).chain),
    _node(
        "steps one by one", "union over steps", r"\sum_t \mathbb{E}\,\mathbb{P}(\text{step } t \text{ wrong})",
        lambda at: _steps(at).steps, "sharpness.chain_of_thought.union",
    ),
    _node(
        "expected loss", "Markov: P(wrong) ≤ 4 E ℓ", r"4 \sum_t \mathbb{E}\,\ell_t",
        lambda at: 4 * _LOSS * _steps(at).steps, "sharpness.chain_of_thought.markov",
    ),
    _node(
        "PAC-Bayes, kl form", _KL, r"4T M (\mathrm{kl}^{-1}(0, \tfrac{4 \ln 2 + \ln(1/\delta)}{m}) + \delta)",
        lambda at: 4 * at.real("T") * _exact(at, _tables(at)), "sharpness.chain_of_thought.expectation",
    ),
    _node(
        "PAC-Bayes, sub-Gaussian form", _PINSKER,
        r"4T (\Sigma \sqrt{2 (4 \ln 2 + \ln(1/\delta))/m} + M \delta)",
        lambda at: 4 * at.real("T") * _subgaussian(at, _tables(at)),
    ),
)  # fmt: skip

chain = Derivation(
    label="sharpness.chain_of_thought.chain",
    title="A parity by steps: from the chain's exact error to its bound",
    steps=_CHAIN,
    domain=Domain({T: Integers(2, 16), m: Integers(10, 60), q_x: Reals(0.05, 0.25), delta: Reals(0.001, 0.1)}),
    samples={f"T = 8, m = {size}": {"T": 8, "m": size, "q_x": 0.1, "delta": 0.01} for size in (20, 60)},
    paper=PAPER,
    place=("Theorem 7",),
)

_ONE_PASS = (
    _node(
        "error of one pass", "", r"\mathbb{E}\,\mathbb{P}(\text{wrong})",
        lambda at: learners.one_pass_wrong(at.real("T"), at.real("m")),
    ),
    _node(
        "expected loss", "Markov: P(wrong) ≤ 4 E ℓ", r"4\,\mathbb{E}\,\ell",
        lambda at: 4 * _LOSS * learners.one_pass_wrong(at.real("T"), at.real("m")), "sharpness.chain_of_thought.markov",
    ),
    _node(
        "PAC-Bayes, kl form", _KL, r"4 M (\mathrm{kl}^{-1}(0, \tfrac{T \ln 2 + \ln(1/\delta)}{m}) + \delta)",
        lambda at: 4 * _exact(at, _parities(at)), "sharpness.chain_of_thought.expectation",
    ),
    _node(
        "PAC-Bayes, sub-Gaussian form", _PINSKER, r"4 (\Sigma \sqrt{2 (T \ln 2 + \ln(1/\delta))/m} + M \delta)",
        lambda at: 4 * _subgaussian(at, _parities(at)),
    ),
)  # fmt: skip

one_pass = Derivation(
    label="sharpness.chain_of_thought.one-pass.chain",
    title="A parity of T uniform bits in one pass, learned by elimination: from the exact error to its bound",
    steps=_ONE_PASS,
    domain=Domain({T: Integers(2, 16), m: Integers(T, T + 20), delta: Reals(0.001, 0.1)}),
    samples={f"T = 8, m = {size}": {"T": 8, "m": size, "delta": 0.01} for size in (10, 16)},
    paper=PAPER,
    place=("Theorem 8",),
)


# --- what the printed and the repaired statements promise for a chain and for one pass ------------

_PROXY, _DELTA = 0.01, 0.05
_LEAST = 1e-6
"""Smaller probabilities are not drawn: they would flatten all other curves."""


def _bounds(length: int, sizes: Sequence[float], form: Form) -> dict[str, list[float]]:
    """What each counting promises, over m."""
    step, whole = (network(published(length, degree, 1), form, subgaussian=_PROXY) for degree in (2, length))
    m = torch.tensor(sizes, dtype=torch.float64)
    found = {"one step a prompt": length * step.errors(m, _DELTA), "one pass": whole.errors(m, _DELTA)}
    if form == "clipped":
        found["whole chains"] = step.errors(m, _DELTA, length)
        found["whole chains, m labels"] = step.errors(m / length, _DELTA, length)
    return {name: values.tolist() for name, values in found.items()}


def _printed(length: int, samples: float, *, power: float, steps: float) -> float:
    """The printed probability with the step's exponent to a power."""
    size = torch.tensor([samples], dtype=torch.float64)
    found = printed_log_probability(length, 2, power, samples=size, proxy=_PROXY)
    return steps * float(found.exp())


_FORMS: Mapping[Form, str] = {"shared-variance": "one variance", "clipped": "clipped"}


def _curves(cases: Sequence[tuple[int, float]], x: Sequence[float]) -> list[Series]:
    """Curves over (T, m)."""
    table = {
        "chain, as printed": [_printed(T, m, power=1, steps=T) for T, m in cases],
        "one pass, as printed": [_printed(T, m, power=T, steps=1) for T, m in cases],
    }
    for form, words in _FORMS.items():
        found = [_bounds(T, [m], form) for T, m in cases]
        table |= {f"{name}, {words}": [one[name][0] for one in found] for name in found[0]}
    return [Series(name, x, values) for name, values in table.items()]


def _errors(setting: Setting) -> list[Panel]:
    smoke = setting.profile == "smoke"
    sizes = [10.0**power for power in ((5, 9) if smoke else range(3, 15))]
    lengths = (4, 20) if smoke else (2, 4, 8, 12, 16, 24, 32, 48, 64)
    by_size = _curves([(20, size) for size in sizes], sizes)
    by_length = _curves([(length, 1e8) for length in lengths], lengths)
    title = "probability of error, bound"
    return [
        Panel("T = 20", "samples m", title, _clear(by_size), log="xy"),
        Panel("m = 10⁸", "length T", title, _clear(by_length), log="xy"),
    ]


def _clear(series: Sequence[Series]) -> list[Series]:
    """Without values below the smallest drawn."""
    return [Series(s.name, s.x, [None if y is None or y < _LEAST else y for y in s.y]) for s in series]


errors = Study(
    label="sharpness.chain_of_thought.errors",
    title="Chain of thought against one pass: printed probabilities and repaired bounds",
    caption="Σ = 0.01, δ = 0.05, printed G_u and L, no P. The printed probability falls below 10⁻⁶ just beyond "
    "64 Σ² G L samples, where the repaired bounds with one variance for prior and posterior are far above one. Clipped "
    "and with a prior that has a variance of its own it matters what is counted: m prompts with one step of each and a "
    "union over steps lose to one pass, m prompts with whole chains beat it, and whole chains with m labels do not.",
    claims=(
        "sharpness.chain_of_thought.samples",
        "sharpness.chain_of_thought.inference.printed",
        "sharpness.chain_of_thought.whole.noisy",
    ),
    compute=_errors,
    paper=PAPER,
    place=("Theorem 7", "Theorem 8"),
)
