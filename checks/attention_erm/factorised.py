"""Figure 2: what direct training of the map leaves unlearned, and when factors do better."""

from __future__ import annotations

import functools
import math

import sympy as sp
import torch

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.attention_erm.measured import ONE_TOKEN, RECONSTRUCTED, distance
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import at_points, estimated
from boundaudit.derivations.attention_erm.symbols import T_erm, f_erm, j_erm
from boundaudit.numeric.attention_erm.factorised import direct
from boundaudit.numeric.attention_erm.fixed_points import least_errors
from boundaudit.numeric.attention_erm.sensing import Problem, draw
from boundaudit.numeric.attention_erm.targets import gaussian_target
from boundaudit.numeric.attention_erm.thresholds import direct_error, functionals

_claim = functools.partial(Claim, paper=PAPER, place=("Figure 2",))

# --- direct training ------------------------------------------------------------------------------

_RUNS, _SEEN = 2048, 0.3


@functools.cache
def _unseen(tokens: int, d: int) -> tuple[float, float]:
    """How far the part of the target that direct training leaves is from its prediction, with a standard error."""
    count = functionals(tokens)
    problem = Problem(d=d, samples=round(_SEEN * d**2 / count), noise=0.0, target_rank=d // 2, tokens=tokens)
    data = draw(problem, 0, range(_RUNS))
    left = ((direct(data) - data.target) ** 2).sum((1, 2)) / (data.target**2).sum((1, 2))
    target = gaussian_target(0.5)
    return distance(left, float(direct_error(target, problem.alpha, tokens)) / target.second_moment)


unlearned = _claim(
    label="attention_erm.factorised.direct",
    statement="A symmetric map trained directly, without noise and penalty, leaves the part 1 - 2mn/d² of ‖S₀‖²_F "
    "unlearned. Here m = 1 for one token and T(T + 1)/2 - 1 for a softmax of T. So it has to learn all d²/2 "
    "parameters of the map, whatever the rank. Measured to within 0.04 at d = 8, 12 and 16 with mn/d² = 0.3.",
    left=estimated(
        "distance of the unlearned part to its prediction",
        lambda point: _unseen(int(point["T_erm"]), 4 * int(point["j_erm"])),
        r"\big| \|S - S_0\|^2/\|S_0\|^2 - (1 - 2 m n/d^2) \big|", scale=1.0,
    ),
    right=sp.Rational(4, 100),
    domain=Domain({T_erm: Integers(1, 3), j_erm: Integers(2, 4)}),
    role="printed",
    reading="plausible",
    limitations=("Means over 2,048 runs, κ₀ = 0.5.",),
)  # fmt: skip

# --- factors --------------------------------------------------------------------------------------

_LEVELS = Domain({f_erm: Integers(1, 8)})


@functools.cache
def _compared(rank: float) -> list[float]:
    """Factors' error over that of direct training at δ = 1/2, 1, …, 4; NaN where the latter leaves none."""
    target = gaussian_target(rank)
    delta = torch.arange(1, 9, dtype=torch.float64) / 2
    factors = least_errors(target, delta)
    alpha = factors / (2 * delta**2)
    other = direct_error(target, alpha)
    return torch.where(other > 0, factors / other, math.nan).tolist()


def _ratio(rank: str) -> Quantity:
    return Quantity(
        f"error of factors over that of direct training, rank {rank}",
        at_points(lambda point: _compared(float(sp.Rational(rank)))[int(point["f_erm"]) - 1]),
        r"E_{\mathrm{factors}} / E_{\mathrm{direct}}",
        rounding=1e-6,
    )


better = _claim(
    label="attention_erm.factorised.better",
    statement="Without noise and for a target of rank κ₀ d, κ₀ at most 1/2, weight decay on the factors at its best "
    "penalty leaves no more error at any α than direct training with a Frobenius penalty. Looked at where the "
    "effective noise under weight decay is 1/2, 1, …, 4, for one token and a linear read-out.",
    right=sp.Integer(1),
    domain=_LEVELS,
    role="printed",
    reading="plausible",
    limitations=(RECONSTRUCTED,),
    cases=tuple(
        Case(name, left=_ratio(rank)) for name, rank in (("tenth", "1/10"), ("quarter", "1/4"), ("half", "1/2"))
    ),
)

full = _claim(
    label="attention_erm.factorised.full-rank",
    statement="For a target of full rank factors do no better with few samples. Where their effective noise is 4 at "
    "the best penalty, at an α between 0.05 and 0.06, direct training leaves less error, though by at most one "
    f"percent. For {ONE_TOKEN}, no noise.",
    left=_ratio("1"),
    domain=Domain({f_erm: Integers(8, 8)}),
    limitations=(RECONSTRUCTED,),
    cases=(
        Case("worse", relation=">=", kind="Lower", right=sp.Rational(1001, 1000)),
        Case("hardly", right=sp.Rational(101, 100)),
    ),
)
