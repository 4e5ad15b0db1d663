"""Figures as inline SVG, from plain data."""
