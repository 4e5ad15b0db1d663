"""Theorem 18: the part 2 Cov(v', l') of the Hessian, along the direction in which it is largest."""
