#!/usr/bin/env python3
"""Draws a Grundy table of several heaps: a heat map of the values, and the P-positions.

Of more than two heaps the first two axes that vary are drawn, the others are held fixed (--at).
A table by rank is drawn as the square it stands for. Large tables are thinned out for the heat map;
P-positions are taken from their list in the file and are all drawn.

Usage: plot_lattice.py TABLE.h5 [-o PICTURE.png] [--to N] [--at C D ..] [--pass-left 0|1]
                       [--style STYLE]
The suffix of the picture decides its format (png, svg, pdf); --style print makes it fit for paper.
"""

import argparse
import itertools
import math
import sys

import numpy as np

import grundy_pictures as pictures
from grundy_pictures import spaced
from grundy_tables import open_table

CELLS = 1_024  # most cells of the heat map along an axis


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    pictures.add_arguments(parser, "TABLE")
    parser.add_argument("--to", type=int, help="draw heaps up to this one")
    parser.add_argument("--at", type=int, nargs="*", default=[], help="the third heap and on")
    parser.add_argument("--pass-left", type=int, choices=(0, 1), default=0)
    return parser.parse_args()


def ranks(heaps):
    """Ranks of positions, an array (.., k) of heaps: the formula that /lattice@ranking states."""
    heaps = np.sort(heaps, axis=-1)
    rank = np.zeros(heaps.shape[:-1], dtype=np.int64)
    for i in range(heaps.shape[-1]):
        term = np.ones_like(rank)
        for j in range(i + 1):  # C(x + i, i + 1), exact at every step
            term = term * (heaps[..., i] + j) // (j + 1)
        rank += term
    return rank


def plane(file, sizes, fixed, with_pass):
    """Values of the positions (x, y, fixed ..), thinned out, and the step between them."""
    data = file["grundy"]
    step = max(1, math.ceil(max(sizes) / CELLS))
    if file["lattice"].attrs["sorted"]:
        x, y = np.meshgrid(*(np.arange(0, size, step) for size in sizes), indexing="ij")
        heaps = np.stack([x, y, *(np.full_like(x, c) for c in fixed)], axis=-1)
        return np.asarray(data[()])[(ranks(heaps), *with_pass)], step
    index = tuple(slice(0, size, step) for size in sizes)
    return data[(*index, *fixed, *with_pass)], step


def p_positions(file, sizes, fixed, with_pass):
    """The first two heaps of the P-positions in the plane; both orders if the table is sorted."""
    points = file["p_positions"][()].astype(np.int64)
    heaps = int(file["lattice"].attrs["heaps"])
    if with_pass:
        points = points[points[:, heaps] == with_pass[0]]
    points = points[:, :heaps]
    if file["lattice"].attrs["sorted"]:
        # The others are the fixed ones in some order; which two heaps are drawn does not matter.
        wanted = np.sort(np.array(fixed, dtype=np.int64))
        found = []
        for pair in itertools.permutations(range(heaps), 2):
            rest = np.delete(points, pair, axis=1)
            found.append(points[(rest == wanted).all(axis=1)][:, pair])
        points = np.unique(np.concatenate(found), axis=0)
    else:
        points = points[(points[:, 2:] == np.array(fixed, dtype=np.int64)).all(axis=1), :2]
    return points[(points[:, 0] < sizes[0]) & (points[:, 1] < sizes[1])]


def draw(file, options):
    lattice = file["lattice"]
    extent = [int(n) for n in lattice["extent"][()]]
    fixed = (options.at + [0] * len(extent))[: len(extent) - 2]
    sizes = [n if options.to is None else min(n, options.to + 1) for n in extent[:2]]
    with_pass = (options.pass_left,) if lattice.attrs["planes"] > 1 else ()
    if any(not 0 <= c < n for c, n in zip(fixed, extent[2:])) or min(sizes) < 1:
        raise ValueError(f"it has heaps below {extent}: nothing to draw there")
    values, step = plane(file, sizes, fixed, with_pass)
    points = p_positions(file, sizes, fixed, with_pass)

    figure = pictures.new_figure(options.style, 13, 6)
    heat, zeros = figure.subplots(1, 2)
    image = heat.imshow(
        values.T,
        origin="lower",
        interpolation="nearest",
        extent=(-0.5, sizes[0] - 0.5, -0.5, sizes[1] - 0.5),
        aspect="auto" if max(sizes) > 4 * min(sizes) else "equal",
        cmap="viridis",
    )
    bar = figure.colorbar(image, ax=heat, label="Grundy value", fraction=0.046, pad=0.02)
    every = f", every {step}th heap" if step > 1 else ""
    heat.set(xlabel="heap 1", ylabel="heap 2", title=f"values{every}")
    size = figure.scale**2 * min(8.0, max(0.3, 3000 / max(len(points), 1)))
    zeros.scatter(
        points[:, 0], points[:, 1], s=size, color="black", linewidths=0, clip_on=False, zorder=3
    )
    complete = "" if file["p_positions"].attrs["complete"] else " (the list in the file ends early)"
    zeros.set(
        xlabel="heap 1",
        ylabel="heap 2",
        title=f"{spaced(len(points))} P-position{'' if len(points) == 1 else 's'}{complete}",
        xlim=(-0.5, sizes[0] - 0.5),
        ylim=(-0.5, sizes[1] - 0.5),
        aspect=heat.get_aspect(),
    )
    pictures.write_numbers_out(*(axis for axes in (heat, zeros) for axis in (axes.xaxis, axes.yaxis)),
                               bar.ax.yaxis)
    where = "".join(f", heap {i} = {c}" for i, c in enumerate(fixed, start=3))
    where += f", {'a' if with_pass[0] else 'no'} pass left" if with_pass else ""
    rule = str(file.attrs["rule"])
    figure.suptitle(
        f"{file.attrs['title']}{where}\n"
        f"{rule if len(rule) <= 90 else rule[:89] + '…'}   XXH3 {file.attrs['table_xxh3_128'][:12]}…",
        fontsize="medium",
    )
    pictures.save(figure, options)


def main():
    options = arguments()
    try:
        with open_table(options.file) as table:
            if not table.is_lattice:
                raise ValueError("it is of one heap: plot_table.py draws it")
            draw(table.file, options)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{options.file} cannot be drawn: {error}")


if __name__ == "__main__":
    main()
