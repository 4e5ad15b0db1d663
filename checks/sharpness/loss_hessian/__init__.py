"""Theorems 5 and 13: the Hessian of the squared loss, its two parts, and the printed bound on its trace."""
