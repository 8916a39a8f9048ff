#!/usr/bin/env python3
"""Tests what is printed about P-positions of three-row and four-row Chomp on a list of them.

  LIST.h5     `grundy compute 'chomp(3)' --shape NxNxN --sorted --outcomes -o LIST.h5`, or of four rows
  counts.csv  of the record tests/golden/records/chomp-4-2000: how many P-positions each longest row has

Rows of squares are a >= b >= c (>= d). Sources:

  Gale      D. Gale, A curious Nim-type game, Amer. Math. Monthly 81 (1974), asked whether the winning first move of a
            rectangle is unique. E. Sheiner, arXiv:2605.23837v2 (2026), proved it of three rows: exactly one, in the second row
            or the third
  Byrnes    S. Byrnes, Poset game periodicity, Integers 3 (2003) G3, proved X. Sun's conjecture: for a fixed third row c the
            differences a - b are periodic in the end. OEIS A147983 lists the c whose differences are not constant in the end
  Garg      A. Garg, Structural results for 4 x n Chomp, arXiv:2604.25952v2 (2026): no three rows have two fourth rows (theorem);
            lengths a are LOW or HIGH by the median of d / a, with a gap between them; 56.1 % are HIGH; d / a tends to 1/4
            (or some 0.248) in HIGH and to some 0.183 in LOW; a structure of period 112 among the triples (a, b, c) that have a
            fourth row; a linear cone that holds all triples. What we have of the last two is his abstract alone, so they are
            tested in the plainest readings: whether a shift of all rows by 112 keeps more triples than other shifts do, and
            whether the ratios of the first half of the lengths bound those of the second

Nothing here proves a conjecture: it holds for the list or it does not.

Usage: chomp_ratios.py LIST.h5|counts.csv [--from N]
"""

import argparse
import csv
import sys

import numpy as np

PERIODIC = [120, 400, 402, 422, 424, 513, 576, 583, 585, 593, 605, 610, 861, 888, 890, 892, 904]  # A147983, to 904
SHIFTS = range(96, 129)  # shifts among which 112 should stand out


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("list", help="a list of P-positions, or counts.csv of the record")
    parser.add_argument("--from", dest="first", type=int, default=200, help="the first length of averages (200)")
    return parser.parse_args()


def show(source, statement, result):
    print(f"{source:8}{statement:64}{result}")


def split_at_gap(values):
    """The values below and above the largest gap between neighbours in their order, as masks."""
    order = np.sort(values)
    at = int(np.argmax(np.diff(order)))
    high = values > order[at]
    return high, order[at], order[at + 1]


def families(lengths, values, first, what, digits):
    """LOW and HIGH among the lengths from `first` on, by a number of each."""
    late = lengths >= first
    if late.sum() < 2:
        sys.exit(f"chomp_ratios.py: fewer than two lengths from {first} on (--from)")
    high, below, above = split_at_gap(values[late])
    show("Garg", f"{what}, lengths from {first} on: LOW to, HIGH from", f"{below:.{digits}f}, {above:.{digits}f}")
    show("Garg", "56.1 % of the lengths are HIGH", f"{100 * high.mean():.1f} %")
    return late, high


