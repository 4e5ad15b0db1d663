"""The split-kl bound against mpmath, with gradients, and one line for bad input."""

import math

import mpmath
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import from_json
from boundaudit.checks.pac_bayes.split_kl import theorem
from boundaudit.numeric.pac_bayes import certified_split_kl, pac_bayes_bound, split_kl_bound


def _solved(q: mpmath.mpf, budget: mpmath.mpf, side: int) -> mpmath.mpf:
    """The p above (side 1) or below (side -1) q with kl(q‖p) = budget, by bisection."""
    near, far = q, mpmath.mpf(1 if side > 0 else 0)
    for _ in range(170):
        p = (near + far) / 2
        pairs = ((q, p), (1 - q, 1 - p))
        entropy = mpmath.fsum(share * mpmath.log(share / other) for share, other in pairs if share > 0)
        near, far = (p, far) if entropy < budget else (near, p)
    return far


POINTS = [
    (0.02, 0.01, 50.0, 10000.0, 0.05, 0.0, -1.0, 1.0), (0.0, 0.0, 3.0, 100.0, 0.01, 0.5, 0.0, 1.0),
    (0.25, 0.125, 5.0, 400.0, 1e-9, 0.5, 0.0, 1.0), (2.0, 0.5, 40.0, 5000.0, 0.05, 1.0, 0.0, 4.0),
]  # fmt: skip


@pytest.mark.parametrize("point", POINTS)
def test_value_and_certificate_by_two_bisections(point: tuple[float, ...]) -> None:
    above, below, kl, samples, delta, middle, low, high = point
    with mpmath.workdps(50):
        budget = (mpmath.mpf(kl) + mpmath.log(4 * mpmath.sqrt(samples) / mpmath.mpf(delta))) / samples
        up, down = mpmath.mpf(high) - middle, mpmath.mpf(middle) - low
        wanted = middle + up * _solved(above / up, budget, 1) - down * _solved(below / down, budget, -1)
        ends = {"middle": middle, "low": low, "high": high}
        assert float(split_kl_bound(*point[:5], **ends)) == pytest.approx(float(wanted), rel=1e-12, abs=1e-14)
        certain = certified_split_kl(*point[:5], **ends)
        assert 0 <= certain - wanted <= 1e-14 * high


def test_losses_of_zero_and_one_give_maurers_bound_at_half_of_delta() -> None:
    for risk in (0.0, 0.1, 0.7):
        found = split_kl_bound(0.75 * risk, 0.25 * (1 - risk), 20, 1000, 0.05, middle=0.25, low=0)
        assert float(found) == pytest.approx(float(pac_bayes_bound(risk, 20, 1000, 0.025)), rel=1e-12)


def test_losses_close_to_the_middle_gain() -> None:
    split = split_kl_bound(0.005, 0.005, 20, 1000, 0.05, middle=0.5, low=0)
    assert float(split) < 0.6 < float(pac_bayes_bound(0.5, 20, 1000, 0.05))


def test_gradients() -> None:
    above, below, kl = (torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (0.1, 0.2, 15.0))

    def bound(*values: Tensor) -> Tensor:
        return split_kl_bound(*values, 500, 0.05)

    assert torch.autograd.gradcheck(bound, (above, below, kl), eps=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"above": -0.1}, "above"), ({"above": 1.1}, "above"), ({"below": math.nan}, "below"), ({"kl": -1.0}, "kl"),
        ({"delta": 0.0}, "delta"), ({"samples": math.inf}, "samples"), ({"middle": 1.0}, "middle"),
        ({"low": math.nan}, "middle"), ({"high": math.inf}, "middle"),
    ],
)  # fmt: skip
def test_bad_input_names_its_field(changed: dict[str, float], field: str) -> None:
    good = {"above": 0.1, "below": 0.1, "kl": 5.0, "samples": 100.0, "delta": 0.05}
    for bound in (split_kl_bound, certified_split_kl):
        with pytest.raises(InputError) as caught:
            bound(**{**good, **changed})
        assert caught.value.args[0] == field


def test_next_to_nothing_can_be_taken_off_the_two_shares() -> None:
    """Each part is all zeros on a sample of its own, where its bound fails: φ is just above ln(2ξ/δ)."""
    point = from_json({
        "delta": "0.2001", "xi_m": "9.978", "m": 8, "n_sam": 3, "n_a": 1, "w_pi": (1,), "o_hyp": (1,), "o_below": (1,),
        "r_all": ((1,), (0,), (1,)), "r_below": ((0,), (1,), (1,)), "r_sam": ((1,),) * 3, "a_all": ("1/8",) * 3,
        "a_below": ("1/8",) * 3, "q_sam": ("0.1", "0.1", "0.8"),
    })  # fmt: skip
    assert theorem.domain.contains(point)
    failure, allowed = (float(side_values(side, [point], "cpu")[0]) for side in (theorem.left, theorem.right))
    assert 0.99 * allowed < failure <= allowed
