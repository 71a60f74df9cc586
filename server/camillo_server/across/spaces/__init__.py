"""Spaces as a whole: what each holds."""
