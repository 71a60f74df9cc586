"""The `rescue` command: what servers hold in memory and in their spools, written as files, for when Postgres is
lost."""
