"""The documentation site: pages written by hand, and those that `pages` makes of docstrings and of the shipped run."""
