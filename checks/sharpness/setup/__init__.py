"""The setting (Equation 1, Appendix B), one module per subject."""
