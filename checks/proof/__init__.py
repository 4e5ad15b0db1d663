"""Proofs of statements: engines that find certificates, and a small checker that accepts or rejects them."""
