"""Appendix D."""
