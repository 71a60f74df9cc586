"""The floor: echo, writes, imports, recalls by Postgres, and starts."""
