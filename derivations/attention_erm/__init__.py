"""Closed forms for Boncoraglio et al. 2025 (arXiv 2509.24914)."""
