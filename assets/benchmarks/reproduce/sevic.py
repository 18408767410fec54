"""Sevic 2025: tree in shared memory."""

from reproduce import figure
from reproduce.figure import BLUE, GREEN, GREY, ORANGE, Curve, Figure, Lines
from reproduce.measurement import Measurement, Published
from reproduce.results import quotient

name = "sevic"
TITLE = "Sevic 2025: quadtree in shared memory"
SOURCE = (
    "D. Sevic, *GPU Computing Project Report*, January 2025. NVIDIA T600 (1,024 threads and 64 KB of shared memory per "
    "multiprocessor), 40,000 bodies in 2D, doubles, theta 0.5, depth 10, medians of five. His times are sums over an "
    "unknown number of steps; ours are per step, so that only ratios, speed-ups and efficiencies compare. Three values "
    "are those of global memory only, shared memory, and shared memory with optimised copies.")

COUNTS = (1, 2, 3, *(2**k for k in range(2, 16)))
PLANE = "--input random-masses --dimension 2 --precision double --theta 0.5 --multipole monopole --samples 1"
BODIES = f"--solver hybrid-shared {PLANE}"
SHARED = f"{BODIES} --repeats 5"
# His workload. Bodies gather around the heavy ones in the first four steps, after which the tree fits into shared memory.
RUN = f"{BODIES} --depth 10 --leaf point --order none --integrator euler --dt 1 --softening 1e-5"
AS_HIS = f"{RUN} --repeats 12"
VARIANTS = {"none": "global only", "plain": "shared, plain", "conflict-free": "shared, optimised"}
THREADS = f"--shared-tree {','.join(VARIANTS)} --gpu-threads {','.join(map(str, COUNTS))},all"
ALL = {"n": "40000", "quick": "2000"}
GROWING = {"n": ",".join(str(n) for n in (*COUNTS[1:], 40000)), "quick": "2,64,1024"}

MEASUREMENTS = [
    Measurement("threads", f"{AS_HIS} {THREADS}", on="cuda", seconds=60, **ALL),
    Measurement("growing", f"{AS_HIS} --shared-tree {','.join(VARIANTS)} --gpu-threads all", on="cuda", **GROWING),
    Measurement(
        "shrinking",
        f"{RUN} --shared-tree {','.join(VARIANTS)} --gpu-threads all --repeats 100",
        on="cuda",
        seconds=120,
        **ALL),
    Measurement("cores", f"{SHARED} --threads 1,2,4,8,16", on="cpu", **ALL),
    Measurement("block", f"{AS_HIS} --shared-tree {','.join(VARIANTS)} --gpu-threads all "
                "--block auto,64,128,256,512,1024",
                on="cuda",
                **ALL),
    Measurement("buffers", f"{AS_HIS} --buffers kept,per-step --gpu-threads all", on="cuda", **ALL),
    Measurement("leaf",
                f"{SHARED} --depth 5,10 --order none,morton --leaf point,bodies --gpu-threads all",
                on="cuda",
                **ALL),
    Measurement("counters",
                f"{SHARED} --depth 5 --leaf point --order none --gpu-threads all",
                on="cuda",
                cases={variant: f"--shared-tree {variant}"
                       for variant in VARIANTS},
                kernel="stack_walk_kernel",
                seconds=0,
                **ALL)
]

# Table 1: (best ms, threads), (largest speed-up, threads), (largest efficiency, threads).
TABLE = {
    "walk_ms": {
        "none": ((329.067, 40000), (797.38, 40000), (0.92, 2)),
        "plain": ((103.629, 40000), (2984.15, 40000), (1, 2)),
        "conflict-free": ((64.999, 2048), (921.42, 2048), (1, 2))
    },
    "step_ms": {
        "none": ((1331, 40000), (197.93, 40000), (0.91, 2)),
        "plain": ((1153, 40000), (269.19, 40000), (1, 2)),
        "conflict-free": ((1121, 4096), (54.73, 16384), (0.98, 2))
    }
}


def by_threads(results, variant, column="walk_ms"):
    """{threads: ms}"""
    rows = results.rows("threads", shared_tree=variant)
    return {row["n"] if row["gpu_threads"] == "all" else row["gpu_threads"]: row[column] for row in rows}


def speed_ups(results, variant, column="walk_ms"):
    ms = by_threads(results, variant, column)
    return {threads: ms[1.0] / value for threads, value in sorted(ms.items())} if 1.0 in ms else {}


def best(results, variant, column, measure):
    """Best time, speed-up or efficiency, and its number of threads; None if there is none."""
    ms, speed = by_threads(results, variant, column), speed_ups(results, variant, column)
    values = {
        "time": {
            threads: -value
            for threads, value in ms.items()
        },
        "speed-up": speed,
        "efficiency": {
            threads: value / threads
            for threads, value in speed.items() if threads > 1
        }
    }[measure]
    threads = max(values, key=values.get, default=None)
    return None if threads is None else (abs(values[threads]), threads)


def best_of_all(column, measure):
    return lambda results: [best(results, variant, column, measure) for variant in VARIANTS]


def best_ms(results, variant, column):
    found = best(results, variant, column, "time")
    return found and found[0]


def gain(column):
    def ours(results):
        plain = best_ms(results, "none", column)
        return [quotient(plain, best_ms(results, variant, column)) for variant in ("plain", "conflict-free")]

    return ours


def growing(results, *counts):
    return [results.value("growing", "walk_ms", shared_tree="none", n=float(n)) for n in counts]


