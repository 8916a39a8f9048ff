#!/usr/bin/env python3
"""Checks the structure that design rules promise, over #include lines, CMake targets and file sizes.

src/rooms.txt is the list of rooms, from which CMake builds. By it:
- Every source below src/ is in one room, and every public header is named by one room. No file
  below src/ or include/ is of a kind that nothing here checks, such as .h or .inc.
- A file of a room, or a public header of it, includes only files and public headers of the room and of
  the rooms that the list names for it.
- Headers of other libraries stay in the rooms that use them; public headers include the standard
  library and each other. One that documents an Error includes <grundy/error.hpp>. A header in angle brackets is
  of a library that is known here, or of the system.
- With a build directory: every source is compiled once, into the target of its room.
- No two types have the same name in the same namespace: where they met in one program, the linker would take
  functions of one for those of the other.
No source file has more than 600 lines. Files and directories that a README or a comment names by their path exist,
and so do the files and the sections to which links lead.

Exit code 1 with one line per violation.
"""

import argparse
import json
import pathlib
import re
import sys
from typing import NamedTuple

# What a library's headers are called.
HEADERS = {"fmt": ["fmt/"], "xxhash": ["xxhash", "xxh_x86dispatch"], "hwy": ["hwy/"], "tbb": ["tbb/", "oneapi/"],
           "toml": ["toml++/"], "gmp": ["gmp"], "hdf5": ["hdf5", "H5"], "deflate": ["libdeflate"],
           "json": ["nlohmann/"], "nettle": ["nettle/"], "cli11": ["CLI/"],
           "pybind11": ["pybind11/"], "mpi": ["mpi.h"]}
# The C++ standard library. Headers of C are <cerrno> or <errno.h>.
C_HEADERS = """assert ctype errno fenv float inttypes limits locale math setjmp signal stdarg stddef stdint stdio stdlib
    string time uchar wchar wctype""".split()
STANDARD = {*("c" + name for name in C_HEADERS), *"""algorithm any array atomic barrier bit bitset charconv chrono
    codecvt compare complex concepts condition_variable coroutine deque exception execution filesystem format
    forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits
    list locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex
    scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf
    string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map
    unordered_set utility valarray variant vector version""".split()}
# C, and what is in use of POSIX and Linux.
SYSTEM = {*(name + ".h" for name in C_HEADERS), *"""fcntl.h malloc.h poll.h pthread.h sched.h spawn.h sys/eventfd.h sys/file.h
    sys/ioctl.h sys/mman.h sys/signalfd.h sys/stat.h sys/statvfs.h sys/uio.h sys/wait.h unistd.h""".split()}
