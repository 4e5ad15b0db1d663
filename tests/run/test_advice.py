"""What to try next: the open step, a hypothesis, a weaker constant; nothing of what nothing is known."""

import numpy as np
import sympy as sp

from boundaudit import Claim, Derivation, Domain, Euclidean, Quantity, Reals, Space, Step, norm, read
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.run.advice import advice

x = sp.Symbol("x", real=True)
UNIT = Domain({x: Reals(0, 1)})


def told(claim: Claim, verdict: str = "supported") -> str:
    return advice(claim, Findings(verdict, ""), lambda label: ()) or ""


def test_a_hypothesis_or_a_constant_under_which_it_is_proved_is_named() -> None:
    assert told(read("x^3 >= x^2 - x")).startswith("it is proved for x >= 0")
    assert told(read("x <= x^2 for x >= 0")).startswith("it is proved for x >= 1")
    assert told(read("x <= 2*x^2 for 0 <= x <= 1")).startswith("it is proved for x >= 1/2")
    assert told(read("x <= x^2 + 1/8 for 0 <= x <= 1/2")).startswith("it is proved with twice the right side")
    assert "no engine proves it" in told(read("x <= 0 for 1/4 <= x <= 1/2"))


def test_what_is_decided_wants_no_advice() -> None:
    assert told(read("x <= x^2 for x >= 0"), "refuted") == ""
    assert told(read("x <= x + 1"), "proved") == ""


def test_an_open_step_is_named() -> None:
    steps = (Step(x**2, "square"), Step(x**3, "cube"), Step(x + 1, "line"))
    chain = Derivation(label="own.chain", title="", steps=steps, domain=UNIT, samples={"end": {"x": 1}})
    claim = Claim(label="own.claim", statement="So.", left=x**2, right=x + 1, domain=UNIT, derivation=chain)
    assert told(claim).startswith("open: the step to “cube”: no engine proves it")


def test_a_measured_side_wants_a_definition() -> None:
    side = Quantity("f", lambda points, device: np.zeros(len(points)), "f")
    assert "a measured side" in told(Claim(label="own.f", statement="So.", left=side, right=x, domain=UNIT))


def test_a_chain_that_rests_on_what_is_not_proved_names_it() -> None:
    steps = (Step(x**2, "square"), Step(x, "line", "x ≤ 1", "own.shrinks"))
    chain = Derivation(label="own.chain", title="", steps=steps, domain=UNIT, samples={"end": {"x": 1}})
    cited = Claim(label="own.shrinks", statement="So.", left=x**2, right=x, domain=UNIT, expected="proved")
    claim = Claim(label="own.claim", statement="So.", left=x**2, right=x, domain=UNIT, derivation=chain)
    said = advice(claim, Findings("supported", ""), lambda label: (cited,) if label == cited.label else ())
    assert said == "its steps hold; look at what they use: own.shrinks"


def test_no_derivation_is_advised_on_a_space() -> None:
    v = sp.Symbol("v")
    claim = Claim(label="own.norm", statement="So.", left=norm(v), right=norm(v) / 8, domain=Space({v: Euclidean()}))
    assert told(claim) == "no engine proves it, nor four times the bound: name a lemma in rests_on"
