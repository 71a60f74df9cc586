"""How much an answer names one by one. Limits of requests are options of the contract: see `field_limits`."""

IMPORT_FAILURES_NAMED = 100
EVENT_IDS_NAMED = 1_000
OMISSIONS_NAMED = 500
PACKING_ENTRIES_NAMED = 1_000
REFS_NAMED = 200