# Programs, and the rooms that are built on demand.
PROGRAMS = {"cli/main.cpp": "grundy", "mpi/main.cpp": "grundy-mpi"}
ON_DEMAND = {"python", "mpi"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
NAMESPACE = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))? \{$")
TYPE = re.compile(r"^(?:struct|class|enum|enum class|union) (?:alignas\([^)]*\) )?(\w+)(?: final)?(?: : [^;]*| \{.*)?$")
CODE = {".hpp", ".cpp"}
SUFFIXES = {*CODE, ".py", ".sh"}  # of files whose length is limited
# What else lies below src/ and include/: texts, what CMake reads, and the Python package.
OTHERS = {".md", ".txt", ".cmake", ".pc", ".py", ".pyi", ".typed"}
MADE_BY_PYTHON = (".egg-info", "__pycache__")
# Paths that texts name: of files, of directories, and of files without their suffix.
NAMED = re.compile(r"(?<![\w/.-])(?:tests|bench|scripts|src|include|engines|games|session|run|table|verify|theory|"
                   r"kernels|parallel|atlas|cli|core|dist|mpi|python|release|heap|lattice|graph)/[\w/.-]*\w")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
# CMake writes this header. What includes all public headers belongs to no room.
EVERYTHING = "grundy/grundy.hpp"


class Room(NamedTuple):
    uses: list
    libraries: list
    public: list

    def may_use(self, own, other):
        return other == own or other in self.uses


def includes(path):
    """All (delimiter, target) pairs of the #include lines of a file."""
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def read_rooms(root):
    """Path of a room -> Room, from the list that CMake builds by."""
    rooms = {}
    for line in (root / "src" / "rooms.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            path, uses, libraries, public = (column.strip() for column in line.split("|"))
            rooms[path] = Room(uses.split(), libraries.split(),
                               [f"grundy/{header}.hpp" for header in public.split()])
    return rooms


def room_of(path, rooms):
    """The room of a path below src/, or None."""
    matches = [room for room in rooms if path.startswith(room + "/")]
    return max(matches, key=len, default=None)


def check_list(root, rooms):
    """The list itself: rooms stand below their users, public headers are named once and exist."""
    known = []
    for path, room in rooms.items():
        yield from (f"src/rooms.txt: {path} uses {other}, which does not stand below it"
                    for other in room.uses if other not in known)
        known.append(path)
    named = [header for room in rooms.values() for header in room.public]
    yield from (f"src/rooms.txt: {header} is named {named.count(header)} times"
                for header in sorted(set(named)) if named.count(header) > 1)
    there = {str(path.relative_to(root / "include")).removesuffix(".in")
             for path in (root / "include").rglob("*.hpp*")} - {EVERYTHING}
    yield from (f"include/{header}: no room of src/rooms.txt names it"
                for header in sorted(there - set(named)))
    yield from (f"src/rooms.txt: there is no {header}" for header in sorted(set(named) - there))


def check_file(name, own, path, rooms, owner):
    """The #include lines of a file of the room `own`, or of a public header of it."""
    public = name.startswith("include/")
    targets = [target for _, target in includes(path)]
    if public and "@throws Error" in path.read_text(encoding="utf-8") and "grundy/error.hpp" not in targets:
        yield f"{name}: a public header that documents an Error includes <grundy/error.hpp>"
    for delimiter, target in includes(path):
        if target.startswith("grundy/"):
            other = owner.get(target)
            if other is None:
                yield f"{name}: {target} is no public header of a room"
            elif not rooms[own].may_use(own, other):
                yield f"{name}: {own} may not include {target}, which belongs to {other}"
        elif public:
            if delimiter != "<" or target not in STANDARD:
                yield f"{name}: a public header includes {target}"
        elif delimiter == '"' or room_of(target, rooms):
            other = room_of(target, rooms)
            if other is None:
                yield f'{name}: "{target}" is not written as room/file'
            elif not rooms[own].may_use(own, other):
                yield f"{name}: {own} may not include {target}"
            elif not target.endswith(".hpp"):
                yield f"{name}: {target} is no header"
        elif target not in STANDARD | SYSTEM:
            library = next((library for library, prefixes in HEADERS.items() if target.startswith(tuple(prefixes))), None)
            if library is None:
                yield f"{name}: no library that is known has <{target}>"
            elif library not in rooms[own].libraries:
                yield f"{name}: {own} does not use the library of <{target}>"


def check_includes(root, rooms):
    owner = {header: path for path, room in rooms.items() for header in room.public}
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            made = path.relative_to(root / folder)
            made = made.with_suffix("") if made.suffix == ".in" else made  # CMake makes the file without .in
            if path.is_dir() or made.suffix in OTHERS or str(path.parent).endswith(MADE_BY_PYTHON):
                continue
            own = owner.get(str(made)) if folder == "include" else room_of(str(made), rooms)
            if made.suffix not in CODE:
                yield f"{name}: nothing checks a file of this kind; headers end in .hpp, sources in .cpp"
            elif own is not None:
                yield from check_file(name, own, path, rooms, owner)
            elif folder == "src":
                yield f"{name}: it is in no room of src/rooms.txt"


def check_targets(root, build, rooms):
    """What CMake compiles, by its own record."""
    targets = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        unit = pathlib.Path(entry["file"])
        # A unit of several files includes them.
        paths = [unit]
        if unit.parent.name == "Unity":
            paths = map(pathlib.Path, re.findall(r'#include "(.*)"', unit.read_text(encoding="utf-8")))
        for path in paths:
            if path.is_relative_to(root / "src"):
                target = re.search(r" -o \S*CMakeFiles/([\w-]+)\.dir/", entry["command"])
                targets.setdefault(str(path.relative_to(root / "src")), []).append(target.group(1))
    for path in sorted((root / "src").rglob("*.cpp")):
        relative = str(path.relative_to(root / "src"))
        own = room_of(relative, rooms)
        if own in ON_DEMAND and relative not in targets:
            continue
        wanted = [PROGRAMS.get(relative, "grundy_" + str(own).replace("/", "_"))]
        if targets.get(relative) != wanted:
            yield f"src/{relative}: compiled by {targets.get(relative)} instead of {wanted}"


def check_sizes(root):
    for folder in ("src", "include", "tests", "bench", "scripts"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                length = len(path.read_text(encoding="utf-8").splitlines())
                if length > 600:
                    yield f"{path.relative_to(root)}: {length} lines, more than 600"


def check_types(root):
    """Types that headers define below namespaces, and sources below named ones."""
    faults, seen = [], {}
    for path in sorted([*root.glob("include/grundy/**/*.hpp"), *root.glob("src/**/*.?pp")]):
        spaces = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if opened := NAMESPACE.match(line):
                spaces.append(opened[1] or f"{path}")
            elif line.startswith("}  // namespace") and spaces:
                spaces.pop()
            elif defined := TYPE.match(line):
                place = str(path.relative_to(root))
                other = seen.setdefault("::".join([*spaces, defined[1]]), place)
                if other != place:
                    faults.append(f"{place}: {defined[1]} is a type of {other} too")
    return faults


def check_names(root):
    """Paths in texts: from the top, from src/, from the public headers, or from the folder of the text."""
    texts = [*root.glob("*.md"), *(path for folder in ("src", "include", "tests", "bench", "scripts")
                                   for path in (root / folder).rglob("*")
                                   if path.suffix in CODE | {".md"})]
    for path in texts:
        if path.name == "CHANGELOG.md":
            continue
        text = INCLUDE.sub("", path.read_text(encoding="utf-8"))
        for name in sorted(set(NAMED.findall(text))):
            places = (root, root / "src", root / "include" / "grundy", path.parent)
            if "NAME" not in name and not any((place / name).exists() or
                                              any(place.glob(name + ".*")) for place in places):
                yield f"{path.relative_to(root)}: names '{name}', which is not there"


def sections(path):
    """The names by which links reach the sections of a text, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.strip().lower()).replace(" ", "-") for title in titles}


def check_links(root):
    """Links between texts: the file is there, and so is the section."""
    for path in [*root.glob("*.md"), *(path for folder in ("src", "tests", "bench", "scripts")
                                       for path in (root / folder).rglob("*.md"))]:
        for file, section in LINK.findall(path.read_text(encoding="utf-8")):
            target = path.parent / file if file else path
            if not target.exists() or (section and section not in sections(target)):
                link = f"{file}#{section}" if section else file
                yield f"{path.relative_to(root)}: links to '{link}', which is not there"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path, help="of the project")
    parser.add_argument("build", nargs="?", type=pathlib.Path, help="directory that CMake has configured")
    options = parser.parse_args()
    root = options.root.resolve()
    rooms = read_rooms(root)
    faults = [*check_list(root, rooms), *check_includes(root, rooms), *check_sizes(root),
              *check_types(root), *check_names(root), *check_links(root)]
    if options.build:
        faults += check_targets(root, options.build.resolve(), rooms)
    print("\n".join(faults) if faults else "the structure holds")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
