#!/usr/bin/env python3
"""Draws a Grundy table: the values over the heap sizes, and how often each value occurs.

Reads the table chunk by chunk, so 10^9 values need no more memory than one picture. Up to 20 000
values are drawn as points; longer tables as a density (heaps per cell, logarithmic colours). A table
with a proved period is drawn for its first periods, unless --to asks for more; a line marks the
preperiod.

Usage: plot_table.py TABLE.h5 [-o PICTURE.png] [--from A] [--to B]
The suffix of the picture decides its format (png, svg, pdf).
"""

import argparse
import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm

POINTS = 20_000  # most values that are drawn one by one
COLUMNS = 1_200  # cells of the density along the heap axis
ROWS = 400  # most cells along the value axis
STEP = 1 << 22  # values read at a time
PERIODS = 6  # that are drawn of a periodic table


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="default: TABLE.png")
    parser.add_argument("--from", dest="begin", type=int, default=0, help="first heap")
    parser.add_argument("--to", dest="last", type=int, help="last heap")
    return parser.parse_args()


def count_cells(data, begin, end, top):
    """Heaps per (column, row) cell and per value, for the values of heaps begin .. end-1."""
    rows = min(top + 1, ROWS)
    cells = np.zeros(COLUMNS * rows, dtype=np.int64)
    counts = np.zeros(top + 1, dtype=np.int64)
    for at in range(begin, end, STEP):
        values = data[at : min(at + STEP, end)].astype(np.int64)
        heaps = np.arange(at, at + len(values), dtype=np.int64)
        column = (heaps - begin) * COLUMNS // (end - begin)
        cells += np.bincount(column * rows + values * rows // (top + 1), minlength=len(cells))
        counts += np.bincount(values, minlength=top + 1)
    return cells.reshape(COLUMNS, rows).T, counts


def proved_period(file):
    """(preperiod, period) of the table if they are certified, else None."""
    facts = file["period"].attrs
    if facts["status"] != "certified":
        return None
    return int(facts["preperiod"]), int(facts["period"])


def default_end(file):
    """The end of what is drawn: the table's, or that of some periods."""
    size = file["grundy"].shape[0]
    periodic = proved_period(file)
    return size if periodic is None else min(size, periodic[0] + PERIODS * periodic[1])


def draw(file, begin, end, output):
    data = file["grundy"]
    top = int(data.attrs["max_value"])
    cells, counts = count_cells(data, begin, end, top)

    figure, (over_heaps, histogram) = plt.subplots(
        1, 2, figsize=(13, 5), width_ratios=(3, 1), sharey=True, layout="constrained"
    )
    if end - begin <= POINTS:
        heaps = np.arange(begin, end)
        size = 8 if len(heaps) < 1000 else 2
        over_heaps.plot(heaps, data[begin:end], linestyle="", marker=".", markersize=size, color="C0")
    else:
        image = over_heaps.imshow(
            np.ma.masked_equal(cells, 0),
            origin="lower",
            aspect="auto",
            interpolation="nearest",
            extent=(begin, end, -0.5, top + 0.5),
            norm=LogNorm(vmin=1),
            cmap="viridis",
        )
        figure.colorbar(image, ax=over_heaps, label="heaps per cell", pad=0.01)
    periodic = proved_period(file)
    if periodic is not None and begin <= periodic[0] < end:
        preperiod, period = periodic
        label = f"period {period} from heap {preperiod} on"
        over_heaps.axvline(preperiod - 0.5, color="C1", label=label)
        over_heaps.legend(loc="upper right")
    over_heaps.set(xlabel="heap n", ylabel="Grundy value G(n)", xlim=(begin, end))

    histogram.barh(np.arange(top + 1), counts, height=0.9, color="C0")
    histogram.set(xlabel="number of heaps")
    histogram.set_xscale("log")
    histogram.set_xlim(left=0.7)

    digest = str(file.attrs["table_xxh3_128"])[:12]
    title = str(file.attrs["title"])
    heaps = f"heaps {begin:,} to {end - 1:,}".replace(",", "\N{THIN SPACE}")
    figure.suptitle(f"{title}: {heaps}   (table {digest}…)")
    figure.savefig(output, dpi=130)


def main():
    options = arguments()
    output = options.output or options.table.with_suffix(".png")
    try:
        with h5py.File(options.table, "r") as file:
            size = file["grundy"].shape[0]
            end = default_end(file) if options.last is None else options.last + 1
            if not 0 <= options.begin < end <= size:
                sys.exit(f"{options.table} holds heaps 0 to {size - 1}: nothing to draw there")
            draw(file, options.begin, end, output)
    except (OSError, KeyError) as error:
        sys.exit(f"{options.table} cannot be read as a Grundy table: {error}")
    print(output)


if __name__ == "__main__":
    main()
