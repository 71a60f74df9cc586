"""The constants of BM25, for whoever computes it: how soon a term's count saturates (k1), and how much a text's
length counts (b)."""

SATURATION = 0.6
LENGTH_NORMALIZATION = 0.4
