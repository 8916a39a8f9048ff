#!/usr/bin/env python3
"""Compares predictions with runs: seconds that `--dry-run` says and seconds that the run takes.

    scripts/bench_predictions.py [GRUNDY [NAME..]]

For each job one line: what was predicted, what was measured, and the quotient, which should lie
between 1/2 and 2. A period that is certified behind the trial ends a run early: no prediction can
know that, so the jobs with periods are those whose trial sees them or whose period is far away.
"""
import json
import subprocess
import sys

JOBS = {
    "grundy": ["4!.0", "--to", "2e7", "--stats-only"],
    "officers": ["0.6", "--to", "4e6", "--stats-only"],
    "sparse, few taps": ["0.106", "--to", "2e8", "--stats-only"],
    "sparse": ["0.167", "--to", "3e7", "--stats-only"],
    "late rare heaps": ["0.444", "--to", "4e6", "--stats-only"],
    "dense": ["0.06", "--to", "3e5", "--stats-only"],
    "treblecross": ["0.007", "--to", "1e6", "--stats-only"],
    "certified in the trial": ["0.16", "--to", "3e8", "--stats-only"],
    "subtraction": ["subtract-a-square", "--to", "5e6", "--stats-only"],
    "three heaps": ["0.777F", "--to", "2e4", "--stats-only"],
    "wythoff": ["wythoff", "--shape", "16384x16384"],
    "wythoff sorted": ["wythoff", "--shape", "16384x16384", "--sorted"],
    "three-heap wythoff": ["wythoff-any(3)", "--shape", "300x300x300"],
    "nim with a pass": ["nim-with-a-pass(3)", "--shape", "256x256x256"],
}


def seconds(grundy, job, more):
    words = [grundy, "compute", *job, "--json", "-q", *more]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)["seconds"]


def main():
    grundy = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/grundy"
    names = sys.argv[2:] or list(JOBS)
    within = 0
    for name in names:
        predicted = seconds(grundy, JOBS[name], ["--dry-run"])
        measured = seconds(grundy, JOBS[name], [])
        ratio = predicted / measured
        within += 0.5 <= ratio <= 2
        print(f"{name:24}{predicted:10.1f} s predicted{measured:10.1f} s{ratio:8.2f}", flush=True)
    print(f"{within} of {len(names)} within a factor of two")


if __name__ == "__main__":
    main()
