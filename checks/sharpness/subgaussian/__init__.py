"""Remark 4 and Appendices A and E: which sub-Gaussian constant, and at which parameters."""
