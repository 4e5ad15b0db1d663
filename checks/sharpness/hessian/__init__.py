"""Theorem 18: the Hessian of the network's output, its blocks and its bound."""
