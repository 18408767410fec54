#!/usr/bin/env python3
"""Behaves like `pericenter bench` with a GPU: writes a table with a row per combination of its options, and made-up
times. FAKE_LOG gets a line per call. FAKE_REFUSES is an option that it does not know, FAKE_INTERRUPTED a word whose
call ends as after Ctrl+C."""

import csv
import itertools
import os
import re
import sys
from array import array

MULTIPLE = ("solver", "backend", "n", "theta", "threads")
SINGLE = (
    "csv",
    "positions",
    "repeats",
    "samples",
    "max-seconds",
    "input",
    "dimension",
    "precision",
    "multipole",
    "softening",
    "dt",
    "size",
)
STAGES = (
    "kick_and_drift",
    "download",
    "bounds",
    "keys",
    "sort",
    "build_tree",
    "moments",
    "upload",
    "walk",
    "near_field",
    "far_field",
    "direct_sum",
)


def options_of(words):
    options = {}
    while words:
        word = words.pop(0)
        if word not in ("render", "--no-progress"):
            options[word.lstrip("-").replace("bodies", "n")] = words.pop(0)
    return options


def row_of(values, options):
    n, theta = float(values.get("n", 1000)), float(values.get("theta") or 1)
    direct = values.get("solver", "").startswith("direct")
    force = n * (n / 1000 if direct else 1 / theta) * 1e-3 / (10 if values.get("backend") == "cuda" else 1)
    if values.get("gpu-threads", "all") != "all":
        force *= 40000 / float(values["gpu-threads"])
    row = {"threads": "2", "walk": "skip", "integration": "gpu", "order": "tree", **values, **options}
    row |= {f"{stage}_ms": force / 100 for stage in STAGES}
    row |= {
        "walk_ms": 0 if direct else force,
        "direct_sum_ms": force if direct else 0,
        "step_ms": 1.3 * force,
        "mean_step_ms": 1.3 * force,
        "force_ms": force,
        "bodies_per_s": n / force * 1e3,
        "interactions_per_s": n * n / force * 1e3,
        "lane_efficiency": 0.25,
        "error_mean": theta / 1000,
        "error_max": theta / 10,
        "error_99_percent": theta / 100,
        "upload_bytes": 1000,
        "upload_gb_per_s": 12,
        "cpu_stages": "sort build_tree",
        "gpu_stages": "walk",
        "pcie_stages": "upload",
        "first_cells": 100,
        "last_cells": 50,
        "noted_steps": 0,
        "length_unit": "AU",
    }
    return {key.replace("-", "_"): value for key, value in row.items()}


def main(words):
    if words == ["--version"]:
        print("pericenter 0.0")
        return 0
    if words == ["--system-report"]:
        print("Pericenter: 0.0\nBuild: Release, commit 0123456789ab")
        return 0
    with open(os.environ.get("FAKE_LOG", os.devnull), "a") as log:
        log.write(" ".join(words) + "\n")
    if os.environ.get("FAKE_INTERRUPTED", "?") in words:
        return 130
    refused = os.environ.get("FAKE_REFUSES", "?")
    if refused in words:
        print(f"pericenter: unknown option {refused}.", file=sys.stderr)
        return 64
    options = options_of(words[1:])
    if files := re.findall(r"-(\d+)\.bin", options.get("input", "")):
        options["n"] = ",".join(files)
    single = {name: options.pop(name, "") for name in SINGLE}
    lists = {name: value.split(",") for name, value in options.items()}
    rows = [
        row_of(dict(zip(lists, values)), {name: single[name] for name in SINGLE if name != "csv"})
        for values in itertools.product(*lists.values())
    ]
    if single["positions"]:
        for row in rows:
            row["n"] = 2
        with open(single["positions"], "wb") as file:
            array("d", (k + 1e-9 * row for row in range(len(rows)) for k in range(6))).tofile(file)
    if single["csv"]:
        with open(single["csv"], "w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
