#!/usr/bin/env python3
"""Draws a family of games: a file that `grundy atlas` wrote, not one of `grundy census`.

Left: classes with a certified period, period over preperiod. Middle: classes without one, the share
of their heaps that is rare over their maximum; those whose period the literature knows are drawn
apart. Right: games by the class they are in. The area of a point grows with the number of games in its
class; the classes at the edges are named.

Usage: plot_census.py ATLAS.h5 [-o PICTURE.png] [--style STYLE]
The suffix of the picture decides its format (png, svg, pdf); --style print makes it fit for paper.
"""

import argparse
import sys

import numpy as np
from matplotlib.ticker import LogLocator
from matplotlib.transforms import Bbox

import grundy_pictures as pictures
from grundy_pictures import spaced
from grundy_tables import open_atlas

NAMED = 9  # classes that are named in each panel


def number(text):
    return int(text) if text else 0


def name_points(axes, rows, x, y, order):
    """Names the first points of an order whose names fit the panel and touch nothing else."""
    renderer = axes.figure.canvas.get_renderer()
    panel = axes.get_window_extent(renderer)
    legend = axes.get_legend()
    taken = [] if legend is None else [legend.get_window_extent(renderer)]
    radii = np.sqrt(areas(axes, rows) / np.pi) * axes.figure.dpi / 72
    for (px, py), radius in zip(axes.transData.transform(np.column_stack((x, y))), radii):
        taken.append(Bbox.from_bounds(px - radius, py - radius, 2 * radius, 2 * radius))
    names = 0
    for i in order:
        for dx, dy, side in ((4, 3, "left"), (-4, 3, "right"), (4, -9, "left"), (-4, -9, "right")):
            text = axes.annotate(rows[i]["game"], (x[i], y[i]), xytext=(dx, dy), ha=side,
                                 textcoords="offset points", fontsize="small")
            box = text.get_window_extent(renderer)
            inside = panel.x0 < box.x0 and box.x1 < panel.x1 and panel.y0 < box.y0 < box.y1 < panel.y1
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                names += 1
                break
            text.remove()
        if names == NAMED:
            break


def write_out_few_decades(*axes):
    """Ticks at 1, 2, 5, 10, 20 and so on."""
    for axis in axes:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    pictures.write_numbers_out(*axes)


def areas(axes, rows):
    return axes.figure.scale**2 * 12 * np.sqrt([number(row["games"]) for row in rows])


def draw_certified(axes, rows):
    axes.set_title(f"{len(rows)} classes with a proved period")
    axes.set(xlabel="preperiod + 1", ylabel="period", xscale="log", yscale="log")
    write_out_few_decades(axes.xaxis, axes.yaxis)
    axes.grid(alpha=0.3)
    if not rows:
        return None
    x = np.array([number(row["preperiod"]) + 1 for row in rows])
    y = np.array([number(row["period"]) for row in rows])
    axes.scatter(x, y, s=areas(axes, rows), alpha=0.6, color="C0")
    return axes, rows, x, y, np.argsort(-(np.log(x) + np.log(y)), kind="stable")


def draw_open(axes, rows):
    axes.set_title(f"{len(rows)} classes open from these values")
    axes.set(xlabel="maximum", ylabel="rare heaps in per cent", xscale="log", yscale="log")
    write_out_few_decades(axes.xaxis, axes.yaxis)
    axes.grid(alpha=0.3)
    rows = [row for row in rows if number(row["rare"]) > 0]
    if not rows:
        return None
    x = np.array([number(row["maximum"]) for row in rows])
    y = np.array([100 * number(row["rare"]) / number(row["values"]) for row in rows])
    known = np.array([row.get("literature") == "solved" for row in rows])
    for chosen, colour, label in ((~known, "C1", "not solved, or not listed"),
                                  (known, "C2", "solved in the literature")):
        if chosen.any():
            axes.scatter(x[chosen], y[chosen], s=areas(axes, rows)[chosen], alpha=0.6, color=colour,
                         label=label)
    if known.any():
        axes.legend(fontsize="small")
    return axes, rows, x, y, np.argsort(y, kind="stable")


def draw_members(axes, certified, unproved):
    axes.set_title("classes by number of games")
    largest = max(number(row["games"]) for row in certified + unproved)
    edges = 2.0 ** np.arange(np.ceil(np.log2(largest + 1)) + 1)
    games = [[number(row["games"]) for row in rows] for rows in (certified, unproved)]
    axes.hist(games, bins=edges, stacked=True, color=["C0", "C1"],
              label=[f"proved period: {spaced(sum(games[0]))} games",
                     f"open: {spaced(sum(games[1]))} games"])
    axes.set(xlabel="games in the class", ylabel="classes")
    axes.set_xscale("log", base=2)
    pictures.write_numbers_out(axes.xaxis, axes.yaxis)
    axes.legend(fontsize="small")


def draw(atlas, name, style):
    rows = atlas.summary
    certified = [row for row in rows if row["status"] == "certified"]
    unproved = [row for row in rows if row["status"] != "certified"]
    figure = pictures.new_figure(style, 16, 5.5)
    left, middle, right = figure.subplots(1, 3)
    named = [draw_certified(left, certified), draw_open(middle, unproved)]
    draw_members(right, certified, unproved)
    digest = f"{int(atlas.file['integrity'].attrs['tail_xxh3']):016x}"[:12]
    figure.suptitle(f"{name}: {spaced(atlas.games)} games in {spaced(len(rows))} classes, heaps 0 to "
                    f"{spaced(atlas.last_heap)}   (atlas {digest}…)")
    figure.canvas.draw()  # decides where the panels are
    for points in named:
        if points is not None:
            name_points(*points)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    pictures.add_arguments(parser, "ATLAS")
    options = parser.parse_args()
    try:
        with open_atlas(options.file) as atlas:
            pictures.save(draw(atlas, options.file.stem, options.style), options)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{options.file} cannot be drawn: {error}")


if __name__ == "__main__":
    main()
