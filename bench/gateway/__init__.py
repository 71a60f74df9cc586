"""What the doors beside gRPC cost."""
