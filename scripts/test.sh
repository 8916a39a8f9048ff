#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors, runs the fast tests on all cores, prints the
# ten slowest, and ends with CTest's summary. Arguments go to ctest: `scripts/test.sh -R store`. The slow
# tests after this: `cmake --build --preset release --target slow_tests && ctest --preset slow`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build test
cmake --preset release -DGRUNDY_BUILD_BENCH=OFF >/dev/null
cmake --build --preset release -- --quiet

# CTest's summary comes last, behind the slowest tests. One test more than there are cores: many wait.
log=build/release/tests
status=0
ctest --preset fast --parallel $(($(nproc) + 1)) --output-on-failure --output-junit "$PWD/$log.xml" "$@" |
  tee "$log.txt" | sed '/^ *Start /d; /^[0-9]*% tests passed/,$d' || status=$?
echo "The slowest tests:"
sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 s  \1/p' "$log.xml" | sort -rn | sed -n 1,10p
echo
sed -n '/^[0-9]*% tests passed/,$p' "$log.txt"
exit "$status"
