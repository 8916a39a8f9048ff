"""Reads a table as users of Python do and compares every value with its formula.

Called by python_test.cpp with the file, the number of values and the modulus: the value of heap n
is n * n mod modulus.
"""
# SPDX-License-Identifier: MIT
import sys

import h5py
import numpy as np
import xarray

path, count, modulus = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
expected = np.arange(count, dtype=np.uint64) ** 2 % modulus
width = 1 if modulus <= 255 else 2 if modulus <= 65535 else 4

values = h5py.File(path)["grundy"][:]
assert values.dtype == np.dtype(f"<u{width}"), values.dtype
assert np.array_equal(values, expected)

with h5py.File(path) as file:
    dataset = file["grundy"]
    filters = dataset.id.get_create_plist()
    assert [filters.get_filter(i)[0] for i in range(filters.get_nfilters())] == [2, 1]
    assert dataset.fillvalue == 256**width - 1
    assert "_FillValue" not in dataset.attrs
    assert file.attrs["format"] == "grundy-table" and isinstance(file.attrs["title"], str)
    assert (file.attrs["format_major"], file.attrs["complete"]) == (2, 1)
    assert file.attrs["title"] == "Kayles – ünïcode ✓"
    assert dataset.attrs["end"] == count and dataset.attrs["max_value"] == expected.max()
    assert np.array_equal(file["stats/value_counts"], np.bincount(expected.astype(int)))
    heap, value = file["stats/records"][-1]
    assert (heap, value) == (expected.argmax(), expected.max())
    assert file["provenance/run_json"].asstr()[()].startswith("{")
    assert file["period"].attrs["status"] == "none"

# None is what a user gets who names no engine: netcdf4 if it is installed, else h5netcdf.
for engine in (None, "h5netcdf"):
    data = xarray.open_dataset(path, engine=engine)["grundy"]
    assert data.dims == ("heap_size",), data.dims
    assert data.dtype == values.dtype, (engine, data.dtype)  # not turned into floats
    assert np.array_equal(data.values, expected)
    assert not list(data.coords)
