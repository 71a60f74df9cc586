"""One suite for the clients of all languages: scenarios in a file, played through each client against a real server."""

import os

# Handshakes fail on purpose, and gRPC would tell of each one; it looks here when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
