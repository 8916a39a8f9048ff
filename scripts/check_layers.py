#!/usr/bin/env python3
"""Checks the structure that design rules promise, over #include lines and file sizes.

- A module of src/ includes only itself, the modules below it, and public headers.
- Public headers include only the standard library and each other.
- Third-party headers stay in the modules that own them.
- No source file has more than 600 lines, and the median has fewer than 180.

Exit code 1 with one line per violation. Usage: check_layers.py [PROJECT_ROOT]
"""

import pathlib
import re
import statistics
import sys

ALLOWED = {
    "core": [],
    "kernels": ["core"],
    "schedule": ["core"],
    "nim": ["core"],
    "rules": ["core"],
    "heap": ["core", "kernels", "schedule", "rules"],
    "lattice": ["core", "kernels", "schedule"],
    "analysis": ["core", "kernels", "rules"],
    "graph": ["core", "kernels", "schedule"],
    "store": ["core", "schedule"],
    "run": ["core"],
    "export": ["core"],
    "session": ["core", "kernels", "schedule", "rules", "heap", "lattice", "analysis", "store", "run",
                "export"],
    "verify": ["core", "kernels", "schedule", "rules", "heap", "lattice", "analysis", "store", "run",
               "session"],
    "atlas": ["core", "kernels", "schedule", "rules", "heap", "analysis", "store", "session"],
    "cli": ["core", "kernels", "schedule", "rules", "heap", "lattice", "analysis", "store", "run",
            "export", "session", "verify", "atlas"],
}
# Third-party header prefix -> modules that may include it.
OWNERS = {
    "hwy/": ["kernels"],
    "tbb/": ["schedule", "session"],
    "oneapi/": ["schedule", "session"],
    "hdf5": ["store"],
    "H5": ["store"],
    "libdeflate": ["store", "session"],
    "xxhash": ["core"],
    "gmp": ["analysis"],
    "CLI/": ["cli"],
    "toml++/": ["lattice"],
    "nlohmann/": ["atlas", "cli", "run", "session", "store", "verify"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".py", ".sh"}


def includes(path):
    """All (delimiter, target) pairs of the #include lines of a file."""
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def check_public(root):
    for path in sorted((root / "include").rglob("*.hpp")):
        for delimiter, target in includes(path):
            standard = delimiter == "<" and "/" not in target and "." not in target
            if not standard and not target.startswith("grundy/"):
                yield f"{path.relative_to(root)}: a public header includes {target}"


def check_modules(root):
    for path in sorted((root / "src").rglob("*.?pp")):
        relative = path.relative_to(root / "src")
        module = relative.parts[0]
        if module not in ALLOWED:
            yield f"src/{relative}: module {module} is not in the table of {sys.argv[0]}"
            continue
        for delimiter, target in includes(path):
            if delimiter == '"':
                other = target.split("/")[0]
                if "/" not in target:
                    yield f'src/{relative}: "{target}" is not written as module/file'
                elif other != module and other not in ALLOWED[module]:
                    yield f"src/{relative}: {module} may not include {target}"
            for prefix, owners in OWNERS.items():
                if delimiter == "<" and target.startswith(prefix) and module not in owners:
                    yield f"src/{relative}: <{target}> belongs to {' and '.join(owners)}"


def check_sizes(root):
    lengths = []
    for folder in ("src", "include", "tests", "bench", "scripts"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                length = len(path.read_text(encoding="utf-8").splitlines())
                lengths.append(length)
                if length > 600:
                    yield f"{path.relative_to(root)}: {length} lines, more than 600"
    if statistics.median(lengths) >= 180:
        yield f"the median file has {statistics.median(lengths)} lines, 180 or more"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    faults = [*check_public(root), *check_modules(root), *check_sizes(root)]
    print("\n".join(faults) if faults else "the structure holds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