def test_counts(name, first):
    try:
        with open(name, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        lengths = np.array([int(row["longest_row"]) for row in rows])
        counts = np.array([int(row["p_positions"]) for row in rows])
    except (OSError, KeyError, ValueError):
        sys.exit(f"chomp_ratios.py: '{name}' is no counts.csv of the record")
    late, high = families(lengths, counts / lengths**2, first, "count / a^2", 4)
    agree = {shift: np.mean(high[shift:] == high[:-shift]) for shift in SHIFTS if shift < len(high)}
    if 112 in agree:
        rank = sorted(agree.values(), reverse=True).index(agree[112]) + 1
        show("Garg", "period 112: lengths 112 apart are of one family",
             f"{100 * agree[112]:.1f} %, rank {rank} of {len(agree)} shifts")


def read(name):
    """The positions of a list without the empty one, longest row first, and the number of rows."""
    import h5py  # counts need no HDF5

    if not h5py.is_hdf5(name):
        sys.exit(f"chomp_ratios.py: '{name}' is no HDF5 file")
    with h5py.File(name) as file:
        if "positions" not in file or file.attrs.get("rule") not in ("3: chomp", "4: chomp"):
            sys.exit(f"chomp_ratios.py: '{name}' is no list of P-positions of chomp(3) or chomp(4)")
        if not file.attrs["sorted"] or len(set(file["extent"][:])) != 1:
            sys.exit(f"chomp_ratios.py: '{name}' is not of the shape NxN.. --sorted")
        rows = file["positions"][1:][:, ::-1].astype(np.int32)
        return rows, int(file["extent"][0]) - 1


def ultimate_period(differences):
    """The least period in the end of a sequence that shows it in its last half, or None."""
    tail = differences[len(differences) // 2 :]
    for period in range(1, len(tail) // 3 + 1):
        if np.array_equal(tail[period:], tail[:-period]):
            return period
    return None


def test_three(rows, last, first):
    a, b, c = rows.T
    # Moves from (n,n,n) cut the third row, the second and third, or all three alike.
    full = [b == a, (b == c), (a == b) & (b == c)]
    third = np.bincount(a[full[0]], minlength=last + 1)[1:]
    second = np.zeros(last, dtype=int)
    for n, m in zip(a[full[1]], b[full[1]]):
        if m < n:
            second[n - 1] += 1
    ways = third + second
    show("Gale", f"one winning first move from 3 x n, n = 1 .. {last}",
         f"{np.sum(ways == 1)} of {last}; second row {second.sum()}, third row {third.sum()}")
    lengths = np.arange(1, last + 1)
    late = lengths >= first
    for mask, column, name in ((third, full[0], "third"), (second, full[1] & (b < a), "second")):
        kept = (c if name == "third" else b)[column & (a >= first)] / a[column & (a >= first)]
        if len(kept):
            show("", f"  in the {name} row: share of the row that stays, from {first} on",
                 f"{kept.min():.4f} to {kept.max():.4f}, mean {kept.mean():.4f}; {100 * (mask[late] > 0).mean():.1f} % of n")
    found, constant, open_rows = [], 0, 0
    order = np.lexsort((b, c))
    starts = np.searchsorted(c[order], np.arange(last + 2))
    for row in range(last + 1):
        some = order[starts[row] : starts[row + 1]]
        whole = b[some] < last // 2 + 1  # (a, b, c) with a beyond the list are not known
        if whole.sum() < 3 * row // 4 + 24 or row > last // 3:
            open_rows += 1
            continue
        differences = (a - b)[some][whole]
        period = ultimate_period(differences)
        if period is None:
            open_rows += 1
        elif period == 1:
            constant += 1
        else:
            found.append((row, period))
    show("Byrnes", "third rows whose a - b is constant in the end", f"{constant}; not decided by this list: {open_rows}")
    wanted = {row for row in PERIODIC if row <= last // 3}
    text = ", ".join(f"{row}: {period}" for row, period in found) or "none"
    show("Byrnes", "  periodic in the end, with another period than 1", text)
    show("A147983", "  of them and of its terms up to a third of the list", f"{len({row for row, _ in found} & wanted)} of {len(wanted)}")


def test_four(rows, last, first):
    a = rows[:, 0]
    starts = np.searchsorted(a, np.arange(last + 2))
    lengths = np.arange(1, last + 1)
    medians = np.zeros(last)
    least, most = np.full((last, 3), np.inf), np.zeros((last, 3))
    twice = 0
    kept = dict.fromkeys(SHIFTS, 0)
    triples = {}
    pairs = 0
    for n in range(1, last + 1):
        b, c, d = rows[starts[n] : starts[n + 1], 1:].astype(np.int64).T
        keys = b * (last + 1) + c
        unique = np.unique(keys)
        twice += len(keys) - len(unique)
        medians[n - 1] = np.median(d) / n
        for k, ratio in enumerate((b / n, c / b.clip(1), (b + c) / n)):
            least[n - 1, k], most[n - 1, k] = ratio.min(), ratio.max()
        if n >= first:
            triples[n] = unique
            if n - max(SHIFTS) in triples:
                pairs += len(triples[n - max(SHIFTS)])
                for shift in SHIFTS:  # (a, b, c) and (a, b, c) + shift
                    moved = triples[n - shift] + shift * (last + 2)
                    kept[shift] += np.isin(moved, unique, assume_unique=True).sum() / max(len(moved), 1)
            triples.pop(n - max(SHIFTS), None)
    show("Garg", "three rows have at most one fourth row", f"{twice} exceptions among {len(rows)}")
    late, high = families(lengths, medians, first, "median of d / a", 4)
    tail = lengths[late] > last - 100
    show("Garg", "HIGH: mean of the medians of the last 100 lengths, 1/4", f"{medians[late][tail & high].mean():.4f}")
    show("Garg", "LOW: the same, 0.183", f"{medians[late][tail & ~high].mean():.4f}")
    for k, name in enumerate(("b / a", "c / b", "(b + c) / a")):
        middle = last // 2
        old = least[first - 1 : middle, k].min(), most[first - 1 : middle, k].max()
        new = least[middle:, k].min(), most[middle:, k].max()
        show("Garg", f"cone: {name}, lengths {first} .. {middle}, then to {last}",
             f"{old[0]:.4f} .. {old[1]:.4f}, then {new[0]:.4f} .. {new[1]:.4f}")
    if pairs:
        rank = sorted(kept.values(), reverse=True).index(kept[112]) + 1
        total = last - first - max(SHIFTS) + 1
        show("Garg", "period 112: triples that stay when all rows grow by 112",
             f"{100 * kept[112] / total:.2f} %, rank {rank} of shifts {min(SHIFTS)} .. {max(SHIFTS)}"
             f" ({100 * min(kept.values()) / total:.2f} to {100 * max(kept.values()) / total:.2f} %)")


def main():
    options = arguments()
    if options.list.endswith(".csv"):
        test_counts(options.list, options.first)
        return
    rows, last = read(options.list)
    if options.first < 1 or options.first >= last // 2:
        sys.exit(f"chomp_ratios.py: --from is from 1 to {last // 2 - 1} for rows of at most {last} squares")
    if rows.shape[1] == 3:
        test_three(rows, last, options.first)
    else:
        test_four(rows, last, options.first)


if __name__ == "__main__":
    main()
