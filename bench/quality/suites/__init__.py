"""Collections that are generated here, whose answers are known: languages, supersession, time, precision, no answer."""
