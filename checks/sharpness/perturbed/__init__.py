"""Theorems 24, 30 and 31: how far Gaussian noise of every parameter moves output, gradient and Hessian."""
