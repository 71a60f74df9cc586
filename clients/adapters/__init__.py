"""Tries the adapters for frameworks: each in environments of its own, beside the newest and the oldest version of its
framework, against a server of this checkout. `python -m clients.adapters`, or `make adapters`."""
