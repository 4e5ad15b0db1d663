"""Replica-symmetric fixed points of a vector model: all that several starts lead to, with their stability.

    m, q, V ← averages of `denoisers` at (m̂, q̂, V̂) = α (E ∂f/∂z, E f², -E ∂f/∂ω) of `outputs`,

one scalar q = m = ρ - V for the posterior mean. Damped iteration, then Newton's method; starts that go to Newton's
method at once also find fixed points that no iteration reaches. The potential at one is α E min{…} + λ E r(w) - q̂ V/2,
the limit of the minimum over d; the replicon eigenvalue is 1 - α E (∂f/∂ω)² E (∂w/∂b)², negative where replica symmetry
breaks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.generalized_linear.denoisers import Denoised, denoised, posterior_averages
from boundaudit.numeric.generalized_linear.model import Mixture, Model
from boundaudit.numeric.generalized_linear.outputs import Averages, Channel
from boundaudit.numeric.threads import one_thread

TOLERANCE = 1e-9
OVERLAP = 0.1
"""Of ρ, where a posterior mean starts: from nothing a symmetric problem would never move."""
_ROUNDS, _STEPS, _NEWTON, _SMALL, _NEAR, _SAME, _FAR = 12, 30, 10, 1e-12, 1e-4, 1e-6, 1e6
_SHARES = (1e-6, 0.5, 0.98)
"""Of ρ at the start: of m and q, and of what V lacks."""
_SCAN = (0.05, 0.2, 0.35, 0.65, 0.8, 0.9, 0.995)
"""More of them for the posterior mean, whose equation has one unknown and may have many solutions."""


class Deadline:
    """A minute of computing, after which there is one line instead of an answer."""

    def __init__(self, seconds: float = 55.0) -> None:
        self._end = time.process_time() + seconds

    def check(self) -> None:
        """Raises InputError after it."""
        if time.process_time() > self._end:
            raise InputError(
                "model", "an answer within a minute of computing", "none yet", "give fewer α, or a simpler function"
            )


@dataclass(frozen=True)
class Problems:
    """Settings of one model, solved together; float64 of shape (k) each."""

    alpha: Tensor
    strength: Tensor
    noise: Tensor


@dataclass(frozen=True)
class FixedPoints:
    """Of many problems; float64 of shape (f) each, one problem may have several."""

    owner: Tensor
    """The number of the problem, rising; its points have rising q."""
    m: Tensor
    """lim w·w*/d."""
    q: Tensor
    """lim ‖w‖²/d."""
    V: Tensor
    """The variance of a field."""
    m_hat: Tensor
    """m̂."""
    q_hat: Tensor
    """q̂."""
    V_hat: Tensor
    """V̂."""
    error: Tensor
    """lim ‖w - w*‖²/d."""
    test: Tensor
    """The loss on a fresh sample, of `outputs.Errors`."""
    wrong: Tensor | None
    """The share of classes that are missed."""
    train: Tensor
    """The mean loss on the samples; NaN for the posterior mean."""
    potential: Tensor
    """The minimum over d; NaN for the posterior mean."""
    replicon: Tensor
    """The replicon eigenvalue; stable above 0."""
    radius: Tensor
    """The spectral radius of the iteration's derivative; iteration leads here below 1."""
    residual: Tensor
    """How far the iteration's map moves it."""


@one_thread()
def fixed_points(model: Model, problems: Problems, deadline: Deadline) -> tuple[FixedPoints, FixedPoints]:
    """All fixed points that several starts lead to, and the same by a finer rule of integration.

    Raises:
        InputError: where a problem has none that is solved to `TOLERANCE`, or after the deadline.
    """
    owner, x = _scouted(model, problems, _starts(model, scan=True), deadline)
    chosen = Problems(*(part[owner] for part in vars(problems).values()))
    derivative = slopes(_Equations(model, chosen, 0).step, x)
    found = []
    for order in (1, 2):
        equations = _Equations(model, chosen, order)
        x, residual = _newton(equations.step, x, deadline, derivative)
        found.append(equations.points(owner, x, residual, derivative))
    missing = sorted(set(range(len(problems.alpha))) - set(owner[found[0].residual <= TOLERANCE].tolist()))
    if missing:
        alpha = float(problems.alpha[missing[0]])
        raise InputError("alpha", "equations with a fixed point", f"none at {alpha:g}", "give a penalty, or another α")
    return found[0], found[1]


