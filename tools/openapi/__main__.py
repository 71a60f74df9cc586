"""Writes the document of OpenAPI that the server has as a file."""

import json
import sys
from pathlib import Path

from camillo_server.doors.gateway.bindings import contract_bindings
from camillo_server.doors.rpc.contract import CONTRACT

from tools.openapi.artifact_paths import artifact_paths
from tools.openapi.document import openapi_document


def document_text() -> str:
    """The document as it is kept and served: a value on each line, for diffs."""
    document = openapi_document(contract_bindings(CONTRACT), artifact_paths())
    return json.dumps(document, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document_text(), "utf-8")
