"""What the ways in beside gRPC cost."""
