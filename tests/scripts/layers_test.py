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
core | | fmt | error version
run | core | hdf5 | sink
run/inner | core run | |
"""
FILES = {
    "src/core/text.hpp": "#include <string>\n#include <fmt/format.h>\n#include <grundy/error.hpp>\n",
    "src/run/log.cpp": '#include "core/text.hpp"\n#include <hdf5.h>\n#include <grundy/error.hpp>\n',
    "src/run/inner/part.cpp": '#include "run/inner/part.hpp"\n#include "run/log.hpp"\n',
    "include/grundy/error.hpp": "#include <stdexcept>\n",
    "include/grundy/sink.hpp": "#include <grundy/error.hpp>\n",
    "include/grundy/version.hpp.in": "#include <string_view>\n",
    "scripts/slurm/README.md": "`src/core/text.hpp` and `grundy/version.hpp` are there, [as is this](README.md).\n",
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
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text(text)
            rooms = check_layers.read_rooms(root)
            return [*check_layers.check_list(root, rooms), *check_layers.check_includes(root, rooms),
                    *check_layers.check_sizes(root), *check_layers.check_types(root),
                    *check_layers.check_names(root), *check_layers.check_links(root)]

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
            ("src/core/text.hpp", "#include <zlib.h>\n", "no library that is known has <zlib.h>"),
            ("src/core/text.hpp", "#include <Eigen/Dense>\n", "no library that is known has <Eigen/Dense>"),
            ("src/core/text.hpp", '#include "core/words.txt"\n', "core/words.txt is no header"),
            ("src/core/more.h", '#include "run/log.hpp"\n', "src/core/more.h: nothing checks a file of this kind"),
            ("src/core/more.inc", "", "src/core/more.inc: nothing checks a file of this kind"),
            ("src/core/more.h.in", "", "src/core/more.h.in: nothing checks a file of this kind"),
            ("src/core/more.cpp.in", '#include "run/log.hpp"\n', "core may not include run/log.hpp"),
            ("include/grundy/more.h", "", "include/grundy/more.h: nothing checks a file of this kind"),
            ("include/grundy/version.hpp.in", "#include <QString>\n", "a public header includes QString"),
            ("include/grundy/sink.hpp", '#include "core/text.hpp"\n', "a public header includes core/text.hpp"),
            ("include/grundy/sink.hpp", "#include <fmt/format.h>\n", "a public header includes fmt/format.h"),
            ("include/grundy/error.hpp", "#include <grundy/sink.hpp>\n", "which belongs to run"),
            ("include/grundy/version.hpp.in", "/// @throws Error(kUsage)\n", "an Error includes <grundy/error.hpp>"),
            ("include/grundy/new.hpp", "", "no room of src/rooms.txt names it"),
            ("src/core/names.cpp", "\n" * 601, "601 lines, more than 600"),
            ("scripts/slurm/README.md", "`scripts/nosuch.py`\n", "names 'scripts/nosuch.py', which is not there"),
            ("include/grundy/sink.hpp", "// run/none.hpp\n", "names 'run/none.hpp', which is not there"),
            ("scripts/slurm/README.md", "[none](none.md)\n", "links to 'none.md', which is not there"),
            ("src/rooms.txt", "base | top | |\n", "base uses top, which does not stand below it"),
        ):
            with self.subTest(name=name, line=line):
                faults = self.faults(**{name: line})
                self.assertTrue(any(fault in each for each in faults), faults)

    def test_other_files_that_may_be_there(self):
        names = ("src/core/notes.md", "src/core/grundy.pc.in", "src/core/grundy.egg-info/PKG-INFO")
        self.assertEqual(self.faults(**{name: "" for name in names}), [])

    def test_headers_of_the_system(self):
        text = "#include <csignal>\n#include <signal.h>\n#include <sys/mman.h>\n#include <stop_token>\n"
        self.assertEqual(self.faults(**{"src/core/text.hpp": text}), [])

    def test_two_types_of_one_name(self):
        text = "namespace grundy {\nstruct Log {\n};\n}  // namespace grundy\n"
        faults = self.faults(**{"src/core/text.hpp": text, "src/run/log.cpp": text})
        self.assertEqual(faults, ["src/run/log.cpp: Log is a type of src/core/text.hpp too"])


unittest.main(argv=sys.argv[:1])
