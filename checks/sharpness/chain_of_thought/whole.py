"""Whole chains in the sample, and steps that only noise makes wrong: what takes the factor T from a chain's bound."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Vector
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.sharpness.chain_of_thought.chain import claim
from boundaudit.checks.sharpness.noisy_loss.draws import (
    ALL_PARTS,
    BAD,
    SAMPLED,
    mean_square,
    moved_over,
    pairs,
    replaced,
    root_mean_square,
    sampled,
)
from boundaudit.checks.sharpness.noisy_loss.rows import NORMALISER
from boundaudit.checks.sharpness.noisy_loss.scalars import FLAT
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.symbols import delta, m, sigma
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness import noisy_loss as noisy
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.chain_of_thought import (
    e_ct,
    e_w,
    l_ct,
    lambda_ct,
    move_ct,
    o_ct,
    p_ct,
    q_ct,
    r_m,
    w_ct,
    x_ct,
)
from boundaudit.derivations.sharpness.noisy_loss import LESS, kappa_nl
from boundaudit.derivations.sharpness.parameters import T, c, omega, t, u

_HALF = sp.Rational(1, 2)
PLACES = ("Theorem 7", "Theorem 8", "Theorem 16")

# --- the loss of a prompt -------------------------------------------------------------------------

prompt = claim(
    label="sharpness.chain_of_thought.whole.prompt", relation="=", expected="proved",
    statement="The loss min(1, Σ_t 4 min(ℓ_t, 1/4)) of a prompt, ℓ_t the squared errors of its T steps, is one "
    "wherever a step is wrong, with a raw error of at least 1/2: its mean bounds how often a chain is wrong, and a "
    "sample of prompts with all of their steps measures it.",
    left=theorem.PROMPT_WRONG, right=sp.Integer(1), domain=Domain({e_w: Reals(_HALF), o_ct: Reals(0)}),
    limitations=(
        "On the right trajectory: every step is fed what it should be, up to the first that is wrong. Other steps add "
        "o ≥ 0. As the loss lies in [0, 1] no sub-Gaussian constant is needed.",
    ),
)  # fmt: skip

losses = claim(
    label="sharpness.chain_of_thought.whole.losses", kind="Tight", expected="proved",
    statement="The sum Σ_t 4 min(ℓ_t, 1/4) over the steps of a prompt, up to one the loss of the prompt, is at most "
    "four times the sum of their losses: under noise its mean is at most 4T times the mean loss of a step.",
    left=lambda: theorem.PROMPT, right=lambda: theorem.PROMPT_LOSSES,
    domain=Domain({T: Integers(1, tested_to=8), l_ct: Vector(T, Reals(0, tested_to=1))}),
    equality=({"T": 2, "l_ct": (Fraction(1, 16), Fraction(1, 8))},),
)  # fmt: skip

_SHARED = Domain({
    T: Integers(1, tested_to=60), **dict.fromkeys((p_ct, q_ct), Reals(0, 1 / T, open_low=True, open_high=True)),
})  # fmt: skip
_ONE, _ALL = binary_kl(q_ct, p_ct), binary_kl(T * q_ct, T * p_ct)

tangent = claim(
    label="sharpness.chain_of_thought.whole.tangent", expected="proved",
    statement="A number w ≥ 0 times the logarithm of x is at most w (x - 1).",
    left=theorem.WEIGHED_LOG, right=theorem.WEIGHED_TANGENT,
    domain=Domain({w_ct: Reals(0), x_ct: Reals(0, open_low=True)}),
)  # fmt: skip

_TO_ONE = (1 - q_ct) / (1 - p_ct)
_LOG_SUM = (
    Instance(tangent.label, {w_ct: (T - 1) * q_ct, x_ct: p_ct / q_ct * _TO_ONE}),
    Instance(tangent.label, {w_ct: 1 - T * q_ct, x_ct: (1 - T * p_ct) / (1 - T * q_ct) * _TO_ONE}),
)

shorter = claim(
    label="sharpness.chain_of_thought.whole.shorter", relation=">=", place=PLACES, expected="proved",
    statement="If the loss of a whole chain under noise is at most T times a step's, so is its bound, for as many "
    "prompts and the same network. That is, the relative entropy from Tq to Tp is at least that from q to p, for an "
    "empirical risk q and a bound p with Tq and Tp below one.",
    left=_ALL, right=_ONE, domain=_SHARED,
    derivation=Derivation(
        label="sharpness.chain_of_thought.whole.shorter.proof",
        title="Counting whole chains loses nothing",
        steps=(
            Step(_ONE, "one step"),
            Step(theorem.apart(q_ct, p_ct, T), "one step, the others, and none", "the log-sum inequality", _LOG_SUM),
            Step(_ALL, "any step", "the first two together"),
        ),
        domain=_SHARED,
        samples={"T = 20": {"T": 20, "q_ct": Fraction(1, 1000), "p_ct": Fraction(17, 1000)}},
        paper=PAPER,
        place=PLACES,
    ),
    improves="sharpness.chain_of_thought.union", rests_on=(prompt.label, losses.label),
    limitations=(
        "The network is shared by all steps and its relative entropy is paid once; such prompts carry T labels each.",
    ),
)  # fmt: skip

margin = claim(
    label="sharpness.chain_of_thought.whole.margin", relation=">=", kind="Tight", expected="proved",
    statement="Where a network without noise lies within λ < 1/2 of its step, noise makes the step wrong, with a raw "
    "error of at least 1/2, only where it moves the output by at least 1/2 - λ; by Markov this happens at most as "
    "often as the mean square of the move over (1/2 - λ)², to which the error without noise adds nothing.",
    left=move_ct**2, right=theorem.MARGIN**2,
    domain=Domain({
        lambda_ct: Reals(0, _HALF, open_high=True), e_ct: Reals(-lambda_ct, lambda_ct), move_ct: Reals(_HALF - e_ct),
    }),
    equality=({"lambda_ct": Fraction(1, 4), "e_ct": Fraction(1, 4), "move_ct": Fraction(1, 4)},),
    limitations=(
        "The move is counted towards the side on which the error grows.",
        "Four times the loss, Markov's step without a margin, charges λ² to every step: 4T/(T+1)² to a chain, 0.18 at "
        "T = 20, however little noise there is.",
    ),
)  # fmt: skip

# --- how often noise makes the construction wrong -------------------------------------------------

_PARITY = Domain(FLAT.ranges, where=[*FLAT.where, omega <= 1, ForAll(sp.Eq(c[t], 1), (t, 1, omega))])
"""One component with coefficient one."""
_ROOM = theorem.LEFT.subs({C: 1, omega: 1})

_MOVED = sampled(
    "mean over inputs and noise of min(move²/margin², 1)",
    r"\mathbb{E}\min(|\tilde f - f|^2/(\tfrac12 - \lambda)^2, 1)", moved_over(lambda p: float(_ROOM.subs(T, p["T"]))),
)  # fmt: skip
_MEAN = mean_square(*ALL_PARTS) / _ROOM**2

move = claim(
    label="sharpness.chain_of_thought.whole.move", role="axiom", place=PLACES, expected="supported",
    statement="What noise adds to an output is the sum of four parts: over the margin and clipped at one, its mean "
    "square is at most that on good draws and the share of the others.",
    left=_MOVED, right=_MEAN + BAD.atom, domain=_PARITY,
)  # fmt: skip


def _whole(parts: Sequence[sp.Expr], bad: sp.Expr) -> sp.Expr:
    return noisy.all_parts(parts, bad, 1 / _ROOM)


_PROOF = Derivation(
    label="sharpness.chain_of_thought.whole.noise.proof", title="How often noise makes a step wrong",
    steps=(
        Step(_MOVED, "move over margin, at most one"),
        Step(_MEAN + BAD.atom, "on good draws, one on others", "four parts", (NORMALISER, move.label)),
        Step(_whole([root_mean_square(part) for part in ALL_PARTS], BAD.atom), "four parts", "Cauchy and Schwarz",
             pairs(*ALL_PARTS)),
        *replaced("sample", "move", _whole, {LESS[6]: 1 / _ROOM}),
    ),
    domain=_PARITY,
    samples={f"T=20, D=2, σ={size}": {
        "T": 20, "D": 2, "omega": 1, "u": 1, "c": (1,), "S": ((1, 2),), "sigma": size, "kappa_nl": 5.5, "n_nl": 8,
    } for size in (0.001, 0.0001)},
    paper=PAPER, place=PLACES,
)  # fmt: skip

noise = claim(
    label="sharpness.chain_of_thought.whole.noise", place=PLACES, expected="supported",
    statement="Over any sample of inputs and draws of noise of any size σ, the construction of one parity, which lies "
    "within 1/(T+1) of it, is moved by 1/2 - 1/(T+1) or more at most as often as Δ²/(1/2 - 1/(T+1))² + "
    "((T+1)(T+4D+11)+1) e^(-κ²/2), Δ the bound on the root mean square of its move on draws with no variable beyond κ "
    "standard deviations, for every κ up to 8 at which those leave active rows on their plateaus, T ≥ 4: so often at "
    "most noise makes it wrong. Stated for the mean of min(move²/margin², 1).",
    left=_MOVED, right=_PROOF.steps[-1].value, domain=_PARITY, derivation=_PROOF,
    rests_on=(margin.label, "sharpness.noisy_loss.margin", "sharpness.exactness.leak.upper"),
    limitations=("No Taylor step and no allowance P.", SAMPLED),
)  # fmt: skip

# --- at twenty steps ------------------------------------------------------------------------------

_NETWORKS = "The network is the construction, or one of at most its norm that noise makes wrong no more often."


def _at(noise: str, value: str, *, deviations: str | None = None, prompts: int = 10**6) -> Domain:
    """T = 20 and δ = 5 % with a σ, a κ, a bound, and how many prompts there are."""
    kappa = {} if deviations is None else {kappa_nl: Choices(best=Fraction(deviations))}
    return Domain({
        T: Integers(20, 20), m: Choices(prompts=prompts), delta: Choices(twentieth=Fraction(1, 20)),
        sigma: Choices(best=Fraction(noise)), r_m: Choices(bound=Fraction(value)), **kappa,
    })  # fmt: skip


_COUNTS = {"chain": (2, 20, 10**6), "labels": (2, 20, 50_000), "union": (2, 1, 10**6), "one-pass": (20, 1, 10**6)}
"""Degree, steps of a prompt in the sample, and prompts."""

_WORDS = {
    "chain": "the error of a chain of 20 steps by {0} from a million prompts with all of their steps",
    "labels": "the error of a chain of 20 steps by {0} from 50,000 prompts with all of their steps, a million labels",
    "union": "the error of one of 20 steps by {0} from one step of each of a million prompts, and by a union that of "
    "the chain by 20 times as much",
    "one-pass": "the error of one pass over 20 bits by {0} from a million prompts",
}
_VALUES = {
    ("steep", "chain"): ("0.00003828", "6.8", "0.0204"), ("steep", "labels"): ("0.0001698", "6.3", "0.2962"),
    ("steep", "union"): ("0.0001738", "6.3", "0.01737"), ("steep", "one-pass"): ("0.00001005", "6.5", "0.0715"),
    ("wide", "chain"): ("0.00007413", "6.8", "0.0182"), ("wide", "labels"): ("0.0003228", "6.3", "0.2640"),
    ("wide", "union"): ("0.0003296", "6.3", "0.01518"), ("wide", "one-pass"): ("0.00002032", "6.5", "0.0647"),
}  # fmt: skip
"""σ, κ and the bound."""


def _noisy(name: str, width: int, degree: int, steps: int, domain: Domain, statement: str) -> Case:
    return Case(
        name, statement=statement, right=lambda: theorem.budget(degree, width), domain=domain,
        left=lambda: theorem.noisy_kl(degree, steps, {T: sp.Integer(20), u: sp.Integer(width)}),
    )  # fmt: skip


def _value(mlp: str, count: str) -> Case:
    (degree, steps, prompts), (size, deviations, value) = _COUNTS[count], _VALUES[mlp, count]
    return _noisy(
        f"{mlp},{count}", 1 if mlp == "steep" else 2, degree, steps,
        _at(size, value, deviations=deviations, prompts=prompts),
        f"For the {mlp} construction Maurer's form, with the proved share of noise that makes it wrong, bounds "
        f"{_WORDS[count].format(value)}, with probability 95 %.",
    )  # fmt: skip


noisy_values = claim(
    label="sharpness.chain_of_thought.whole.noisy", relation=">=", place=PLACES, expected="certified",
    statement="By Maurer's form a chain of 20 steps errs with probability at most 0.0204 (steep) or 0.0182 (wide), "
    "learned from a million prompts with all of their steps; one pass has 0.0715 or 0.0647. From a million labels the "
    "chain errs with probability at most 0.2962 or 0.2640, more than one pass. The form takes the proved share of "
    "noise that makes a step wrong: it needs no Taylor step, no sub-Gaussian constant and no term for the "
    "construction's loss without noise.",
    improves="sharpness.chain_of_thought.samples",
    rests_on=(noise.label, shorter.label, "pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.shorter"),
    cases=tuple(_value(mlp, count) for mlp, count in _VALUES),
    limitations=(_NETWORKS, "A comparison of upper bounds at T = 20, and none of errors."),
)  # fmt: skip
