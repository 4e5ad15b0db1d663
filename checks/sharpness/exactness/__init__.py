"""Appendix B: how exactly the network computes its target at finite length, and what its loss is."""
