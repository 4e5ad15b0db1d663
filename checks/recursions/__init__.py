"""Recursions: lemmas that derivations of many papers share."""

PAPER = "Recursions, shared by papers"
