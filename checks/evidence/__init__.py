"""From a claim to its verdict: sweeps, search, trials, mutants, regions."""
