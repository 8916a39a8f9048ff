#!/usr/bin/env python3
"""Draws a Grundy table of heaps.

Kinds of pictures (--kind):
  values     the values over the heap sizes, and how often each occurs (the default)
  histogram  how often each value occurs, common and rare values of the sparse space apart
  maximum    the running maximum, with its local exponent
  gaps       rare heaps of the sparse space: how many there are, and the gap before each; heap 0,
             whose value 0 is rare, is where the first gap begins and is not counted
  period     n mod p for the period p of the table: the repeated pattern, and the exceptions

The table is read chunk by chunk, so 10^9 values need no more memory than one picture. Up to 20 000
points are drawn one by one; more as a density (logarithmic colours). A table with a proved period is
drawn for its first periods, unless --to asks for more; a line marks the preperiod. The sparse space is
that of the heaps that are drawn.

Usage: plot_table.py TABLE.h5 [--kind KIND] [-o PICTURE.png] [--from A] [--to B] [--style STYLE]
The suffix of the picture decides its format (png, svg, pdf); --style print makes it fit for paper.
"""

import argparse
import sys

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize

import grundy_pictures as pictures
from grundy_pictures import spaced
from grundy_tables import open_table

POINTS = 20_000  # most points that are drawn one by one
COLUMNS = 1_200  # cells of a density along the heap axis
ROWS = 400  # most cells along the value axis
PERIODS = 6  # that are drawn of a periodic table
LEAST_GROWING = 200  # heaps that are drawn of a table whose values grow
SPLIT_HEAPS = 1 << 22  # heaps on which the sparse space is chosen


class Span:
    """The heaps that are drawn."""

    def __init__(self, table, options):
        self.table = table
        self.begin = options.begin
        self.end = self.default_end() if options.last is None else options.last + 1
        if not 0 <= self.begin < self.end <= len(table):
            raise ValueError(f"it holds heaps 0 to {spaced(len(table) - 1)}: nothing to draw there")

    def default_end(self):
        period = self.table.period
        if period is None or not period.certified:
            return len(self.table)
        end = max(period.preperiod, self.begin) + PERIODS * period.period
        return min(len(self.table), max(end, LEAST_GROWING) if period.saltus else end)

    def __len__(self):
        return self.end - self.begin

    def chunks(self):
        return self.table.chunks(self.begin, self.end)

    def values(self):
        return self.table[self.begin : self.end]


def top_of(span):
    """The largest value that is drawn."""
    return max((int(values.max()) for _, values in span.chunks()), default=0)


