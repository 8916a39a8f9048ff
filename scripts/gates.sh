#!/usr/bin/env bash
# The checks beside the tests: tests built with sanitizers, clang-tidy, a build with Clang, and mypy. Says what
# it does and how long it took; ends at the first finding. CI has time for five of them (.ci/run);
# the others are to be run by hand, before a release at the latest.
# Exit code 77: all gates that could be run hold, but one was left out, because nothing is built or runs with
# its sanitizers on this machine.
# Usage: gates.sh [tsan] [tsan_ranks] [asan_files] [asan_proofs] [clang] [tidy]
#        [types] [includes]   (all of them without arguments)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build test

# built PRESET TARGETS: what is named is built by Clang.
built() {
  scripts/install_packages.sh gates
  cmake --preset "$1" >/dev/null
  cmake --build --preset "$1" --target "${@:2}" -- --quiet
}

# The library and the command. `tidy` has Clang's warnings of all files, of benchmarks and Python, too.
clang() {
  built clang libgrundy grundy
}

# Every file by itself: a precompiled header, or the rest of a unit, would hide a missing #include.
includes() {
  built includes all
}

# Clang's warnings, which the preset asks for, are findings too. Reads the precompiled headers of the build.
tidy() {
  clang
  sed -n 's/^ *"file": "\(.*\.\(cpp\|cxx\)\)",\{0,1\}$/\1/p' build/clang/compile_commands.json |
    grep -v cmake_pch | xargs -P "$(nproc)" -n 2 clang-tidy-14 --quiet --warnings-as-errors='*' -p build/clang 2>/dev/null
}

# The hints of the Python package, whose module is that of the tests.
types() {
  scripts/install_packages.sh gates
  cmake --preset release >/dev/null
  cmake --build --preset release --target grundy_python -- --quiet
  ctest --preset slow --output-on-failure --no-tests=error -R '^python.Types$'
}

# sanitized PRESET SANITIZERS SELECTION REGEX TARGETS: builds the targets and runs the tests that ctest
# selects. The gate is left out on a machine where no program at all is built or runs with these sanitizers.
sanitized() {
  local preset=$1 sanitizers=$2 selection=$3 regex=$4
  shift 4
  mkdir -p build
  if ! { echo 'int main() {}' | c++ -xc++ "-fsanitize=$sanitizers" - -o build/probe && build/probe; }; then
    echo "no program runs with -fsanitize=$sanitizers on this machine"
    outcome="is left out"
    return
  fi
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --target "$@" -- --quiet
  ctest --preset "$preset" --parallel "$(nproc)" --output-on-failure --no-tests=error \
    "$selection" "$regex" | sed '/^ *Start /d'
}

# cases PRESET PROGRAM FILTER: runs cases of a program that `sanitized` has built. CTest knows whole suites only.
cases() {
  [ "$outcome" = holds ] || return 0
  echo "$2 --gtest_filter=$3"
  if ! "build/$1/bin/$2" --gtest_filter="$3" >build/cases.log || ! grep '^\[  PASSED  \] [1-9]' build/cases.log; then
    cat build/cases.log
    return 1
  fi
}

# What reads foreign bytes.
asan_files() {
  sanitized asan-ubsan address,undefined -L '^(table|run)\.' tests_table tests_run
}

# What proves from foreign bytes: with all engines, so it takes twice as long to build.
asan_proofs() {
  sanitized asan-ubsan address,undefined -L '^verify\.' tests_verify
}

# What threads share: tests of one thread have nothing for ThreadSanitizer.
tsan() {
  local runs=('dist_test' 'schedule_threads_test' 'heap_ladder_threads_test' 'heap_dense_test.DenseRanksStop'
    'lattice_engines_test.*(Random|Stripes|Games/|Threads|Known)' 'graph_engine_test.GraphEngines')
  sanitized tsan thread -R "^($(IFS='|'; echo "${runs[*]}"))" \
    dist_test schedule_test heap_ladder_test heap_dense_test lattice_engines_test graph_engine_test
}

# Ranks that are threads, with all that they share through files.
tsan_ranks() {
  sanitized tsan thread -R '^session_test.(Agreement|Stripe)' atlas_test verify_test session_test heap_dense_test
  cases tsan heap_dense_test '*DenseRanks.*/Game2'
  cases tsan session_test 'Prediction.*Rank*'
  cases tsan atlas_test '*Rank*'
  cases tsan verify_test '*Rank*'
}

[ $# -gt 0 ] || set -- tsan tsan_ranks asan_files asan_proofs clang tidy types includes
left_out=
for gate in "$@"; do
  SECONDS=0
  outcome=holds
  echo "gate $gate"
  "$gate"
  echo "gate $gate $outcome ($SECONDS s)"
  [ "$outcome" = holds ] || left_out=$gate
done
[ -z "$left_out" ] || exit 77
