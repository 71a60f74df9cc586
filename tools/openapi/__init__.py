"""Makes the document of OpenAPI from the contract: `python -m tools.openapi FILE`."""
