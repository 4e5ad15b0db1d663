"""Chain of thought: bounds, learners and printed formulas against plain computation."""

import itertools
import math

import mpmath
import numpy as np
import pytest

from boundaudit import InputError
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness.calculators import wrong_under_noise
from boundaudit.checks.sharpness.chain_of_thought import chain, whole
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.numeric.sharpness import chain_learners
from boundaudit.numeric.sharpness import chain_of_thought as numeric
from boundaudit.numeric.sharpness.bound import Form, published
from boundaudit.numeric.sharpness.bound.budgets import repaired as repaired_budgets
from boundaudit.numeric.sharpness.chain_of_thought import chain_of_thought, network

from .cases import column
from .stated import sides

LOG = math.log(20)
G_STEP, L_STEP = 1556.0, 218 + 12 * LOG**2
G_PASS = 4 + 4 * (2 + 20 + 32 * 400 + 32 * 8000)
L_PASS = 16 * 400 * 21 + 8 * 21 + 2 + 4 * LOG**2 * 21


# --- bounds ---------------------------------------------------------------------------------------


def test_bound_with_one_variance_at_twenty_steps() -> None:
    """4T · 3 (G S² L / (4m))^(1/3), to which ln(1/δ) adds in the ninth digit."""
    found = chain_of_thought(20, samples=1e6, subgaussian=0.01, delta=0.05)
    step = 12 * (G_STEP * 1e-4 * L_STEP / 4e6) ** (1 / 3)
    assert step == pytest.approx(0.279748, abs=5e-7)
    assert found.step_error == pytest.approx(step, rel=1e-6)
    assert found.chain_error["one_step"] == pytest.approx(5.594963, abs=5e-6)
    assert found.chain_error["whole_chains"] == pytest.approx(found.chain_error["one_step"])
    fewer = chain_of_thought(20, samples=5e4, subgaussian=0.01, delta=0.05)
    assert found.chain_error["equal_labels"] == pytest.approx(fewer.chain_error["one_step"])
    assert found.one_pass_error == pytest.approx(12 * (G_PASS * 1e-4 * L_PASS / 4e6) ** (1 / 3), rel=1e-6)
    assert found.samples_needed["one_step"] == pytest.approx(432e-4 * 8000 * G_STEP * L_STEP / 1e-3, rel=1e-6)
    assert found.samples_needed["one_pass"] == pytest.approx(432e-4 * G_PASS * L_PASS / 1e-3, rel=1e-6)
    assert found.constants["step_parameters"] == 2014


def naive_clipped(gradient: float, norm: float, count: int, samples: float, steps: int = 1) -> float:
    """The best of a fine grid of σ, the inverse by bisection."""

    def at(log_sigma: float) -> float:
        sigma = math.exp(log_sigma)
        risk = steps * 4 * gradient * sigma**2
        entropy = count / 2 * math.log1p(norm / (count * sigma**2))
        budget = (entropy + math.log(2 * math.sqrt(samples) / 0.05)) / samples

        def gap(p: float) -> float:
            return risk * math.log(risk / p) + (1 - risk) * math.log((1 - risk) / (1 - p)) - budget

        low, high = risk, 1 - 1e-12
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if gap(middle) < 0 else (low, middle)
        return high

    return min(at(x) for x in np.linspace(-12, -7, 400) if steps * 4 * gradient * math.exp(2 * x) < 0.5)


@pytest.mark.slow
def test_clipped_bounds_by_what_is_counted() -> None:
    found = chain_of_thought(20, samples=1e6, subgaussian=None, delta=0.05, form="clipped")
    assert found.step_error == pytest.approx(naive_clipped(G_STEP, L_STEP, 2014, 1e6), rel=1e-4)
    assert found.chain_error["one_step"] == pytest.approx(20 * found.step_error)
    assert found.chain_error["whole_chains"] == pytest.approx(
        naive_clipped(G_STEP, L_STEP, 2014, 1e6, steps=20), rel=1e-4
    )
    assert found.chain_error["equal_labels"] == pytest.approx(
        naive_clipped(G_STEP, L_STEP, 2014, 5e4, steps=20), rel=1e-4
    )
    assert found.chain_error["whole_chains"] < found.one_pass_error < found.chain_error["equal_labels"]
    needed = found.samples_needed
    assert naive_clipped(G_STEP, L_STEP, 2014, needed["one_step"]) == pytest.approx(0.1 / 20, rel=1e-4)
    assert naive_clipped(G_STEP, L_STEP, 2014, needed["whole_chains"], steps=20) == pytest.approx(0.1, rel=1e-4)
    assert needed["equal_labels"] == 20 * needed["whole_chains"]
    informs = found.informative_from["whole_chains"]
    assert naive_clipped(G_STEP, L_STEP, 2014, informs, steps=20) == pytest.approx(0.5, rel=1e-4)


