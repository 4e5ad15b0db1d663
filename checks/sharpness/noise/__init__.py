"""Appendix L: Gaussian noise of every parameter, from the weights up to the MLP."""
