"""How much the positions at the end of a run differ between solvers."""

import argparse
import csv
import math
import sys
import tempfile
from array import array
from itertools import takewhile
from operator import mul
from pathlib import Path

from reproduce.compare import aligned

DESCRIPTION = """Advances the same bodies with several solvers and compares times, energy errors and the positions at the
end: pericenter bench with --dt, --repeats and other options of your choice. Without options: a day of 100,000 small bodies
of the solar system in steps of an hour, which Cassell et al. 2024 ran with 1,039,551 bodies of JPL's database; --input
reads such a table. Columns: l2_relative: largest L2 difference to another solver, sqrt(sum |a - b|^2) / sqrt(sum |b|^2);
l2_AU: the same without the division, in AU (or kpc, or scene units); max_AU: largest distance of one body; farthest: the solver with the largest
difference; to SOLVER: l2_relative to this one. Rows that --max-seconds stops early are left out."""
DEFAULTS = {"--input": "small-bodies", "--precision": "double", "--softening": "0", "--theta": "0.6", "--dt": "1h",
            "--repeats": "24", "--samples": "1"}
BODIES = ("-n", "100000")


def with_defaults(words):
    """Words after `pericenter bench`."""
    more = [] if any(word in ("-n", "--bodies", "--input") for word in words) else BODIES
    return [*words, *more, *(part for name, value in DEFAULTS.items() if name not in words for part in (name, value))]


def norm(values):
    return math.sqrt(sum(map(mul, values, values)))


def difference(a, b):
    """sqrt(sum |a - b|^2), and the largest |a - b|, of two arrays of x, y, z for each body."""
    apart = array("d", (x - y for x, y in zip(a, b)))
    largest = max(map(math.hypot, apart[0::3], apart[1::3], apart[2::3]), default=0)
    whole = norm(apart)
    return whole, largest if math.isfinite(whole) else whole


def labels(rows):
    """The solver, and the settings that differ between its rows; the columns before the first time are settings."""
    settings = [name for name in takewhile(lambda name: not name.endswith("_ms"), rows[0]) if name != "device"]

    def label(row):
        values = {name: {other[name] for other in rows if other["solver"] == row["solver"]} for name in settings}
        return " ".join([row["solver"], *(f"{name}={row[name]}" for name in settings if row[name] and len(values[name]) > 1)])

    return [label(row) for row in rows]


def add_differences(rows, positions):
    """Adds the columns of the differences; solvers get unique names."""
    names, norms = labels(rows), [norm(each) for each in positions]
    pairs = {(i, j): difference(positions[i], positions[j]) for i in range(len(rows)) for j in range(i)}
    for i, row in enumerate(rows):
        others = {j: pairs[max(i, j), min(i, j)] for j in range(len(rows)) if j != i}
        relative = {j: whole / (norms[j] or 1) for j, (whole, _) in others.items()}
        row["solver"], unit = names[i], row["length_unit"]
        if others:
            farthest = max(others, key=lambda j: others[j][0])
            row |= {"l2_relative": max(relative.values()), f"l2_{unit}": others[farthest][0],
                    f"max_{unit}": max(largest for _, largest in others.values()), "farthest": names[farthest]}
        row |= {f"to {names[j]}": relative.get(j, 0) for j in range(len(rows))}


def bench(program, words, run):
    """As runner.bench(), which is `run`, with the columns of the differences."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "positions.bin"
        rows, notes = run(program, [*words, "--positions", str(file)])
        if not rows:
            return rows, notes
        with file.open("rb") as stream:
            positions = []
            for row in rows:
                positions.append(array("d"))
                positions[-1].fromfile(stream, 3 * int(row["n"]))
    most = max(int(row["repeats"]) for row in rows)
    notes += [f"left out: {row['solver']}: its steps take too long." for row in rows if int(row["repeats"]) < most]
    complete = [k for k, row in enumerate(rows) if int(row["repeats"]) == most]
    rows = [rows[k] for k in complete]
    add_differences(rows, [positions[k] for k in complete])
    return rows, notes


def text_of(rows):
    texts, unit = ("solver", "farthest"), rows[0]["length_unit"]
    heads = ["solver", "step_ms", "energy_error", "l2_relative", f"l2_{unit}", f"max_{unit}", "farthest",
             *(f"to {row['solver']}" for row in rows)]
    return aligned([heads] + [[row[name] if name in texts else f"{float(row[name]):.3g}" for name in heads] for row in rows])


def main(words, program, run):
    """reproduce.py agreement."""
    parser = argparse.ArgumentParser(prog="reproduce.py agreement", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--program", type=Path, default=program, help="the program (default: the build of run.sh)")
    parser.add_argument("--csv", type=Path, help="also write all columns to this file")
    options, bench_words = parser.parse_known_args(words)
    rows, notes = bench(options.program, ["bench", *with_defaults(bench_words)], run)
    for note in notes:
        print(note, file=sys.stderr)
    if len(rows) < 2:
        sys.exit("Fewer than two solvers completed the steps.")
    print(text_of(rows))
    if options.csv:
        with options.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return 0
