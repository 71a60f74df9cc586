"""What one tenant that asks for far more than its share does to the others."""
