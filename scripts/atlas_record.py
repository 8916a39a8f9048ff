#!/usr/bin/env python3
"""Makes the small files of a record from the summary of a family: a CSV file of `grundy atlas --summary`.

DIRECTORY/counts.csv counts classes and games by the digits of the code that stands for a class and by
what is known of them: `periodic` and `saltus` are certified, `candidate` has a period that is not
proved, `open` has none. DIRECTORY/periods.csv lists the certified classes whose preperiod and
period together reach --least.

--check computes the values of random classes anew by the definition (engine `reference`) and compares
digest, maximum and, where it is certified, the period.

Usage: atlas_record.py SUMMARY.csv DIRECTORY [--least N]
       atlas_record.py SUMMARY.csv --check [--samples N] [--seed S] [--grundy COMMAND]
Exit code 3: a class differs.
"""

import argparse
import collections
import csv
import json
import pathlib
import random
import subprocess
import sys

COLUMNS = ["game", "preperiod", "period", "saltus", "maximum", "values", "games", "xxh3_128"]


def digits(row):
    """Digits behind the point."""
    return len(row["game"].partition(".")[2])


def behaviour(row):
    if row["status"] == "certified":
        return "saltus" if int(row["saltus"]) > 0 else "periodic"
    return "candidate" if row["status"] == "candidate" else "open"


def counts(rows):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[digits(row), behaviour(row), row["literature"]].append(row)
    yield ["digits", "behaviour", "literature", "classes", "games", "longest_period", "its_game",
           "longest_preperiod", "its_first_game"]
    for key in sorted(groups):
        group = groups[key]
        known = key[1] in ("periodic", "saltus")
        farthest = [max(group, key=lambda row: int(row[name])) for name in ("period", "preperiod")] if known else []
        yield [*key, len(group), sum(int(row["games"]) for row in group),
               *([farthest[0]["period"], farthest[0]["game"], farthest[1]["preperiod"], farthest[1]["game"]]
                 if known else [""] * 4)]


def periods(rows, least):
    yield COLUMNS
    for row in rows:
        if row["status"] == "certified" and int(row["preperiod"]) + int(row["period"]) >= least:
            yield [row[name] for name in COLUMNS]


def write(path, table):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(table)


def difference(row, command):
    """What the reference engine says otherwise of a class; empty if nothing."""
    output = subprocess.run([command, "compute", row["game"], "--to", str(int(row["values"]) - 1), "--engine", "reference",
                             "--no-extend", "--json", "-q"], check=True, capture_output=True, text=True).stdout
    found = json.loads(output)
    pairs = [("digest", row["xxh3_128"], found["digest"]), ("maximum", row["maximum"], str(found["maximum"]["value"]))]
    if row["status"] == "certified":
        pairs += [(name, row[name], str(found["period"].get(name))) for name in ("preperiod", "period", "saltus")]
    return "; ".join(f"{name} {is_not}, not {is_}" for name, is_, is_not in pairs if is_ != is_not)


def check(rows, options):
    sample = random.Random(options.seed).sample(rows, min(options.samples, len(rows)))
    wrong = 0
    for row in sample:
        if found := difference(row, options.grundy):
            print(f"{row['game']}: {found}")
            wrong += 1
    certified = sum(row["status"] == "certified" for row in sample)
    print(f"{len(sample)} of {len(rows)} classes were computed anew, {certified} of them certified; {wrong} differ")
    return 3 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("summary", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path, nargs="?")
    parser.add_argument("--least", type=int, default=1000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grundy", default="grundy")
    options = parser.parse_args()
    if options.check == (options.directory is not None):
        parser.error("either a directory or --check is given")
    with open(options.summary, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if options.check:
        return check(rows, options)
    options.directory.mkdir(parents=True, exist_ok=True)
    write(options.directory / "counts.csv", counts(rows))
    write(options.directory / "periods.csv", periods(rows, options.least))
    return 0


if __name__ == "__main__":
    sys.exit(main())
