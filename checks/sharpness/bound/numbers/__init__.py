"""Appendix E.3: the printed numbers, computed."""
