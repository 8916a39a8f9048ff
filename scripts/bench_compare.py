#!/usr/bin/env python3
"""Compares the speed of this source with that of an earlier commit, on fixed instances.

Builds the command of COMMIT (default: the one before the last) in a work tree below build/compare, and
that of the present source in build/compare/present. Every instance is computed by both in turn, --runs times, and
what counts is the least processor time of each: it moves less than wall time on a machine that does
other things. A digest that differs between the two, or from the one that is pinned here, ends the
comparison with exit code 3; a ratio above --limit with exit code 1. Commits that write tables of
format 1 have other digests of more than 2^20 entries and cannot be compared by those instances.

Usage: bench_compare.py [COMMIT] [--runs 3] [--limit 1.15] [--only TEXT] [--threads N]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Name, arguments, and the digest of the table, if it is pinned: by tests/golden/digests.csv; or here, where two
# kernel sets (0.005), dense and sparse (0.127), wavefront and frontier (Wythoff) gave the same one.
INSTANCES = [
    ("Treblecross, dense", ["compute", ".007", "--to", "262143", "--engine", "dense"],
     "12a2177d1d8bc5a0c1df1724752e5911"),
    ("0.06, dense", ["compute", ".06", "--to", "262143", "--engine", "dense"],
     "f34813e93a578c5e3201dd9ef43eb2d0"),
    ("0.005, dense", ["compute", ".005", "--to", "2^20-1", "--engine", "dense"],
     "68f0cc27b843a37560e2b271de2f3087"),
    ("0.127, sparse", ["compute", ".127", "--to", "2^20-1", "--engine", "sparse", "--no-extend"],
     "1b99149ad00a77181d3066e187e64bed"),
    ("Grundy's game, sparse", ["compute", "4!.0", "--to", "262143", "--engine", "sparse"],
     "33dd07307b1afd4fbb402e2e199fc747"),
    ("subtract a square", ["compute", "S{squares}", "--to", "10^7"],
     "a85a8b430fd508e7233dc9132008d5f6"),
    ("Officers, sparse, statistics", ["compute", ".6", "--to", "2^22", "--stats-only"], None),
    ("Kayles, extension", ["compute", "kayles", "--to", "10^9", "--stats-only"], None),
    ("Wythoff 4096 x 4096", ["compute", "wythoff", "--shape", "4096x4096"],
     "89ad2849a3557aa765157b38eb836465"),
    ("Cram 4 x 6", ["compute", "cram:4x6"], None),
    ("Atlas of three digits", ["atlas", "0.ddd", "4.ddd"], None),
]


def build(source, binary):
    """Builds the command of a source tree; returns its path."""
    subprocess.run(["cmake", "-S", source, "-B", binary, "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=Release", "-DGRUNDY_BUILD_TESTS=OFF",
                    "-DGRUNDY_BUILD_BENCH=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", binary, "--target", "grundy"], check=True,
                   stdout=subprocess.DEVNULL)
    return binary / "bin" / "grundy"


def checkout(commit):
    """A work tree of the commit below build/, made once."""
    name = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", f"{commit}^{{commit}}"],
                          check=True, capture_output=True, text=True).stdout.strip()
    tree = ROOT / "build" / "compare" / name
    if not tree.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", tree, name], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return name, tree


def digest_of(output):
    """What identifies the result: the digest of a table, or those of all classes."""
    result = json.loads(output)
    if "classes" in result:
        return " ".join(row["xxh3_128"] for row in result["classes"])
    return result.get("digest") or result["table"]["digest"]


def run(command, arguments, threads):
    """(processor seconds, digest), or None if this version does not know the arguments."""
    words = [command, *arguments, "--json", "-q"] + (["--threads", threads] if threads else [])
    before = os.times()
    process = subprocess.run(words, capture_output=True, text=True, check=False)
    after = os.times()
    if process.returncode == 2:
        return None
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {process.stderr.strip()}")
    seconds = (after.children_user - before.children_user
               + after.children_system - before.children_system)
    return seconds, digest_of(process.stdout)


def compare(name, arguments, pinned, commands, options):
    """Prints one line; returns the ratio, or None if the old version cannot do it."""
    least = [float("inf"), float("inf")]
    digests = {pinned} - {None}
    for _ in range(options.runs):
        for side, command in enumerate(commands):
            result = run(command, arguments, options.threads)
            if result is None:
                print(f"{name:32} not known to {'the old' if side == 0 else 'this'} version")
                return None
            least[side] = min(least[side], result[0])
            digests.add(result[1])
    if len(digests) != 1:
        print(f"{name}: digests differ: {' '.join(sorted(digests))}", file=sys.stderr)
        sys.exit(3)
    ratio = least[1] / max(least[0], 1e-3)
    print(f"{name:32} {least[0]:9.3f} s {least[1]:9.3f} s {ratio:8.3f}", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("commit", nargs="?", default="HEAD~1")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=1.15)
    parser.add_argument("--only", default="", help="instances whose name has this text")
    parser.add_argument("--threads", help="for both")
    parser.add_argument("--commands", nargs=2, metavar=("OLD", "NEW"),
                        help="compare these two programs and build nothing")
    options = parser.parse_args()
    if options.commands:
        commands, name = options.commands, "old"
    else:
        name, tree = checkout(options.commit)
        commands = [build(tree, tree / "build" / "release"),
                    build(ROOT, ROOT / "build" / "compare" / "present")]
    print(f"{'processor time':32} {name:>11} {'now':>11} {'ratio':>8}")
    ratios = [compare(title, arguments, pinned, commands, options)
              for title, arguments, pinned in INSTANCES if options.only in title]
    known = [ratio for ratio in ratios if ratio is not None]
    if not known:
        sys.exit("nothing was compared")
    sys.exit(1 if max(known) > options.limit else 0)


if __name__ == "__main__":
    main()
