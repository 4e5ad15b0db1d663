"""Bounds as numbers, for the command line: the paper's, its repaired and improved forms, and PAC-Bayes in general."""
