"""Programs that measure the project, or write what is generated in it."""
