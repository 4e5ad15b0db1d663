"""Appendix H: what property tests of degree and sparsity can tell."""
