"""Claims about Trauger & Tewari 2024 (arXiv 2310.13088), with Edelman et al. 2022 (arXiv 2110.10090)."""

PAPER = "Trauger & Tewari 2024 (arXiv 2310.13088)"
COMPARATOR = "Edelman et al. 2022 (arXiv 2110.10090)"
