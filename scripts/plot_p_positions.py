#!/usr/bin/env python3
"""Draws a list of P-positions (`grundy compute --outcomes -o FILE`).

  one heap       how many heaps up to n are P-positions, and the first heaps row by row, W in a row: what
                 recurs stands in columns. W is the length for which most heaps are like those above
                 them, or --width
  several heaps  the P-positions in the first two heaps, the others held fixed (--at); and how many
                 have n tokens in their largest heap
  positions      how many each layer has; moves lead to smaller layers

The list is read piece by piece; of several heaps, what is drawn of it is kept.

Usage: plot_p_positions.py LIST.h5 [-o PICTURE.png] [--to N] [--at C D ..] [--width W] [--style STYLE]
The suffix of the picture decides its format (png, svg, pdf); --style print makes it fit for paper.
"""

import argparse
import itertools
import sys

import h5py
import numpy as np

import grundy_pictures as pictures
from grundy_pictures import spaced

PIECE = 1 << 20  # rows that are read at a time
CELLS = 256  # most cells of the raster of one heap along an axis
POINTS = 2_000_000  # most P-positions of several heaps that are drawn
CURVE = 2_000  # most points of a curve


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    pictures.add_arguments(parser, "LIST")
    parser.add_argument("--to", type=int, help="draw heaps up to this one")
    parser.add_argument("--at", type=int, nargs="*", default=[], help="the third heap and on")
    parser.add_argument("--width", type=int, help="heaps in a row of the raster of one heap")
    return parser.parse_args()


def pieces(rows):
    for begin in range(0, rows.shape[0], PIECE):
        yield rows[begin : begin + PIECE].astype(np.int64)


def like_above(is_p, width):
    """The share of heaps whose outcome is that of the heap `width` before."""
    return float((is_p[width:] == is_p[:-width]).mean())


