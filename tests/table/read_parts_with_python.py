"""Opens a table in parts as users of Python do, and compares it with the same table in one file.

Called by python_test.cpp with the directory of both, and that of the scripts.
"""
# SPDX-License-Identifier: MIT
import os
import pathlib
import sys

import h5py
import numpy as np
import xarray

folder, scripts = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, scripts)
from grundy_tables import open_table  # noqa: E402

with h5py.File(folder / "one.h5") as file:
    expected = file["grundy"][:]
    about = {name: file[f"stats/{name}"][:] for name in ("value_counts", "records")}
    listed = file["p_positions"][:]
    digest = file.attrs["table_xxh3_128"]
assert expected.size > 1000 and expected.max() > 255


def check(path):
    with h5py.File(path) as file:
        values = file["grundy"]
        assert values.is_virtual and values.dtype == expected.dtype and values.shape == expected.shape
        assert np.array_equal(values[:], expected)
        assert np.array_equal(values[7:31, 3:20], expected[7:31, 3:20])
        assert values.fillvalue == np.iinfo(values.dtype).max and "_FillValue" not in values.attrs
        assert (file.attrs["format"], file.attrs["format_major"]) == ("grundy-table", 3)
        assert all(np.array_equal(file[f"stats/{name}"], column) for name, column in about.items())
        assert np.array_equal(file["p_positions"], listed)
        assert file.attrs["table_xxh3_128"] == digest
        sources = [source.file_name for source in values.virtual_sources()]
        assert sources == [f"t.parts/part-{i:04}.h5" for i in range(len(sources))], sources
    data = xarray.open_dataset(path, engine="h5netcdf")["grundy"]
    assert data.dims == ("heap_1", "heap_2") and np.array_equal(data.values, expected)
    with open_table(path) as table:
        assert np.array_equal(table[:], expected)


def refused(path):
    try:
        open_table(path).close()
    except ValueError as error:
        return str(error)
    raise AssertionError(f"{path} was opened")


check(folder / "t.h5")
os.chdir("/")
check(folder / "t.h5")
os.chdir(folder / "t.parts")
check("../t.h5")
moved = folder / "moved"
moved.mkdir()
(folder / "t.h5").rename(moved / "t.h5")
(folder / "t.parts").rename(moved / "t.parts")
check(moved / "t.h5")

parts = sorted((moved / "t.parts").iterdir())
assert "is a part of a table" in refused(parts[1])
for part in parts:
    bytes_of_part = part.read_bytes()
    part.unlink()
    assert part.name in refused(moved / "t.h5")
    part.write_bytes(bytes_of_part[: len(bytes_of_part) // 2])
    assert part.name in refused(moved / "t.h5")
    part.write_bytes(parts[1 if part == parts[0] else 0].read_bytes())
    assert part.name in refused(moved / "t.h5")
    part.write_bytes(bytes_of_part)
check(moved / "t.h5")