def test_margin_charges_nothing_for_the_error_without_noise() -> None:
    """σ²G/(1/2 - 1/21)² in place of 4 (1/21² + σ²G), which alone is 0.18 for twenty steps."""
    by_margin = network(repaired_budgets(20, 2, 1), "margin")
    clipped = network(repaired_budgets(20, 2, 1), "clipped")
    sigma = column(1e-9, 1e-4)
    total = by_margin.budgets.sharpness_total
    assert by_margin.wrong(sigma).tolist() == pytest.approx((sigma**2 * total / (0.5 - 1 / 21) ** 2).tolist())
    assert 20 * float(clipped.wrong(sigma)[0]) == pytest.approx(80 / 441)
    assert by_margin.error(1e6, 0.05, 20) < 0.0202
    assert clipped.error(1e6, 0.05, 20) > 80 / 441
    exact = network(published(20, 2, 1), "margin")
    assert exact.error(1e6, 0.05, 20) == network(published(20, 2, 1), "clipped").error(1e6, 0.05, 20)


def test_curves_take_whole_chains_too() -> None:
    step = network(published(20, 2, 1), "clipped")
    expected = [naive_clipped(G_STEP, L_STEP, 2014, samples, steps=20) for samples in (1e6, 1e7)]
    assert step.errors(column(1e6, 1e7), 0.05, 20).tolist() == pytest.approx(expected, rel=3e-4)


@pytest.mark.parametrize("form", ["shared-variance", "clipped"])
def test_curves_agree_with_single_bounds(form: Form) -> None:
    step = network(published(6, 2, 1), form, subgaussian=0.01)
    curve, single = float(step.errors(column(1e7), 0.05)[0]), step.error(1e7, 0.05)
    assert curve == pytest.approx(single, rel=1e-4)
    assert curve >= single * (1 - 1e-9)


def test_fewer_labels_than_steps_are_no_chain() -> None:
    found = chain_of_thought(20, samples=19, subgaussian=None, delta=0.05, form="clipped")
    assert found.chain_error["equal_labels"] == 1


@pytest.mark.slow
def test_proved_noise_is_given_by_the_caller() -> None:
    curves = {name: wrong_under_noise(20, degree, 1) for name, degree in (("step", 2), ("one_pass", 20))}
    with pytest.raises(InputError, match="wrong"):
        chain_of_thought(20, samples=1e6, subgaussian=None, delta=0.05, form="derived", norm="steep")
    with pytest.raises(InputError, match="wrong"):
        chain_of_thought(20, samples=1e6, subgaussian=None, delta=0.05, form="margin", norm="steep", wrong=curves)
    sigma = column(1e-7, 3.828e-5, 0.1)
    found = curves["step"](sigma)
    assert (found.diff() > 0).all()
    assert float(found[-1]) == 1
    first = network(repaired_budgets(20, 2, 1), "margin").wrong(sigma[1:2])
    assert float(first) < float(found[1]) < 2 * float(first)


def test_how_often_noise_makes_the_construction_wrong() -> None:
    """By drawing networks of a parity of two among four bits."""
    sides_at = [whole.noise.left, whole.noise.right]
    point = {"T": 4, "D": 2, "omega": 1, "u": 1, "c": (1,), "S": ((1, 2),), "sigma": 0.0005, "kappa_nl": 6.0}
    point |= {"n_nl": 8}
    moved, bound = (float(side_values(side, [point], "cpu")[0]) for side in sides_at)
    assert 0 < moved < bound < 1


def test_loss_at_the_construction_ends_what_samples_can_do() -> None:
    found = chain_of_thought(20, samples=1e6, subgaussian=0.01, delta=0.05, norm="steep")
    assert found.constants["step_L"] == pytest.approx(639.1616923, abs=1e-6)
    assert 80 * found.constants["step_residual"] > 0.1
    assert found.samples_needed["whole_chains"] == found.samples_needed["one_step"] == math.inf
    assert found.samples_needed["one_pass"] < math.inf


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("form", {"form": "published"}), ("norm", {"norm": "narrow"}), ("subgaussian", {"subgaussian": None}),
        ("error", {"error": 1.0}), ("delta", {"delta": 0.0}), ("samples", {"samples": 0}), ("length", {"length": 1}),
        ("subgaussian", {"subgaussian": -1.0}),
    ],
)  # fmt: skip
def test_bad_input(field: str, change: dict[str, object]) -> None:
    call: dict[str, object] = {"length": 20, "samples": 1e6, "subgaussian": 0.01, "delta": 0.05, **change}
    with pytest.raises(InputError) as caught:
        chain_of_thought(call.pop("length"), **call)  # type: ignore[arg-type]
    assert caught.value.args[0] == field or field in str(caught.value)


# --- the printed formula --------------------------------------------------------------------------


