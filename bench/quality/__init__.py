"""How much of the evidence a recall finds."""
