#!/usr/bin/env bash
# Builds and installs the Python package by pip, as README.md says, from a copy of the sources into an
# environment of its own, without a network, and uses it there.
# Usage: pip_test.sh SOURCE_DIRECTORY. Exit code 77: Debian packages are missing.
set -euo pipefail
source=$1
if ! python=$("$source/scripts/find_python.sh" setuptools wheel pip venv ensurepip numpy); then
  echo "skipped; scripts/install_packages.sh build python installs what is missing"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_BASEDIR=$work  # the next run has another directory and the same files
unset PYTHONPATH
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi

mkdir "$work/source"  # pip leaves its own files beside the sources
cp -r "$source"/{CMakeLists.txt,LICENSE,pyproject.toml,setup.py,include,scripts,src} "$work/source"
"$python" -m venv --system-site-packages "$work/env"
"$work/env/bin/pip" install --quiet --no-index --no-build-isolation "$work/source"

# Beside the package there is no source that Python could take in its place.
said=$(cd "$work/env" && bin/python -c '
import grundy, importlib.metadata
package = importlib.metadata.distribution("grundy")
print(package.version, package.metadata["License"], *sorted({file.suffix for file in package.files if file.parent.name == "grundy"}))
print(grundy.values("kayles", to=9).tolist(), grundy.period("0.07"))
grundy.compute("kayles", 100, output="kayles.h5")
print(grundy.open_table("kayles.h5")[70], grundy.__file__)')
version=$(sed -n 's/^project(grundy VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
package=$(echo "$work"/env/lib/python3*/site-packages/grundy)
[ "$said" = "$version MIT .py .pyi .so .typed
[0, 1, 2, 3, 1, 4, 3, 2, 1, 4] Period('certified', preperiod=53, period=34, saltus=0)
6 $package/__init__.py" ] || { echo "Python printed: $said" >&2; exit 1; }
echo "installed by pip and used"