def test_printed_exponent_at_its_best_sigma() -> None:
    samples, proxy = 3000.0, 0.01

    def exponent(log_sigma: float) -> float:
        v = math.exp(2 * log_sigma)
        return samples * v / (4 * proxy**2) * 2 * G_STEP + L_STEP / (2 * v) - samples / (8 * proxy**2)

    best = min(exponent(x) for x in np.linspace(-12, 0, 20001))
    assert best == pytest.approx(math.sqrt(samples * G_STEP * L_STEP) / proxy - samples / (8 * proxy**2), rel=1e-5)
    assert best > 0
    found = numeric.printed_log_probability(20, 2, 1.0, samples=column(3000, 3243, 3244, 4000), proxy=proxy)
    assert found[:2].tolist() == [0, 0]
    exact = math.log(4) + math.sqrt(3244 * G_STEP * L_STEP) / proxy - 3244 / (8 * proxy**2)
    assert float(found[2]) == pytest.approx(exact, rel=1e-9)
    assert float(found[3]) < -1e5


def test_printed_probability_solves_the_bound() -> None:
    """δ with "bound = 1/2", solved by mpmath, is the printed one times exp(-mA²/(2S²))."""
    m, S, G, P, sigma, L = 400, 0.5, 2.0, 1.0, 0.2, 0.9
    A = sigma**2 / 2 * (2 * G + P)
    with mpmath.workdps(30):
        log_delta = mpmath.findroot(
            lambda x: A + 2 * mpmath.sqrt(mpmath.mpf(S) ** 2 / (2 * m) * (L / (2 * sigma**2) - x)) - mpmath.mpf(0.5), -5
        )
    point = {"m": m, "S": S, "G_c": G, "P_c": P, "sigma": sigma, "N_2": L, "T": 1}
    values = {s: point[str(s)] for s in theorem.printed_chain().free_symbols}
    assert float(theorem.printed().subs(values)) - m * A**2 / (2 * S**2) == pytest.approx(float(log_delta), rel=1e-12)
    assert float(theorem.printed_chain().subs(values)) == pytest.approx(
        4 * math.exp(theorem.printed().subs(values)), rel=1e-9
    )


# --- learners -------------------------------------------------------------------------------------


def test_two_hypotheses_at_a_thousand_samples() -> None:
    found, claimed = sides(chain.printed, "two-hypotheses", m=1000, T=1)
    assert found == pytest.approx(3.676954e-4, abs=5e-11)
    assert claimed == pytest.approx(5.70e-217, rel=1e-3)
    _, claimed = sides(chain.printed, "gaussian", m=1000, T=1)
    tail = math.exp(-4.5) / (3 * math.sqrt(2 * math.pi))
    assert claimed == pytest.approx(4 * math.exp(-500 + 2000 * tail + 5.445), rel=1e-9)
    assert tail > 0.5 * math.erfc(3 / math.sqrt(2))


def brute_force(length: int, samples: int, share: float) -> tuple[float, float]:
    """Chain error and expected wrong steps over all samples of the four cells and all prompts."""
    prompts = []
    cells = np.zeros(4)
    for bits in itertools.product((0, 1), repeat=length):
        weight = math.prod(share if x else 1 - share for x in bits)
        state, visited = 0, []
        for x in bits:
            visited.append(2 * state + x)
            state ^= x
        prompts.append((weight, visited))
        for cell in visited:
            cells[cell] += weight / length
    chain_error = steps = 0.0
    for sample in itertools.product(range(4), repeat=samples):
        chance = math.prod(cells[c] for c in sample)
        missed = set(range(4)) - set(sample)
        chain_error += chance * sum(w for w, visited in prompts if missed & set(visited))
        steps += chance * sum(w * sum(c in missed for c in visited) for w, visited in prompts)
    return chain_error, steps


def test_parity_errors_by_brute_force() -> None:
    found = chain_learners.parity_errors(column(3, 4), column(4, 5), column(0.2, 0.4))
    for n, case in enumerate([(3, 4, 0.2), (4, 5, 0.4)]):
        expected = brute_force(*case)
        assert (float(found.chain[n]), float(found.steps[n])) == pytest.approx(expected, rel=1e-10)


def test_one_pass_by_brute_force() -> None:
    """Ranks over GF(2) of all 3 by 2 matrices."""
    deficient = sum(
        len({0, a, b, a ^ b, c, a ^ c, b ^ c, a ^ b ^ c}) < 4 for a, b, c in itertools.product(range(4), repeat=3)
    )
    assert float(chain_learners.one_pass_wrong(column(2), column(3))[0]) == pytest.approx(deficient / 64 / 2)


# --- claims ---------------------------------------------------------------------------------------


def test_budgets_of_a_chain_and_of_one_pass() -> None:
    assert sides(chain.budgets, "gradient,T", T=3) == (4632, 4668)
    assert sides(chain.budgets, "norm,T", T=3) == pytest.approx((629.311, 697.450), abs=5e-4)


def test_where_the_repaired_bound_begins_to_speak() -> None:
    """At T = 20 and Σ = 0.01 the cube of 4T · 3 (G Σ² L / (4m))^(1/3) falls with m and passes 1 here."""
    assert sides(chain.samples, T=20, S=0.01, n_c=1, m=175_142_552)[0] > 1
    assert sides(chain.samples, T=20, S=0.01, n_c=1, m=175_142_553)[0] < 1
