"""Formulas as papers print them, and as people type them: read by a grammar of our own into claims."""
