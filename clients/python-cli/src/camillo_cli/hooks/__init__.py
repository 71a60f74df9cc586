"""Hooks of coding agents: context goes in at each prompt, the transcript is recorded at each stop.

A hook is a process of its own that a person waits for. Code that runs before a prompt therefore imports little of the
standard library (no `dataclasses`, `typing`, `pathlib`, `http.client`) and nothing of gRPC: it speaks HTTP over a
socket.
"""