def shrinking(results):
    row = (results.rows("shrinking", shared_tree="conflict-free") or [{}])[0]
    return [row.get(column) for column in ("first_cells", "last_cells", "noted_steps")]


TIME_REMARK = "His T600 against this GPU, and sums over his steps against one step of ours."
PUBLISHED = [
    *(Published(id, f"{'forces' if column == 'walk_ms' else 'whole step'}: {what} (threads)",
                tuple(TABLE[column][variant][k]
                      for variant in VARIANTS), best_of_all(column, measure), "threads", remark)
      for column, ids in (("walk_ms", ("S1", "S2", "S3")), ("step_ms", ("S4", "S5", "S6")))
      for k, (id, (measure, what, remark)) in enumerate(
          zip(ids, (("time", "best time, ms", TIME_REMARK),
                    ("speed-up", "largest speed-up over one thread",
                     "This GPU runs many more threads than the T600, and its caches hold the tree."),
                    ("efficiency", "largest efficiency",
                     "Threads of a warp wait for each other where their walks differ."))))),
    Published(
        "S7", "one thread: global, plain, optimised, s", (329.067 * 797.38 / 1e3, 103.629 * 2984.15 / 1e3, 59.9), lambda
        r: [value / 1e3 if value else None for value in (by_threads(r, variant).get(1.0) for variant in VARIANTS)],
        "threads", 'Published: best time times largest speed-up; the text prints 260, 310 and 60 "ms". ' + TIME_REMARK),
    Published(
        "S8", "speed-up of the forces: global, optimised; of steps: global, optimised", ("700 to 800", 850, 190, 50),
        lambda r: [
            max(speed_ups(r, variant, column).values(), default=None) for column in ("walk_ms", "step_ms")
            for variant in ("none", "conflict-free")
        ], "threads", "The figures' values, as the text describes them."),
    Published(
        "S9", "gain of shared memory in the forces: plain, optimised", (3.18, 5.06), gain("walk_ms"), "threads",
        "Best against best, over 12 steps; the tree fits into shared memory from the fourth step on. Without it, 98 % of the "
        "reads hit the L1 cache, which the T600 has less of (64 KB for both)."),
    Published("S9", "gain of shared memory in a step: plain, optimised", (1.15, 1.19), gain("step_ms"), "threads",
              "The tree is built on the CPU, which dominates a step in both."),
    Published("S10", "one thread per body, global only: 2, 1,024 bodies, ms", (8.5, 19), lambda r: growing(r, 2, 1024),
              "growing", "Launch overhead and latency dominate; both are smaller here."),
    Published("S11", "words per quadrant; largest tree of depth 10, MB", (12, 128), lambda r:
              (12, (4**11 - 1) / 3 * 96 / 2**20), "",
              "From the layout, not measured: the same 12 words of 8 bytes, (4^11 - 1)/3 quadrants."),
    Published("S11", "cells of the tree at the start, at the end of a run; steps without shared memory",
              ("shrinks", "", ""), shrinking, "shrinking",
              "His workload: random masses, time step 1, Euler; the tree shrinks as bodies gather."),
    Published("S12", "registers of the force kernel; threads per block", (70, "from registers and shared memory"),
              lambda r: (r.value("counters", "registers"), r.value("counters", "block")), "counters",
              "`--block auto` computes the block in the same way."),
    Published(
        "S13", "step with buffers per step over one allocation", ("nearly identical",), lambda r: quotient(
            r.value("buffers", "step_ms", buffers="per-step"), r.value("buffers", "step_ms", buffers="kept")),
        "buffers", "The difference is within the scatter of the tree build on the CPU, which is most of a step.")
]

COLORS = {"none": BLUE, "plain": ORANGE, "conflict-free": GREEN}


def speed_panel(results, column, title):
    curves = [
        Curve(text, list(speed_ups(results, variant, column).items()), COLORS[variant])
        for variant, text in VARIANTS.items()
    ]
    curves += [
        Curve(f"{VARIANTS[variant]}, Sevic (largest)", [TABLE[column][variant][1][::-1]], COLORS[variant], True)
        for variant in VARIANTS
    ]
    return Lines(title, "threads", "speed-up over one thread", curves, ideal=True)


def threads(results):
    return Figure(f"Speed-up with the number of threads (Sevic 2025), {figure.bodies(results.rows('threads'))}", [
        speed_panel(results, "walk_ms", "forces on the GPU"),
        speed_panel(results, "step_ms", "whole steps")
    ])


def cores(results):
    rows = results.rows("cores")
    one = results.value("cores", "walk_ms", threads=1.0), results.value("cores", "step_ms", threads=1.0)
    curves = [
        Curve(text, figure.curve(rows, "threads", lambda row, k=k, column=column: quotient(one[k], row[column])), color)
        for k, (text, column, color) in enumerate((("forces", "walk_ms", BLUE), ("whole steps", "step_ms", GREY)))
    ]
    return Figure(f"Speed-up with the number of CPU threads, {figure.bodies(rows)}",
                  [Lines("hybrid-shared on the CPU", "threads", "speed-up over one thread", curves, ideal=True)])


def per_body(results):
    curves = [
        Curve(text, figure.curve(results.rows("growing", shared_tree=variant), "n", "walk_ms"), COLORS[variant])
        for variant, text in VARIANTS.items()
    ]
    curves.append(Curve("global only, Sevic", [(2, 8.5), (1024, 19)], COLORS["none"], True))
    return Figure("One thread per body (Sevic 2025)", [Lines("time of the forces", "bodies and threads", "ms", curves)])


FIGURES = {
    "threads": threads,
    "cores": cores,
    "growing": per_body
}
