"""Appendix B: the weights of both attention layers at finite length, and the mass off their support."""
