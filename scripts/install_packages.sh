#!/usr/bin/env bash
# Installs the Debian packages that are missing, and says so; does nothing if none is.
# Usage: install_packages.sh build|test|gates|mpi|plot|python …   (groups of packages; Debian 12 names)
set -euo pipefail

declare -A groups=(
  [build]="g++ cmake ninja-build libtbb-dev libhdf5-dev libhwy-dev libcli11-dev libfmt-dev
           nlohmann-json3-dev libxxhash-dev libdeflate-dev libgmp-dev
           libtomlplusplus-dev nettle-dev"
  [test]="libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev python3 python3-numpy
          python3-h5py python3-xarray python3-h5netcdf python3-matplotlib pkgconf clang-format-14
          pybind11-dev python3-dev libopenmpi-dev openmpi-bin python3-jsonschema python3-yaml procps"
  [mpi]="libopenmpi-dev openmpi-bin"
  [python]="python3 python3-dev python3-numpy python3-pip python3-setuptools python3-venv pybind11-dev"
  [gates]="clang-14 clang-tidy-14 mypy"
  [plot]="python3 python3-numpy python3-h5py python3-matplotlib"
)

missing=()
for group in "$@"; do
  for package in ${groups[$group]:?unknown group "$group"}; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
  done
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing and installing them needs root or sudo: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
