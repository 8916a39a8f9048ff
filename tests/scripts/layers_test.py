"""Breaks the structure of a small tree in each way that check_layers.py promises to find.

Usage: layers_test.py SCRIPTS_DIRECTORY
"""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])
import check_layers  # noqa: E402

ROOMS = """# path | uses | libraries | public headers
core | | fmt | error
run | core | hdf5 | sink
run/inner | core run | |
"""
FILES = {
    "src/core/text.hpp": "#include <string>\n#include <fmt/format.h>\n#include <grundy/error.hpp>\n",
    "src/run/log.cpp": '#include "core/text.hpp"\n#include <hdf5.h>\n#include <grundy/error.hpp>\n',
    "src/run/inner/part.cpp": '#include "run/inner/part.hpp"\n#include "run/log.hpp"\n',
    "include/grundy/error.hpp": "#include <stdexcept>\n",
    "include/grundy/sink.hpp": "#include <grundy/error.hpp>\n",
}


class Includes(unittest.TestCase):
    def faults(self, **changes):
        """What is wrong after these files (dots in place of slashes) got one more line."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**FILES, "src/rooms.txt": ROOMS}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + changes.pop(name, ""))
            for name, text in changes.items():
                (root / name).write_text(text)
            rooms = check_layers.read_rooms(root)
            return [*check_layers.check_list(root, rooms), *check_layers.check_includes(root, rooms),
                    *check_layers.check_sizes(root), *check_layers.check_types(root)]

    def test_a_tree_that_keeps_the_rules(self):
        self.assertEqual(self.faults(), [])

    def test_every_broken_rule_is_named(self):
        for name, line, fault in (
            ("src/core/text.hpp", '#include "run/log.hpp"\n', "core may not include run/log.hpp"),
            ("src/core/text.hpp", "#include <run/log.hpp>\n", "core may not include run/log.hpp"),
            ("src/core/text.hpp", "#include <grundy/sink.hpp>\n", "which belongs to run"),
            ("src/run/log.cpp", '#include "run/inner/part.hpp"\n', "run may not include run/inner/part.hpp"),
            ("src/run/log.cpp", '#include "log.hpp"\n', "is not written as room/file"),
            ("src/run/log.cpp", "#include <grundy/none.hpp>\n", "is no public header of a room"),
            ("src/core/text.hpp", "#include <hdf5.h>\n", "core does not use the library of <hdf5.h>"),
            ("include/grundy/sink.hpp", '#include "core/text.hpp"\n', "a public header includes core/text.hpp"),
            ("include/grundy/sink.hpp", "#include <fmt/format.h>\n", "a public header includes fmt/format.h"),
            ("include/grundy/error.hpp", "#include <grundy/sink.hpp>\n", "which belongs to run"),
            ("include/grundy/new.hpp", "", "no room of src/rooms.txt names it"),
            ("src/core/names.cpp", "\n" * 601, "601 lines, more than 600"),
            ("src/rooms.txt", "base | top | |\n", "base uses top, which does not stand below it"),
        ):
            with self.subTest(name=name, line=line):
                faults = self.faults(**{name: line})
                self.assertTrue(any(fault in each for each in faults), faults)

    def test_two_types_of_one_name(self):
        text = "namespace grundy {\nstruct Log {\n};\n}  // namespace grundy\n"
        faults = self.faults(**{"src/core/text.hpp": text, "src/run/log.cpp": text})
        self.assertEqual(faults, ["src/run/log.cpp: Log is a type of src/core/text.hpp too"])


unittest.main(argv=sys.argv[:1])
