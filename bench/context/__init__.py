"""Events and context bundles."""
