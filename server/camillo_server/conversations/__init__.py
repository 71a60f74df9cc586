"""Chat logs and agents' trajectories of many formats as one stream of events. Pure: no I/O beyond an open file."""
