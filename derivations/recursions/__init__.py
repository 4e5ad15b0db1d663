"""Recursions that step sizes, errors and distances obey, solved forward."""
