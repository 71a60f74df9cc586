"""Maintenance, forgetting, repeated statements, and servers that are killed."""
