"""Exact algebra on expression trees: normal forms that decide equality."""
