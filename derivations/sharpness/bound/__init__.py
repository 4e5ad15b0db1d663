"""Theorem 2: from sharpness and norm to a generalization bound, as printed, repaired and improved."""
