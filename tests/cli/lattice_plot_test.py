"""Draws small tables with scripts/plot_lattice.py and looks at the pixels.

Usage: lattice_plot_test.py GRUNDY PLOT_LATTICE
"""
# SPDX-License-Identifier: MIT
import subprocess
import sys
import tempfile

import matplotlib.image
import numpy as np

GRUNDY, PLOT = sys.argv[1:]


def picture(directory, game, shape, *options, plot=()):
    """The pixels of the heat map and of the P-positions, inside the frames of their axes."""
    table = f"{directory}/t.h5"
    command = [GRUNDY, "compute", game, "--shape", shape, "-o", table, "-q", "--force", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    png = f"{directory}/t.png"
    command = [sys.executable, PLOT, table, "-o", png, *plot]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    pixels = matplotlib.image.imread(png)[..., :3]
    height, width = pixels.shape[:2]
    rows = slice(height * 15 // 100, height * 85 // 100)
    left = pixels[rows, width * 10 // 100 : width * 40 // 100]
    right = pixels[rows, width * 62 // 100 : width * 95 // 100]
    return left, right


def ink(pixels):
    """The share of dark pixels."""
    return float((pixels.sum(axis=-1) < 1).mean())


with tempfile.TemporaryDirectory() as directory:
    drawn = [
        picture(directory, "wythoff", "60x60"),
        picture(directory, "wythoff", "60x60", "--sorted"),
        picture(directory, "wythoff-any(3)", "40x40x40", "--sorted", plot=("--at", "5")),
        picture(directory, "nim-with-a-pass(2)", "50x50", plot=("--pass-left", "1")),
    ]
    for heat, zeros in drawn:
        colours = np.unique((heat * 255).astype(int) @ [1 << 16, 1 << 8, 1])
        assert len(colours) > 30, f"the heat map has {len(colours)} colours"
        assert 0.0005 < ink(zeros) < 0.2, f"P-positions take {ink(zeros)} of the picture"
    # A sorted table is drawn as the square that it stands for.
    for plain, by_rank in zip(drawn[0], drawn[1]):
        assert np.abs(plain - by_rank).mean() < 0.01
    # The value at (0, 0) is the least, and dark; those at the far corner are large.
    assert drawn[0][0][-1, 0].sum() < drawn[0][0][0, -1].sum()

    subprocess.run([GRUNDY, "compute", "nim", "--to", "9", "-o", f"{directory}/n.h5", "-q"],
                   check=True, stdout=subprocess.DEVNULL)
    refused = subprocess.run([sys.executable, PLOT, f"{directory}/n.h5"], capture_output=True, text=True)
    assert refused.returncode != 0 and "one heap" in refused.stderr
