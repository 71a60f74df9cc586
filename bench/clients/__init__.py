"""What each client's own code costs over a bare stub of its language."""
