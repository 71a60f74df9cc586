"""JSON values out of large contents that are read block by block, in bounded memory."""
