"""The type hints of the package: mypy accepts it in strict mode, and programs that use it; the stubs of the extension
module are what it has. Exit code 77 without mypy.
"""

import doctest
import importlib
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

try:
    import mypy.api
except ImportError:
    print("types are not checked: mypy is not here (apt-get install mypy)")
    sys.exit(77)

import grundy

PACKAGE = pathlib.Path(grundy.__file__).parent
ALLOWED = pathlib.Path(__file__).parent / "stubs_allowed.txt"
MODULES = ("_compute", "_games", "_nimbers", "_own", "_tables")

PROGRAM = '''\
from collections.abc import Iterable

import grundy


class Subtraction(grundy.GraphGame):
    start = 12

    def options(self, position: object) -> Iterable[int]:
        return [position - 1] if isinstance(position, int) and position > 0 else []


own: int = grundy.values(Subtraction())[12]
heaps: int = int(grundy.values(lambda n: range(n), to=9)[9])
product: int = grundy.nim_mul(grundy.nim_sum(5, 6), 7)
found: grundy.Period = grundy.period("kayles", to=2**12, threads=1)
length: int = found.period if found.certified and found.period is not None else 0
for chunk in grundy.compute("kayles", to="10^3").statistics.records:
    print(chunk[0], chunk[1])
total: int = grundy.Sum("kayles:5,7", "*1").value
'''
WRONG = '''\
import grundy

grundy.values("kayles", too=9)
grundy.period("kayles").length
text: str = grundy.nim_mul(2, 2)
'''


def check(text, folder, *options):
    """What mypy says of a program, line by line. What it learns of NumPy stays in the folder."""
    program = pathlib.Path(folder) / "program.py"
    program.write_text(text, encoding="utf-8")
    out, err, _ = mypy.api.run([*options, "--cache-dir", folder, "--no-error-summary", str(program)])
    return (out + err).splitlines()


def examples():
    """The examples of all docstrings, a function for each docstring."""
    lines = ["import math", "import numpy as np", "import grundy", "from grundy import *", ""]
    for name in MODULES:
        for test in doctest.DocTestFinder().find(importlib.import_module(f"grundy.{name}")):
            if not test.examples:
                continue
            lines.append(f"def example_{len(lines)}() -> None:")
            lines += [textwrap.indent(example.source, "    ") for example in test.examples]
    return "\n".join(lines)


class TypesTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def test_the_package_is_typed_strictly(self):
        self.assertTrue((PACKAGE / "py.typed").is_file())
        out, err, code = mypy.api.run(["--strict", "--cache-dir", self.folder, str(PACKAGE)])
        self.assertEqual((code, err), (0, ""), out)

    def test_programs_that_use_it_are_accepted(self):
        self.assertEqual(check(PROGRAM, self.folder, "--strict"), [])
        self.assertEqual(check(examples(), self.folder), [])

    def test_mistakes_are_seen(self):
        self.assertEqual(sum(": error: " in line for line in check(WRONG, self.folder, "--strict")), 3)

    def test_stubs_say_what_the_extension_has(self):
        run = subprocess.run(
            [sys.executable, "-m", "mypy.stubtest", "grundy._core", "--concise", "--allowlist", ALLOWED,
             "--ignore-unused-allowlist"], capture_output=True, text=True, check=False, cwd=PACKAGE.parent)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
