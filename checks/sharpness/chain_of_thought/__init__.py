"""Theorems 7, 8 and 16: chain of thought against one pass."""
