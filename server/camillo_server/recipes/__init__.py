"""Recipes that come with the server, as YAML, and the reading of YAML."""
