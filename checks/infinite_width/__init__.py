"""Claims about Sakai, Karakida & Imaizumi 2025 (arXiv 2506.00846)."""

PAPER = "Sakai, Karakida & Imaizumi 2025 (arXiv 2506.00846)"
SCORES, OUTPUTS = "Main theorem (scores)", "Main theorem (outputs)"
