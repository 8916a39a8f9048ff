#!/usr/bin/env bash
# Installs the build into an empty prefix, moves the prefix, and uses what is there in every way it can
# be used: by programs through find_package and through pkg-config, by the project in README.md, as a
# command with manual and completions, and by Python where it was built for one.
# Usage: [LDFLAGS=...] install_test.sh BUILD_DIRECTORY SOURCE_DIRECTORY [PYTHON]
set -euo pipefail
build=$1
source=$2
python=${3:-}
programs=$source/tests/install/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"  # nothing may remember where it was installed
prefix=$work/prefix
bin=$prefix/bin
share=$prefix/share
if find "$prefix" -type f \( -name '*.cmake' -o -name '*.pc' \) -print0 |
  xargs -0 grep -l -e "$build" -e "$source" -e /usr/lib; then
  echo "these files name a directory of this machine" >&2
  exit 1
fi

# check DIRECTORY HOW: runs the programs there and compares what they print. What is expected: rows of
# Kayles but the empty one are N-positions; Wythoff's values are those of Winning Ways, ch. 3; of a
# number that is replaced by a smaller one prime to it, the value is the index of its least prime.
expected='P-positions: 1, value of the last heap: 1
by an engine of one'"'"'s own: 1 P-positions, period 12 from heap 71 on, engine mex
of two heaps: 23 P-positions
largest value: [1-9][0-9]+
\(3,3\): 6
\(4,7\): 0
positions: 1001, value of 1001: 4
wrong values in the file: none
value: 6
from the Kayles heap of 5 take 1, leaving 1 \+ 3
from the Kayles heap of 7 take 2, leaving 5
in the position \(3, 5\) of Wythoff'"'"'s game leave \(3, 3\)'
check() {
  local out
  mkdir "$work/$2"
  out=$("$1/stream_values"
    "$1/own_engine"
    "$1/lattice_table" "$work/$2/wythoff.h5"
    "$1/read_slices" "$work/$2/wythoff.h5"
    "$1/own_game" "$work/$2/coprime.h5"
    "$1/sums")
  [[ $out =~ ^$expected ]] || { echo "the programs through $2 printed: $out" >&2; exit 1; }
}

cmake -S "$programs" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/cmake" >/dev/null
check "$work/cmake" find_package

# The project in README.md.
block() { awk -v begin='```'"$1" '$0 == "```" && on { exit } on { print } $0 == begin { on = 1 }' "$source/README.md"; }
mkdir "$work/readme"
block cmake >"$work/readme/CMakeLists.txt"
block cpp >"$work/readme/kayles.cpp"
cmake -S "$work/readme" -B "$work/readme/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/readme/build" >/dev/null
[ "$(cd "$work/readme" && build/kayles)" = 'G(10^18) = 1' ]

pc=$(find "$prefix" -name pkgconfig -type d)
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs grundy)
mkdir "$work/pkgconfig"
for program in "$programs"/*.cpp; do
  # shellcheck disable=SC2086  # the flags are words
  "${CXX:-c++}" ${LDFLAGS:-} "$program" -o "$work/pkgconfig/$(basename "$program" .cpp)" $flags
done
library=$(dirname "$pc")
LD_LIBRARY_PATH=$library check "$work/pkgconfig" pkg-config

# The objects of the static library are fit for the shared one, which BUILD_SHARED_LIBS makes.
if [ -f "$library/libgrundy.a" ]; then
  mkdir "$work/shared"
  # shellcheck disable=SC2086
  "${CXX:-c++}" ${LDFLAGS:-} -shared -o "$work/shared/libgrundy.so" -Wl,--no-undefined \
    -Wl,--whole-archive "$library/libgrundy.a" -Wl,--no-whole-archive $flags
  # shellcheck disable=SC2086
  "${CXX:-c++}" ${LDFLAGS:-} -std=c++20 -I"$prefix/include" "$programs/sums.cpp" \
    -o "$work/shared/sums" -L"$work/shared" -lgrundy
  LD_LIBRARY_PATH=$work/shared "$work/shared/sums" >/dev/null
fi

"$bin/grundy" query "$work/pkg-config/wythoff.h5" 3,5 >/dev/null
"$bin/grundy" --citation | grep '^@software{grundy,' >/dev/null
grep -q '^version: '"$("$bin/grundy" --version | cut -d' ' -f2)"'$' "$share/doc/grundy/CITATION.cff"
cmp "$share/man/man1/grundy.1" <("$bin/grundy" generate man)
bash -n "$share/bash-completion/completions/grundy"
cmp "$share/bash-completion/completions/grundy" <("$bin/grundy" generate bash)

# A data set, checked by the command that made it. The scripts that draw were moved with it.
"$bin/grundy" release "$work/data" "$work/pkg-config/wythoff.h5" --creator "The Club" --seconds 0.1 -q >/dev/null
GRUNDY=$bin/grundy sh "$work/data/verify.sh" >/dev/null
if plots=$("$source/scripts/find_python.sh" h5py matplotlib 2>/dev/null); then
  [ -s "$work/data/figures/wythoff.png" ]
  # Every script of the README that draws is there, with all that it imports.
  for script in "$source"/scripts/plot_*.py; do
    "$plots" "$share/grundy/$(basename "$script")" --help >/dev/null
  done
fi

# The package, from the prefix alone.
if [ -n "$python" ]; then
  packages=$(dirname "$(find "$prefix" -path '*/site-packages/grundy' -type d)")
  said=$(cd "$work" && PYTHONPATH=$packages "$python" -c '
import grundy
print(grundy.__file__)
print(grundy.period("0.07"), grundy.Sum("kayles:5,7", "wythoff:3,5", "*1").value)
table = grundy.open_table("pkg-config/wythoff.h5")
print(table[4, 7])')
  [ "$said" = "$packages/grundy/__init__.py
Period('certified', preperiod=53, period=34, saltus=0) 7
0" ] || { echo "Python printed: $said" >&2; exit 1; }
fi
echo "installed, found and used"