def draw_heaps(file, options, figure):
    count = int(file["extent"][0])
    end = count if options.to is None else min(count, options.to + 1)
    if end < 1:
        raise ValueError("there is nothing to draw")
    listed = np.concatenate([piece[piece < end] for piece in pieces(file["positions"])] or
                            [np.zeros(0, dtype=np.int64)])
    counted, raster = figure.subplots(1, 2)
    at = np.unique(np.geomspace(1, max(len(listed), 1), CURVE).astype(np.int64))[: len(listed)] - 1
    counted.step(listed[at] + 1, at + 1, where="post", color="black")
    counted.set(xlabel="heaps up to n", ylabel="P-positions", xscale="log", yscale="log")
    pictures.write_short_axes_out(counted.xaxis, counted.yaxis)

    is_p = np.zeros(min(end, CELLS * CELLS), dtype=bool)
    is_p[listed[listed < len(is_p)]] = True
    widths = range(1, min(CELLS, len(is_p) // 2) + 1)
    width = options.width or max(widths, key=lambda w: like_above(is_p, w), default=1)
    if not 1 <= width <= len(is_p):
        raise ValueError(f"it has {spaced(end)} heaps: no row of {spaced(width)} of them")
    rows = min(CELLS, -(-len(is_p) // width))
    cells = np.ma.masked_all(rows * width)
    drawn = is_p[: rows * width]
    cells[: len(drawn)] = drawn
    raster.imshow(cells.reshape(rows, width), cmap="binary", interpolation="nearest",
                  aspect="auto", vmin=0, vmax=1, extent=(-0.5, width - 0.5, (rows - 0.5) * width, -0.5 * width))
    raster.set(xlabel=f"n mod {width}", ylabel="n", title="P-positions, black")
    pictures.write_numbers_out(raster.xaxis, raster.yaxis)
    return f"{spaced(len(listed))} P-positions among heaps 0 to {spaced(end - 1)}"


def in_plane(points, fixed, is_sorted):
    """The first two heaps of those with the other heaps fixed; both orders if the list is sorted."""
    wanted = np.array(fixed, dtype=np.int64)
    if not is_sorted:
        return points[(points[:, 2:] == wanted).all(axis=1), :2]
    found = []
    for pair in itertools.permutations(range(points.shape[1]), 2):
        rest = np.delete(points, pair, axis=1)
        found.append(points[(rest == np.sort(wanted)).all(axis=1)][:, pair])
    return np.concatenate(found)


def draw_shape(file, options, figure):
    extent = [int(n) for n in file["extent"][()]]
    heaps = len(extent)
    fixed = (options.at + [0] * heaps)[: heaps - 2]
    sizes = [n if options.to is None else min(n, options.to + 1) for n in extent[:2]]
    if any(not 0 <= c < n for c, n in zip(fixed, extent[2:])) or min(sizes) < 1:
        raise ValueError(f"it has heaps below {extent}: nothing to draw there")
    found, counts = [], np.zeros(min(extent), dtype=np.int64)
    for piece in pieces(file["positions"]):
        points = piece[:, :heaps]
        if file.attrs["planes"] > 1:
            points = points[piece[:, heaps] == 0]  # no pass is left
        largest = points.max(axis=1)
        counts += np.bincount(largest[largest < len(counts)], minlength=len(counts))
        plane = in_plane(points, fixed, bool(file.attrs["sorted"]))
        found.append(plane[(plane[:, 0] < sizes[0]) & (plane[:, 1] < sizes[1])])
        if sum(map(len, found)) > POINTS:
            raise ValueError(f"it has more than {spaced(POINTS)} P-positions there; choose fewer by --to")
    points = np.unique(np.concatenate(found or [np.zeros((0, 2), dtype=np.int64)]), axis=0)
    plane, counted = figure.subplots(1, 2)
    size = figure.scale**2 * min(8.0, max(0.3, 3000 / max(len(points), 1)))
    plane.scatter(points[:, 0], points[:, 1], s=size, color="black", linewidths=0, clip_on=False, zorder=3)
    where = "".join(f", heap {i} = {c}" for i, c in enumerate(fixed, start=3))
    plane.set(xlabel="heap 1", ylabel="heap 2", xlim=(-0.5, sizes[0] - 0.5), ylim=(-0.5, sizes[1] - 0.5),
              aspect="auto" if max(sizes) > 4 * min(sizes) else "equal",
              title=f"{spaced(len(points))} P-positions{where}")
    counted.plot(counts, ".", markersize=3 * figure.scale, color="black")
    counted.set(xlabel="tokens in the largest heap", ylabel="P-positions")
    pictures.write_numbers_out(plane.xaxis, plane.yaxis, counted.xaxis, counted.yaxis)
    orders = "the order of heaps does not count" if file.attrs["sorted"] else "each order counts"
    return f"{spaced(int(file.attrs['p_positions']))} P-positions in all, {orders}"


def draw_layers(file, figure):
    counts = np.zeros(0, dtype=np.int64)
    for piece in pieces(file["layer"]):
        some = np.bincount(piece)
        counts = np.pad(counts, (0, max(0, len(some) - len(counts))))
        counts[: len(some)] += some
    axes = figure.subplots(1, 1)
    axes.bar(np.arange(len(counts)), counts, width=0.8, color="black")
    axes.set(xlabel="layer", ylabel="P-positions")
    pictures.write_numbers_out(axes.xaxis, axes.yaxis)
    return (f"{spaced(int(file.attrs['listed_positions']))} P-positions among "
            f"{spaced(int(file.attrs['positions']))} positions")


def draw(file, options):
    kind = file.attrs.get("format")
    if kind not in ("grundy-outcomes", "grundy-p-positions"):
        raise ValueError("it is no list of P-positions")
    if not file.attrs.get("complete"):
        raise ValueError("it is not complete")
    figure = pictures.new_figure(options.style, 13, 6)
    if kind == "grundy-p-positions":
        said = draw_layers(file, figure)
        digest = file.attrs["table_xxh3_128"]
    else:
        is_heap = len(file["extent"]) == 1
        said = (draw_heaps if is_heap else draw_shape)(file, options, figure)
        digest = file.attrs["xxh3_128"]
    title = str(file.attrs["title"])
    if file.attrs["play_convention"] == "misere" and "misère" not in title:
        title += " in misère play"
    figure.suptitle(f"{title}: {said}\nXXH3 {digest[:12]}…", fontsize="medium")
    pictures.save(figure, options)


def main():
    options = arguments()
    try:
        with h5py.File(options.file, "r") as file:
            draw(file, options)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{options.file} cannot be drawn: {error}")


if __name__ == "__main__":
    main()
