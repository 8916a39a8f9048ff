#!/usr/bin/env bash
# Builds the sources in the ways that the build under test is not: as a shared library, which is installed,
# moved and used through find_package and pkg-config, and inside of another project. Optimised little, as
# no speed is measured here.
# Usage: build_test.sh SOURCE_DIRECTORY
set -euo pipefail
source=$1
programs=$source/tests/install/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=ON -DGRUNDY_MPI=OFF)
if command -v ninja >/dev/null; then options+=(-G Ninja); fi

# runs PROGRAM: what it says of a sum of Kayles heaps and a position of Wythoff's game is right.
runs() {
  local out
  out=$("$1")
  [[ $out =~ ^'value: 6' ]] || { echo "$1 printed: $out" >&2; exit 1; }
}

cmake -S "$source" -B "$work/build" "${options[@]}" -DBUILD_SHARED_LIBS=ON -DGRUNDY_BUILD_TESTS=OFF \
  -DGRUNDY_BUILD_BENCH=OFF >/dev/null
cmake --build "$work/build" -j"$(nproc)" >/dev/null
cmake --install "$work/build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix
pc=$(find "$prefix" -name pkgconfig -type d)
library=$(dirname "$pc")
version=$("$prefix/bin/grundy" --version | cut -d' ' -f2)
soname=libgrundy.so.${version%.*}
objdump -p "$library/libgrundy.so" | grep -q "SONAME *$soname\$"
[ "$(readlink "$library/$soname")" = "libgrundy.so.$version" ]
[ ! -e "$library/libgrundy.a" ]
# What the library uses is its own business.
[ -z "$(PKG_CONFIG_PATH=$pc pkg-config --print-requires grundy)" ]

cmake -S "$programs" -B "$work/cmake" "${options[@]:0:2}" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/cmake" --target sums >/dev/null
runs "$work/cmake/sums"

# shellcheck disable=SC2046  # the flags are words
"${CXX:-c++}" "$programs/sums.cpp" -o "$work/sums" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs grundy)
LD_LIBRARY_PATH=$library runs "$work/sums"

mkdir "$work/parent"
cat >"$work/parent/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
add_subdirectory("$source" grundy)
add_executable(sums "$programs/sums.cpp")
target_link_libraries(sums PRIVATE grundy::grundy)
END
cmake -S "$work/parent" -B "$work/parent/build" "${options[@]}" >/dev/null
cmake --build "$work/parent/build" --target sums -j"$(nproc)" >/dev/null
runs "$work/parent/build/sums"
echo "built as a shared library and inside of another project"
