"""Measurements for covering-number bounds of transformers."""
