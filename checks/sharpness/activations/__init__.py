"""Theorem 11."""
