#!/usr/bin/env python3
"""Checks the structure that design rules promise, over #include lines and file sizes.

- A room of src/ includes only itself, the rooms that src/rooms.txt names for it, and public headers.
- Public headers include only the standard library and each other.
- Headers of other libraries stay in the rooms that use them.
- No source file has more than 600 lines.

Exit code 1 with one line per violation. Usage: check_layers.py [PROJECT_ROOT]
"""

import pathlib
import re
import sys

# What a library's headers are called.
HEADERS = {"fmt": ["fmt/"], "xxhash": ["xxhash"], "hwy": ["hwy/"], "tbb": ["tbb/", "oneapi/"],
           "toml": ["toml++/"], "gmp": ["gmp"], "hdf5": ["hdf5", "H5"], "deflate": ["libdeflate"],
           "json": ["nlohmann/"], "cli11": ["CLI/"]}
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


def read_rooms(root):
    """Path of a room -> (rooms it uses, libraries it uses), from the list that CMake builds by."""
    rooms = {}
    for line in (root / "src" / "rooms.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            path, uses, libraries = (column.strip() for column in line.split("|"))
            rooms[path] = (uses.split(), libraries.split())
    return rooms


def room_of(path, rooms):
    """The room of a path below src/, or None."""
    matches = [room for room in rooms if path.startswith(room + "/")]
    return max(matches, key=len, default=None)


def check_rooms(root):
    rooms = read_rooms(root)
    known = []
    for room, (uses, _) in rooms.items():
        yield from (f"src/rooms.txt: {room} uses {other}, which does not stand below it"
                    for other in uses if other not in known)
        known.append(room)
    for path in sorted((root / "src").rglob("*.?pp")):
        relative = str(path.relative_to(root / "src"))
        room = room_of(relative, rooms)
        if room is None:
            yield f"src/{relative}: it is in no room of src/rooms.txt"
            continue
        uses, libraries = rooms[room]
        for delimiter, target in includes(path):
            if delimiter == '"' and target != "session/build_info.hpp":
                other = room_of(target, rooms)
                if other is None:
                    yield f'src/{relative}: "{target}" is not written as room/file'
                elif other != room and other not in uses:
                    yield f"src/{relative}: {room} may not include {target}"
            for library, prefixes in HEADERS.items():
                if delimiter == "<" and target.startswith(tuple(prefixes)):
                    if library not in libraries:
                        yield f"src/{relative}: {room} does not use the library of <{target}>"


def check_sizes(root):
    for folder in ("src", "include", "tests", "bench", "scripts"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                length = len(path.read_text(encoding="utf-8").splitlines())
                if length > 600:
                    yield f"{path.relative_to(root)}: {length} lines, more than 600"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    faults = [*check_public(root), *check_rooms(root), *check_sizes(root)]
    print("\n".join(faults) if faults else "the structure holds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
