"""Forms of files that `camillo import` reads, and folders that it keeps imported."""
