"""Certificates as proofs in Coq: what our checker accepts, written out for a checker that others wrote."""
