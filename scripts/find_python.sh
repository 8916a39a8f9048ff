#!/usr/bin/env bash
# Prints the first Python interpreter that can import every module named on the command line.
# The python3 that comes first in PATH need not be the one Debian's packages belong to.
set -euo pipefail

for python in python3 /usr/bin/python3; do
  path=$(command -v "$python" || true)
  [ -n "$path" ] || continue
  if "$path" -c 'import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]' \
    "$@" 2>/dev/null; then
    echo "$path"
    exit 0
  fi
done
echo "No python3 here can import: $*" >&2
exit 1
