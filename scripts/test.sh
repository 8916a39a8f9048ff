#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors, and runs the fast tests on two cores.
# Ends with CTest's summary. Arguments go to ctest: `scripts/test.sh -R store`. The slow tests:
# `ctest --preset slow` after this.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build test
cmake --preset release >/dev/null
cmake --build --preset release -- --quiet
ctest --preset fast --parallel "$(nproc)" --output-on-failure --progress "$@"
