#!/bin/sh
# Makes src/generated/java from proto/ again. Needs the repository's .venv and build/googleapis: `make lint` makes both.
set -eu
cd "$(dirname "$0")"
case "$(uname -sm)" in
  "Linux x86_64") platform=linux-x86_64 ;;
  "Linux aarch64") platform=linux-aarch_64 ;;
  "Darwin arm64") platform=osx-aarch_64 ;;
  *) platform=osx-x86_64 ;;
esac
mvn -q -B dependency:copy@compilers -Dplugin.platform="$platform"
chmod +x target/tools/*
rm -rf src/generated/java
cd ../..
.venv/bin/buf generate --template clients/java/buf.gen.yaml
