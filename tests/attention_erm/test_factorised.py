"""Trained factors against the optimality conditions of their map; closed forms of direct training."""

import math

import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.factorised import Student, Trained, contrasts, direct, minimise, train
from boundaudit.numeric.attention_erm.sensing import Problem, draw, proportional

PROBLEM = proportional(10, 0.6, 0.5, 0.5, tokens=2)
STUDENT = Student(width=10, penalty=0.05)


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(PROBLEM, STUDENT, 0, range(3), tolerance=1e-9)


def test_the_map_is_stationary(trained: Trained) -> None:
    """∇ S = 0 and ∇ ≥ 0: no direction of the cone goes down, though the loss is not convex."""
    data = draw(PROBLEM, 0, range(3))
    variable = trained.matrix.clone().requires_grad_()
    loss = ((torch.softmax(data.features.apply(variable), -1) - data.attention(1.0)) ** 2).sum()
    (slope,) = torch.autograd.grad(loss, variable)
    scale = 10 * STUDENT.penalty
    slope = (slope + slope.mT) / 2 + scale * torch.eye(10, dtype=torch.float64)
    assert trained.converged.all()
    assert ((slope @ trained.matrix).norm(dim=(1, 2)) < 1e-6 * scale * trained.matrix.norm(dim=(1, 2))).all()
    assert (torch.linalg.eigvalsh(slope)[:, 0] > -1e-3 * scale).all()


def test_what_is_reported(trained: Trained) -> None:
    data = draw(PROBLEM, 0, range(3))
    losses = ((torch.softmax(data.features.apply(trained.matrix), -1) - data.attention(1.0)) ** 2).sum((2, 3))
    torch.testing.assert_close(trained.train, losses.mean(-1))
    nuclear = torch.linalg.svdvals(trained.matrix).sum(-1)
    torch.testing.assert_close(trained.objective, (losses.sum(-1) + 10 * STUDENT.penalty * nuclear) / 100)
    torch.testing.assert_close(trained.error, ((trained.matrix - data.target) ** 2).sum((1, 2)) / 10)
    assert ((trained.rank > 0.2) & (trained.rank < 1)).all()
    assert (trained.test > trained.train).all()


def test_a_width_above_the_rank_changes_nothing(trained: Trained) -> None:
    narrow = train(PROBLEM, Student(width=8, penalty=STUDENT.penalty), 0, range(3), tolerance=1e-9)
    assert (trained.rank < 0.8).all()
    torch.testing.assert_close(narrow.objective, trained.objective, rtol=1e-8, atol=0)
    torch.testing.assert_close(narrow.matrix, trained.matrix, rtol=1e-3, atol=1e-3)


