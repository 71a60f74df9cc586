"""The overhead of each client's own code over a bare stub of its language."""
