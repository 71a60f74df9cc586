"""An evaluation of one's own: questions that a file states, asked of what it states, in a scope that is thrown away."""
