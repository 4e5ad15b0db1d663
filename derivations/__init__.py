"""Closed forms in SymPy: what the papers state. Never imports a measurement."""
