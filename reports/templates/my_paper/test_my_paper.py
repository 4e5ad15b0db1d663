"""What the claims take for granted: `pytest my_paper` runs these tests, and every claim as one more."""

import numpy as np
import pytest

from . import derivations, numeric
from .derivations import n, rho


@pytest.mark.parametrize("point", [{"n": 1, "rho": 0.5}, {"n": 4, "rho": 0.0}, {"n": 7, "rho": 0.25}])
def test_measurement_and_definition_agree(point: dict[str, float]) -> None:
    """Proofs and exact counterexamples are of the definition."""
    (measured,) = numeric.largest_eigenvalues([point], "cpu")
    assert measured == pytest.approx(float(derivations.EXACT.subs({n: point["n"], rho: point["rho"]})))


def test_two_rows_by_hand() -> None:
    """Ones on the diagonal and 1/2 beside them: 1/2 and 3/2."""
    assert np.isclose(numeric.largest_eigenvalues([{"n": 2, "rho": 0.5}], "cpu"), [1.5])
