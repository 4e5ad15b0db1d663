"""A trained transformer in tables, figures and pages."""
