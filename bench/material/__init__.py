"""Material of the benchmarks: generated texts, vectors and logs, chats, and databases filled with them."""
