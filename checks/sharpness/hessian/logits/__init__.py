"""Theorem 18: the part Cov(v, l'') of the Hessian, along the direction in which it is largest."""
