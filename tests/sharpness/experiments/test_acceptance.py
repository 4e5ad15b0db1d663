"""First acceptances of sweeps: against single tests, and what no sweep may do."""

import pytest

from boundaudit.numeric.fourier import degree_test, random_sparse, sparse_table, table_function, trials_needed
from boundaudit.reports.experiment.acceptance import DELTA, DIRECTIONS, SUBSPACES, Profile, first_accepted, see

ASKED = Profile(8, (3,), (5,), 4, (0.1, 0.01), 6, (4, 8), 5, (0.0, 1e-3, 1e-2))


@pytest.fixture(scope="module")
def cell() -> dict[str, object]:
    return see(ASKED, 3, 5, 7, "cpu")


def test_no_sweep_of_a_real_degree_goes_beyond_it(cell: dict[str, object]) -> None:
    functions = list(first_accepted(ASKED, cell))
    assert len(functions) == ASKED.functions
    for each in functions:
        for name in ("disjoint", "positions"):
            assert each.degrees[name, 0.1][0] <= each.degrees[name, 0.01][0] <= 3
        assert each.degrees["disjoint", 0.01][0] == 3
        assert each.degrees["xor", 0.01][0] > 3
        assert each.exact[0.0] == 5 >= each.exact[1e-3] >= each.exact[1e-2]
        for name in SUBSPACES:
            assert each.widths[name, 4, 0.0] <= each.widths["cosets", 8, 0.0] <= 5
        # every position is free
        assert [each.widths["restriction", 8, e] for e in ASKED.energies] == [each.exact[e] for e in ASKED.energies]


def test_queries_are_those_up_to_the_first_rejection(cell: dict[str, object]) -> None:
    tables = sparse_table(*random_sparse(ASKED.functions, 8, 3, 5, seed=7))
    trials = trials_needed(0.1, DELTA)
    for each, seen in zip(first_accepted(ASKED, cell), cell["seen"], strict=True):  # type: ignore[call-overload]
        for name in DIRECTIONS:
            level, queries = each.degrees[name, 0.1]
            firsts = seen["rejected"][name]
            assert all(first <= trials for first in firsts[:level])
            if level < len(firsts):
                assert firsts[level] is None or firsts[level] > trials
            asked = sum(first * 2 ** (d + 1) for d, first in enumerate(firsts[:level]))
            assert queries == asked + (trials * 2 ** (level + 1) if level < len(firsts) else 0)
    assert not degree_test(table_function(tables[0]), 8, 2, trials=trials).accepted
