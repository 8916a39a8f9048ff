#!/usr/bin/env python3
"""Draws the census of a family of games: a file that `grundy atlas` wrote.

Left: classes with a certified period, period over preperiod. Middle: classes without one, the share
of their heaps that is rare over their maximum. Right: games by the class they are in. The area of a
point is the number of games in its class; the classes at the edges are named.

Usage: plot_census.py ATLAS.h5 [-o PICTURE.png]
The suffix of the picture decides its format (png, svg, pdf).
"""

import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from grundy_tables import open_atlas

NAMED = 9  # classes that are named in each panel


def number(text):
    return int(text) if text else 0


def name_points(axes, rows, x, y, order):
    """Names the first points of an order that do not come too close to each other."""
    taken = []
    for i in order:
        at = axes.transData.transform((x[i], y[i]))
        if any(abs(at[0] - u) < 60 and abs(at[1] - v) < 14 for u, v in taken):
            continue
        taken.append(at)
        axes.annotate(rows[i]["game"], (x[i], y[i]), xytext=(4, 3), textcoords="offset points",
                      fontsize=8)
        if len(taken) == NAMED:
            break


def areas(rows):
    return 12 * np.sqrt([number(row["games"]) for row in rows])


def draw_certified(axes, rows):
    axes.set_title(f"{len(rows)} classes with a proved period")
    axes.set(xlabel="preperiod (1 more, to show 0)", ylabel="period", xscale="log", yscale="log")
    axes.grid(alpha=0.3)
    if not rows:
        return
    x = np.array([number(row["preperiod"]) + 1 for row in rows])
    y = np.array([number(row["period"]) for row in rows])
    axes.scatter(x, y, s=areas(rows), alpha=0.6, color="C0")
    axes.figure.canvas.draw()
    name_points(axes, rows, x, y, np.argsort(-(np.log(x) + np.log(y)), kind="stable"))


def draw_open(axes, rows):
    axes.set_title(f"{len(rows)} classes without")
    axes.set(xlabel="maximum", ylabel="share of heaps that are rare", xscale="log", yscale="log")
    axes.grid(alpha=0.3)
    rows = [row for row in rows if number(row["rare"]) > 0]
    if not rows:
        return
    x = np.array([number(row["maximum"]) for row in rows])
    y = np.array([number(row["rare"]) / number(row["values"]) for row in rows])
    axes.scatter(x, y, s=areas(rows), alpha=0.6, color="C1")
    axes.figure.canvas.draw()
    name_points(axes, rows, x, y, np.argsort(y, kind="stable"))


def draw_members(axes, certified, unproved):
    axes.set_title("classes by their number of games")
    largest = max(number(row["games"]) for row in certified + unproved)
    edges = 2.0 ** np.arange(0, np.ceil(np.log2(largest + 1)) + 1)
    games = [[number(row["games"]) for row in rows] for rows in (certified, unproved)]
    axes.hist(games, bins=edges, stacked=True, color=["C0", "C1"],
              label=[f"proved period: {sum(games[0]):,} games", f"none: {sum(games[1]):,} games"])
    axes.set(xlabel="games in the class", ylabel="classes")
    axes.set_xscale("log", base=2)
    axes.legend(fontsize=8)


def draw(atlas, name, output):
    rows = atlas.summary
    certified = [row for row in rows if row["status"] == "certified"]
    unproved = [row for row in rows if row["status"] != "certified"]
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(16, 5.5), layout="constrained")
    draw_certified(left, certified)
    draw_open(middle, unproved)
    draw_members(right, certified, unproved)
    digest = f"{int(atlas.file['integrity'].attrs['tail_xxh3']):016x}"[:12]
    figure.suptitle(f"{name}: {atlas.games:,} games in {len(rows):,} classes, heaps 0 to "
                    f"{atlas.last_heap:,}   (atlas {digest}…)")
    figure.savefig(output, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("atlas", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="default: ATLAS.png")
    options = parser.parse_args()
    output = options.output or options.atlas.with_suffix(".png")
    try:
        with open_atlas(options.atlas) as atlas:
            draw(atlas, options.atlas.stem, output)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{options.atlas} cannot be drawn: {error}")
    print(output)


if __name__ == "__main__":
    main()
