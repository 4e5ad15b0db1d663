"""Measurements in PyTorch: what the constructions do. Never imports a formula."""
