"""Claims about Boncoraglio et al. 2025 (arXiv 2509.24914)."""

PAPER = "Boncoraglio et al. 2025 (arXiv 2509.24914)"
