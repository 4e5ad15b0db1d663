"""Collecting claims, gathering their evidence, reproducing it."""
