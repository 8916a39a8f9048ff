#!/usr/bin/env python3
"""Measures how long a run of 10^9 values takes from `grundy resume` to its first new value.

A run is stopped (SIGINT) once it has sealed so many values, and is then resumed and killed several
times. New values come when a segment begins to grow: by then the engine has its state again, and the
last of the sealed values were computed anew and compared. What is timed is checked: the last life goes
on to the next checkpoint, and `grundy verify` proves its values. Exit code 1 if the slowest start took
longer than allowed.

With --statistics, a copy of a file of statistics that has a state (`grundy info FILE` says so) is extended,
stopped, and resumed several times: how long it takes until the engine goes on from the state. Then a random
interval between seals is computed again.

Usage: bench_resume.py GRUNDY [GAME [VALUES]]
       bench_resume.py GRUNDY --statistics FILE
"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

STARTS = 3
ALLOWED = 0.5
SEGMENT = 64 << 20  # values, of a byte each
EVERY = f"1000h,{SEGMENT}B"


def segments(run, pattern="*.gseg"):
    """The sealed segments of a run, or what else it has."""
    return sorted(run.glob(pattern))


def until(condition, child):
    """Waits; fails if the process ends first."""
    while not condition():
        if child.poll() is not None:
            sys.exit(f"grundy ended with exit code {child.returncode}")
        time.sleep(0.01)


def end(child, how):
    """Ends the process by a signal."""
    child.send_signal(how)
    child.wait()


def of_statistics(grundy, file):
    """The exit code."""
    with tempfile.TemporaryDirectory(dir=".") as place:
        copy = shutil.copy(file, pathlib.Path(place) / "s.h5")
        heaps = json.loads(subprocess.run([grundy, "info", copy, "--json"], check=True, capture_output=True,
                                          text=True).stdout)["count"]
        slowest = 0.0
        for words in [[copy, "--to", str(heaps + heaps // 16)]] + STARTS * [[f"{copy}.run"]]:
            start = time.perf_counter()
            child = subprocess.Popen([grundy, "resume", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                     text=True)
            if not any("goes on from a sealed state" in line for line in child.stderr):
                sys.exit("the run did not go on from a state")
            seconds = time.perf_counter() - start
            print(f"the engine goes on after {seconds:.2f} s")
            slowest = max(slowest, seconds)
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            child.communicate()
        subprocess.run([grundy, "verify", f"{copy}.run", "--samples", "1", "--quiet"], check=True)
    print(f"resuming {heaps} heaps took {slowest:.2f} s at most")
    return 0 if slowest <= ALLOWED else 1


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    grundy = sys.argv[1]
    if sys.argv[2:3] == ["--statistics"] and len(sys.argv) == 4:
        return of_statistics(grundy, sys.argv[3])
    game, values = (sys.argv[2:] + [".454", "1e9"][len(sys.argv) - 2:])[:2]
    wanted = int(float(values))
    with tempfile.TemporaryDirectory(dir=".") as place:
        table = pathlib.Path(place) / "t.h5"
        run = pathlib.Path(f"{table}.run")
        begin = [grundy, "compute", game, "--to", str(3 * wanted), "-o", table, "--no-extend",
                 "--quiet", "--force", "--checkpoint-interval", EVERY]
        go_on = [grundy, "resume", run, "--quiet", "--force", "--checkpoint-interval", EVERY]
        child = subprocess.Popen(begin, stderr=subprocess.DEVNULL)
        until(lambda: SEGMENT * len(segments(run)) > wanted, child)
        end(child, signal.SIGINT)
        sealed = segments(run)

        slowest = 0.0
        for _ in range(STARTS):
            for rest in segments(run, "*.tmp"):
                rest.unlink()
            start = time.perf_counter()
            child = subprocess.Popen(go_on, stderr=subprocess.DEVNULL)
            until(lambda: segments(run, "seg-*.tmp"), child)
            seconds = time.perf_counter() - start
            print(f"the first new value after {seconds:.2f} s")
            slowest = max(slowest, seconds)
            end(child, signal.SIGKILL)

        child = subprocess.Popen(go_on, stderr=subprocess.DEVNULL)
        until(lambda: len(segments(run)) > len(sealed), child)
        end(child, signal.SIGINT)
        report = json.loads(subprocess.run([grundy, "verify", run, "--json", "--quiet"],
                                           check=True, capture_output=True, text=True).stdout)
        if not report["ok"] or report["entries"] <= wanted:
            sys.exit("the values are not right")
        print(f"{game}, {report['entries']} values when it ended, digest {report['digest']}")
    print(f"resuming {sum(1 for _ in sealed)} segments took {slowest:.2f} s at most")
    return 0 if slowest <= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
