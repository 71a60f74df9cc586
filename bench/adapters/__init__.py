"""Adapters beside what their frameworks bring along."""
