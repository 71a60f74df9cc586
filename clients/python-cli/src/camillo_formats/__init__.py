"""Forms that the server and the command line both read and write. Nothing else of Camillo is imported."""
