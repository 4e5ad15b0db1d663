"""Theorems 6, 12 and 17: the Taylor step from the loss under noise to the trace of its Hessian."""
