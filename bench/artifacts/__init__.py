"""Large contents: streams, parts, searches, summaries."""
