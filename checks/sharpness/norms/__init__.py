"""Theorem 10: the squared norm of the construction, block by block and in total."""
