#!/bin/sh
# The code of the contract, in src/generated. For a checkout whose environment is made (`make setup`, `npm ci`).
set -eu
cd "$(dirname "$0")/../.."
# buf would fetch google/rpc and google/api from its registry; a wheel of the environment has them, too.
.venv/bin/python - <<'PYTHON'
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile

for name in ("rpc/status", "rpc/error_details", "api/annotations", "api/http"):
    package = find_spec("google." + name.replace("/", ".") + "_pb2").origin
    target = Path("build/googleapis/google", name + ".proto")
    target.parent.mkdir(parents=True, exist_ok=True)
    copyfile(package.removesuffix("_pb2.py") + ".proto", target)
PYTHON
rm -rf clients/typescript/src/generated
.venv/bin/buf generate --template clients/typescript/buf.gen.yaml
