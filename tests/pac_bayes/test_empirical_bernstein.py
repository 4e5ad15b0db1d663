"""The theorem with the variance on the sample: that its formula is the calculator's, and needs what it asks."""

from dataclasses import replace

import pytest
import torch

from boundaudit import Claim, Domain
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import from_json
from boundaudit.checks.pac_bayes.empirical_bernstein import theorem
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.derivations.pac_bayes import empirical_bernstein as theory
from boundaudit.numeric.pac_bayes import pac_bayes_bound


def test_it_speaks_of_the_bound_that_is_calculated() -> None:
    m, small, risk, seen, entropy, rate, of_variance = 50, 0.05, 0.2, 0.1, 3.0, 7.0, 11.0
    factor = float((torch.tensor(rate / m, dtype=torch.float64).expm1() - rate / m) * m / rate)
    numbers = {theory.rate: rate, theory.k_b: of_variance, theory.delta: small,
               theory.C_v: factor / (1 - of_variance / (2 * (m - 1)))}  # fmt: skip
    value = pac_bayes_bound(
        torch.tensor(risk, dtype=torch.float64), entropy, m, small, "empirical-bernstein", sample_variance=seen,
        rate=rate, variance_rate=of_variance,
    )  # fmt: skip
    assert float(theory.threshold(risk, seen, entropy).subs(numbers)) == pytest.approx(float(value), rel=1e-9)


@pytest.fixture
def without_variances() -> Claim:
    """What is left where the variance on the sample may be below that of the loss as often as it likes."""
    domain = Domain(theorem.domain.ranges, where=theorem.domain.where[:-1])
    assert theorem.derivation is not None
    return replace(theorem, domain=domain, derivation=replace(theorem.derivation, domain=domain))


def test_without_the_moment_of_the_variance_it_is_false(without_variances: Claim) -> None:
    point = from_json({
        "delta": "1/2", "lambda_n": 3, "kappa_v": 3, "C_v": 1, "n_a": 1, "w_pi": (1,), "u_hyp": (9,), "n_sam": 1,
        "q_sam": (1,), "R_hyp": (9,), "r_all": ((0,),), "V_all": ((0,),), "r_sam": ((1,),),
    })  # fmt: skip
    assert without_variances.domain.contains(point)
    assert not theorem.domain.contains(point)
    failure, allowed = (side_values(side, [point], "cpu")[0] for side in (theorem.left, theorem.right))
    assert (failure, allowed) == (1, 0.5)


@pytest.mark.slow
def test_without_the_moment_of_the_variance_it_is_not_proved(without_variances: Claim) -> None:
    chain = without_variances.derivation
    assert chain is not None
    known = {label: member.proof_form for label in chain.claims for member in find_shipped(label)}
    assert prove_chain(theorem.proof_form, chain.first, chain.links, known).outcome == "proved"
    assert prove_chain(without_variances.proof_form, chain.first, chain.links, known).outcome == "unknown"
