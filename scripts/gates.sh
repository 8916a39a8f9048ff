#!/usr/bin/env bash
# The checks beside the tests: a build with Clang, clang-tidy, and tests built with sanitizers. Says what
# it does and how long it took; ends at the first finding.
# Usage: gates.sh [clang] [tidy] [asan] [tsan]   (all of them without arguments)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build test gates

# The library with every file's own includes: a precompiled header would hide a missing one.
clang() {
  cmake --preset clang >/dev/null
  cmake --build --preset clang -- --quiet
}

tidy() {
  cmake --preset clang >/dev/null
  find src -name '*.cpp' -not -path 'src/cli/*' -print0 |
    xargs -0 -P "$(nproc)" -n 4 clang-tidy-14 --quiet --warnings-as-errors='*' -p build/clang 2>/dev/null
}

# sanitized PRESET SELECTION REGEX TARGETS: builds the targets and runs the tests that ctest selects.
sanitized() {
  local preset=$1 selection=$2 regex=$3
  shift 3
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --target "$@" -- --quiet
  ctest --preset "$preset" --parallel "$(nproc)" --output-on-failure --no-tests=error \
    "$selection" "$regex" | sed '/^ *Start /d'
}

# What reads foreign bytes, and what proves from them.
asan() {
  sanitized asan-ubsan -L '^(table|run|verify)\.' tests_table tests_run tests_verify
}

# What threads share.
tsan() {
  local programs=(schedule_threads_test heap_ladder_threads_test lattice_engines_test graph_engine_test)
  sanitized tsan -R "^($(IFS='|'; echo "${programs[*]}"))\\." "${programs[@]}"
}

[ $# -gt 0 ] || set -- clang tidy asan tsan
for gate in "$@"; do
  SECONDS=0
  echo "gate $gate"
  "$gate"
  echo "gate $gate holds ($SECONDS s)"
done