@one_thread()
def reached(model: Model, problems: Problems, deadline: Deadline) -> FixedPoints:
    """One fixed point a problem at most, from a start that knows nothing, or `OVERLAP`, by a coarse rule, in time."""
    owner, x = _scouted(model, problems, _starts(model, scan=False), deadline)
    equations = _Equations(model, Problems(*(part[owner] for part in vars(problems).values())), 0)
    return equations.points(owner, x, torch.zeros_like(x[:, 0]), slopes(equations.step, x))


def _scouted(model: Model, problems: Problems, starts: Tensor, deadline: Deadline) -> tuple[Tensor, Tensor]:
    """Solutions by the coarse rule that differ, with the numbers of their problems, rising, and with rising q."""
    owner = torch.arange(len(problems.alpha)).repeat_interleave(len(starts))
    equations = _Equations(model, Problems(*(part[owner] for part in vars(problems).values())), 0)
    begun = starts.repeat(len(problems.alpha), 1)
    x, residual = _solved(equations.step, begun, deadline)
    if len(starts) > 1 and (model.bayes or model.potential is not None):  # others are convex, with one solution
        direct = _newton(equations.step, begun, deadline)
        x, residual, owner = torch.cat([x, direct[0]]), torch.cat([residual, direct[1]]), owner.repeat(2)
    x = x.abs() if model.bayes else x
    order = sorted(range(len(x)), key=lambda k: (int(owner[k]), float(x[k, -1 if model.bayes else 1])))
    kept: list[int] = []
    for place in order:
        mine = [k for k in kept if owner[k] == owner[place]]
        if residual[place] <= TOLERANCE and all((x[k] - x[place]).abs().max() > _SAME for k in mine):
            kept.append(place)
    return owner[kept], x[kept]


def _starts(model: Model, *, scan: bool) -> Tensor:
    """Unknowns to begin at."""
    assert isinstance(model.teacher, Mixture)
    rho = model.teacher.second_moment
    shares = torch.tensor((*_SHARES, *_SCAN * model.bayes) if scan else (OVERLAP if model.bayes else _SHARES[0],))
    part = rho * shares.double()
    return part[:, None] if model.bayes else torch.stack([part, part.log(), (rho - part).log()], -1)


Step = Callable[[Tensor], Tensor]


def _solved(step: Step, x: Tensor, deadline: Deadline) -> tuple[Tensor, Tensor]:
    """Rounds of damped iteration and Newton's method, until all residuals are small or none falls any more."""
    best, least = x, torch.full_like(x[:, 0], torch.inf)
    for _ in range(_ROUNDS):
        for _ in range(_STEPS):
            deadline.check()
            move = (step(x) - x).nan_to_num(0.0, _FAR, -_FAR)
            x = x + 0.7 * move.clamp(-2, 2)
            if bool((move.abs().amax(-1) < _NEAR).all()):
                break
        found, residual = _newton(step, x, deadline)
        best, least = torch.where((residual < least)[:, None], found, best), torch.minimum(residual, least)
        if bool((least < TOLERANCE).all()):
            break
    return best, least


