"""Secrets in texts: found by rules, and taken out before anything is stored."""