def test_a_run_is_the_same_alone(trained: Trained) -> None:
    alone = train(PROBLEM, STUDENT, 0, [2], tolerance=1e-9)
    torch.testing.assert_close(alone.objective[0], trained.objective[2], rtol=1e-10, atol=0)
    torch.testing.assert_close(alone.matrix[0], trained.matrix[2], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(alone.test[0], trained.test[2], rtol=1e-4, atol=0)


def test_the_test_error_of_nothing() -> None:
    """A penalty that leaves S = 0: losses of uniform attention, drawn here by themselves."""
    found = train(PROBLEM, Student(width=10, penalty=50.0), 0, range(2), fresh=20_000)
    assert found.error.sum().item() == pytest.approx((draw(PROBLEM, 0, range(2)).target ** 2).sum().item() / 10)
    generator = torch.Generator().manual_seed(5)
    for run, target in enumerate(draw(PROBLEM, 0, range(2)).target):
        x = torch.randn((20_000, 2, 10), generator=generator, dtype=torch.float64)
        noise = torch.randn((20_000, 2, 2), generator=generator, dtype=torch.float64) * math.sqrt(0.5)
        h = (x @ target @ x.mT - target.trace() * torch.eye(2)) / math.sqrt(10) + (noise + noise.mT) / 2
        losses = ((torch.softmax(h, -1) - 0.5) ** 2).sum((1, 2))
        error = math.hypot(losses.std().item() / math.sqrt(20_000), found.test_standard_error[run].item())
        assert abs(losses.mean().item() - found.test[run].item()) < 4 * error


def test_too_few_steps_are_said() -> None:
    found = train(PROBLEM, STUDENT, 0, [0], cap=2)
    assert not found.converged.any()
    assert found.iterations.tolist() == [2]


# --- minimisation ---------------------------------------------------------------------------------


def rosenbrock(points: Tensor) -> Tensor:
    x, y = points.unbind(-1)
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2 + 1


def test_minima_of_a_valley() -> None:
    start = torch.tensor([[-1.2, 1.0], [2.0, -1.0], [1.0, 1.0]], dtype=torch.float64)
    found = minimise(rosenbrock, start, tolerance=1e-10, cap=500)
    torch.testing.assert_close(found.point, torch.ones_like(start), rtol=1e-7, atol=1e-7)
    assert (found.residual <= 1e-10).all()
    assert found.iterations[2] == 0
    alone = minimise(rosenbrock, start[1:2], tolerance=1e-10, cap=500)
    torch.testing.assert_close(alone.point[0], found.point[1], rtol=1e-12, atol=1e-12)
    assert alone.iterations[0] == found.iterations[1]


# --- the map itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", [1, 2, 3, 4])
def test_contrasts(tokens: int) -> None:
    found = contrasts(tokens)
    assert len(found) == (1 if tokens == 1 else tokens * (tokens + 1) // 2 - 1)
    flat = found.flatten(1)
    torch.testing.assert_close(flat @ flat.T, torch.eye(len(found), dtype=torch.float64), rtol=0, atol=1e-14)
    torch.testing.assert_close(found, found.mT)
    if tokens > 1:
        assert flat.sum(-1).abs().max() < 1e-14


def test_softmax_shows_the_contrasts_alone() -> None:
    h = torch.randn((3, 3), generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    h, maps = h + h.T, contrasts(3)
    seen = torch.einsum("kab,kcd,cd->ab", maps, maps, h)
    torch.testing.assert_close(torch.softmax(seen, -1), torch.softmax(h, -1))


@pytest.mark.parametrize("tokens", [1, 2])
def test_direct_training_interpolates_at_the_least_norm(tokens: int) -> None:
    data = draw(Problem(d=8, samples=9, noise=0.0, target_rank=4, tokens=tokens), 0, range(4))
    found, maps = direct(data), contrasts(tokens)
    seen = torch.einsum("kab,rnab->rnk", maps, data.features.apply(found) - data.indices)
    assert seen.abs().max() < 1e-10
    torch.testing.assert_close(found, found.mT)
    # The rest of the target is orthogonal to what was found: the solution is the target's projection.
    assert ((data.target - found) * found).sum((1, 2)).abs().max() < 1e-10


@pytest.mark.parametrize("tokens", [1, 2])
def test_direct_training_recovers_at_the_count_of_parameters(tokens: int) -> None:
    """d(d+1)/2 = 21 functionals: none fewer does, and samples of two tokens give two each."""
    full, short = (21, 20) if tokens == 1 else (11, 10)
    for samples, exact in ((full, True), (short, False)):
        data = draw(Problem(d=6, samples=samples, noise=0.0, target_rank=4, tokens=tokens), 0, range(3))
        errors = (direct(data) - data.target).norm(dim=(1, 2))
        assert (errors < 1e-6).all() if exact else (errors > 1e-3).all()


def test_bad_input() -> None:
    for changed in ({"width": 0}, {"penalty": 0.0}, {"beta": -1.0}, {"target_beta": math.inf}):
        with pytest.raises(InputError, match=next(iter(changed)).replace("_", " ")):
            Student(**{"width": 3, "penalty": 0.1} | changed)  # type: ignore[arg-type]
    gaussian = Problem(d=4, samples=3, noise=0.1, target_rank=2, tokens=2, features="gaussian")
    for problem, words in ((proportional(4, 0.5, 0.5, 0.1), "tokens"), (gaussian, "quadratic")):
        with pytest.raises(InputError, match=words):
            train(problem, STUDENT, 0, [0])
    with pytest.raises(InputError, match="fresh"):
        train(PROBLEM, STUDENT, 0, [0], fresh=1)
    with pytest.raises(InputError, match="quadratic"):
        direct(draw(gaussian, 0, [0]))
