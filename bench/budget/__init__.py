"""What a call of each kind takes of the server's processor, beside an echo through the same pipeline."""
