#!/usr/bin/env python3
"""Measures what checkpoints add to a run: the same computation with and without them, in turns.

With them, values are sealed every second, six hundred times as often as by default. Each pair of
runs gives one ratio of wall-clock times and one of processor times; the medians are the result.
Digests are compared, so that what is timed is the right work. Exit code 1 if checkpoints add more
than allowed to either.

With --statistics, it is what a file adds to statistics of .106 on one thread, from heap 10^9 on: seals
every minute and the search for a period, of which a run without a file has neither. Each run begins
at heap 0, so the time to 10^9 is taken off; the least processor times of all rounds are compared.

Usage: bench_checkpoints.py GRUNDY [GAME [LAST_HEAP]]
       bench_checkpoints.py GRUNDY --statistics
"""

import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = 5
ALLOWED = 1.03
EVERY = "1s"
NEVER = "1000h,1TiB"
ALLOWED_IN_STATISTICS = 1 / 0.97
ROUNDS = 4


def processor_seconds():
    """Of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(grundy, game, last, interval, *options):
    """Seconds, processor seconds and digest of one run in a directory of its own; without an interval it has no file."""
    with tempfile.TemporaryDirectory() as place:
        command = [grundy, "compute", game, "--to", last, "--json", "--quiet", "--no-extend", *options]
        if interval:
            command += ["-o", pathlib.Path(place) / "t.h5", "--checkpoint-interval", interval]
        start, spent = time.perf_counter(), processor_seconds()
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return (time.perf_counter() - start, processor_seconds() - spent,
                json.loads(output)["digest"])


def of_statistics(grundy):
    """The exit code."""
    least = {}
    digests = {"1e9": set(), "4e9": set()}
    for turn in range(ROUNDS):
        for with_file in [False, True] if turn % 2 else [True, False]:
            for last, found in digests.items():
                _, seconds, digest = run(grundy, ".106", last, "1min" if with_file else None,
                                         "--stats-only", "--threads", "1")
                found.add(digest)
                key = (last, with_file)
                least[key] = min(seconds, least.get(key, seconds))
    if any(len(found) != 1 for found in digests.values()):
        sys.exit(f"the digests differ: {digests}")
    without, with_file = (least["4e9", file] - least["1e9", file] for file in (False, True))
    print(f".106, heaps 10^9 to 4 10^9: {without:.2f} s of processor time without a file, {with_file:.2f} s with one, "
          f"{without / with_file:.3f} of the speed")
    return 0 if with_file <= ALLOWED_IN_STATISTICS * without else 1


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    grundy = sys.argv[1]
    if sys.argv[2:] == ["--statistics"]:
        return of_statistics(grundy)
    game, last = (sys.argv[2:] + [".007", "350000"][len(sys.argv) - 2:])[:2]
    walls, processors, digests = [], [], set()
    for pair in range(PAIRS):
        wall, processor = {}, {}
        for interval in [EVERY, NEVER] if pair % 2 else [NEVER, EVERY]:
            wall[interval], processor[interval], digest = run(grundy, game, last, interval)
            digests.add(digest)
        walls.append(wall[EVERY] / wall[NEVER])
        processors.append(processor[EVERY] / processor[NEVER])
        print(f"{wall[NEVER]:.2f} s without, {wall[EVERY]:.2f} s with: {walls[-1]:.3f}, "
              f"processor time {processors[-1]:.3f}")
    if len(digests) != 1:
        sys.exit(f"the digests differ: {' '.join(sorted(digests))}")
    ratio, processor = statistics.median(walls), statistics.median(processors)
    print(f"{game} to heap {last}: checkpoints every {EVERY} cost {100 * (ratio - 1):+.1f} %, "
          f"of processor time {100 * (processor - 1):+.1f} %")
    return 0 if max(ratio, processor) <= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
