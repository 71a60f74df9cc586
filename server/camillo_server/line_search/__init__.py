"""Search inside one large content that is read block by block: by pattern, and by the words of a query."""
