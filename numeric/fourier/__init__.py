"""Fourier analysis on bit strings: the Walsh-Hadamard transform, what spectra say, and property tests by queries."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.fourier.bases import indicators as indicators
    from boundaudit.numeric.fourier.bases import to_characters as to_characters
    from boundaudit.numeric.fourier.benchmarks import transform_speed as transform_speed
    from boundaudit.numeric.fourier.rates import Directions as Directions
    from boundaudit.numeric.fourier.rates import all_odd as all_odd
    from boundaudit.numeric.fourier.rates import character_power as character_power
    from boundaudit.numeric.fourier.rates import degree_power as degree_power
    from boundaudit.numeric.fourier.rates import least_power as least_power
    from boundaudit.numeric.fourier.rates import rate_interval as rate_interval
    from boundaudit.numeric.fourier.rates import trials_needed as trials_needed
    from boundaudit.numeric.fourier.spectrum import WalshSpectrum as WalshSpectrum
    from boundaudit.numeric.fourier.summary import query_summary as query_summary
    from boundaudit.numeric.fourier.summary import table_summary as table_summary
    from boundaudit.numeric.fourier.tables import LONGEST as LONGEST
    from boundaudit.numeric.fourier.tables import BlackBox as BlackBox
    from boundaudit.numeric.fourier.tables import read_table as read_table
    from boundaudit.numeric.fourier.tables import table_function as table_function
    from boundaudit.numeric.fourier.tables import truth_table as truth_table
    from boundaudit.numeric.fourier.targets import random_sparse as random_sparse
    from boundaudit.numeric.fourier.targets import sparse_spectrum as sparse_spectrum
    from boundaudit.numeric.fourier.targets import sparse_table as sparse_table
    from boundaudit.numeric.fourier.targets import sparse_values as sparse_values
    from boundaudit.numeric.fourier.testers import DegreeTest as DegreeTest
    from boundaudit.numeric.fourier.testers import SparsityTest as SparsityTest
    from boundaudit.numeric.fourier.testers import Subspace as Subspace
    from boundaudit.numeric.fourier.testers import degree_sweep as degree_sweep
    from boundaudit.numeric.fourier.testers import degree_test as degree_test
    from boundaudit.numeric.fourier.testers import first_accepted_degree as first_accepted_degree
    from boundaudit.numeric.fourier.testers import sparsity_levels as sparsity_levels
    from boundaudit.numeric.fourier.testers import sparsity_test as sparsity_test
    from boundaudit.numeric.fourier.transform import subset_indices as subset_indices
    from boundaudit.numeric.fourier.transform import subset_of as subset_of
    from boundaudit.numeric.fourier.transform import walsh_hadamard as walsh_hadamard
    from boundaudit.numeric.fourier.transform import walsh_hadamard_ as walsh_hadamard_

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
