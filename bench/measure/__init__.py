"""How everything here is measured: server processes, calls, rounds that take turns, reports."""
