"""Processor time of the server for a call of each kind, beside an echo through the same pipeline."""
