#!/usr/bin/env python3
"""Exports real tables at each width with the command and loads them with NumPy.

Usage: npy_test.py GRUNDY_BINARY
"""

import os
import subprocess
import sys
import tempfile

import numpy

# Games whose largest value below 70 001 heaps needs one, two and four bytes; Nim's are known.
CASES = [("kayles", 1000, "|u1"), ("nim", 1000, "<u2"), ("nim", 70000, "<u4")]


def main():
    grundy = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for i, (game, last, dtype) in enumerate(CASES):
            table, array, text = (os.path.join(folder, f"{i}.{e}") for e in ("h5", "npy", "csv"))
            subprocess.run([grundy, "compute", game, "--to", str(last), "-o", table, "-q"],
                           check=True, stdout=subprocess.DEVNULL)
            for form, path in (("npy", array), ("csv", text)):
                subprocess.run([grundy, "export", table, "--format", form, "-o", path, "-q"],
                               check=True)
            values = numpy.load(array)
            assert values.dtype.str == dtype, values.dtype.str
            assert values.shape == (last + 1,), values.shape
            assert numpy.load(array, mmap_mode="r").offset % 64 == 0
            rows = numpy.loadtxt(text, delimiter=",", skiprows=1, dtype=numpy.int64)
            assert (rows[:, 0] == numpy.arange(last + 1)).all()
            assert (rows[:, 1] == values).all()
            if game == "nim":
                assert (values == numpy.arange(last + 1)).all()
    return 0


if __name__ == "__main__":
    sys.exit(main())