def _newton(step: Step, x: Tensor, deadline: Deadline, derivative: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Newton's method on step(x) = x, or with a fixed derivative; the best point of each row and its residual."""
    best, least = x, torch.full_like(x[:, 0], torch.inf)
    unit = torch.eye(x.shape[1], dtype=torch.float64)
    for _ in range(_NEWTON):
        deadline.check()
        move = step(x) - x
        size = move.abs().amax(-1).nan_to_num(torch.inf)
        best, least = torch.where((size < least)[:, None], x, best), torch.minimum(size, least)
        if bool((least < _SMALL).all()):
            break
        change, singular = torch.linalg.solve_ex(unit - (slopes(step, x) if derivative is None else derivative), move)
        change = torch.where((singular == 0)[:, None], change, move).nan_to_num(0.0, 1.0, -1.0)
        x = x + change.clamp(-1, 1)
    return best, least


def slopes(step: Step, x: Tensor) -> Tensor:
    """The derivative of a map by central differences, shape (k, p, p)."""
    columns = []
    for place in range(x.shape[1]):
        shift = torch.zeros_like(x)
        shift[:, place] = 1e-5 * (x[:, place].abs() + 1e-3)
        columns.append((step(x + shift) - step(x - shift)) / (2 * shift[:, place, None]))
    return torch.stack(columns, -1)


@dataclass(frozen=True)
class _Equations:
    """The iteration's map for a batch: of q for the posterior mean, else of (m, ln q, ln V)."""

    model: Model
    problems: Problems
    order: int

    @property
    def rho(self) -> float:
        assert isinstance(self.model.teacher, Mixture)
        return self.model.teacher.second_moment

    def parts(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """m, q and V; kept where they can be."""
        if self.model.bayes:
            q = x[:, 0].abs().clamp_max(self.rho * (1 - 1e-13))
            return q, q, self.rho - q
        q, variance = (x[:, place].clamp(-600, 600).exp() for place in (1, 2))
        most = (q * self.rho).sqrt()
        return torch.maximum(torch.minimum(x[:, 0], most), -most), q, variance

    def fresh(self, x: Tensor) -> tuple[Averages, Denoised]:
        """Averages over a sample, then over a weight."""
        assert isinstance(self.model.teacher, Mixture)
        sample = Channel(self.model, self.problems.noise, self.order).averages(*self.parts(x))
        q_hat, m_hat, v_hat = (self.problems.alpha * part for part in sample[:3])
        if self.model.bayes:
            return sample, posterior_averages(self.model.teacher, q_hat)
        return sample, denoised(
            self.model.teacher, self.model.penalty, self.problems.strength, m_hat, q_hat, v_hat.clamp_min(1e-300)
        )

    def step(self, x: Tensor) -> Tensor:
        """The map; that of q is odd, so that it has a derivative at zero."""
        _, weight = self.fresh(x)
        if self.model.bayes:
            return torch.where(x < 0, -1.0, 1.0) * weight.q[:, None]
        return torch.stack([weight.m, weight.q.clamp_min(1e-290).log(), weight.V.clamp_min(1e-290).log()], -1)

    def points(self, owner: Tensor, x: Tensor, residual: Tensor, derivative: Tensor) -> FixedPoints:
        """All that is said of solutions, in their order."""
        (m, q, variance), (sample, weight) = self.parts(x), self.fresh(x)
        alpha, none = self.problems.alpha, torch.full_like(m, torch.nan)
        errors = Channel(self.model, self.problems.noise, self.order).errors(m, q, variance)
        cost = 0.0 if self.model.penalty == "none" else self.problems.strength * weight.cost
        rest = variance * sample.square / 2
        bayes = self.model.bayes
        potential = none if bayes else alpha * sample.envelope + cost - alpha * rest
        radius = torch.linalg.eigvals(derivative).abs().amax(-1) if len(x) else none
        return FixedPoints(
            owner=owner, m=m, q=q, V=variance, m_hat=alpha * sample.by_target, q_hat=alpha * sample.square,
            V_hat=alpha * sample.curvature, error=self.rho - 2 * m + q, test=errors.test, wrong=errors.wrong,
            train=none if bayes else sample.envelope - rest, potential=potential,
            replicon=1 - alpha * errors.slope * weight.response, radius=radius, residual=residual,
        )  # fmt: skip
