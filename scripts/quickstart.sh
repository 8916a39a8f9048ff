#!/usr/bin/env bash
# From a fresh Debian 12 machine to two real Grundy tables: installs what is missing, builds, computes
# Kayles to 10^8 and Grundy's game to 10^6, prints what was found and draws a picture of each.
# Running it again redoes only what is not there. Results are in build/quickstart.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build plot
echo "Building (the first time takes some minutes)"
cmake --preset release -DGRUNDY_BUILD_TESTS=OFF -DGRUNDY_BUILD_BENCH=OFF -DGRUNDY_BUILD_PYTHON=OFF >/dev/null
cmake --build --preset release -- --quiet
grundy=build/release/bin/grundy
python=$(scripts/find_python.sh h5py matplotlib)

out=build/quickstart
mkdir -p "$out"

# table GAME NAME LAST: computes the table if it is not there, says what is in it, draws it.
table() {
  local game=$1 file=$out/$2.h5 last=$3
  echo
  if [ -e "$file" ]; then
    echo "$file is there already:"
    "$grundy" info "$file"
  else
    echo "grundy compute $game --to $last -o $file"
    "$grundy" compute "$game" --to "$last" -o "$file"
  fi
  if [ ! -e "$out/$2.png" ] || [ "$file" -nt "$out/$2.png" ]; then
    "$python" scripts/plot_table.py "$file" -o "$out/$2.png"
  fi
}

table kayles kayles 10^8
table grundys-game grundys-game 10^6
echo
echo "Tables and pictures are in $out. Ask for a value:  $grundy query $out/kayles.h5 10^18"
