"""The table of one or several runs of bench_table; used by scripts/bench.sh.

  bench_report.py [--keep FOLDER] [--compare OLD.csv] RUN.csv...

--keep writes the medians and spreads to FOLDER/{cpu}_{cpus}.csv. --compare tells what is worse than OLD.csv by more than
THRESHOLD beyond the spread of both, and exits with 1 when something is: of 250 figures some always are by a tenth.
"""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys

THRESHOLD = 0.10
FIELDS = ["figure", "isa", "value", "unit", "ratio", "spread", "goal", "met"]
LESS_IS_BETTER = {"ns/pose", "ms"}
NOT_OURS = ("limit_", "rival_", "write_alone_", "text_yaml_", "assimp_", "fk_store_share", "xyzw_store_share")  # the machine's and the rivals' figures


def number(text):
    return float(text) if text else None


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["figure"], row["isa"]): row for row in rows}


def is_met(goal, ratio):
    limit = float(goal[2:])
    return ratio <= limit if goal.startswith("<=") else ratio >= limit


def spread_of(values):
    middle = statistics.median(values)
    return (max(values) - min(values)) / middle if middle else 0.0


def joined(runs):
    """The medians of what all runs have, in the first one's order; the spread is that of the ratio, else of the value."""
    out = {}
    for key, first in runs[0].items():
        rows = [run[key] for run in runs if key in run]
        row = dict(first)
        for field in ("value", "ratio"):
            values = [number(r[field]) for r in rows if r[field]]
            row[field] = statistics.median(values) if values else None
            if values:
                row["spread"] = spread_of(values)
        if row["goal"] and row["ratio"] is not None:
            row["met"] = "yes" if is_met(row["goal"], row["ratio"]) else "no"
        out[key] = row
    return out


def text_of(value, form="{:.4g}"):
    return "" if value is None or value == "" else form.format(value)


def print_table(rows):
    print(f"{'figure':30} {'isa':7} {'value':>10} {'unit':9} {'ratio':>8} {'spread':>7}  {'goal':8} met")
    for row in rows.values():
        print(f"{row['figure']:30} {row['isa']:7} {text_of(row['value']):>10} {row['unit']:9} "
              f"{text_of(row['ratio'], '{:.3f}'):>8} {text_of(row['spread'], '{:.0%}'):>7}  {row['goal']:8} {row['met']}")
    judged = [row for row in rows.values() if row["goal"]]
    missed = [f"{row['figure']} {row['isa']}".strip() for row in judged if row["met"] != "yes"]
    print(f"{len(judged) - len(missed)} of {len(judged)} goals met" + (f"; not: {', '.join(missed)}" if missed else ""))


def cpu():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = re.findall(r"^model name\s*:\s*(.*)$", file.read(), re.MULTILINE)
    except OSError:
        names = []
    return names[0].strip() if names else os.uname().machine


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def keep(folder, rows, run_count):
    cpus = len(os.sched_getaffinity(0))
    name = re.sub(r"[^A-Za-z0-9]+", "-", re.sub(r"\((R|TM)\)", "", cpu())).strip("-").lower()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}_{cpus}.csv")
    compiler = output_of("gcc", "--version").splitlines()[0]
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(f"# {cpu()}, {cpus} CPUs; {compiler}; commit {output_of('git', 'rev-parse', '--short', 'HEAD')}; "
                   f"median of {run_count} runs of scripts/bench.sh\n")
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        out.writeheader()
        for row in rows.values():
            out.writerow({**row, "value": text_of(row["value"]), "ratio": text_of(row["ratio"]),
                          "spread": text_of(row["spread"], "{:.2f}")})
    print(f"kept in {path}", file=sys.stderr)


def judged_of(row):
    """The number that a row is judged by, and whether less is better."""
    if row["goal"] and number_or_none(row["ratio"]) is not None:
        return number_or_none(row["ratio"]), row["goal"].startswith("<=")
    if row["figure"].startswith(NOT_OURS):
        return None, False
    return number_or_none(row["value"]), row["unit"] in LESS_IS_BETTER


def number_or_none(value):
    return number(value) if isinstance(value, str) else value


def compare(old, rows):
    """Worse by: 0.2 where a time is 1.2 times as long, or a rate 1 / 1.2 as high."""
    worse = []
    for key, row in rows.items():
        now, less = judged_of(row)
        was = judged_of(old[key])[0] if key in old else None
        if not now or not was:
            continue
        loss = now / was - 1 if less else was / now - 1
        noise = (row["spread"] or 0) + (number_or_none(old[key].get("spread")) or 0)
        if loss > THRESHOLD + noise:
            worse.append(f"{' '.join(key).strip()}: {was:.4g} -> {now:.4g}, worse by {loss:.0%} (noise {noise:.0%})")
    for line in worse:
        print(line)
    print(f"{len(worse)} of {len(rows)} figures are worse by more than {THRESHOLD:.0%} beyond the noise")
    return bool(worse)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--compare", metavar="OLD.csv")
    parser.add_argument("runs", nargs="+", metavar="RUN.csv")
    given = parser.parse_args()
    old = read(given.compare) if given.compare else None  # before --keep may replace it
    rows = joined([read(path) for path in given.runs])
    print_table(rows)
    if given.keep:
        keep(given.keep, rows, len(given.runs))
    return 1 if old is not None and compare(old, rows) else 0


if __name__ == "__main__":
    sys.exit(main())
