"""What is left out is said: by gates.sh and what CI does, where compilers and tests are stand-ins, and by CTest
of a test whose tool is missing.

Usage: left_out_test.py SOURCE_DIRECTORY
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
# Compilers: what they build runs, or does not; they build nothing.
RUNS, FAILS = (f"printf '#!/bin/sh\\n{end}\\n' >$out; chmod +x $out" for end in ("true", "false"))
NONE = "exit 1"


class Gates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("scripts/gates.sh", ".ci/run"):
            (self.root / name).parent.mkdir()
            shutil.copy(SOURCE / name, self.root / name)
        for name in ("install_packages.sh", "test.sh"):
            self.program(f"scripts/{name}", "")
        for name in ("cmake", "ctest", "clang-tidy-14"):
            self.program(f"bin/{name}", "")
        self.program("build/clang/compile_commands.json", '  "file": "one.cpp",')

    def program(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)

    def run_with(self, compiler, *command):
        """What a command says, and its exit code, where this is the compiler."""
        self.program("bin/c++", f"cat >/dev/null\nfor out; do :; done\n{compiler}")
        run = subprocess.run([self.root / command[0], *command[1:]], text=True, capture_output=True,
                             env={**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}"})
        return run.stdout, run.returncode

    def test_a_gate_that_holds(self):
        said, code = self.run_with(RUNS, "scripts/gates.sh", "tsan", "asan_files")
        self.assertRegex(said, r"gate tsan holds \(\d+ s\)\ngate asan_files\ngate asan_files holds")
        self.assertEqual(code, 0)

    def test_a_gate_that_is_left_out_does_not_hold(self):
        for compiler in (FAILS, NONE):
            said, code = self.run_with(compiler, "scripts/gates.sh", "tsan", "clang")
            self.assertRegex(said, r"no program runs with -fsanitize=thread.*\ngate tsan is left out \(\d+ s\)\n")
            self.assertNotIn("tsan holds", said)
            self.assertIn("gate clang holds", said)
            self.assertEqual(code, 77)
            said, code = self.run_with(compiler, ".ci/run")
            self.assertEqual((code, said.count("is left out"), said.count(" holds")), (0, 2, 3), said)

    def test_a_finding_ends_all(self):
        self.program("bin/ctest", "exit 8")
        said, code = self.run_with(RUNS, "scripts/gates.sh", "tsan", "clang")
        self.assertEqual(code, 8)
        self.assertNotIn("holds", said)
        self.assertNotIn("gate clang", said)
        said, code = self.run_with(RUNS, ".ci/run")
        self.assertNotEqual(code, 0)
        self.assertNotIn("holds", said)

    def test_cases_that_are_not_there_are_a_finding(self):
        programs = [f"build/tsan/bin/{name}_test" for name in ("heap_dense", "session", "atlas", "verify")]
        for cases, expected in ((2, 0), (0, 1)):
            for program in programs:
                self.program(program, f"echo '[  PASSED  ] {cases} tests.'")
            said, code = self.run_with(RUNS, "scripts/gates.sh", "tsan_ranks")
            self.assertEqual((code, "gate tsan_ranks holds" in said), (expected, expected == 0), said)
        self.program(programs[-1], "echo '[  PASSED  ] 2 tests.'; exit 66")
        self.assertEqual(self.run_with(RUNS, "scripts/gates.sh", "tsan_ranks")[1], 1)

    def test_ci_is_content_where_all_hold(self):
        said, code = self.run_with(RUNS, ".ci/run")
        self.assertEqual((code, said.count("holds")), (0, 5), said)


class Tools(unittest.TestCase):
    def test_a_test_without_its_tool_is_reported(self):
        project = f"""cmake_minimum_required(VERSION 3.25)
project(tools NONE)
enable_testing()
include({SOURCE}/tests/support/tool_test.cmake)
set(there yes)
set(absent absent-NOTFOUND)
grundy_tool_test(there "it" one COMMAND sh -c "exit 0")
grundy_tool_test(there "it" two COMMAND sh -c "exit 1")
grundy_tool_test(absent "a tool" three COMMAND sh -c "exit 1")
"""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "CMakeLists.txt").write_text(project, encoding="utf-8")
            subprocess.run(["cmake", "."], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            said = subprocess.run(["ctest", "-V"], cwd=folder, text=True, capture_output=True).stdout
        for line in (r"one \.+ +Passed", r"two \.+\*+Failed", r"three \.+\*+Skipped", "a tool is missing"):
            self.assertRegex(said, line)


unittest.main(argv=sys.argv[:1])
