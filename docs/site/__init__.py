"""Builds the site of guides and references: `make docs`."""
