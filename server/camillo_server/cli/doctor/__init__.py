"""The `doctor` command: checks of the configuration, the machine, the database and the server."""
