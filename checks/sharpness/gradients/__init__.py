"""Theorem 14: the gradient of the output, block by block, in total, and what can stand in place of G_u."""
