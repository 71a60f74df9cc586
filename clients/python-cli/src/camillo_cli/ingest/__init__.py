"""The `ingest` command: chat logs, trajectories and text files, read and sent to a server."""
