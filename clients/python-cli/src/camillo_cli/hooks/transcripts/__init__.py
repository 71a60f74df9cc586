"""Transcripts of the clients, as entries of one kind."""
