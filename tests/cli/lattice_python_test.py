"""Opens tables of several heaps as users of Python do, and compares them with a definition.

Usage: lattice_python_test.py GRUNDY
"""
# SPDX-License-Identifier: MIT
import itertools
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import xarray

GRUNDY = sys.argv[1]


def compute(game, shape, *options):
    """The path of a new table."""
    path = f"{len(os.listdir('.'))}.h5"
    command = [GRUNDY, "compute", game, "--shape", shape, "-o", path, "-q", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def mex(values):
    values = set(values)
    return next(v for v in itertools.count() if v not in values)


def wythoff(size):
    g = np.zeros((size, size), dtype=int)
    for x, y in itertools.product(range(size), repeat=2):
        diagonal = (g[x - t, y - t] for t in range(1, min(x, y) + 1))
        g[x, y] = mex([*g[x, :y], *g[:x, y], *diagonal])
    return g


def check_box():
    path = compute("wythoff", "60x60")
    expected = wythoff(60)
    values = h5py.File(path)["grundy"][:]
    assert values.dtype == np.uint8 and np.array_equal(values, expected)
    with h5py.File(path) as file:
        assert np.array_equal(file["p_positions"], np.argwhere(expected == 0))
        assert file["p_positions"].dtype == np.uint32
        assert file["p_positions"].attrs["complete"] == 1
        assert np.array_equal(file["stats/value_counts"], np.bincount(expected.ravel()))
        assert file["grundy"].attrs["argmax"] == expected.argmax()
        assert "_FillValue" not in file["grundy"].attrs and file["grundy"].fillvalue == 255
        assert file.attrs["description"].startswith("Position: 2 heaps. A move: take any number of tokens from one heap")
        assert (file["lattice"].attrs["heaps"], file["lattice"].attrs["sorted"]) == (2, 0)
        assert file["lattice/extent"][:].tolist() == [60, 60]
    for engine in (None, "h5netcdf"):
        data = xarray.open_dataset(path, engine=engine)["grundy"]
        assert data.dims == ("heap_1", "heap_2"), data.dims
        assert data.dtype == np.uint8 and np.array_equal(data.values, expected)


def check_ranks():
    path = compute("wythoff", "60x60", "--sorted")
    expected = wythoff(60)
    with h5py.File(path) as file:
        assert "C(x2 + 1, 2)" in file["lattice"].attrs["ranking"]
        pairs = [(x, y) for y in range(60) for x in range(y + 1)]
        assert file["grundy"][:].tolist() == [expected[p] for p in pairs]
        listed = [p for p in pairs if expected[p] == 0]
        assert [tuple(p) for p in file["p_positions"][:].tolist()] == listed
    assert xarray.open_dataset(path)["grundy"].dims == ("rank",)


def check_pass():
    path = compute("nim-with-a-pass(3)", "7x7x7")
    nim = np.bitwise_xor.reduce(np.indices((7, 7, 7)), axis=0)
    with h5py.File(path) as file:
        assert file["grundy"].shape == (7, 7, 7, 2)
        assert np.array_equal(file["grundy"][..., 0], nim), "without a pass it is Nim"
        assert np.array_equal(file["p_positions"], np.argwhere(file["grundy"][:] == 0))
    dims = xarray.open_dataset(path)["grundy"].dims
    assert dims == ("heap_1", "heap_2", "heap_3", "pass_left"), dims


with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    check_box()
    check_ranks()
    check_pass()
