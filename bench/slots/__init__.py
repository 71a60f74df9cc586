"""Slots, and the files that mirror them."""
