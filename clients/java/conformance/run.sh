#!/bin/sh
# Starts the runner of the conformance suite, after `mvn -q -B test-compile`.
set -eu
cd "$(dirname "$0")/.."
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
  -cp "target/classes:target/test-classes:$(cat target/classpath.txt)" dev.camillo.conformance.Runner
