"""How much faster one code is than others at equal mean error."""

import argparse
import math
import os
import sys
from pathlib import Path

from reproduce.results import read_csv

DESCRIPTION = """Prints how much faster the codes of OURS.csv (output of pericenter bench --csv) are than those of
PEERS.csv, at each mean error that one side measured and that is inside the range of both, interpolated in log time over
log error between the fastest rows. Nothing is extrapolated. Columns: peer, solver or name; n or bodies; force_ms,
total_ms or ms; mean_error or error_mean; optional: backend, threads, input, dimension, softening, error_99_percent,
error_max. Where both tables have n, input, dimension and softening, they must agree; a file plummer_1e6.bin matches the
input plummer."""
ROUNDING = 1e-6  # tables have nine digits
LARGER = ("error_99_percent", "error_max")


def pick(row, *names):
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def code_of(row):
    text = str(pick(row, "peer", "solver", "name"))
    text += f" on {row['backend']}" if row.get("backend") else ""
    threads = row.get("threads") or 0
    return text + (f", {threads:.0f} thread{'s' if threads > 1 else ''}" if threads else "")


def series_of(path):
    """{(code, n, input, dimension, softening): points by rising error and falling time}"""
    series = {}
    for row in read_csv(Path(path))[1]:
        ms, error, n = (
            pick(row, "force_ms", "total_ms", "ms"),
            pick(row, "mean_error", "error_mean"),
            pick(row, "n", "bodies"),
        )
        if n is None or pick(row, "peer", "solver", "name") is None:
            raise ValueError("it needs columns for name, n, ms and mean error, see --help")
        if not all(isinstance(value, float) and value > 0 for value in (ms, error)):
            continue
        name = os.path.basename(str(row.get("input") or ""))
        key = (code_of(row), n, name, row.get("dimension") or None, row.get("softening") or None)
        larger = {column: row.get(column) for column in LARGER if isinstance(row.get(column), float)}
        series.setdefault(key, []).append((error, ms, larger))
    return {key: front(points) for key, points in series.items()}


def front(points):
    """Without rows that another one beats in time and error."""
    best = []
    for point in sorted(points, key=lambda point: point[:2]):
        if not best or point[1] < best[-1][1]:
            best.append(point)
    return best


def agree(a, b):
    return a is None or b is None or math.isclose(a, b, rel_tol=ROUNDING)


def same_bodies(ours, peer):
    return ours[1] == peer[1] and peer[2] in ours[2] and agree(ours[3], peer[3]) and agree(ours[4], peer[4])


def covers(points, error):
    return points[0][0] * (1 - ROUNDING) <= error <= points[-1][0] * (1 + ROUNDING)


def at(points, error, value):
    """The value at this error, interpolated in logarithms; None if unknown."""
    for a, b in zip(points, points[1:]):
        if error <= b[0]:
            if value(a) is None or value(b) is None:
                return None
            share = min(1, max(0, math.log(error / a[0]) / math.log(b[0] / a[0])))
            return value(a) * (value(b) / value(a)) ** share
    return value(points[-1])


def speed_ups(ours, peers):
    """Rows: our code, n, error, our 99 % and largest error and ms, peer, its 99 %, largest error and ms, speed-up."""
    rows = []
    for key, points in ours.items():
        for other, their in peers.items():
            if not same_bodies(key, other):
                continue
            errors = sorted(
                {error for error, *_ in points if covers(their, error)}
                | {error for error, *_ in their if covers(points, error)}
            )
            errors = [error for k, error in enumerate(errors) if not k or error > errors[k - 1] * (1 + ROUNDING)]
            for error in errors:
                sides = [
                    [at(side, error, lambda point, c=column: point[2].get(c)) for column in LARGER]
                    + [at(side, error, lambda point: point[1])]
                    for side in (points, their)
                ]
                rows.append([key[0], key[1], error, *sides[0], other[0], *sides[1], sides[1][2] / sides[0][2]])
    return rows


def aligned(lines):
    """Columns of texts, aligned on the right."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def text_of(rows):
    heads = ["solver", "n", "mean error", "99 %", "max", "ms", "peer", "peer 99 %", "peer max", "peer ms", "speed-up"]
    errors = {"mean error", "99 %", "max", "peer 99 %", "peer max"}
    lines = [heads]
    for row in rows:
        lines.append(
            [
                (
                    value
                    if isinstance(value, str)
                    else (
                        "-"
                        if value is None
                        else f"{value:.1e}" if head in errors else f"{value:.0f}" if head == "n" else f"{value:.3g}"
                    )
                )
                for head, value in zip(heads, row)
            ]
        )
    return aligned(lines)


def main(words):
    parser = argparse.ArgumentParser(prog="reproduce.py compare", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("ours", type=Path)
    parser.add_argument("peers", type=Path)
    options = parser.parse_args(words)
    tables = []
    for path in (options.ours, options.peers):
        try:
            tables.append(series_of(path))
        except (OSError, ValueError) as error:
            sys.exit(f"{path} cannot be used: {error}.")
    rows = speed_ups(*tables)
    if not rows:
        print("Nothing to compare: no error inside the range of both tables for the same bodies.")
        return 1
    print("Force computation at equal mean error, interpolated:\n" + text_of(rows))
    return 0
