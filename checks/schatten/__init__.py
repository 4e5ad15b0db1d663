"""Claims about Sakai & Imaizumi 2026 (arXiv 2605.07297)."""

PAPER = "Sakai & Imaizumi 2026 (arXiv 2605.07297)"
