#!/usr/bin/env python3
"""Measures what checkpoints add to a run: the same computation with and without them, in turns.

With them, values are sealed every second, six hundred times as often as by default. Each pair of
runs gives one ratio of wall-clock times and one of processor times; the medians are the result.
Digests are compared, so that what is timed is the right work. Exit code 1 if checkpoints add more
than allowed to either.

Usage: bench_checkpoints.py GRUNDY [GAME [LAST_HEAP]]
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


def processor_seconds():
    """Of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(grundy, game, last, interval):
    """Seconds, processor seconds and digest of one run in a directory of its own."""
    with tempfile.TemporaryDirectory() as place:
        table = pathlib.Path(place) / "t.h5"
        command = [grundy, "compute", game, "--to", last, "-o", table, "--json", "--quiet",
                   "--force", "--no-extend", "--checkpoint-interval", interval]
        start, spent = time.perf_counter(), processor_seconds()
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return (time.perf_counter() - start, processor_seconds() - spent,
                json.loads(output)["digest"])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    grundy = sys.argv[1]
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
