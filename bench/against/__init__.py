"""This version of the server beside another one: both run at once on this machine, and their rounds take turns.

Each server is started by `bench.app_server` of its own checkout: a stable name with a stable command line. Calls are
made by this checkout, and memories go in through the API, so modules may have moved and schemas may differ."""
