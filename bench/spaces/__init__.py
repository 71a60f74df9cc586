"""Spaces: several read as one, new ones, and those of people who leave."""
