#!/usr/bin/env bash
# Installs the build into an empty prefix, moves the prefix, and uses what is there the three ways it
# can be used: through find_package, through pkg-config, and as a command with manual and completions.
# Usage: [LDFLAGS=...] install_test.sh BUILD_DIRECTORY SOURCE_DIRECTORY
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"  # nothing may remember where it was installed
prefix=$work/prefix
bin=$prefix/bin
share=$prefix/share

expected='period 12 from heap 71
heap 10^18: 1
classes: '
check() {
  local out
  out=$("$1" "$work")
  case $out in
    "$expected"[1-9]*) ;;
    *) echo "$2 printed: $out" >&2; exit 1 ;;
  esac
}

cmake -S "$source/tests/install/consumer" -B "$work/cmake" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/cmake" >/dev/null
check "$work/cmake/consumer" "the consumer through find_package"

pc=$(find "$prefix" -name pkgconfig -type d)
# shellcheck disable=SC2046  # the flags are words
"${CXX:-c++}" ${LDFLAGS:-} "$source/tests/install/consumer/consumer.cpp" -o "$work/consumer" \
  $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs grundy)
check "$work/consumer" "the consumer through pkg-config"

"$bin/grundy" query "$work/kayles.h5" 70 >/dev/null
"$bin/grundy" --citation | grep -q '^@software{grundy,'
grep -q '^version: '"$("$bin/grundy" --version | cut -d' ' -f2)"'$' "$share/doc/grundy/CITATION.cff"
cmp "$share/man/man1/grundy.1" <("$bin/grundy" generate man)
bash -n "$share/bash-completion/completions/grundy"
test -s "$share/zsh/vendor-completions/_grundy"
test -s "$share/fish/vendor_completions.d/grundy.fish"
if find "$prefix" -type f \( -name '*.cmake' -o -name '*.pc' \) -print0 | xargs -0 grep -l -e "$build" -e "$source"; then
  echo "these files name the build or the source directory" >&2
  exit 1
fi
echo "installed, found and used"
