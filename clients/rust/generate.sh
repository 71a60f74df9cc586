#!/usr/bin/env bash
# Writes src/generated and conformance/src/generated from the contract. No protoc of the system is needed: that of the
# Python environment of the repository makes the descriptors. PYTHON names another interpreter with grpcio-tools.
set -euo pipefail
cd "$(dirname "$0")"
root=../..
python=${PYTHON:-$root/.venv/bin/python}
descriptors=$(mktemp)
trap 'rm -f "$descriptors"' EXIT
googleapis=$("$python" -c 'import google.rpc, os; print(os.path.dirname(os.path.dirname(os.path.dirname(next(iter(google.rpc.__path__)) + "/"))))')
"$python" -m grpc_tools.protoc -I "$root/proto" -I "$googleapis" --include_imports --include_source_info \
    --descriptor_set_out="$descriptors" \
    "$root"/proto/camillo/v1/*.proto google/rpc/status.proto google/rpc/error_details.proto
cargo run --quiet --package camillo-codegen -- "$descriptors" src/generated conformance/src/generated