def count_cells(span, columns, column_of, top):
    """Heaps per (column, row) cell; column_of(heaps) are the columns of heaps, rows are values up to `top`."""
    rows = min(top + 1, ROWS)
    cells = np.zeros(columns * rows, dtype=np.int64)
    for at, values in span.chunks():
        # One small number a heap: columns of consecutive heaps are runs, and rows are looked up.
        column = column_of(np.arange(at, at + len(values), dtype=np.int64))
        row = (np.arange(top + 1, dtype=np.int64) * rows // (top + 1))[values]
        cells += np.bincount(column * rows + row, minlength=len(cells))
    return cells.reshape(columns, rows).T


def show_cells(figure, axes, cells, extent):
    image = axes.imshow(
        np.ma.masked_equal(cells, 0),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        extent=extent,
        norm=LogNorm(vmin=1),
        cmap="viridis",
    )
    bar = figure.colorbar(image, ax=axes, label="heaps per cell", pad=0.01)
    pictures.write_numbers_out(bar.ax.yaxis)


def counts_of(span, top):
    counts = np.zeros(top + 1, dtype=np.int64)
    for _, values in span.chunks():
        counts += np.bincount(values, minlength=len(counts))
    return counts


def draw_values(figure, span):
    over_heaps, histogram = figure.subplots(1, 2, width_ratios=(3, 1), sharey=True)
    top = top_of(span)
    if len(span) <= POINTS:
        size = figure.scale * (8 if len(span) < 1000 else 2)
        heaps = np.arange(span.begin, span.end)
        over_heaps.plot(heaps, span.values(), linestyle="", marker=".", markersize=size, color="C0")
    else:
        cells = count_cells(span, COLUMNS, lambda n: (n - span.begin) * COLUMNS // len(span), top)
        show_cells(figure, over_heaps, cells, (span.begin, span.end, -0.5, top + 0.5))
    period = span.table.period
    if period is not None and period.certified and span.begin <= period.preperiod < span.end:
        label = f"period {spaced(period.period)} from heap {spaced(period.preperiod)} on"
        over_heaps.axvline(period.preperiod - 0.5, color="C1", label=label)
        pictures.put_legend_above(over_heaps)
    over_heaps.set(xlabel="heap n", ylabel="Grundy value G(n)", xlim=(span.begin, span.end))
    pictures.write_numbers_out(over_heaps.xaxis, over_heaps.yaxis)
    histogram.barh(np.arange(top + 1), counts_of(span, top), height=0.9, color="C0")
    histogram.set(xlabel="number of heaps", xscale="log")
    pictures.write_short_axes_out(histogram.xaxis)


def draw_histogram(figure, span):
    axes = figure.subplots()
    split = SparseSplit(span)
    values = np.arange(top_of(span) + 1)
    of_kind = np.zeros((2, len(values)), dtype=np.int64)
    for at, found in span.chunks():
        of_kind += np.bincount(found + len(values) * split.is_rare(at, found), minlength=2 * len(values)).reshape(2, -1)
    for rare, name in ((0, "common"), (1, "rare")):
        counts = of_kind[rare]
        chosen = counts > 0
        size = figure.scale**2 * (60 if len(counts) < 40 else 14)
        label = f"{name}: an {'even' if rare else 'odd'} number of bits in common with {split.name}"
        axes.scatter(values[chosen], counts[chosen], s=size, color=f"C{rare}", label=label)
    axes.set(xlabel="Grundy value", ylabel="number of heaps", yscale="log")
    pictures.write_numbers_out(axes.xaxis)
    pictures.write_short_axes_out(axes.yaxis)
    axes.grid(alpha=0.3)
    pictures.put_legend_above(axes)


def draw_maximum(figure, span):
    axes = figure.subplots()
    records, complete = span.table.records
    inside = (records[:, 0] >= 1) & (records[:, 0] < span.end)
    heaps, values = records[inside].T.astype(np.float64)
    if len(heaps) == 0 or not complete:
        raise ValueError("it lists no records of the maximum that could be drawn")
    last = max(span.end - 1, 2)
    axes.step(np.append(heaps, last), np.append(values, values[-1]), where="post", color="C0")
    axes.plot(heaps, values, ".", color="C0", markersize=4 * figure.scale)
    axes.set(xlabel="heap n", ylabel="maximum of G(0) .. G(n)", xscale="log", xlim=(1, last))
    axes.set_yscale("log", base=2)
    axes.grid(alpha=0.3)
    powers = 2.0 ** np.arange(1, int(np.log2(last)) + 1)
    at = values[np.clip(np.searchsorted(heaps, powers, side="right") - 1, 0, None)]
    growth = np.diff(np.log2(at))
    exponent = axes.twinx()
    exponent.bar(powers[1:], growth, width=-0.5 * powers[1:], align="edge", color="C1", alpha=0.25)
    exponent.set(ylabel="growth from power of two to power of two (log2)",
                 ylim=(0, 1.1 * max(1, *growth) if len(growth) else 1))


def parity(numbers):
    """The parity of the bits of each number."""
    bits = numbers.astype(np.uint64)
    for shift in (32, 16, 8, 4, 2, 1):
        bits = bits ^ (bits >> np.uint64(shift))
    return (bits & np.uint64(1)).astype(np.int64)


class SparseSplit:
    """The split of a span with the fewest rare heaps. A heap is rare if its value has an even number of bits in
    common with the mask; where the parity of the heap's size takes part, even and odd are swapped for the heaps of
    one parity."""

    def __init__(self, span):
        begin = max(span.begin, 1)
        values = span.table[begin : min(span.end, begin + SPLIT_HEAPS)]
        size = 1 << max(1, int(values.max(initial=0)).bit_length())
        even, odd = (np.bincount(values[(begin + first) % 2 :: 2], minlength=size).astype(np.int64)
                     for first in (0, 1))
        # A sum is the rare heaps less the common ones, of each mask.
        plain, turned = signed_sums(even + odd), signed_sums(even - odd)
        plain[0] = len(values)  # no mask makes every heap rare
        sums = [plain, turned, -turned]
        best = [int(np.argmin(of)) for of in sums]
        kind = min(range(3), key=lambda k: (sums[k][best[k]], k))
        self.mask = best[kind]
        self.swapped = (None, 1, 0)[kind]  # heaps of this parity have even and odd swapped
        self.name = f"{self.mask:#x}"
        if self.swapped is not None:
            self.name += f", swapped for {'odd' if self.swapped else 'even'} heaps"

    def is_rare(self, first, values):
        """0 or 1 for each of the heaps `first`, `first` + 1, ... that have these values."""
        odd = parity(values & self.mask)
        if self.swapped is not None:
            odd = odd ^ ((np.arange(first, first + len(values)) & 1) == self.swapped)
        return 1 - odd.astype(np.int64)


def signed_sums(counts):
    """For each mask: counts of values that share an even number of bits with it, less those that share an odd one."""
    half = 1
    while half < len(counts):  # Walsh-Hadamard transform
        pairs = counts.reshape(-1, 2, half)
        counts = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    return counts


def draw_gaps(figure, span):
    split = SparseSplit(span)
    cells = np.zeros((128, 128), dtype=np.int64)  # log2 of gap and of heap, four to an octave
    found, ends, running = [], [], 0
    previous = 0 if span.begin == 0 else None  # a rare heap before the next one, if it is known
    for at, values in span.chunks():
        heaps = np.flatnonzero(split.is_rare(at, values)) + at
        heaps = heaps[heaps > 0]
        if len(heaps):
            before = np.append(heaps[0] if previous is None else previous, heaps[:-1])
            previous = heaps[-1]
            gaps = heaps - before  # 0 where the rare heap before it is not in the span
            row, column = (np.log2(x[gaps > 0] + 0.5) * 4 for x in (gaps, heaps))
            np.add.at(cells, (row.astype(int), column.astype(int)), 1)
            if running < POINTS:
                found.append(np.stack([heaps, gaps]))
        running += len(heaps)
        ends.append((at + len(values), running))
    if running == 0:
        raise ValueError("it has no rare heap but heap 0")
    counted, gap_axes = figure.subplots(1, 2)
    if running <= POINTS:
        heaps, gaps = np.concatenate(found, axis=1)
        steps = np.append(np.arange(running + 1), running)
        counted.step(np.concatenate([[span.begin], heaps, [span.end - 1]]), steps, where="post")
        gap_axes.plot(heaps[gaps > 0], gaps[gaps > 0], ".", markersize=4 * figure.scale, color="C0")
        gap_axes.set(xscale="log", yscale="log", xlabel="rare heap n", ylabel="gap before it")
        pictures.write_short_axes_out(gap_axes.xaxis, gap_axes.yaxis)
    else:
        counted.plot(*zip((span.begin, 0), *ends), marker=".")
        top = int(np.flatnonzero(cells.any(axis=1))[-1]) + 1
        right = int(np.flatnonzero(cells.any(axis=0))[-1]) + 1
        show_cells(figure, gap_axes, cells[:top, :right], (0, right / 4, 0, top / 4))
        gap_axes.set(xlabel="log2 of the rare heap n", ylabel="log2 of the gap before it")
    counted.set(xlabel="heap n", ylabel="rare heaps up to n, heap 0 not counted",
                title=f"{spaced(running)} rare heaps, mask {split.name}")
    counted.grid(alpha=0.3)
    gap_axes.grid(alpha=0.3)
    pictures.write_numbers_out(counted.xaxis, counted.yaxis)


def draw_period(figure, span):
    """Exceptions are rings below the pattern, which stays visible among many of them and inside of one."""
    axes = figure.subplots()
    period = span.table.period
    if period is None:
        raise ValueError("it has no period")
    p, e = period.period, period.preperiod
    pattern = span.table[e : e + p].astype(np.int64)
    size = figure.scale * (5 if p < 200 else 3.5)
    if p <= POINTS:
        axes.plot(np.arange(e, e + p) % p, pattern, "o", color="C0", markersize=size, markeredgewidth=0,
                  label=f"the period, heaps {spaced(e)} to {spaced(e + p - 1)}")
    else:
        whole = type("Period", (), {"table": span.table,
                                    "chunks": lambda _: span.table.chunks(e, e + p)})()
        top = top_of(whole)
        cells = count_cells(whole, COLUMNS, lambda n: n % p * COLUMNS // p, top)
        show_cells(figure, axes, cells, (0, p, -0.5, top + 0.5))
    ring = {"s": (1.5 * size) ** 2, "facecolors": "none", "linewidths": 0.15 * size, "zorder": -1}
    colours = ScalarMappable(Normalize(0, max(e, 1)), pictures.WARM)
    shown, exceptions = 0, 0
    for at, values in span.table.chunks(0, min(e, span.end)):
        heaps = np.arange(at, at + len(values))
        periods, phase = np.divmod(heaps - e, p)  # periods is negative: heaps before the period
        wrong = np.flatnonzero(values != pattern[phase] + periods * period.saltus)
        exceptions += len(wrong)
        take = wrong[: max(0, POINTS - shown)]
        shown += len(take)
        axes.scatter(heaps[take] % p, values[take], edgecolors=colours.to_rgba(heaps[take]), **ring)
    if min(e, span.end) > 0:
        bar = figure.colorbar(colours, ax=axes, label="heap of the exception", pad=0.01)
        pictures.write_numbers_out(bar.ax.yaxis)
        axes.scatter([], [], edgecolors=pictures.WARM(0.5),
                     label=f"exceptions before it: {spaced(exceptions)}", **ring)
    axes.set_ylim(bottom=-0.5, top=max(axes.get_ylim()[1], 1.5))
    axes.set(xlabel=f"n mod {spaced(p)}", ylabel="Grundy value G(n)", xlim=(-0.01 * p - 0.5, 1.01 * p - 0.5))
    pictures.write_numbers_out(axes.xaxis, axes.yaxis)
    pictures.put_legend_above(axes)


KINDS = {
    "values": draw_values,
    "histogram": draw_histogram,
    "maximum": draw_maximum,
    "gaps": draw_gaps,
    "period": draw_period,
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    pictures.add_arguments(parser, "TABLE")
    parser.add_argument("--kind", choices=KINDS, default="values")
    parser.add_argument("--from", dest="begin", type=int, default=0, help="first heap")
    parser.add_argument("--to", dest="last", type=int, help="last heap")
    return parser.parse_args()


def main():
    options = arguments()
    try:
        with open_table(options.file) as table:
            if table.is_lattice:
                raise ValueError("it is of several heaps: plot_lattice.py draws it")
            span = Span(table, options)
            figure = pictures.new_figure(options.style, 13, 5)
            KINDS[options.kind](figure, span)
            name = table.title if table.title == table.rule else f"{table.title}, {table.rule}"
            figure.suptitle(f"{name}: heaps {spaced(span.begin)} to {spaced(span.end - 1)}   "
                            f"(table {table.digest[:12]}…)")
            pictures.save(figure, options)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{options.file} cannot be drawn: {error}")


if __name__ == "__main__":
    main()
