"""Claims about Sakai, Karakida & Imaizumi 2025 (arXiv 2506.00846)."""
