"""What jobs are called in the database, in figures and in logs. A name once released stays."""

EMBED_SCOPE = "embed_scope"
FIND_MISSING_VECTORS = "find_missing_vectors"
MAINTAIN_SCOPE = "maintain_scope"
MAINTAIN_ALL = "maintain_all"
REEMBED_SCOPE = "reembed_scope"
