"""Closed forms of Lintilhac & Shaikh 2026, arXiv 2605.20988."""
