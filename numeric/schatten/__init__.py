"""Measurements for spectrum-adaptive bounds of transformers."""
