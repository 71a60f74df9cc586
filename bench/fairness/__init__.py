"""The effect on other tenants of one that asks for far more than its share."""
