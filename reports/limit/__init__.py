"""High-dimensional and infinite-width predictions as plain numbers."""
